"""Certain finds of rules in classes that nobody annotated, which pass the stacker by."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from multideid.document import Span
from multideid.stacking.decode import tags_to_spans
from multideid.taggers.contract import BaseTagger
from multideid.taggers.mapped import MappedTagger
from multideid.text.table import TokenTable


def passing_labels(taggers: Mapping[str, BaseTagger]) -> dict[str, tuple[str, ...]]:
    """Return the labels that pass through, each with the systems that find it.

    Parameters
    ----------
    taggers : mapping of str to BaseTagger
        Fitted, by name.
    """
    found: dict[str, list[str]] = {}
    for name, tagger in taggers.items():
        if isinstance(tagger, MappedTagger):
            for label in tagger.passing_labels().values():
                found.setdefault(label, []).append(name)
    return {label: tuple(dict.fromkeys(names)) for label, names in sorted(found.items())}


def certain_spans(
    taggers: Mapping[str, BaseTagger], tokens: TokenTable
) -> list[list[tuple[Span, ...]]]:
    """Return the spans that pass through: for each system with any, those of each document."""
    return [
        tags_to_spans(tokens, tagger.passing_tags(tokens))
        for tagger in taggers.values()
        if isinstance(tagger, MappedTagger) and tagger.passing_labels()
    ]


def with_certain_spans(predicted: Sequence[Span], certain: Sequence[Span]) -> tuple[Span, ...]:
    """Add spans, so that all their characters are covered and no two spans overlap.

    A span that other spans cover is left out. One that holds other spans takes their
    place, since parts of it would be left over. One that overlaps a longer span is
    cut to the parts outside.

    Parameters
    ----------
    predicted : sequence of Span
        Sorted, without overlaps.
    certain : sequence of Span
        The same.

    Examples
    --------
    >>> with_certain_spans([Span(0, 4, "NAME")], [Span(0, 12, "EMAIL")])
    (Span(start=0, end=12, label='EMAIL'),)
    """
    spans = list(predicted)
    for span in certain:
        first = bisect_right(spans, span.start, key=attrgetter("end"))
        stop = bisect_left(spans, span.end, key=attrgetter("start"))
        near = spans[first:stop]
        gaps = list(_gaps(span, near))
        if gaps and all(span.start <= other.start and other.end <= span.end for other in near):
            spans[first:stop] = [span]
        else:
            spans[first:stop] = sorted([*near, *gaps])
    return tuple(spans)


def _gaps(span: Span, others: Sequence[Span]) -> Iterator[Span]:
    """Yield the parts of a span outside others, which are sorted."""
    start = span.start
    for other in others:
        if start < other.start:
            yield Span(start, other.start, span.label)
        start = max(start, other.end)
    if start < span.end:
        yield Span(start, span.end, span.label)
