"""Formats of installed packages are read, written, detected and listed like built-in ones."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from installed import install
from typer.testing import CliRunner

from multideid import plugins
from multideid.cli import app
from multideid.corpora import (
    convert,
    describe_formats,
    detect_format,
    format_names,
    read_corpus,
    registry,
    write_corpus,
)
from multideid.document import Document, Span
from multideid.errors import UsageError

PLUGIN = """
from multideid.corpora import Format
from multideid.document import Document, Span

def read(path, report, separator="|"):
    for line in path.read_text().splitlines()[1:]:
        name, label, text = line.split(separator)
        yield Document(name, text, (Span(0, len(text), label),))

def write(documents, output, report, separator="|"):
    rows = [separator.join((d.id, d.spans[0].label, d.text)) for d in documents]
    output.temporary.write_text("\\n".join(["#pipes", *rows]))

def detect(path):
    return path.is_file() and path.read_bytes().startswith(b"#pipes")

FORMAT = Format("pipes", "a line of id, label and PHI", read, write, folder=False,
                options=("separator",), detect=detect)
not_a_format = 3
"""
GOLD = [Document("a", "Lee", (Span(0, 3, "DOCTOR"),)), Document("b", "May", (Span(0, 3, "DATE"),))]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages with a module that holds a format."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "pipes_plugin.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(folder)
    yield folder
    sys.modules.pop("pipes_plugin", None)


@pytest.fixture
def pipes(site: Path) -> None:
    install(site, registry.GROUP, "pipes-plugin", {"pipes": "pipes_plugin:FORMAT"})


@pytest.mark.usefixtures("pipes")
def test_a_corpus_comes_back_as_it_was_written(tmp_path: Path) -> None:
    assert write_corpus(GOLD, tmp_path / "c", "pipes") == 2
    assert (tmp_path / "c").read_text().startswith("#pipes\na|DOCTOR|Lee\n")
    assert read_corpus(tmp_path / "c", "pipes") == GOLD


@pytest.mark.usefixtures("pipes")
def test_a_file_of_the_format_is_detected_and_converted(tmp_path: Path) -> None:
    write_corpus(GOLD, tmp_path / "c", "pipes")
    assert detect_format(tmp_path / "c") == "pipes"
    assert convert(tmp_path / "c", tmp_path / "d", "jsonl") == 2
    assert read_corpus(tmp_path / "d") == GOLD


@pytest.mark.usefixtures("pipes")
def test_options_reach_the_format_and_others_are_refused(tmp_path: Path) -> None:
    write_corpus(GOLD, tmp_path / "c", "pipes", separator=";")
    assert read_corpus(tmp_path / "c", "pipes", separator=";") == GOLD
    with pytest.raises(UsageError, match="no option 'text_column'; it has separator"):
        read_corpus(tmp_path / "c", "pipes", text_column="text")


@pytest.mark.usefixtures("pipes")
def test_the_command_lists_the_format() -> None:
    runner = CliRunner()
    listed = json.loads(runner.invoke(app, ["formats", "--json"]).output)
    assert listed["pipes"] == "a line of id, label and PHI"
    output = runner.invoke(app, ["formats"]).output
    assert re.search(r"^pipes +a line of id, label and PHI$", output, re.MULTILINE)


def test_a_plugin_is_loaded_only_when_it_is_used(site: Path) -> None:
    install(site, registry.GROUP, "pipes-plugin", {"pipes": "pipes_plugin:FORMAT"})
    assert "pipes" in format_names()
    assert "pipes_plugin" not in sys.modules


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("pipes_plugin:missing", "cannot be loaded: AttributeError"),
        ("no_such_module:FORMAT", "cannot be loaded: ModuleNotFoundError"),
        ("pipes_plugin:not_a_format", "is not a format"),
    ],
)
def test_a_broken_plugin_is_named_and_does_not_hinder_other_formats(
    site: Path, tmp_path: Path, value: str, problem: str
) -> None:
    install(site, registry.GROUP, "pipes-plugin", {"pipes": value})
    with pytest.raises(UsageError, match=f"format 'pipes' of pipes-plugin {problem}"):
        read_corpus(tmp_path, "pipes")
    assert describe_formats()["pipes"].startswith("not usable: format 'pipes' of pipes-plugin")
    write_corpus(GOLD, tmp_path / "c", "jsonl")
    assert read_corpus(tmp_path / "c") == GOLD


def test_a_format_of_two_packages_is_refused(site: Path, tmp_path: Path) -> None:
    install(site, registry.GROUP, "pipes-plugin", {"brat": "pipes_plugin:FORMAT"})
    with pytest.raises(UsageError, match="provided by multideid and pipes-plugin; uninstall all"):
        read_corpus(tmp_path, "brat")


def test_built_in_formats_need_no_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "_installed", lambda *_: ())
    assert format_names() == tuple(registry.BUILT_IN)
