"""Corpora with the same text and new, invented PHI."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from multideid.document import Document, Span
from multideid.label_schemes import language_of
from multideid.labels import NAME_KINDS, surrogate_kind
from multideid.redact.keys import Key
from multideid.redact.redaction import rewrite
from multideid.resynthesis.drafts import Drafts
from multideid.resynthesis.placeholders import Placeholder, find_placeholders
from multideid.resynthesis.segments import words_outside
from multideid.resynthesis.styles import make_vocabulary
from multideid.resynthesis.surrogates import CorpusSurrogates, common_values


class Resynthesis:
    """Puts new PHI of a style in the place of a document's PHI, under the same labels.

    A span that is a placeholder, such as ``[REMOVED]``, gets PHI of its label,
    and so does one that cannot be read, such as a date that does not exist;
    where even that cannot be had, the label in brackets (`Surrogates`).

    Parameters
    ----------
    style : {"realistic", "shuffled", "ambiguous", "out-of-dictionary"}
    key : Key
        All PHI follows from it, the patient and the old PHI.
    corpus : sequence of Document
        Those that the documents are from: ambiguous names are words of it.
    patient : str, optional
        As `Surrogates`.

    Raises
    ------
    UsageError
        If there is no such style.
    """

    def __init__(
        self,
        style: str,
        key: Key,
        corpus: Sequence[Document] = (),
        *,
        patient: str | None = None,
    ) -> None:
        words = words_outside(corpus) if style == "ambiguous" else frozenset()
        vocabulary = make_vocabulary(style, words)
        self._surrogates = CorpusSurrogates(key, patient, vocabulary, common_values(corpus))

    def rewritten(self, document: Document) -> Document:
        """Return the document with new PHI, and its spans where that stands."""
        return rewrite(self._readable(self._filled(document)), self._surrogates)

    def _filled(self, document: Document) -> Document:
        """Return the document with drafts in the place of placeholders in spans."""
        places = find_placeholders(document.text)
        starts, drafts = [place.start for place in places], self._drafts(document)

        def filled(document: Document, span: Span) -> str:
            inside = places[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
            spans = [Span(p.start, p.end, span.label) for p in inside if _fills(p, span)]
            new = [drafts.draft(s) or document.span_text(s) for s in spans]
            return _woven(document.text, span, spans, new)

        return rewrite(document, filled) if places else document

    def _readable(self, document: Document) -> Document:
        """Return the document with drafts in the place of spans that cannot be read."""
        unread = {span for span in document.spans if self._surrogates.is_unread(document, span)}
        if not unread:
            return document
        drafts = self._drafts(document)

        def readable(document: Document, span: Span) -> str:
            new = drafts.draft(span) if span in unread else None
            return document.span_text(span) if new is None else new

        return rewrite(document, readable)

    def _drafts(self, document: Document) -> Drafts:
        language = language_of(span.label for span in document.spans)
        return Drafts(document, self._surrogates.draws(document), language)


def _fills(place: Placeholder, span: Span) -> bool:
    """Tell whether a placeholder is the whole of a span, or a word of the name in it."""
    if (place.start, place.end) == (span.start, span.end):
        return True
    return place.end <= span.end and surrogate_kind(span.label) in NAME_KINDS


def _woven(text: str, span: Span, parts: Sequence[Span], new: Sequence[str]) -> str:
    """Return the text of a span with other text in the place of parts of it."""
    pieces, done = [], span.start
    for part, replacement in zip(parts, new, strict=True):
        pieces += [text[done : part.start], replacement]
        done = part.end
    return "".join([*pieces, text[done : span.end]])


def resynthesize(
    documents: Iterable[Document],
    style: str = "realistic",
    key: Key | None = None,
    *,
    patient: str | None = None,
) -> list[Document]:
    """Return a corpus with the same text and new PHI under the same labels.

    After the reidentified corpora of Sibanda & Uzuner (2006), 3, and the
    surrogate data of the thesis (5.1.1): within a document, the same name
    becomes the same name, dates keep their distance, and all PHI its form.

    Parameters
    ----------
    documents : iterable of Document
        With their spans; those that are placeholders are filled.
    style : {"realistic", "shuffled", "ambiguous", "out-of-dictionary"}
    key : Key, optional
        Default: a random one, so that each call gives another corpus. For
        one that can be made again, `seeded_key`.
    patient : str, optional
        As `Surrogates`.

    Returns
    -------
    list of Document
        With the same ids and `meta`. Text outside the spans is the same to
        the character, and number, order and labels of the spans are.

    Raises
    ------
    UsageError
        If there is no such style.

    Examples
    --------
    >>> from multideid.resynthesis import seeded_key
    >>> note = Document("n1", "Seen by Dr. Lee.", (Span(12, 15, "DOCTOR"),))
    >>> [new] = resynthesize([note], "out-of-dictionary", seeded_key(0))
    >>> new.text[:12], new.span_text(new.spans[0]) == "Lee"
    ('Seen by Dr. ', False)
    """
    corpus: Sequence[Document] = list(documents)
    synthesis = Resynthesis(style, key or Key.random(), corpus, patient=patient)
    return [synthesis.rewritten(document) for document in corpus]
