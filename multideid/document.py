"""Documents and the spans in them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import index
from typing import Any, NamedTuple

from multideid.errors import DocumentError, UsageError

_FINGERPRINT_DIGITS = 16


class Span(NamedTuple):
    """A labelled part of a document's text.

    Parameters
    ----------
    start, end : int
        Half-open character offsets: the span's text is ``text[start:end]``.
    label : str
        The PHI label, such as ``"DATE"``.
    """

    start: int
    end: int
    label: str


class Evidence(NamedTuple):
    """The evidence for a span.

    Parameters
    ----------
    score : float, optional
        The probability that the span is PHI; None if the model has no scores.
    sources : tuple of str
        The knowledge of a site that found the span, such as ``"deny-list"``.
    votes : tuple of str, optional
        The base systems that voted for the span; None if votes were not counted.
    """

    score: float | None = None
    sources: tuple[str, ...] = ()
    votes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A text and the PHI spans in it.

    Parameters
    ----------
    id : str
        Identifies the document within its corpus.
    text : str
        The text, exactly as read; span offsets count its characters.
    spans : tuple of Span
        Sorted, not empty, inside the text and not overlapping.
    meta : mapping
        Any other fields of the format, such as the patient. The built-in systems do not use
        them; plug-ins and the known patients of a site may.
    evidence : mapping of Span to Evidence
        What a model knows about the spans (`multideid.evidence.evidence_of`).

    Raises
    ------
    DocumentError
        If the text is no string, something is no span, or a span is empty, without a label,
        outside the text, out of order or overlapping; or if `meta` is no mapping.
    UsageError
        If the id is no string.

    Examples
    --------
    >>> note = Document("n1", "Seen by Dr. Lee.", (Span(12, 15, "DOCTOR"),))
    >>> note.span_text(note.spans[0])
    'Lee'
    """

    id: str
    text: str = field(repr=False)
    spans: tuple[Span, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict, repr=False)
    evidence: Mapping[Span, Evidence] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        _check_strings(self.id, self.text)
        if not isinstance(self.meta, Mapping):
            kind = type(self.meta).__name__
            raise DocumentError(self.id, f"its meta is of type {kind}; it must be a mapping")
        object.__setattr__(self, "spans", _as_spans(self.id, self.spans))
        _check_spans(self.id, len(self.text), self.spans)

    def span_text(self, span: Span) -> str:
        """Return the characters that `span` covers."""
        return self.text[span.start : span.end]

    def _repr_html_(self) -> str:
        """Return the text with its spans in colour, which notebooks show: it holds PHI."""
        from multideid.highlight import highlighted

        return highlighted(self.text, self.spans)

    def to_displacy(self) -> dict[str, Any]:
        """Return the document for ``spacy.displacy.render(..., style="ent", manual=True)``."""
        return {
            "text": self.text,
            "ents": [span._asdict() for span in self.spans],
            "title": self.id,
        }

    def with_spans(self, spans: Iterable[Span]) -> Document:
        """Return this document with other spans, sorted."""
        try:
            ordered = sorted(spans)
        except TypeError:
            # What cannot be sorted has something in it that is no span, which is named.
            return replace(self, spans=spans)  # type: ignore[arg-type]
        return replace(self, spans=tuple(ordered))


@dataclass(frozen=True, slots=True)
class FailedDocument:
    """A document that could not be processed, and is therefore withheld.

    Parameters
    ----------
    id : str
    problem : str
        A message without any text of the document.
    """

    id: str
    problem: str


def corpus_fingerprint(documents: Iterable[Document]) -> str:
    """Return a hash of the ids, texts and spans of a corpus.

    It identifies the corpus without revealing its content. The order of the
    documents and their `meta` do not matter.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    parts = sorted(_document_hash(document) for document in documents)
    return hashlib.sha256(b"".join(parts)).hexdigest()[:_FINGERPRINT_DIGITS]


def _document_hash(document: Document) -> bytes:
    # JSON separates the fields and encodes every Unicode string, lone surrogates too.
    content = json.dumps([document.id, document.text, document.spans])
    return hashlib.sha256(content.encode("ascii")).digest()


def _check_strings(document_id: object, text: object) -> None:
    if not isinstance(document_id, str):
        # Without its value: whoever mixes up the arguments gives the text as id.
        kind = type(document_id).__name__
        raise UsageError(f"the id of a document is of type {kind}; it must be a string")
    if not isinstance(text, str):
        kind = type(text).__name__
        raise DocumentError(document_id, f"its text is of type {kind}; it must be a string")


def _as_spans(document_id: str, values: Iterable[object]) -> tuple[Span, ...]:
    """Return spans with offsets that are Python's integers, which those of numpy are not."""
    if not isinstance(values, Iterable):
        kind = type(values).__name__
        raise DocumentError(document_id, f"its spans are of type {kind}; they must be a list")
    return tuple(_as_span(document_id, place, value) for place, value in enumerate(values))


def _as_span(document_id: str, place: int, value: object) -> Span:
    try:
        return as_span(value)
    except TypeError:
        kind = type(value).__name__
        problem = f"its span {place} is of type {kind}; it must be (start, end, label)"
        raise DocumentError(document_id, problem) from None


def as_span(value: Any) -> Span:
    """Return a span for its start, its end, both whole numbers, and its label, a string.

    Raises
    ------
    TypeError
        If it is something else.
    """
    values = tuple(value)
    if len(values) != 3 or not isinstance(values[2], str):
        raise TypeError("not a start, an end and a label")
    return Span(index(values[0]), index(values[1]), values[2])


def _check_spans(document_id: str, length: int, spans: tuple[Span, ...]) -> None:
    previous_end = 0
    for span in spans:
        if not span.label:
            raise DocumentError(document_id, f"span {span.start}-{span.end} has no label")
        if not 0 <= span.start < span.end <= length:
            raise DocumentError(
                document_id,
                f"span {span.start}-{span.end} is empty or outside the text of {length} characters",
            )
        if span.start < previous_end:
            raise DocumentError(
                document_id,
                f"span {span.start}-{span.end} starts before the previous one ends "
                f"({previous_end}); spans must be sorted and must not overlap",
            )
        previous_end = span.end
