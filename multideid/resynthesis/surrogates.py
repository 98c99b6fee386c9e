"""Surrogates for evaluation corpora, without the forms that reveal them as such."""

from __future__ import annotations

import re
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
_DECADE = re.compile(r"(?<!\d)((?:19|20)?)(\d)0(?=['\u2019]?s\b)")
_MIN_DOCUMENTS = 5
"""Number of documents in which a value must occur to be used in others."""

Values = Mapping[str, Sequence[str]]
"""Common values by label."""


class CorpusSurrogates:
    """Surrogates that always have a form of real PHI; a `Replacer`.

    An age over 89 becomes another age from 90 to 99, not ``90+``, and a decade such
    as ``1950s`` the one before or after it. PHI without a writer, such as the sex of
    patients in MEDDOCAN, becomes another common value of its label.

    Parameters
    ----------
    key, patient, vocabulary
        As in `Surrogates`.
    values : mapping of str to sequence of str
        See `common_values`.
    """

    def __init__(
        self,
        key: Key,
        patient: str | None,
        vocabulary: Callable[[str], Vocabulary],
        values: Values,
    ) -> None:
        self._surrogates = Surrogates(key, patient=patient, vocabulary=vocabulary, for_corpora=True)
        self._values = values

    def __call__(self, document: Document, span: Span, /) -> str:
        """Return the surrogate of one of the spans of a document."""
        new, kind = self._surrogates(document, span), surrogate_kind(span.label)
        text = document.span_text(span)
        old = fold(text)
        others: list[str] = []
        if kind is SurrogateKind.AGE and OVER in new:
            others = [new.replace(OVER, age) for age in _AGES if age not in old]
        if kind is SurrogateKind.DATE and new == mask(document, span):
            others = _other_decades(text)
        if kind is SurrogateKind.GENERIC:
            others = [value for value in self._values.get(span.label, ()) if fold(value) != old]
        return self.draws(document)(span.label, old).choose(others) if others else new

    def is_masked(self, document: Document, span: Span) -> bool:
        """Return whether a span has no surrogate but its label in brackets."""
        return self(document, span) == mask(document, span)

    def draws(self, document: Document) -> Callable[..., Draw]:
        """Return the random draws of the patient of a document, by names."""
        patient = self._surrogates.patient_of(document)
        return lambda *names: self._surrogates.key.draw("resynthesis", patient, *names)


def _other_decades(text: str) -> list[str]:
    """Return a text with one decade with the decades before and after it; else nothing."""
    found = list(_DECADE.finditer(text))
    if len(found) != 1 or sum(c.isdigit() for c in text) != len(found[0][0]):
        return []
    start, end = found[0].span()
    decade = int(found[0][1] + found[0][2])
    digits = end - start - 1
    others = [f"{(decade + step) % 10**digits:0{digits}}0" for step in (-1, 1)]
    return [f"{text[:start]}{other}{text[end:]}" for other in others]


def common_values(documents: Iterable[Document]) -> Values:
    """Return the values of labels without a writer that occur in five documents or more.

    Rarer values are left out, since they might identify a patient.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        generic = [
            span for span in document.spans if surrogate_kind(span.label) is SurrogateKind.GENERIC
        ]
        for label, value in {(span.label, document.span_text(span)) for span in generic}:
            counts[label][value] += 1
    return {
        label: sorted(value for value, n in values.items() if n >= _MIN_DOCUMENTS)
        for label, values in counts.items()
    }
