"""Segments of a document: its spans, and the text between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from multideid.document import Document
from multideid.redact.spelling import words_of


class Segment(NamedTuple):
    """A segment of a text.

    Parameters
    ----------
    label : str or None
        The label of the span; None outside spans.
    text : str
    """

    label: str | None
    text: str


def segments(document: Document) -> Iterator[Segment]:
    """Yield the segments of a document; joined, they are its text."""
    done = 0
    for span in document.spans:
        yield Segment(None, document.text[done : span.start])
        yield Segment(span.label, document.span_text(span))
        done = span.end
    yield Segment(None, document.text[done:])


def words_outside(documents: Iterable[Document]) -> frozenset[str]:
    """Return the folded words of documents outside all spans."""
    return frozenset(
        word
        for document in documents
        for label, text in segments(document)
        if label is None
        for word in words_of(text)
    )
