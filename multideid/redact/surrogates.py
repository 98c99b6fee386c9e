"""Surrogates: invented PHI that reads like the real one and agrees with itself."""

from __future__ import annotations

from collections.abc import Callable

from multideid.document import Document, Span
from multideid.redact.invented.realistic import Realistic
from multideid.redact.invented.vocabulary import Vocabulary
from multideid.redact.keys import Draw, Key, run_key


class Surrogates:
    """Replaces PHI by invented PHI of the same kind and form; a `Replacer`.

    All surrogates follow from the key and the patient: the same name gets the
    same surrogate in all documents of a patient, in this run and any other,
    and dates are shifted by one secret number of days. Nothing is stored.

    Parameters
    ----------
    key : Key, optional
        Default: a random one, the same for the whole run and no other.
    patient : str, optional
        The field of `Document.meta` that tells whose document it is. Default,
        and where a document lacks it: each document is of another patient.
    keep_weekday : bool, default False
        Whether dates are shifted by whole weeks.
    vocabulary : callable, default `Realistic`
        Called with the document's language, ``"en"`` or ``"es"``; gives the
        words of names.

    Examples
    --------
    >>> note = Document("n1", "Dr. Lee, 3/4/05", (Span(4, 7, "DOCTOR"), Span(9, 15, "DATE")))
    >>> key = Key.from_secret(b"sixteen bytes or more")
    >>> Surrogates(key).of(note) == Surrogates(key).of(note)
    True
    """

    def __init__(
        self,
        key: Key | None = None,
        *,
        patient: str | None = None,
        keep_weekday: bool = False,
        vocabulary: Callable[[str], Vocabulary] = Realistic,
    ) -> None:
        self.key = run_key() if key is None else key
        self.patient = patient
        self.keep_weekday = keep_weekday
        self.vocabulary = vocabulary
        self._latest: tuple[Document, dict[Span, str]] | None = None

    def __call__(self, document: Document, span: Span, /) -> str:
        """Return the surrogate of one of the document's spans."""
        latest = self._latest
        if latest is None or latest[0] is not document:
            latest = document, dict(zip(document.spans, self.of(document), strict=True))
            self._latest = latest
        return latest[1][span]

    def of(self, document: Document) -> list[str]:
        """Return the surrogates of all spans of a document, in order.

        Where none can be had, that is the label in brackets: for dates that
        do not exist, and for what is neither a name nor has a number in it.
        """
        from multideid.redact.document_surrogates import Plan

        patient = self.patient_of(document)

        def draws(*names: str) -> Draw:
            return self.key.draw("surrogate", patient, *names)

        return Plan(document, draws, self.vocabulary, self.keep_weekday).surrogates()

    def patient_of(self, document: Document) -> str:
        """Return what tells whose document it is."""
        told = document.meta.get(self.patient) if self.patient is not None else None
        # Where a table has no number, it may say NaN.
        patient = "" if told is None or str(told) == "nan" else str(told).strip()
        # No document's id may be taken for a patient's.
        return f"patient {patient}" if patient else f"document {document.id}"
