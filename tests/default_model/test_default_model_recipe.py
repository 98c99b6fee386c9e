"""The training notes of the bundled model."""

from __future__ import annotations

from pathlib import Path

import pytest

from multideid.corpora import write_corpus
from multideid.document import Document
from multideid.errors import UsageError
from recipe import FLAVOURS, training_notes


def _write(folder: Path, numbers: dict[str, int]) -> Path:
    for flavour, n in numbers.items():
        notes = [Document(f"{flavour}-{k}", "Ann", ((0, 3, "PATIENT"),)) for k in range(n)]
        (folder / flavour).mkdir(parents=True)
        write_corpus(notes, folder / flavour / "train.xml", "i2b2-2006")
    return folder


def test_each_note_of_the_flavours_is_taken_once_in_alternating_flavours(tmp_path: Path) -> None:
    corpora = _write(tmp_path, dict.fromkeys(FLAVOURS, 6))
    notes = [d.id for d in training_notes(corpora, samples=0).documents]
    assert notes == [
        "realistic-0", "shuffled-1", "ambiguous-2", "random-3", "realistic-4", "shuffled-5"
    ]  # fmt: skip


def test_a_flavour_that_is_left_out_is_not_read(tmp_path: Path) -> None:
    corpora = _write(tmp_path, dict.fromkeys(FLAVOURS[1:], 3))
    notes = training_notes(corpora, FLAVOURS[1:], samples=0).documents
    assert [d.id for d in notes] == ["shuffled-0", "ambiguous-1", "random-2"]


def test_flavours_of_different_notes_are_refused(tmp_path: Path) -> None:
    corpora = _write(tmp_path, {**dict.fromkeys(FLAVOURS, 3), "random": 2})
    with pytest.raises(UsageError, match="numbers differ"):
        training_notes(corpora, samples=0)


def test_copies_of_a_sample_note_have_other_phi_and_its_group() -> None:
    documents, groups, copies = training_notes(None, copies=("realistic",), samples=2)
    assert copies == [False, False, True, True]
    assert [d.id for d in documents[2:]] == [f"{d.id}-copy-0" for d in documents[:2]]
    assert groups[:2] == groups[2:]
    first, copy = documents[0], documents[2]
    assert [s.label for s in copy.spans] == [s.label for s in first.spans]
    assert [copy.span_text(s) for s in copy.spans] != [first.span_text(s) for s in first.spans]
