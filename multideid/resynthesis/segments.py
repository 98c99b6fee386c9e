"""A document's text in stretches: its spans, and what lies between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from multideid.document import Document
from multideid.redact.spelling import words_of


class Stretch(NamedTuple):
    """A part of a text.

    Parameters
    ----------
    label : str or None
        Of its span; None outside all spans.
    text : str
    """

    label: str | None
    text: str


def stretches(document: Document) -> Iterator[Stretch]:
    """Yield the parts of a document's text; joined they are the text."""
    done = 0
    for span in document.spans:
        yield Stretch(None, document.text[done : span.start])
        yield Stretch(span.label, document.span_text(span))
        done = span.end
    yield Stretch(None, document.text[done:])


def words_outside(documents: Iterable[Document]) -> frozenset[str]:
    """Return the folded words of documents that stand outside all spans."""
    return frozenset(
        word
        for document in documents
        for label, text in stretches(document)
        if label is None
        for word in words_of(text)
    )
