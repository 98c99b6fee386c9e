"""What a journal remembers is what a run that was not stopped finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from multideid.deid.findings import RememberingPredictor
from multideid.deid.journal import Claim, Journal
from multideid.document import Document, Span
from multideid.stacking.deidentifier import batches

NAMED, NAME = "Name: Quorrin", "quorrin"


class StoppedError(Exception):
    """Stands for a signal."""


class Agreeing:
    """Finds a name in the notes of a patient if a note of the batch says that it is one."""

    labels = ("PATIENT",)

    def __init__(self) -> None:
        self.read: list[str] = []

    def predict_each(self, documents: Iterable[Document]) -> Iterator[Document]:
        for batch in batches(documents):
            known = {d.meta.get("patient") for d in batch if NAMED in d.text}
            for d in batch:
                self.read.append(d.id)
                start = d.text.lower().find(NAME)
                is_found = start >= 0 and d.meta.get("patient") in known
                yield d.with_spans([Span(start, start + 7, "PATIENT")] if is_found else [])


def _notes(*pairs: tuple[str, object]) -> list[Document]:
    return [Document(str(n), t, meta={"patient": p}) for n, (t, p) in enumerate(pairs)]


def _run(
    out: Path, documents: Iterable[Document], stop: int | None = None, agreement: bool = True
) -> tuple[list[Document], list[str]]:
    """Return what a run finds that goes on, and what its model reads; stop it after some notes."""
    predictor = Agreeing()
    with Journal(out, lambda digest: {"model": "m"}, resume=True) as journal:
        journal.open()
        # With a file of the output a journal stays when its run ends.
        journal.claim([Claim("")])
        known = RememberingPredictor(predictor, journal, agreement=agreement)
        found = list(islice(known.predict_each(documents), stop))
        if stop is not None:
            raise StoppedError
    return found, predictor.read  # type: ignore[return-value]


def _stopped(out: Path, documents: Iterable[Document], n: int, agreement: bool = True) -> None:
    with pytest.raises(StoppedError):
        _run(out, documents, n, agreement)


ADJACENT = _notes(("x", 1), (NAMED, 7), (NAME, 7), (f"of {NAME}", 7.0), ("y", 8))
APART = _notes((NAMED, 7), (NAME, 8), (NAME, 7), (NAME, None), (f"a {NAME}", "7"))


@pytest.mark.parametrize("documents", [ADJACENT, APART], ids=["adjacent", "apart"])
@pytest.mark.parametrize("most", [1, 230, 330, 500_000])
@pytest.mark.parametrize("stop", range(1, 6))
def test_notes_of_a_patient_agree_after_a_stop_as_without_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    documents: list[Document],
    most: int,
    stop: int,
) -> None:
    monkeypatch.setattr("multideid.stacking.deidentifier._BATCH_CHARACTERS", most)
    expected, _ = _run(tmp_path / "whole", documents)
    _stopped(tmp_path / "out", documents, stop)
    assert _run(tmp_path / "out", documents)[0] == expected


def test_what_was_found_in_a_note_is_not_used_beside_other_notes_of_its_patient(
    tmp_path: Path,
) -> None:
    for before in ([ADJACENT[2]], [ADJACENT[1], ADJACENT[0]]):
        _stopped(tmp_path / "out", before, 2)
    found, read = _run(tmp_path / "out", ADJACENT[1:3])
    assert [len(document.spans) for document in found] == [1, 1]
    assert read == ["1", "2"]


def test_notes_that_are_all_known_are_not_read_again(tmp_path: Path) -> None:
    _stopped(tmp_path / "out", ADJACENT, 9)
    found, read = _run(tmp_path / "out", ADJACENT)
    assert [len(document.spans) for document in found] == [0, 1, 1, 1, 0]
    assert read == []


@pytest.mark.parametrize(
    ("documents", "agreement"),
    [(ADJACENT, False), (_notes(("a", None), ("b", ""), ("c", 1), ("d", 2)), True)],
    ids=["no agreement", "one note per patient"],
)
def test_notes_that_cannot_agree_are_known_one_by_one(
    tmp_path: Path, documents: list[Document], agreement: bool
) -> None:
    _stopped(tmp_path / "out", documents[:2], 3, agreement)
    assert _run(tmp_path / "out", documents, agreement=agreement)[1] == [
        document.id for document in documents[2:]
    ]
