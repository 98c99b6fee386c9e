"""One array for all rows of label scores that are added up when text is scored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from multideid.arrays import FloatingArray, IntArray, LongArray
from multideid.features.templates import Window
from multideid.scoring.linear_part import TemplateUse

_MAX_SIZE = 2**31 - 1
_GROWTH = 4
ZERO_ROW = 0
"""Offset of a row of zeros, as long as the longest row."""


class RowArena:
    """Rows in one array, each identified by its offset into the array.

    With all rows in one array, one loop can add rows of many kinds.

    Parameters
    ----------
    longest : int
        Length of the longest row.
    dtype : dtype
        Type of all scores: float32 if their sums are exact in it, or float64.
    generation : int
        That of the arena which this one replaces.

    Attributes
    ----------
    scores : float array
        Reallocated when rows are added.
    generation : int
        Incremented when rows are cleared.
    """

    def __init__(self, longest: int, dtype: npt.DTypeLike, generation: int = 0) -> None:
        self.scores: FloatingArray = np.zeros(longest, dtype)
        self.generation = generation
        self._used = self._kept = longest

    def new_rows(self, n_rows: int, length: int) -> IntArray:
        """Return the offsets of new, uninitialized, consecutive rows."""
        first = self._used
        self._used += n_rows * length
        if self._used > _MAX_SIZE:
            raise OverflowError(f"more than {_MAX_SIZE} scores in rows")
        if self._used > len(self.scores):
            # Memory that was never written to is not committed, and copies keep a note waiting.
            grown = np.empty(_GROWTH * self._used, self.scores.dtype)
            grown[:first] = self.scores[:first]
            self.scores = grown
        return (first + length * np.arange(n_rows)).astype(np.int32)

    def keep(self) -> None:
        """Exempt the present rows from `clear`."""
        self._kept = self._used

    def clear(self) -> None:
        """Drop all rows except those that are kept."""
        self._used = self._kept
        self.generation += 1


class Segment(NamedTuple):
    """A part of a row, which a cell adds to the scores of one cell near it.

    Parameters
    ----------
    begin, length : int
        The target's range among the scores of its cell.
    offset : int
        Position of the row's cell relative to the target cell.
    start : int
        Start of the segment in the row.
    """

    begin: int
    length: int
    offset: int
    start: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Layout of the rows of some templates.

    Parameters
    ----------
    start : dict of (int, int) to int
        Start in the row of the scores of each part (given by the begin of its
        labels) and offset.
    segments : tuple of Segment
        The segments of a row in order; adjacent parts share a segment.
    """

    start: dict[tuple[int, int], int]
    segments: tuple[Segment, ...]

    @classmethod
    def of(cls, uses: Iterable[TemplateUse]) -> Self:
        """Make the layout of the rows of templates."""
        lengths = {block: use.part.n_labels for use in uses for block in blocks_of(use)}
        starts: dict[tuple[int, int], int] = {}
        segments: list[Segment] = []
        start = 0
        for begin, offset in sorted(lengths, key=lambda block: (block[1], block[0])):
            length = lengths[begin, offset]
            starts[begin, offset] = start
            _append(segments, Segment(begin, length, offset, start))
            start += length
        return cls(starts, tuple(segments))

    @property
    def length(self) -> int:
        """Length of a row."""
        return sum(segment.length for segment in self.segments)

    def add_to_columns(self, row: FloatingArray, columns: FloatingArray) -> None:
        """Add the scores of a row to those of a cell, ignoring offsets."""
        for segment in self.segments:
            target = columns[segment.begin : segment.begin + segment.length]
            target += row[segment.start : segment.start + segment.length]

    def targets(self, width: int) -> tuple[LongArray, LongArray]:
        """Return the target of each segment, relative to the cell's scores, and its length."""
        targets = [segment.begin - segment.offset * width for segment in self.segments]
        lengths = [segment.length for segment in self.segments]
        return np.array(targets, dtype=np.int64), np.array(lengths, dtype=np.int64)


def blocks_of(use: TemplateUse) -> list[tuple[int, int]]:
    """Return the begin of the part's labels with each offset that has scores in a row.

    These are all offsets of a window, and the lowest offset of other templates.
    """
    offsets = use.template.offsets
    chosen = offsets if isinstance(use.template, Window) else [min(offsets)]
    return [(use.begin, offset) for offset in chosen]


def _append(segments: list[Segment], segment: Segment) -> None:
    """Append a segment, or extend the last one if it is adjacent."""
    last = segments[-1] if segments else None
    if last and (last.offset, last.begin + last.length) == (segment.offset, segment.begin):
        segments[-1] = last._replace(length=last.length + segment.length)
    else:
        segments.append(segment)
