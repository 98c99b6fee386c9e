"""Replace the PHI of corpora by synthetic PHI."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from multideid.document import Document, Span
from multideid.label_schemes import language_of
from multideid.labels import NAME_KINDS, surrogate_kind
from multideid.redact.keys import Key
from multideid.redact.redaction import rewrite
from multideid.resynthesis.placeholders import Placeholder, find_placeholders
from multideid.resynthesis.segments import words_outside
from multideid.resynthesis.styles import make_vocabulary
from multideid.resynthesis.surrogates import CorpusSurrogates, common_values
from multideid.resynthesis.templates import TemplateGenerator
from multideid.spans import splice


class Resynthesis:
    """Replaces the PHI of documents by synthetic PHI in a given style.

    For spans that are placeholders, such as ``[REMOVED]``, and spans that cannot
    be parsed, such as a date that does not exist, PHI is generated from templates.
    Spans of unknown labels may become their label in brackets.

    Parameters
    ----------
    style : {"realistic", "shuffled", "ambiguous", "out-of-dictionary"}
    key : Key
        All PHI is a function of the key, the patient and the original PHI.
    corpus : sequence of Document
        The whole corpus; ambiguous names are words of it.
    patient : str, optional
        As in `Surrogates`.

    Raises
    ------
    UsageError
        If the style is unknown.
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
        """Return the document with synthetic PHI, and its spans moved accordingly."""
        return rewrite(self._parseable(self._filled(document)), self._surrogates)

    def _filled(self, document: Document) -> Document:
        """Return the document with the placeholders in its spans filled from templates."""
        places = find_placeholders(document.text)
        starts, templates = [place.start for place in places], self._templates(document)

        def filled(document: Document, span: Span) -> str:
            inside = places[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
            spans = [Span(p.start, p.end, span.label) for p in inside if _fills(p, span)]
            new = (templates.generate(s) or document.span_text(s) for s in spans)
            changes = ((s.start, s.end, text) for s, text in zip(spans, new, strict=True))
            return splice(document.text, changes, span.start, span.end)

        return rewrite(document, filled) if places else document

    def _parseable(self, document: Document) -> Document:
        """Return the document with spans that cannot be parsed filled from templates."""
        failed = {span for span in document.spans if self._surrogates.is_masked(document, span)}
        if not failed:
            return document
        templates = self._templates(document)

        def parseable(document: Document, span: Span) -> str:
            new = templates.generate(span) if span in failed else None
            return document.span_text(span) if new is None else new

        return rewrite(document, parseable)

    def _templates(self, document: Document) -> TemplateGenerator:
        language = language_of(span.label for span in document.spans)
        return TemplateGenerator(document, self._surrogates.draws(document), language)


def _fills(place: Placeholder, span: Span) -> bool:
    """Return whether a placeholder is a whole span, or a word of a name."""
    if (place.start, place.end) == (span.start, span.end):
        return True
    return place.end <= span.end and surrogate_kind(span.label) in NAME_KINDS


def resynthesize(
    documents: Iterable[Document],
    style: str = "realistic",
    key: Key | None = None,
    *,
    patient: str | None = None,
) -> list[Document]:
    """Replace the PHI of a corpus by synthetic PHI with the same labels.

    As in the reidentified corpora of Sibanda & Uzuner (2006), 3, and the
    surrogate data of the thesis (5.1.1): within a document, equal names have
    equal surrogates, dates keep their distances, and all PHI keeps its form.

    Parameters
    ----------
    documents : iterable of Document
        With their spans; placeholders in spans are filled.
    style : {"realistic", "shuffled", "ambiguous", "out-of-dictionary"}
    key : Key, optional
        Default: a random key. For reproducible corpora, use `seeded_key`.
    patient : str, optional
        As in `Surrogates`.

    Returns
    -------
    list of Document
        With the same ids and `meta`, the same text outside the spans, and the
        same number, order and labels of spans.

    Raises
    ------
    UsageError
        If the style is unknown.

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
