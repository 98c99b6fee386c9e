"""Surrogates as a corpus to measure on needs them, where they differ from those of notes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from multideid.document import Document, Span
from multideid.labels import SurrogateKind, surrogate_kind
from multideid.redact.invented.ages import OVER
from multideid.redact.invented.vocabulary import Vocabulary
from multideid.redact.keys import Draw, Key
from multideid.redact.modes import mask
from multideid.redact.spelling import fold
from multideid.redact.surrogates import Surrogates

_AGES = tuple(map(str, range(90, 100)))
_COMMON = 5
"""Documents that a value must be in to tell of none of them."""

Values = Mapping[str, Sequence[str]]
"""Common values by their labels."""


class CorpusSurrogates:
    """Surrogates, but never a form that real PHI does not have; a `Replacer`.

    An age over 89 becomes another one from 90 to 99, not ``90+``. PHI of no
    known kind, such as the sex of MEDDOCAN's patients, becomes another common
    value of its label.

    Parameters
    ----------
    key, patient, vocabulary
        As `Surrogates`.
    values : mapping of str to sequence of str
        As `common_values` gives.
    """

    def __init__(
        self,
        key: Key,
        patient: str | None,
        vocabulary: Callable[[str], Vocabulary],
        values: Values,
    ) -> None:
        self._surrogates = Surrogates(key, patient=patient, vocabulary=vocabulary)
        self._values = values

    def __call__(self, document: Document, span: Span, /) -> str:
        """Return what takes the place of one of the document's spans."""
        new, kind = self._surrogates(document, span), surrogate_kind(span.label)
        old = fold(document.span_text(span))
        others: list[str] = []
        if kind is SurrogateKind.AGE and OVER in new:
            others = [new.replace(OVER, age) for age in _AGES if age not in old]
        if kind is SurrogateKind.GENERIC:
            others = [value for value in self._values.get(span.label, ()) if fold(value) != old]
        return self.draws(document)(span.label, old).choose(others) if others else new

    def is_unread(self, document: Document, span: Span) -> bool:
        """Tell whether nothing can be made of a span but its label in brackets."""
        return self._surrogates(document, span) == mask(document, span)

    def draws(self, document: Document) -> Callable[..., Draw]:
        """Return what gives draws that belong to the document's patient."""
        patient = self._surrogates.patient_of(document)
        return lambda *names: self._surrogates.key.draw("resynthesis", patient, *names)


def common_values(documents: Iterable[Document]) -> Values:
    """Return what labels of no known kind stand for in five documents or more.

    What so many notes say tells of no patient, as rarer values might.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        generic = [
            span for span in document.spans if surrogate_kind(span.label) is SurrogateKind.GENERIC
        ]
        for label, value in {(span.label, document.span_text(span)) for span in generic}:
            counts[label][value] += 1
    return {
        label: sorted(value for value, n in values.items() if n >= _COMMON)
        for label, values in counts.items()
    }
