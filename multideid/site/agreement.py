"""Agreement: what is surely found once in a note is PHI everywhere in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from multideid.document import Document, Span
from multideid.labels import SurrogateKind, surrogate_kind
from multideid.redact.spelling import WORD, fold
from multideid.redact.surrogates import patient_id
from multideid.site.findings import Finding, Scored
from multideid.site.name_parts import TITLES
from multideid.site.occurrences import places_of
from multideid.site.patients import PATIENT
from multideid.site.words import is_ordinary
from multideid.spans import overlapping

AGREEMENT = "agreement"
"""Source of what agreement finds."""

_SURE = 0.5
_SHORTEST_PART = 3  # Letters.
_LONGEST = 200  # Characters; longer spans are no identifiers.
_WORDY = (SurrogateKind.INSTITUTION, SurrogateKind.PLACE)
_NOT_SEARCHED = (SurrogateKind.AGE, SurrogateKind.PROFESSION, SurrogateKind.GENERIC)


def agreeing(
    documents: Sequence[Document], found: Sequence[Sequence[Scored]]
) -> list[list[Finding]]:
    """Return where the sure finds of each document occur again in it.

    Spans with a score of 0.5 or more are sure, and those without a score. Each part of a
    name counts, in any case, unless it is an ordinary word or shorter than three letters;
    other PHI counts as a whole. Documents of one patient, whose id is in their
    `meta`, agree with one another.

    Parameters
    ----------
    documents : sequence of Document
    found : sequence of sequence of Scored
        The spans of each document.
    """
    keys = [_patient(document, n) for n, document in enumerate(documents)]
    known = {key: _Known() for key in keys}
    for key, document, scored in zip(keys, documents, found, strict=True):
        for one in scored:
            if one.score is None or one.score >= _SURE:
                known[key].add(one.span.label, document.span_text(one.span))
    return [
        [
            Finding(span.start, span.end, span.label, 1.0, AGREEMENT)
            for span in known[key].places(document.text, [one.span for one in scored])
        ]
        for key, document, scored in zip(keys, documents, found, strict=True)
    ]


def _patient(document: Document, n: int) -> str | int:
    return patient_id(document.meta.get(PATIENT)) or n


class _Known:
    """PHI that was surely found in the notes of a patient."""

    def __init__(self) -> None:
        self._parts: dict[str, Counter[str]] = {}
        self._values: dict[str, set[str]] = {}

    def add(self, label: str, text: str) -> None:
        """Add the text of a span."""
        kind = surrogate_kind(label)
        if len(text) > _LONGEST or kind in _NOT_SEARCHED:
            return
        if kind is SurrogateKind.PERSON:
            for word in map(fold, WORD.findall(text)):
                if len(word) >= _SHORTEST_PART and word not in TITLES and not is_ordinary(word):
                    self._parts.setdefault(word, Counter())[label] += 1
        elif not (kind in _WORDY and is_ordinary(text)):
            self._values.setdefault(label, set()).add(text)

    def places(self, text: str, spans: Sequence[Span]) -> Iterator[Span]:
        """Yield what occurs in a text outside its spans, which are sorted."""
        found = places_of(text, self._values)
        yield from (place for place in found if not overlapping(spans, place.start, place.end))
        for match in WORD.finditer(text) if self._parts else ():
            labels = self._parts.get(fold(match[0]))
            if labels and not overlapping(spans, *match.span()):
                yield Span(*match.span(), labels.most_common(1)[0][0])
