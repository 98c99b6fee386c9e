"""Documents that are longer than a batch are processed in parts, without a trace of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from multideid.document import Document, Evidence, FailedDocument, Span
from multideid.evidence import votes_of, with_evidence
from multideid.site.site import Site
from multideid.stacking import Deidentifier, VoteDeidentifier, long_documents
from multideid.stacking.long_documents import found_in_parts, parts_of, parts_with_spans
from multideid.taggers import registry

LONGEST, CONTEXT = 100, 20


class Badges:
    """Tags words in capitals as IDs; and all of a text with a star, as if it saw no border."""

    name, summary = "badges", "Words in capitals."

    def tag(self, document: Document) -> list[Span]:
        assert len(document.text) <= LONGEST
        if "unbearable" in document.text:
            raise ValueError(document.text)
        if "*" in document.text:
            return [Span(0, len(document.text), "NAME")]
        return [Span(*m.span(), "ID") for m in re.finditer("[A-Z0-9]{2,}", document.text)]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Deidentifier]:
    monkeypatch.setattr(long_documents, "LONGEST", LONGEST)
    monkeypatch.setattr(long_documents, "CONTEXT", CONTEXT)
    registry.register(Badges)
    corpus = [
        Document("c", "AB of 12", (Span(0, 2, "ID"), Span(6, 8, "ID"))),
        Document("d", "*", (Span(0, 1, "NAME"),)),
    ]
    yield VoteDeidentifier(["badges"], rule="any", n_jobs=1).fit(corpus)
    registry._SESSION.pop("badges")


TEXTS = {
    "lines": "seen by AB12\n" * 40,
    "words": "seen by AB12 " * 40,
    "one word": "ab12" * 130,
    "white space": " " * 400 + "AB",
    "a span at each place": "".join("AB" if n % 3 == 0 else "." for n in range(400)),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_spans_are_those_of_the_whole_text(model, text) -> None:
    (found,) = model.predict_batch([Document("n", text)])
    assert isinstance(found, Document)
    assert found.text == text
    expected = [m.span() for m in re.finditer("[A-Z0-9]{2,}", text)]
    assert [(span.start, span.end) for span in found.spans] == expected


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_parts_cover_a_text_once_and_end_at_lines_or_spaces_if_they_can(model, text) -> None:
    parts = list(parts_of(Document("n", text)))
    assert len(parts) > 1
    assert "".join(text[part.start : part.stop] for part in parts) == text
    for part in parts:
        inner = part.document.text
        assert text[part.offset : part.offset + len(inner)] == inner
        assert len(inner) <= LONGEST
    cuts = {text[part.stop - 1] for part in parts[:-1]}
    assert not re.search(r"\s", text) or cuts <= {"\n", " "}


def test_spans_that_overlap_at_borders_are_joined(model) -> None:
    (found,) = model.predict_batch([Document("n", "*" * 500)])
    assert isinstance(found, Document)
    assert found.spans == (Span(0, 500, "NAME"),)


def test_a_document_of_which_a_part_fails_has_failed_and_its_neighbours_have_not(model) -> None:
    batch = [
        Document("a", "AB"),
        Document("b", "AB " * 100 + "unbearable"),
        Document("c", "AB " * 100),
    ]
    a, b, c = model.predict_batch(batch)
    assert isinstance(b, FailedDocument)
    assert isinstance(a, Document)
    assert isinstance(c, Document)
    assert (len(a.spans), len(c.spans)) == (1, 100)
    assert "unbearable" not in b.problem


def test_votes_and_evidence_are_those_of_the_whole_text(model) -> None:
    site = Site(deny={"ID": ["Zwick"]})
    long = Document("n", "AB Zwick 12 " * 30)
    (found,) = model.with_site(site).with_votes(model.with_site(site).predict_batch([long]))
    assert isinstance(found, Document)
    assert len(found.spans) == 90
    assert set(votes_of(found)) == {("badges",), ("deny-list",)}
    assert {evidence.sources for evidence in found.evidence.values()} == {(), ("deny-list",)}
    assert model.span_scores([found]) == [(None,) * 90]
    short = Document("m", "AB", (Span(0, 2, "ID"),))
    assert model.votes([found, short]) == [votes_of(found), (("badges",),)]


def test_each_span_is_in_one_part_and_one_that_is_longer_is_cut_there(model) -> None:
    spans = (Span(0, 5, "ID"), Span(50, 250, "NAME"), Span(399, 400, "ID"))
    document = Document("n", "x" * 400, spans)
    parts = list(parts_with_spans(document))
    assert [span.label for part in parts for span in part.spans] == ["ID", "NAME", "ID"]
    assert all(span.end <= len(part.text) for part in parts for span in part.spans)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_spans_of_systems_are_those_of_the_whole_text(model, text) -> None:
    known = model.with_site(Site(deny={"NAME": ["Zwick"]}))
    short = [Document("a", "AB"), Document("z", "no PHI, Zwick")]
    first, found, last = known.system_spans([short[0], Document("n", text + " Zwick"), short[1]])
    expected = tuple(Span(*m.span(), "ID") for m in re.finditer("[A-Z0-9]{2,}", text))
    zwick = (Span(len(text) + 1, len(text) + 6, "NAME"),)
    assert found == {"badges": expected, "deny-list": zwick}
    assert first == {"badges": (Span(0, 2, "ID"),), "deny-list": ()}
    assert last["deny-list"] == (Span(8, 13, "NAME"),)


def test_parts_of_a_text_without_line_ends_are_about_equally_long(monkeypatch) -> None:
    monkeypatch.setattr(long_documents, "LONGEST", 7_000)
    lengths = [part.stop - part.start for part in parts_of(Document("n", "word " * 1_001))]
    assert lengths == [2_500, 2_505]
    # Here the only white space of the tenth is at its beginning.
    text = "x" * 2_255 + " " + "x" * 2_749
    lengths = [part.stop - part.start for part in parts_of(Document("n", text))]
    assert lengths == [2_256, 2_749]


def test_a_long_document_has_no_evidence_of_an_earlier_run(model) -> None:
    text = "AB " * 80
    old = with_evidence(Document("n", text), [(Span(0, 2, "ID"), Evidence(0.11))])
    (found,) = model.predict_batch([old])
    assert isinstance(found, Document)
    assert len(found.spans) == 80
    assert not found.evidence
    again = found_in_parts(old, lambda part: part)
    assert isinstance(again, Document)
    assert not again.evidence
