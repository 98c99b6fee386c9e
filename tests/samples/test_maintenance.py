"""Notes are put into the sample corpus by its script."""

from __future__ import annotations

import runpy
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from multideid import samples
from multideid.corpora import write_corpus
from multideid.document import Document
from multideid.samples import sample_corpus

SCRIPT = Path(__file__).parents[2] / "scripts" / "sample_notes" / "__main__.py"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a copy of the corpus, which the script and the package use."""
    copy = shutil.copytree(samples.DATA, tmp_path / "data")
    monkeypatch.setattr(samples, "DATA", copy)
    return copy


def _add(notes: list[Document], folder: Path) -> str:
    write_corpus(notes, folder / "notes.jsonl", "jsonl")
    app = runpy.run_path(str(SCRIPT), run_name="sample_notes")["app"]
    result = CliRunner().invoke(app, [str(folder / "notes.jsonl"), "--split", "dev"])
    return result.output


def test_notes_are_added_or_replaced(data: Path, tmp_path: Path) -> None:
    before = sample_corpus(split="dev")
    corrected = replace(before[0], spans=before[0].spans[1:])
    new = replace(before[0], id="zz-us-01-01")
    assert f"{len(before) + 1} notes" in _add([corrected, new], tmp_path)
    assert sample_corpus(split="dev") == [corrected, *before[1:], new]


def test_notes_without_a_brief_are_refused(data: Path, tmp_path: Path) -> None:
    before = (data / "dev.jsonl.xz").read_bytes()
    assert "'1': meta must have brief" in _add([Document("1", "x")], tmp_path)
    assert (data / "dev.jsonl.xz").read_bytes() == before
