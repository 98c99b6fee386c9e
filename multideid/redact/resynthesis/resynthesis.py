"""Corpora with the same text and new, invented PHI."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from multideid.document import Document, Span
from multideid.redact.ages import OVER
from multideid.redact.keys import Draw, Key
from multideid.redact.kinds import Kind, kind_of, language_of
from multideid.redact.modes import mask
from multideid.redact.redaction import rewrite
from multideid.redact.resynthesis.drafts import Drafts
from multideid.redact.resynthesis.placeholders import is_placeholder
from multideid.redact.resynthesis.stretches import words_outside
from multideid.redact.resynthesis.styles import make_vocabulary
from multideid.redact.surrogates import Surrogates

_AGES = range(90, 100)


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
    patient : str, optional
        As `Surrogates`.
    words : collection of str
        For the ambiguous style, as `make_vocabulary`.

    Raises
    ------
    UsageError
        If there is no such style.
    """

    def __init__(
        self,
        style: str,
        key: Key,
        *,
        patient: str | None = None,
        words: Collection[str] = frozenset(),
    ) -> None:
        vocabulary = make_vocabulary(style, words)
        self._surrogates = Surrogates(key, patient=patient, vocabulary=vocabulary)

    def rewritten(self, document: Document) -> Document:
        """Return the document with new PHI, and its spans where that stands."""
        drafted = self._drafted(document, lambda span: is_placeholder(document.span_text(span)))
        readable = self._drafted(drafted, lambda span: self._is_masked(drafted, span))
        return rewrite(readable, self._replacement)

    def _replacement(self, document: Document, span: Span) -> str:
        new = self._surrogates(document, span)
        if kind_of(span.label) is not Kind.AGE or OVER not in new:
            return new
        # 90+ alone would tell all ages that are PHI by their form.
        old = document.span_text(span)
        ages = [str(age) for age in _AGES if str(age) not in old]
        return new.replace(OVER, self._draws(document)("age", old).choose(ages))

    def _is_masked(self, document: Document, span: Span) -> bool:
        return self._surrogates(document, span) == mask(document, span)

    def _drafted(self, document: Document, is_blank: Callable[[Span], bool]) -> Document:
        """Return the document with drafts in the place of blank spans."""
        if not any(map(is_blank, document.spans)):
            return document
        drafts = Drafts(
            document, self._draws(document), language_of(s.label for s in document.spans)
        )

        def draft(document: Document, span: Span) -> str:
            new = drafts.draft(span) if is_blank(span) else None
            return document.span_text(span) if new is None else new

        return rewrite(document, draft)

    def _draws(self, document: Document) -> Callable[..., Draw]:
        patient = self._surrogates.patient_of(document)
        return lambda *names: self._surrogates.key.draw("resynthesis", patient, *names)


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
    words = words_outside(corpus) if style == "ambiguous" else frozenset()
    synthesis = Resynthesis(style, key or Key.random(), patient=patient, words=words)
    return [synthesis.rewritten(document) for document in corpus]
