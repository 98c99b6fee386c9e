"""Conjunctions: one look-up for all templates that are the same but for a shift."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from multideid.features.templates import Conjunction
from multideid.features.views import View
from multideid.learners.compiled.hashing import HashTable, Parts, find_rows
from multideid.learners.compiled.kernel import kernel
from multideid.learners.compiled.pushing import (
    Block,
    EntryTable,
    RowTable,
    push_entries,
    push_rows,
)
from multideid.learners.compiled.weights import Weights
from multideid.learners.linear_part import Use, offsets_of

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]

ColumnOf = Callable[[View, dict[str, int]], int]

_MOST_CELLS = 200_000
_LEAST_FILLED = 0.1


class Family:
    """Conjunctions of the same views at the same distances, in all parts.

    Parameters
    ----------
    uses : sequence of Use
    width : int
        Scores a cell, of all parts.
    column_of : callable
        Gives the row of the codes that holds a view's values, numbered as in a
        vocabulary.
    """

    def __init__(self, uses: Sequence[Use], width: int, column_of: ColumnOf) -> None:
        self._parts = _packing(uses[0], column_of)
        chosen = [_Chosen.of(use, width) for use in uses]
        keys = np.unique(np.concatenate([c.keys for c in chosen]))
        self._keys = HashTable.of(keys)
        self._entries = _entries(keys, chosen)
        self._rows = _as_rows(self._entries)

    def push(self, codes: IntArray, block: Block, scores: FloatArray) -> None:
        """Add the weights of the conjunctions that begin in each cell of a block.

        Parameters
        ----------
        codes : int32 array, shape (n_columns, n_cells or more)
            Values of the views, from the block's first cell on.
        block : Block
        scores : float64 array
        """
        rows = np.empty(block.stop - block.start, dtype=np.int32)
        find_rows(codes, self._parts, self._keys, rows)
        if self._rows is not None:
            push_rows(rows, self._rows, block, scores)
        else:
            push_entries(rows, self._entries, block, scores)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The keys of a template whose features have any weight.

    Parameters
    ----------
    weights : Weights
    keys, features, counts : int64 arrays, of equal length
        Packed values, rows of the weights, and how many weights each has.
    target : int
        Where the scores go, counted from those of the cell of the first value.
    """

    weights: Weights
    keys: LongArray
    features: LongArray
    counts: LongArray
    target: int

    @classmethod
    def of(cls, use: Use, width: int) -> _Chosen:
        first = int(use.part.extractor.first_[use.number])
        features = first + np.arange(len(use.keys))
        counts = np.diff(use.part.weights.indptr)[features].astype(np.int64)
        kept = counts > 0
        target = use.begin - min(offsets_of(use.template)) * width
        weights = Weights.of(use.part.weights)
        return cls(weights, use.keys[kept], features[kept], counts[kept], target)


def _packing(use: Use, column_of: ColumnOf) -> Parts:
    assert isinstance(use.template, Conjunction)
    views, offsets = zip(*use.template.parts, strict=True)
    columns = [column_of(view, use.part.vocabulary(view)) for view in views]
    lowest = min(offsets)
    factors = [use.part.factor(view) for view in views]
    numbers = (columns, [offset - lowest for offset in offsets], factors)
    return Parts(*(np.array(n, dtype=np.int64) for n in numbers))


def _entries(keys: LongArray, chosen: Sequence[_Chosen]) -> EntryTable:
    """Gather the weights of all templates, key by key."""
    rows = [np.searchsorted(keys, c.keys) for c in chosen]
    counts = np.zeros(len(keys), dtype=np.int64)
    for c, r in zip(chosen, rows, strict=True):
        counts[r] += c.counts
    begins = np.concatenate([[0], np.cumsum(counts)])
    table = EntryTable(begins, np.empty(begins[-1], np.int32), np.empty(begins[-1]))
    cursor = begins[:-1].copy()
    for c, r in zip(chosen, rows, strict=True):
        _copy(cursor, r, c.features, c.target, c.weights, table)
    return table


@kernel
def _copy(  # noqa: PLR0913, PLR0917
    cursor: LongArray,
    rows: LongArray,
    features: LongArray,
    target: int,
    weights: Weights,
    table: EntryTable,
) -> None:
    """Put the weights of features where their rows' cursors stand, and move these on."""
    for n in range(len(rows)):
        for k in range(weights.begins[features[n]], weights.begins[features[n] + 1]):
            at = cursor[rows[n]]
            table.target[at] = target + weights.label[k]
            table.weight[at] = weights.weight[k]
            cursor[rows[n]] += 1


def _as_rows(entries: EntryTable) -> RowTable | None:
    """Return the entries as full rows where these are few, since they are added faster."""
    places = np.unique(entries.target)
    shape = (len(entries.begins) - 1, len(places))
    size = shape[0] * shape[1]
    if not size or size > _MOST_CELLS or len(entries.target) < _LEAST_FILLED * size:
        return None
    rows = np.zeros(shape)
    row = np.repeat(np.arange(shape[0]), np.diff(entries.begins))
    rows[row, np.searchsorted(places, entries.target)] = entries.weight
    first = np.flatnonzero(np.diff(places, prepend=places[0] - 2) > 1)
    length = np.diff(np.append(first, len(places)))
    return RowTable(rows, places[first].astype(np.int64), length)
