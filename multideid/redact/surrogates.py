"""Replace PHI by realistic, consistent surrogates."""

from __future__ import annotations

import re
from collections.abc import Callable

from multideid.arguments import check_choice, check_flag, check_text
from multideid.document import Document, Span
from multideid.redact.invented.realistic import Realistic
from multideid.redact.invented.vocabulary import Vocabulary
from multideid.redact.keys import Draw, Key, run_key

DATE_ORDERS = ("day-first", "month-first")

# As pandas reads them from files, without case; a database without a value for a patient may
# give any of them.
_NO_PATIENT = frozenset(
    "nan|-nan|na|n/a|<na>|#n/a|#n/a n/a|#na|none|null|nat|1.#ind|-1.#ind|1.#qnan|-1.#qnan".split(
        "|"
    )
)
# The same number, as columns of tables hold it once other rows have none.
_WHOLE_NUMBER = re.compile(r"([+-]?[0-9]+)\.0*")


class Surrogates:
    """Replaces PHI by synthetic PHI of the same kind and form; a `Replacer`.

    Surrogates are a function of the key, the patient and the PHI: the same name
    has the same surrogate in all documents of a patient and in all runs, and all
    dates of a patient are shifted by the same secret number of days. Nothing is
    stored.

    Parameters
    ----------
    key : Key, optional
        Default: a random key for this run.
    patient : str, optional
        The field of `Document.meta` with the patient's id. Default, and for
        documents that have none there (also ``NA``, ``NULL`` and the like): each document has
        its own patient.
    keep_weekday : bool, default False
        Whether dates are shifted by whole weeks, so that weekdays stay.
    date_order : {"day-first", "month-first"}, optional
        Whether 3/4 is in April or in March. Default: inferred from the dates of each note.
    for_corpora : bool, default False
        Whether phones and e-mail addresses look real, and labels are trusted. Otherwise phones
        are in ranges for fiction, where there are any, e-mail addresses at example.org, and
        plain dates and e-mail, web and network addresses are replaced as such whatever
        their label.
    vocabulary : callable, default `Realistic`
        Called with the language of a document, ``"en"`` or ``"es"``; returns
        the `Vocabulary` of names.

    Raises
    ------
    UsageError
        If a parameter is of another type, or `date_order` is no such name.

    Examples
    --------
    >>> note = Document("n1", "Dr. Lee, 3/4/05", (Span(4, 7, "DOCTOR"), Span(9, 15, "DATE")))
    >>> key = Key.from_secret(b"sixteen bytes or more")
    >>> Surrogates(key).of(note) == Surrogates(key).of(note)
    True
    """

    def __init__(  # noqa: PLR0913 (all but one by name)
        self,
        key: Key | None = None,
        *,
        patient: str | None = None,
        keep_weekday: bool = False,
        date_order: str | None = None,
        for_corpora: bool = False,
        vocabulary: Callable[[str], Vocabulary] = Realistic,
    ) -> None:
        check_text("patient", patient, optional=True)
        check_flag("keep_weekday", keep_weekday)
        check_choice("date_order", date_order, DATE_ORDERS, optional=True)
        check_flag("for_corpora", for_corpora)
        self.key = run_key() if key is None else key
        self.patient = patient
        self.keep_weekday = keep_weekday
        self.date_order = date_order
        self.for_corpora = for_corpora
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

        A span without a surrogate becomes its label in brackets, such as a date
        that does not exist, or PHI that is neither a name nor has digits.
        """
        from multideid.redact.generator import Conventions, SurrogateGenerator

        patient = self.patient_of(document)

        def draws(*names: str) -> Draw:
            return self.key.draw("surrogate", patient, *names)

        conventions = Conventions(self.keep_weekday, self.date_order, self.for_corpora)
        return SurrogateGenerator(document, draws, self.vocabulary, conventions).surrogates()

    def patient_of(self, document: Document) -> str:
        """Return an identifier of the patient of a document."""
        value = document.meta.get(self.patient) if self.patient is not None else None
        patient = patient_id(value)
        # The prefixes keep document ids and patient ids apart.
        return f"patient {patient}" if patient else f"document {document.id}"


def patient_id(value: object) -> str:
    """Return a patient's id as text, the same for 44719, 44719.0 and "44719.0"; empty for none.

    None, NaN, and what pandas reads as such (``NA``, ``N/A``, ``NULL``, ``none``) are no patient.
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = "" if value is None else str(value).strip()
    if text.casefold() in _NO_PATIENT:
        return ""
    whole = _WHOLE_NUMBER.fullmatch(text)
    return whole[1] if whole else text
