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


def test_notes_of_the_flavours_alternate_with_a_copy_of_each_in_another(tmp_path: Path) -> None:
    corpora = _write(tmp_path, dict.fromkeys(FLAVOURS, 5))
    documents, groups, copies = training_notes(corpora, samples=0)
    assert [d.id for d in documents] == [
        "realistic-0", "shuffled-1", "ambiguous-2", "random-3", "realistic-4",
        "ambiguous-0", "random-1", "realistic-2", "shuffled-3", "ambiguous-4",
    ]  # fmt: skip
    assert copies == [False] * 5 + [True] * 5
    assert groups[:5] == groups[5:]
    assert len({*groups}) == 5


def test_a_flavour_that_is_left_out_is_not_read(tmp_path: Path) -> None:
    corpora = _write(tmp_path, dict.fromkeys(FLAVOURS[1:], 3))
    notes = training_notes(corpora, FLAVOURS[1:], samples=0).documents
    assert [d.id.partition("-")[0] for d in notes[:3]] == ["shuffled", "ambiguous", "random"]
    assert not any(d.id.startswith("realistic") for d in notes)


def test_a_single_flavour_has_no_copies(tmp_path: Path) -> None:
    corpora = _write(tmp_path, {"random": 2})
    assert training_notes(corpora, ["random"], samples=0).copies == [False, False]


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
