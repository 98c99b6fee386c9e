"""Certain finds of rules in classes that nobody annotated, which pass the stacker by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from multideid.document import Span
from multideid.spans import outside, overlap_slice
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
        rows = overlap_slice(spans, span.start, span.end)
        near = spans[rows]
        gaps = [Span(*gap, span.label) for gap in outside(span.start, span.end, near)]
        if gaps and all(span.start <= other.start and other.end <= span.end for other in near):
            spans[rows] = [span]
        else:
            spans[rows] = sorted([*near, *gaps])
    return tuple(spans)
