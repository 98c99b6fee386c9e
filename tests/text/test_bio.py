"""BIO tags encode exactly the tokens of each span."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.text.bio import (
    TokenLabels,
    bio_names,
    corpus_labels,
    decode_bio,
    encode_bio,
    misaligned_spans,
    phi_labels,
)
from multideid.text.table import TokenTable

LABELS = ("DATE", "DOCTOR", "ID")


def tagged(text: str, *spans: tuple[int, int, str], labels: tuple[str, ...] = LABELS) -> str:
    """Return the tags that a document's spans give its tokens."""
    document = Document("n", text, tuple(Span(*span) for span in spans))
    found = encode_bio(TokenTable.from_documents([document]), [document], labels)
    return " ".join(found.names[i] for i in found.ids)


def decoded(text: str, tags: str, labels: tuple[str, ...] = LABELS) -> list[tuple[str, str]]:
    """Return the text and label of every span that the tags spell out."""
    names = bio_names(labels)
    ids = np.array([names.index(tag) for tag in tags.split()], dtype=np.int32)
    spans = decode_bio(TokenTable.from_texts([text]), TokenLabels(ids, names))[0]
    return [(text[s.start : s.end], s.label) for s in spans]


@st.composite
def notes(draw: st.DrawFn) -> Document:
    """Draw a note with spans at token boundaries."""
    text = draw(st.text(st.sampled_from("Ab1-. \n"), max_size=30))
    table = TokenTable.from_texts([text])
    cuts = draw(st.lists(st.integers(0, len(table)), max_size=8).map(sorted))
    pieces = zip(cuts[::2], cuts[1::2], strict=False)
    spans = [
        Span(int(table.start[a]), int(table.end[b - 1]), draw(st.sampled_from(LABELS)))
        for a, b in pieces
        if a < b
    ]
    return Document("n", text, tuple(spans))


def test_tags_are_named_in_the_labels_order() -> None:
    assert bio_names(["DATE", "ID"]) == ("O", "B-DATE", "I-DATE", "B-ID", "I-ID")
    assert bio_names([]) == ("O",)
    assert phi_labels(bio_names(LABELS)) == LABELS
    assert phi_labels(("O",)) == ()


@given(st.lists(notes(), max_size=4))
def test_token_aligned_spans_come_back(documents: list[Document]) -> None:
    table = TokenTable.from_documents(documents)
    labels = encode_bio(table, documents)
    assert decode_bio(table, labels) == [document.spans for document in documents]
    assert labels.ids.dtype == np.int32
    assert misaligned_spans(table, documents) == []


@given(notes(), st.data())
def test_any_tags_decode_to_spans_that_cover_every_tagged_token(
    document: Document, data: st.DataObject
) -> None:
    table = TokenTable.from_documents([document])
    tags = st.integers(0, 2 * len(LABELS))
    ids = data.draw(st.lists(tags, min_size=len(table), max_size=len(table)))
    labels = TokenLabels(np.array(ids, dtype=np.int32), bio_names(LABELS))
    (spans,) = decode_bio(table, labels)
    again = encode_bio(table, [Document("n", document.text, spans)], LABELS)
    assert (again.ids > 0).tolist() == (labels.ids > 0).tolist()
    assert ((again.ids + 1) // 2).tolist() == ((labels.ids + 1) // 2).tolist()


def test_touching_spans_of_one_label_stay_two() -> None:
    assert tagged("12/03", (0, 2, "DATE"), (2, 5, "DATE")) == "B-DATE B-DATE I-DATE"
    assert decoded("12/03", "B-DATE B-DATE I-DATE") == [("12", "DATE"), ("/03", "DATE")]


def test_a_span_covers_the_space_between_its_tokens_alone() -> None:
    assert decoded(" Ann  Lee ", "B-DOCTOR I-DOCTOR") == [("Ann  Lee", "DOCTOR")]


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("I-ID O O", [("a", "ID")]),
        ("I-ID I-ID O", [("a b", "ID")]),
        ("B-ID I-DATE I-DATE", [("a", "ID"), ("b c", "DATE")]),
        ("B-ID O I-ID", [("a", "ID"), ("c", "ID")]),
        ("B-ID B-ID I-ID", [("a", "ID"), ("b c", "ID")]),
    ],
)
def test_an_inside_without_beginning_begins_a_span(tags: str, spans: list[tuple[str, str]]) -> None:
    assert decoded("a b c", tags) == spans


def test_a_span_ends_with_its_document() -> None:
    table = TokenTable.from_texts(["a", "", "b"])
    labels = TokenLabels(np.array([1, 2], dtype=np.int32), bio_names(["ID"]))
    assert decode_bio(table, labels) == [(Span(0, 1, "ID"),), (), (Span(0, 1, "ID"),)]


def test_a_token_that_a_span_overlaps_takes_its_label() -> None:
    assert tagged("see 1234.", (6, 7, "ID")) == "O B-ID O"
    assert tagged("Leeson was", (0, 3, "DOCTOR")) == "B-DOCTOR O"


def test_a_token_that_two_spans_share_goes_to_the_later() -> None:
    assert tagged("0103", (0, 2, "DATE"), (2, 4, "ID")) == "B-ID"
    assert tagged("a 0103 b", (0, 4, "DATE"), (4, 8, "ID")) == "B-DATE B-ID I-ID"


@pytest.mark.parametrize(("text", "span"), [("a bcd e", (1, 2)), ("a bcd   ", (5, 8))])
def test_a_span_of_white_space_tags_nothing(text: str, span: tuple[int, int]) -> None:
    assert set(tagged(text, (*span, "ID")).split()) == {"O"}


def test_a_span_of_white_space_at_the_end_tags_nothing_in_the_next_document() -> None:
    documents = [Document("m", "a ", (Span(1, 2, "ID"),)), Document("n", "b")]
    table = TokenTable.from_documents(documents)
    assert encode_bio(table, documents).ids.tolist() == [0, 0]
    assert misaligned_spans(table, documents) == [("m", Span(1, 2, "ID"))]


def test_unknown_labels_are_outside() -> None:
    assert tagged("a b", (0, 1, "NEW"), (2, 3, "ID")) == "O B-ID"


def test_labels_are_those_of_the_corpus_unless_given() -> None:
    documents = [Document("n", "ab", (Span(0, 1, "Z"), Span(1, 2, "A"))), Document("m", "")]
    assert corpus_labels(documents) == ("A", "Z")
    table = TokenTable.from_documents(documents)
    assert encode_bio(table, documents).names == bio_names(["A", "Z"])


def test_spans_within_tokens_are_reported() -> None:
    spans = (Span(0, 3, "ID"), Span(4, 6, "ID"), Span(7, 9, "DATE"))
    documents = [Document("m", "abc"), Document("n", "abc defg", spans[:2])]
    assert misaligned_spans(TokenTable.from_documents(documents), documents) == [("n", spans[1])]


def test_other_documents_than_the_tables_are_refused() -> None:
    table = TokenTable.from_texts(["a", "b"])
    with pytest.raises(UsageError, match="made from 2 documents, not 1"):
        encode_bio(table, [Document("n", "a")])
    with pytest.raises(UsageError, match="made from 2 documents, not 1"):
        misaligned_spans(table, [Document("n", "a")])


def test_rows_of_labels_keep_their_names() -> None:
    labels = TokenLabels(np.array([0, 1, 2], dtype=np.int32), bio_names(["ID"]))
    part = labels.rows(np.array([2, 0]))
    assert (part.ids.tolist(), part.names, len(part)) == ([2, 0], labels.names, 2)
