"""Other systems are measured in the same run, whatever state they are in."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval import speed_peers
from multideid.eval.speed_peers import measure_peers, named_finder

NOTES = [Document("a", "Dr. Lee\nsaw him"), Document("b", "on 3/4/2001")]


@pytest.fixture
def none_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed_peers, "_PEERS", {})


@pytest.mark.usefixtures("none_installed")
def test_any_function_of_a_text_is_measured_beside_the_tokenizer() -> None:
    read: list[str] = []
    speeds = measure_peers(NOTES, {"mine": read.append})
    assert list(speeds.tokens_per_second) == ["tokenizer alone", "mine"]
    assert min(speeds.tokens_per_second.values()) > 0
    assert set(read) == {note.text for note in NOTES}
    assert speeds.problems == {}


def test_what_is_installed_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed_peers, "_PEERS", {"json": lambda: len})
    found = measure_peers(NOTES, {"mine": len}, installed=False).tokens_per_second
    assert list(found) == ["tokenizer alone", "mine"]


@pytest.mark.usefixtures("none_installed")
def test_a_failure_is_reported_without_the_text() -> None:
    speeds = measure_peers(NOTES, {"mine": int})
    assert list(speeds.tokens_per_second) == ["tokenizer alone"]
    assert speeds.problems == {"mine": "it failed with ValueError"}


@pytest.mark.usefixtures("none_installed")
def test_the_time_of_processes_that_it_starts_counts() -> None:
    busy = "from time import process_time as t\nend = t() + 0.2\nwhile t() < end: pass"

    def find(text: str) -> object:
        return subprocess.run([sys.executable, "-S", "-c", busy], check=True)

    speeds = measure_peers(NOTES[:1], {"another process": find}).tokens_per_second
    n_tokens = len(NOTES[0].text.split())
    assert 0 < speeds["another process"] < n_tokens / 0.2


def test_only_what_is_installed_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    makers = {"no_such_module": lambda: len, "json": lambda: len}
    monkeypatch.setattr(speed_peers, "_PEERS", makers)
    assert list(measure_peers(NOTES).tokens_per_second) == ["tokenizer alone", "json"]


PHILTER = """
read = []
def load_filters(path):
    return [open(path).read()]
def detect_phi(text, filters):
    read.append((text, filters))
"""
NLTK = """
class data:
    def find(name):
        if name != "{there}":
            raise LookupError(name)
"""


@pytest.fixture
def philter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Return a function that installs substitutes for Philter and for NLTK with some data."""

    def install(there: str) -> ModuleType:
        configs = tmp_path / "philter_lite" / "configs"
        configs.mkdir(parents=True)
        (configs / "philter_delta.toml").write_text("all filters", encoding="utf-8")
        (configs.parent / "__init__.py").write_text(PHILTER, encoding="utf-8")
        (tmp_path / "nltk.py").write_text(NLTK.format(there=there), encoding="utf-8")
        for name in ("nltk", "philter_lite"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        return import_module("philter_lite")

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(speed_peers, "_PEERS", {"philter_lite": speed_peers._philter})
    return install


def test_philter_reads_every_text_with_its_own_filters(
    philter: Callable[[str], ModuleType],
) -> None:
    module = philter("taggers/averaged_perceptron_tagger_eng")
    assert measure_peers(NOTES).problems == {}
    assert module.read[:2] == [(note.text, ["all filters"]) for note in NOTES]


def test_philter_without_its_data_is_explained(
    philter: Callable[[str], ModuleType],
) -> None:
    philter("corpora/stopwords")
    (problem,) = measure_peers(NOTES).problems.values()
    assert "python -m nltk.downloader averaged_perceptron_tagger_eng" in problem


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("json", "module:function"),
        (":loads", "module:function"),
        (".json:loads", "cannot import .json"),
        ("no_such_module:f", "cannot import no_such_module"),
        ("json:no_such_function", "json has no function 'no_such_function'"),
    ],
)
def test_a_function_that_is_not_there_is_refused(name: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        named_finder(name)


def test_a_function_is_found_by_its_name() -> None:
    assert named_finder("json:loads")("1") == 1


def test_a_function_of_the_current_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_finder.py").write_text("def find(text): return text.upper()")
    (tmp_path / "broken_finder.py").write_text("def find(")
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    assert named_finder("my_finder:find")("a") == "A"
    with pytest.raises(UsageError, match="SyntaxError"):
        named_finder("broken_finder:find")
    assert sys.path == before
