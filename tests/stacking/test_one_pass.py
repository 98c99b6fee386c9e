"""Scores, votes and what systems say come from the reading that finds the spans, unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from sklearn.exceptions import NotFittedError
from template_notes import sample_corpus

from multideid.document import Document, FailedDocument, Span
from multideid.scoring import scorer
from multideid.site.site import Site
from multideid.stacking import (
    Deidentifier,
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
    long_documents,
)
from multideid.stacking.one_pass import Findings
from multideid.taggers import registry

SYSTEMS = ["mimic", "stat-deid"]
MODELS = {
    "multi": MultiDeidentifier(SYSTEMS, folds=2, n_jobs=1),
    "mega": MegaDeidentifier(SYSTEMS, folds=2, n_jobs=1),
    "vote": VoteDeidentifier(SYSTEMS, rule="any", n_jobs=1),
    "single": SingleDeidentifier("stat-deid"),
}
SITE = Site(deny={"ID": ["fever"]}, allow=["Dr"], agreement=True)


@pytest.fixture(scope="module")
def fitted(corpus: list[Document]) -> dict[str, Deidentifier]:
    return {name: model.fit(corpus[:8]) for name, model in MODELS.items()}


@pytest.fixture(scope="module")
def notes() -> list[Document]:
    return [*sample_corpus(4, seed=5), Document("none", "no PHI"), Document("empty", "")]


@pytest.fixture(params=[False, True], ids=["plain", "compiled"])
def _loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scorer.Scorer, "should_compile", lambda *_: request.param)


@pytest.mark.usefixtures("_loops")
@pytest.mark.parametrize("site", [None, SITE], ids=["alone", "site"])
@pytest.mark.parametrize("kind", MODELS)
def test_findings_are_those_of_separate_readings(
    fitted, notes: list[Document], kind: str, site: Site | None
) -> None:
    model = fitted[kind].with_site(site)
    found = model.predict_batch(notes)
    expected = zip(
        found, model.span_scores(found), model.votes(found), model.scored_system_spans(found),
        strict=True,
    )  # fmt: skip
    findings = model.read_batch(notes, votes=True, systems=True)
    assert findings == [Findings(*parts) for parts in expected]
    assert sum(len(document.spans) for document in found) > 10
    assert [one.voted() for one in findings] == model.with_votes(found)


def test_what_is_not_asked_for_is_left_out(fitted, notes: list[Document]) -> None:
    model = fitted["multi"]
    found = list(model.read_each(note.text for note in notes))
    assert [(one.votes, one.systems) for one in found] == [((), {})] * len(notes)
    assert [one.scores for one in found] == model.span_scores([one.document for one in found])


class Counting:
    """Finds capitals, counts its readings, and fails on one word."""

    name, summary = "counting", "Capitals."
    readings = 0

    def tag(self, document: Document) -> list[Span]:
        type(self).readings += 1
        if "unbearable" in document.text:
            raise ValueError(document.text)
        return [Span(*m.span(), "ID") for m in re.finditer("[A-Z]+", document.text)]


@pytest.fixture
def counting() -> Iterator[Deidentifier]:
    registry.register(Counting)
    yield VoteDeidentifier(["counting"], n_jobs=1).fit([Document("c", "A b", (Span(0, 1, "ID"),))])
    registry._SESSION.pop("counting")


@pytest.mark.parametrize("site", [None, SITE], ids=["alone", "site"])
def test_each_text_is_read_once(counting: Deidentifier, site: Site | None) -> None:
    Counting.readings = 0
    batch = [Document("a", "AB"), Document("b", "AB c")]
    counting.with_site(site).read_batch(batch, votes=True, systems=True)
    assert Counting.readings == 2


def test_a_document_that_cannot_be_read_fails_alone(counting: Deidentifier) -> None:
    batch = [Document("a", "AB"), Document("b", "unbearable"), Document("c", "AB")]
    a, b, c = counting.read_batch(batch, votes=True)
    assert isinstance(b, FailedDocument)
    assert "unbearable" not in b.problem
    assert [one.votes for one in (a, c)] == [(("counting",),)] * 2  # type: ignore[union-attr]


def test_long_documents_are_read_in_parts(counting: Deidentifier, monkeypatch) -> None:
    monkeypatch.setattr(long_documents, "LONGEST", 100)
    monkeypatch.setattr(long_documents, "CONTEXT", 20)
    batch = [Document("a", "AB"), Document("b", "AB c " * 60), Document("c", "unbearable " * 50)]
    *found, failed = counting.read_batch(batch, votes=True, systems=True)
    documents = counting.predict_batch(batch[:2])
    assert [one.document for one in found] == documents  # type: ignore[union-attr]
    assert [one.votes for one in found] == counting.votes(documents)  # type: ignore[union-attr,arg-type]
    said = counting.scored_system_spans(batch[:2])
    assert [one.systems for one in found] == said  # type: ignore[union-attr]
    assert isinstance(failed, FailedDocument)


@pytest.mark.parametrize("method", ["predict_batch", "read_batch", "votes", "span_scores"])
def test_a_model_that_is_not_fitted_says_so(method: str) -> None:
    with pytest.raises(NotFittedError, match="SingleDeidentifier is not fitted"):
        getattr(SingleDeidentifier("mimic"), method)([Document("d", "Mr. Lee")])
