"""One array that holds the rows of label scores of everything that stands in a text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from multideid.arrays import FloatingArray, IntArray, LongArray
from multideid.features.templates import Window
from multideid.scoring.linear_part import Use

_MOST = 2**31 - 1
NOTHING = 0
"""The place of a row of zeros that is as long as any row may be."""


class Pool:
    """Rows one after another, each known by its place: where in the array it begins.

    That all are in one array lets one loop sum rows of many kinds.

    Parameters
    ----------
    longest : int
        Length of the longest row.
    dtype : dtype
        Of all scores: float32 where that holds their sums exactly, else float64.
    age : int
        That of a pool in whose place this one comes.

    Attributes
    ----------
    scores : float array
        It moves when rows are added.
    age : int
        How often rows were forgotten.
    """

    def __init__(self, longest: int, dtype: npt.DTypeLike, age: int = 0) -> None:
        self.scores: FloatingArray = np.zeros(longest, dtype)
        self.age = age
        self._used = self._kept = longest

    def new_rows(self, n_rows: int, length: int) -> IntArray:
        """Return the places of so many more rows, one after another, which are to be filled."""
        first = self._used
        self._used += n_rows * length
        if self._used > _MOST:
            raise OverflowError(f"more than {_MOST} scores in rows")
        if self._used > len(self.scores):
            # Memory that is not written to yet is not held.
            grown = np.empty(2 * self._used, self.scores.dtype)
            grown[:first] = self.scores[:first]
            self.scores = grown
        return (first + length * np.arange(n_rows)).astype(np.int32)

    def keep(self) -> None:
        """Never forget the rows there are now."""
        self._kept = self._used

    def forget(self) -> None:
        """Give up all rows but those that are kept."""
        self._used = self._kept
        self.age += 1


class Piece(NamedTuple):
    """Part of a row: what a cell adds to the scores of one cell around it.

    Parameters
    ----------
    begin, length : int
        Which of the other cell's scores.
    offset : int
        How far the row's cell stands to the right of the one that gains.
    position : int
        Where in the row the piece begins.
    """

    begin: int
    length: int
    offset: int
    position: int


@dataclass(frozen=True, slots=True)
class Layout:
    """What stands where in the rows of some templates.

    Parameters
    ----------
    at : dict of (int, int) to int
        The position of a part's scores by the part's begin and the offset.
    pieces : tuple of Piece
        Together they are a row; parts side by side make one piece.
    """

    at: dict[tuple[int, int], int]
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, uses: Iterable[Use]) -> Self:
        """Lay out the rows of templates."""
        lengths = {place: use.part.n_labels for use in uses for place in places_of(use)}
        at: dict[tuple[int, int], int] = {}
        pieces: list[Piece] = []
        position = 0
        for begin, offset in sorted(lengths, key=lambda place: (place[1], place[0])):
            length = lengths[begin, offset]
            at[begin, offset] = position
            _append(pieces, Piece(begin, length, offset, position))
            position += length
        return cls(at, tuple(pieces))

    @property
    def length(self) -> int:
        """Length of a row."""
        return sum(piece.length for piece in self.pieces)

    def add_to_columns(self, row: FloatingArray, columns: FloatingArray) -> None:
        """Add a row's scores to those of a cell, whatever their offset."""
        for piece in self.pieces:
            gains = columns[piece.begin : piece.begin + piece.length]
            gains += row[piece.position : piece.position + piece.length]

    def targets(self, width: int) -> tuple[LongArray, LongArray]:
        """Return where each piece goes, counted from the cell's own scores, and its length."""
        targets = [piece.begin - piece.offset * width for piece in self.pieces]
        lengths = [piece.length for piece in self.pieces]
        return np.array(targets, dtype=np.int64), np.array(lengths, dtype=np.int64)


def places_of(use: Use) -> list[tuple[int, int]]:
    """Return the begin of a template's part, with each offset at which it has scores in a row.

    Those are all offsets of a window, and the lowest one of every other template.
    """
    offsets = use.template.offsets
    chosen = offsets if isinstance(use.template, Window) else [min(offsets)]
    return [(use.begin, offset) for offset in chosen]


def _append(pieces: list[Piece], piece: Piece) -> None:
    """Append a piece, or make the last one longer where it goes on there."""
    last = pieces[-1] if pieces else None
    if last and (last.offset, last.begin + last.length) == (piece.offset, piece.begin):
        pieces[-1] = last._replace(length=last.length + piece.length)
    else:
        pieces.append(piece)
