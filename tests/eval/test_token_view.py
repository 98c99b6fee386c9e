"""A token that overlaps a span takes its label, in either tokenization."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval.metrics.token_metrics import count_tokens, two_way_by_document
from multideid.eval.metrics.tokens import TOKENIZATIONS, TokenView

LABELS = ("DATE", "NAME")


def labelled(document: Document, tokenization: str) -> list[tuple[str, int]]:
    view = TokenView.from_documents([document], tokenization)
    words = [document.text[a:b] for a, b in zip(view.start, view.end, strict=True)]
    return list(zip(words, view.codes([document], LABELS).tolist(), strict=True))


def test_multideid_tokens_are_the_tables_without_line_ends() -> None:
    note = Document("n", "Lee\r\n3/4", (Span(0, 3, "NAME"), Span(5, 8, "DATE")))
    assert labelled(note, "multideid") == [("Lee", 2), ("3", 1), ("/", 1), ("4", 1)]


def test_whitespace_tokens_take_the_label_of_a_span_they_only_overlap() -> None:
    note = Document("n", "by (Lee), 3/4.", (Span(4, 7, "NAME"), Span(10, 13, "DATE")))
    assert labelled(note, "whitespace") == [("by", 0), ("(Lee),", 2), ("3/4.", 1)]


def test_a_token_in_two_spans_takes_the_label_of_the_last() -> None:
    note = Document("n", "Lee3/4", (Span(0, 3, "NAME"), Span(3, 6, "DATE")))
    assert labelled(note, "whitespace") == [("Lee3/4", 1)]


def test_spans_of_other_labels_and_spans_without_tokens_leave_no_trace() -> None:
    note = Document("n", "Lee \n 3", (Span(0, 3, "OTHER"), Span(3, 6, "NAME")))
    assert labelled(note, "multideid") == [("Lee", 0), ("3", 0)]


def test_there_is_no_other_tokenization() -> None:
    with pytest.raises(UsageError, match="choose from multideid, whitespace"):
        TokenView.from_documents([], "words")


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(st.text(alphabet="aB3. \n\u2028\u0301\U0001f600", max_size=20))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = [Span(a, b, draw(st.sampled_from(LABELS))) for a, b in itertools.pairwise(cuts)]
    return Document("n", text, tuple(span for span in spans if draw(st.booleans())))


@given(batch=st.lists(documents(), max_size=4), tokenization=st.sampled_from(sorted(TOKENIZATIONS)))
def test_codes_are_those_of_comparing_every_token_with_every_span(
    batch: list[Document], tokenization: str
) -> None:
    view = TokenView.from_documents(batch, tokenization)
    expected = [code for document in batch for code in compared_one_by_one(document, tokenization)]
    assert view.codes(batch, LABELS).tolist() == expected


def compared_one_by_one(document: Document, tokenization: str) -> list[int]:
    view = TokenView.from_documents([document], tokenization)
    codes = []
    for start, end in zip(view.start, view.end, strict=True):
        over = [s for s in document.spans if s.start < end and start < s.end]
        codes.append(LABELS.index(over[-1].label) + 1 if over else 0)
    return codes


@given(pairs=st.lists(st.tuples(documents(), st.booleans()), max_size=4))
def test_counts_by_document_are_those_of_each_document_by_itself(
    pairs: list[tuple[Document, bool]],
) -> None:
    gold = [document for document, _ in pairs]
    predicted = [document if found else document.with_spans([]) for document, found in pairs]
    counts = two_way_by_document(TokenView.from_documents(gold), gold, predicted, LABELS)
    assert counts.shape == (len(gold), 3)
    for row, left, right in zip(counts.tolist(), gold, predicted, strict=True):
        alone = count_tokens(TokenView.from_documents([left]), [left], [right], LABELS).two_way()
        assert row == [alone.correct, alone.predicted, alone.gold]
