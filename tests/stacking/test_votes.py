"""Votes name the systems that found a span by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from multideid.document import Document, Evidence, Span
from multideid.evidence import votes_of, with_evidence
from multideid.redact.redaction import rewrite
from multideid.stacking import (
    Deidentifier,
    FailedDocument,
    ParallelPredictor,
    SingleDeidentifier,
    VoteDeidentifier,
    deidentifier,
)
from multideid.stacking.parallel_prediction import _found
from multideid.taggers import registry


class Digits:
    """Tags numbers as IDs."""

    name, summary = "digits", "Numbers."

    def tag(self, document: Document) -> list[Span]:
        return [Span(*m.span(), "ID") for m in re.finditer("[0-9]+", document.text)]


class Capitals:
    """Tags words in capitals as IDs, and lower-case words as names."""

    name, summary = "capitals", "Capitals."

    def tag(self, document: Document) -> list[Span]:
        if "bad" in document.text:
            raise ValueError(document.text)
        found = re.finditer("[A-Z0-9]{2,}|[a-z]+", document.text)
        return [Span(*m.span(), "NAME" if m[0].islower() else "ID") for m in found]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Deidentifier]:
    monkeypatch.setattr(deidentifier, "_BATCH_CHARACTERS", 250)
    registry.register(Digits)
    registry.register(Capitals)
    corpus = [Document("c", "AB 12 ann", (Span(0, 2, "ID"), Span(3, 5, "ID"), Span(6, 9, "NAME")))]
    yield VoteDeidentifier(["digits", "capitals"], rule="any", n_jobs=1).fit(corpus)
    registry._SESSION.pop("digits")
    registry._SESSION.pop("capitals")


def test_a_system_votes_for_spans_that_it_finds_with_the_same_label(model: Deidentifier) -> None:
    texts = ("12 34", "AB 9", "ann", "- -")
    documents = model.predict([Document(str(n), text) for n, text in enumerate(texts)])
    both, capitals, digits = ("digits", "capitals"), ("capitals",), ("digits",)
    assert model.votes(documents) == [(both, both), (capitals, digits), (capitals,), ()]


def test_a_vote_needs_one_token_of_the_span_and_the_same_label(model: Deidentifier) -> None:
    document = Document("d", "AB 1 ann", (Span(0, 4, "ID"), Span(5, 8, "ID")))
    assert model.votes([document]) == [(("digits", "capitals"), ())]
    assert model.votes([Document("d", "AB", (Span(0, 2, "BADGE"),))]) == [((),)]
    assert model.votes([]) == []


def test_votes_are_those_of_the_latest_fit(model: Deidentifier) -> None:
    document = Document("d", "AB ann", (Span(0, 2, "BADGE"), Span(3, 6, "NAME")))
    assert model.votes([document]) == [((), ("capitals",))]
    other = Document("o", "AB ann 12", (Span(0, 2, "BADGE"), Span(7, 9, "BADGE")))
    assert model.fit([other]).votes([document]) == [(("capitals",), ())]


def test_a_single_system_votes_for_all_its_spans(corpus: list[Document]) -> None:
    model = SingleDeidentifier("mimic").fit(corpus[:2])
    found = model.predict(corpus[2:4])
    assert set(model.votes(found)[0]) == {("mimic",)}


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.end_to_end)])
def test_votes_are_added_to_documents_on_request(model: Deidentifier, jobs: int) -> None:
    texts = [f"AB {n}" if n != 5 else "bad" for n in range(12)]
    documents = [Document(str(n), text, meta={"row": n}) for n, text in enumerate(texts)]
    with ParallelPredictor(model, jobs, votes=True) as predictor:
        results = list(predictor.predict_each(documents))
    assert isinstance(results.pop(5), FailedDocument)
    found = [r for r in results if isinstance(r, Document)]
    assert [votes_of(document) for document in found] == model.votes(found)
    assert [document.meta["row"] for document in found] == [n for n in range(12) if n != 5]


def test_votes_are_not_added_by_default(model: Deidentifier) -> None:
    with ParallelPredictor(model, 1) as predictor:
        (result,) = predictor.predict_each([Document("d", "AB")])
    assert isinstance(result, Document)
    assert result.meta == {}


def test_evidence_and_votes_of_an_earlier_run_do_not_stay(model: Deidentifier) -> None:
    span = Span(0, 2, "ID")
    old = with_evidence(Document("d", "AB"), [(span, Evidence(0.11, votes=("other",)))])
    (found,) = model.predict([old])
    assert (found.spans, found.evidence) == ((span,), {})
    added = {span: Evidence(votes=("capitals",))}
    assert _found(old, (span,), added).evidence == added


def test_fields_of_documents_may_have_any_name(model: Deidentifier) -> None:
    meta = {"votes": 3, "evidence": "see chart", "name": "n", "fields": [1]}
    document = Document("d", "AB", meta=meta)
    (found,) = model.predict([document])
    assert found.meta == meta
    (voted,) = model.with_votes([found])
    assert isinstance(voted, Document)
    assert (voted.meta, votes_of(voted)) == (meta, (("capitals",),))
    assert rewrite(voted).meta == meta
