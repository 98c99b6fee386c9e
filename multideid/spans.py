"""Algebra of spans: which overlap, what is between them, and texts with changes at them.

A span is any tuple that begins with half-open character offsets: a `Span`, a placeholder, an
extent. Spans that only touch do not overlap.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Any, TypeVar

Extent = tuple[int, int]
"""Half-open character offsets."""

_Spans = TypeVar("_Spans", bound=tuple[Any, ...])
_Item = TypeVar("_Item")

_start, _end = itemgetter(0), itemgetter(1)


def overlap_slice(spans: Sequence[tuple[Any, ...]], start: int, end: int) -> slice:
    """Return the slice of the spans with characters from `start` up to `end`.

    Parameters
    ----------
    spans : sequence of spans
        Sorted, not empty and not overlapping.
    start, end : int
        Half-open offsets.
    """
    first = bisect_right(spans, start, key=_end)
    return slice(first, bisect_left(spans, end, lo=first, key=_start))


def overlapping(spans: Sequence[_Spans], start: int, end: int) -> Sequence[_Spans]:
    """Return the spans with characters from `start` up to `end`; parameters as `overlap_slice`.

    Examples
    --------
    >>> overlapping([(0, 4), (4, 8), (9, 12)], 5, 9)
    [(4, 8)]
    """
    return spans[overlap_slice(spans, start, end)]


def _itself(span: Any) -> Any:
    return span


def overlap_groups(
    ordered: Iterable[_Item], span_of: Callable[[_Item], tuple[Any, ...]] = _itself
) -> Iterator[list[_Item]]:
    """Yield groups of what overlaps, directly or through others of the group.

    Parameters
    ----------
    ordered : iterable
        Spans, or what has one, sorted by start.
    span_of : callable, optional
        Returns the span of an item. Default: the items are spans.

    Examples
    --------
    >>> [*overlap_groups([(0, 4), (2, 6), (5, 8), (8, 9)])]
    [[(0, 4), (2, 6), (5, 8)], [(8, 9)]]
    """
    group: list[_Item] = []
    group_end = 0
    for item in ordered:
        span = span_of(item)
        if group and span[0] >= group_end:
            yield group
            group = []
        group_end = max(group_end, span[1]) if group else span[1]
        group.append(item)
    if group:
        yield group


def bounds(spans: Sequence[tuple[Any, ...]]) -> Extent:
    """Return where the first of some spans begins, and where the last one ends."""
    return min(map(_start, spans)), max(map(_end, spans))


def outside(start: int, end: int, spans: Iterable[tuple[Any, ...]]) -> Iterator[Extent]:
    """Yield the parts from `start` up to `end` that no span covers, none of them empty.

    Parameters
    ----------
    start, end : int
        Half-open offsets.
    spans : iterable of spans
        Sorted by start; they may overlap.

    Examples
    --------
    >>> [*outside(0, 10, [(2, 4), (3, 6), (9, 12)])]
    [(0, 2), (6, 9)]
    """
    for span in spans:
        low = span[0]
        if low >= end:
            break
        if start < low:
            yield start, low
        start = max(start, span[1])
    if start < end:
        yield start, end


def count_uncovered(text: str, start: int, end: int, spans: Iterable[tuple[Any, ...]] = ()) -> int:
    """Count the letters and digits from `start` up to `end` that no span covers.

    Parameters
    ----------
    text : str
    start, end : int
        Half-open offsets.
    spans : iterable of spans
        Sorted by start; they may overlap.

    Examples
    --------
    >>> count_uncovered("Dr. Lee", 0, 7), count_uncovered("Dr. Lee", 0, 7, [(0, 2), (4, 6)])
    (5, 1)
    """
    count = 0
    for low, high in outside(start, end, spans):
        count += sum(map(str.isalnum, text[low:high]))
    return count


def trimmed(text: str, start: int, end: int) -> Extent:
    """Return offsets without the white space at the ends of a part of a text.

    If the part has nothing else, the start is not before the end.

    Examples
    --------
    >>> trimmed("Dr. Lee \\n", 3, 9)
    (4, 7)
    """
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))


def utf16_offsets(text: str) -> list[int]:
    """Return the offset of each character, and of the end, in code units of UTF-16.

    Examples
    --------
    >>> utf16_offsets("a\U0001f600b")
    [0, 1, 3, 4]
    """
    return [0, *accumulate(1 + (character > "\uffff") for character in text)]


def splice(
    text: str,
    changes: Iterable[tuple[int, int, str]],
    start: int = 0,
    end: int | None = None,
    *,
    between: Callable[[str], str] | None = None,
) -> str:
    """Return a text, or a part of it, with changes.

    Parameters
    ----------
    text : str
    changes : iterable of (int, int, str)
        Half-open offsets into `text` and what is written instead, sorted and not overlapping.
    start, end : int
        Half-open offsets of the part that is returned. Default: the whole text.
    between : callable, optional
        Returns what is written for the text before, between and after the changes, when all
        changes are known. Default: it stays.

    Examples
    --------
    >>> splice("Seen by Dr. Lee.", [(12, 15, "Poe")])
    'Seen by Dr. Poe.'
    """
    pieces: list[str] = []
    done = start
    for low, high, new in changes:
        pieces += (text[done:low], new)
        done = high
    pieces.append(text[done:end])
    if between is not None:
        pieces[::2] = [between(piece) for piece in pieces[::2]]
    return "".join(pieces)
