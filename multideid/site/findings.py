"""What a site's knowledge finds in a note, and how it joins what a model found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from multideid.document import Span
from multideid.spans import Extent, bounds, outside, overlap_groups


class Finding(NamedTuple):
    """PHI that a site's knowledge finds.

    Parameters
    ----------
    start, end : int
        Half-open offsets into the document's text.
    label : str
    score : float
        How sure it is, from 0 to 1.
    source : str
        Names the knowledge in reports, never its values.
    """

    start: int
    end: int
    label: str
    score: float
    source: str

    @property
    def span(self) -> Span:
        """The span of the finding."""
        return Span(self.start, self.end, self.label)


class Scored(NamedTuple):
    """A span with its evidence.

    Parameters
    ----------
    span : Span
    score : float, optional
        None if the model has no scores.
    sources : tuple of str
        The site's knowledge that found the span, or part of it.
    """

    span: Span
    score: float | None = None
    sources: tuple[str, ...] = ()


def joined(found: Iterable[Scored], findings: Iterable[Finding]) -> list[Scored]:
    """Join spans with findings; those that overlap become one span.

    It has the label of the longest of them, that of a finding if two are as long, and
    the highest score.

    Parameters
    ----------
    found : iterable of Scored
        Sorted; they do not overlap.
    findings : iterable of Finding
        In any order; they may overlap.

    Returns
    -------
    list of Scored
        Sorted; they do not overlap.
    """
    added = [Scored(f.span, f.score, (f.source,)) for f in findings]
    if not added:
        return list(found)
    ordered = sorted([*added, *found], key=lambda one: one.span.start)
    return [_union(group) for group in overlap_groups(ordered, attrgetter("span"))]


def _union(group: Sequence[Scored]) -> Scored:
    best = max(group, key=lambda one: (one.span.end - one.span.start, bool(one.sources)))
    start, end = bounds([one.span for one in group])
    scores = [one.score for one in group if one.score is not None]
    sources = dict.fromkeys(source for one in group for source in one.sources)
    label = best.span.label
    return Scored(Span(start, end, label), max(scores, default=None), tuple(sources))


def without_inner(findings: Iterable[Finding], allowed: Sequence[Extent]) -> list[Finding]:
    """Leave out the findings that are only a part of an allowed phrase."""
    if not allowed:
        return list(findings)
    return [f for f in findings if not any(_is_inside(f, extent) for extent in allowed)]


def _is_inside(finding: Finding, extent: Extent) -> bool:
    start, end = extent
    return (
        start <= finding.start and finding.end <= end and end - start > finding.end - finding.start
    )


def is_covered(span: Span, text: str, allowed: Sequence[Extent]) -> bool:
    """Return whether allowed phrases cover a span, with every letter and digit of it.

    Parameters
    ----------
    span : Span
    text : str
        The document's.
    allowed : sequence of (int, int)
        Sorted by start.
    """
    gaps = [*outside(span.start, span.end, allowed)]
    is_met = gaps != [(span.start, span.end)]
    return is_met and not any(any(map(str.isalnum, text[start:end])) for start, end in gaps)
