"""Corpora with the same text and new, invented PHI."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from multideid.document import Document, Span
from multideid.redact.keys import Key
from multideid.redact.kinds import language_of
from multideid.redact.redaction import rewrite
from multideid.redact.resynthesis.drafts import Drafts
from multideid.redact.resynthesis.placeholders import is_placeholder
from multideid.redact.resynthesis.replacing import CorpusSurrogates, common_values
from multideid.redact.resynthesis.stretches import words_outside
from multideid.redact.resynthesis.styles import make_vocabulary


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
        drafted = self._drafted(document, lambda span: is_placeholder(document.span_text(span)))
        readable = self._drafted(drafted, lambda span: self._surrogates.is_unread(drafted, span))
        return rewrite(readable, self._surrogates)

    def _drafted(self, document: Document, is_blank: Callable[[Span], bool]) -> Document:
        """Return the document with drafts in the place of blank spans."""
        if not any(map(is_blank, document.spans)):
            return document
        language = language_of(span.label for span in document.spans)
        drafts = Drafts(document, self._surrogates.draws(document), language)

        def draft(document: Document, span: Span) -> str:
            new = drafts.draft(span) if is_blank(span) else None
            return document.span_text(span) if new is None else new

        return rewrite(document, draft)


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
    >>> from multideid.redact.resynthesis import seeded_key
    >>> note = Document("n1", "Seen by Dr. Lee.", (Span(12, 15, "DOCTOR"),))
    >>> [new] = resynthesize([note], "out-of-dictionary", seeded_key(0))
    >>> new.text[:12], new.span_text(new.spans[0]) == "Lee"
    ('Seen by Dr. ', False)
    """
    corpus: Sequence[Document] = list(documents)
    synthesis = Resynthesis(style, key or Key.random(), corpus, patient=patient)
    return [synthesis.rewritten(document) for document in corpus]
