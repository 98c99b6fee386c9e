"""A note that fails takes nothing from the others: those of a patient agree as without it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import pytest

from multideid.document import Document, FailedDocument, Span
from multideid.isolation import IsolatedFunction, LostProcessError
from multideid.site.site import Site
from multideid.stacking import Deidentifier, VoteDeidentifier
from multideid.stacking.failing_notes import results_of
from multideid.stacking.parallel_prediction import _results
from multideid.stacking.prediction_process import _find, predicted
from multideid.taggers import registry


class Badges:
    """Names after a title; it fails on some notes."""

    name, summary = "titles-of-failing-notes", "Names after a title."

    def tag(self, document: Document) -> list[Span]:
        if "raises" in document.text:
            raise ValueError(document.text)
        if "exits" in document.text:
            raise SystemExit(document.text)
        return [Span(*m.span(1), "NAME") for m in re.finditer(r"Mr ([A-Z]\w+)", document.text)]


@pytest.fixture(scope="module")
def model() -> Iterator[Deidentifier]:
    registry.register(Badges)
    fitted = VoteDeidentifier(["titles-of-failing-notes"], rule="any", n_jobs=1)
    fitted.fit([Document("c", "Mr Alder x", (Span(3, 8, "NAME"),))])
    yield fitted.with_site(Site(agreement=True))
    registry._SESSION.pop("titles-of-failing-notes")


def _notes(*texts: str, patient: str = "7") -> list[Document]:
    return [Document(f"{patient}-{n}", t, meta={"patient": patient}) for n, t in enumerate(texts)]


PAIR = _notes("Seen Mr Zwick today", "Then Zwick left")
ZWICK = ((Span(8, 13, "NAME"),), (Span(5, 10, "NAME"),))


def _spans(results: Sequence[Document | FailedDocument]) -> list[tuple[Span, ...] | None]:
    return [r.spans if isinstance(r, Document) else None for r in results]


def _in_this_process(model: Deidentifier, batch: Sequence[Document]) -> list[Any]:
    return _spans(list(model.predict_each(batch)))


def _in_its_process(model: Deidentifier, batch: Sequence[Document]) -> list[Any]:
    texts = [(d.id, d.text, dict(d.meta)) for d in batch]
    found = _find(model, False, texts)
    return [None if isinstance(one, FailedDocument) else one[0] for one in found]


def _from_a_process_that_dies(model: Deidentifier, batch: Sequence[Document]) -> list[Any]:
    def calls(texts: Sequence[tuple[str, str, dict[str, Any]]]) -> list[Any]:
        if any("dies" in text for _, text, _ in texts):
            raise LostProcessError("ended abruptly")
        return _find(model, False, texts)

    return _spans(_results(cast("IsolatedFunction", calls), batch))


Path = Callable[[Deidentifier, Sequence[Document]], list[Any]]


@pytest.mark.parametrize(
    ("path", "bad"),
    [
        (_in_this_process, "raises"),
        (_in_its_process, "raises"),
        (_in_its_process, "exits"),
        (_from_a_process_that_dies, "exits"),
        (_from_a_process_that_dies, "dies"),
    ],
)
def test_notes_of_a_patient_agree_whichever_note_of_their_batch_fails(
    model, path: Path, bad: str
) -> None:
    other = _notes(bad, patient="1")
    same = _notes(f"Mr Vole {bad}")
    for batch in ([*other, *PAIR], [*PAIR, *other], [PAIR[0], *same, *other, PAIR[1]]):
        expected = iter(ZWICK)
        assert path(model, batch) == [next(expected) if d in PAIR else None for d in batch]


def test_notes_agree_across_a_long_document_of_their_batch(model, monkeypatch) -> None:
    monkeypatch.setattr("multideid.stacking.long_documents.LONGEST", 5_000)
    long = _notes("word " * 1_001, patient="1")
    results = predicted(model, [PAIR[0], *long, PAIR[1]], votes=False)
    assert [result.id for result in results] == ["7-0", "1-0", "7-1"]
    assert _spans(results) == [ZWICK[0], (), ZWICK[1]]


class Finder:
    """Gives each document a span as long as its batch; counts its work."""

    def __init__(self, most: int = 1_000) -> None:
        self.batches: list[list[str]] = []
        self._most = most

    def __call__(self, batch: Sequence[Document]) -> list[Document]:
        self.batches.append([document.id for document in batch])
        if len(batch) > self._most or any("bad" in document.text for document in batch):
            raise ValueError("no")
        return [document.with_spans([Span(0, len(batch), "ID")]) for document in batch]


def _sizes(batch: Sequence[Document], find: Finder) -> list[int | None]:
    """Return for each document how many were processed with it; None if it has failed."""
    results = results_of(batch, find, str)
    assert [result.id for result in results] == [document.id for document in batch]
    return [None if spans is None else spans[0].end for spans in _spans(results)]


def test_what_is_left_is_one_batch_again_and_work_does_not_grow_with_failures() -> None:
    find = Finder()
    batch = _notes(*["bad", "good note"] * 6)
    assert _sizes(batch, find) == [None, 6] * 6
    assert [len(names) for names in find.batches] == [12, *[1] * 12, 6]


def test_notes_without_a_patient_in_common_are_not_processed_again() -> None:
    find = Finder()
    batch = [*_notes("bad", "good note"), *_notes("good note", patient="8"), Document("x", "none")]
    assert _sizes(batch, find) == [None, 1, 1, 1]
    assert len(find.batches) == 5


def test_notes_that_fail_only_together_agree_by_patient_or_are_processed_alone() -> None:
    pairs = [*_notes("good note", "good note"), *_notes("good note", "good note", patient="8")]
    assert _sizes(pairs, Finder(most=3)) == [2, 2, 2, 2]
    find = Finder(most=1)
    assert _sizes(pairs, find) == [1, 1, 1, 1]
    assert sum(map(len, find.batches)) == 4 * len(pairs)
    assert _sizes(pairs[:2], find) == [1, 1]


def test_a_problem_is_that_of_the_document_alone(model) -> None:
    failed, *_ = model.predict_batch([*_notes("raises Zanzibar", patient="1"), *PAIR])
    assert isinstance(failed, FailedDocument)
    assert "Zanzibar" not in failed.problem
