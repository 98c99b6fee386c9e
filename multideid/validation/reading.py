"""What people marked: one reader, or two who read the same notes by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval.statistics.capture_recapture import Population, chapman
from multideid.spans import overlapping
from multideid.validation.plan import Plan


@dataclass(frozen=True, slots=True)
class Readings:
    """What readers marked in the notes of a plan.

    Parameters
    ----------
    gold : tuple of Document
        In the order of the plan, with the spans that any reader marked, or the settled ones.
    readers : int
    population : Population or None
        Estimate of all PHI from two independent readers; None for one reader.
    """

    gold: tuple[Document, ...]
    readers: int
    population: Population | None


def reading_of(plan: Plan, documents: Sequence[Document]) -> tuple[Document, ...]:
    """Return a reader's documents in the order of the plan.

    Raises
    ------
    UsageError
        If they are not the notes of the plan.
    """
    places = plan.places(documents)
    ordered = sorted(zip(places, documents, strict=True), key=lambda pair: pair[0])
    return tuple(document for _, document in ordered)


def gold_of(
    plan: Plan,
    readings: Sequence[Sequence[Document]],
    settled: Sequence[Document] | None = None,
) -> Readings:
    """Combine the documents of one or two readers.

    Parameters
    ----------
    plan : Plan
    readings : sequence of sequence of Document
        Each reader's documents, in any order.
    settled : sequence of Document, optional
        Documents with settled differences, which count then. Default: spans that any reader
        marked; overlapping ones are merged.

    Raises
    ------
    UsageError
        If there are none or more than two readers, or documents are not those of the plan.
    """
    if not 1 <= len(readings) <= 2:
        raise UsageError(f"a validation has one or two readers, not {len(readings)}")
    ordered = [reading_of(plan, documents) for documents in readings]
    gold = ordered[0]
    if settled is not None:
        gold = reading_of(plan, settled)
    elif len(ordered) > 1:
        gold = tuple(map(_together, *ordered))
    population = _population(*ordered) if len(ordered) > 1 else None
    return Readings(gold, len(ordered), population)


def _together(first: Document, second: Document) -> Document:
    """Return a document with the spans of both, and those that overlap as one.

    They are joined in order: the next span is compared with all that is joined so far, and the
    longer of the two, the former if they are equal, gives the label. Elsewhere the longest span
    of a group gives it (`multideid.site.findings.joined`).
    """
    merged: list[Span] = []
    for span in sorted((*first.spans, *second.spans)):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            label = max(last, span, key=lambda s: s.end - s.start).label
            merged[-1] = Span(last.start, max(last.end, span.end), label)
        else:
            merged.append(span)
    return first.with_spans(merged)


def _population(first: Sequence[Document], second: Sequence[Document]) -> Population:
    """Estimate how many places with PHI there are; marks that overlap are one place."""
    only_first = only_second = both = 0
    for left, right in zip(first, second, strict=True):
        for place in _together(left, right).spans:
            by_first, by_second = (_any_in(document, place) for document in (left, right))
            both += by_first and by_second
            only_first += not by_second
            only_second += not by_first
    return chapman(only_first + both, only_second + both, both)


def _any_in(document: Document, place: Span) -> bool:
    return bool(overlapping(document.spans, place.start, place.end))
