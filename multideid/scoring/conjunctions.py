"""Conjunctions: one look-up for all templates that are the same but for a shift."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from multideid.arrays import FloatingArray, IntArray, LongArray
from multideid.features.templates import Conjunction
from multideid.features.views import View
from multideid.scoring.gather import to_places
from multideid.scoring.hash_table import HashTable, Parts, find_rows
from multideid.scoring.jit import kernel
from multideid.scoring.linear_part import Use
from multideid.scoring.quantized_weights import Weights, add_weights
from multideid.scoring.row_arena import Layout, Pool, places_of
from multideid.scoring.scatter_add import Block, EntryTable, push_entries

ColumnOf = Callable[[View, dict[str, int]], int]

_MOST_SCORES = 200_000
_LEAST_FILLED = 0.1


class RowFamily:
    """Conjunctions of the same views at the same distances, in all parts, as full rows.

    Parameters
    ----------
    uses : sequence of Use
    keys : Keys
    pool : Pool
        Where the rows are.
    """

    def __init__(self, uses: Sequence[Use], keys: Keys, pool: Pool) -> None:
        self._keys, self.layout = keys, Layout.of(uses)
        places = pool.new_rows(len(keys), self.layout.length)
        self._first = int(places[0])
        pool.scores[self._first : self._first + len(keys) * self.layout.length] = 0
        for use in uses:
            chosen = _Chosen.of(use)
            (place,) = places_of(use)
            at = places[keys.rows_of(chosen.keys)] + np.int32(self.layout.at[place])
            add_weights(at, chosen.features, chosen.weights, pool.scores)

    def places_at(self, codes: IntArray, found: IntArray) -> None:
        """Fill in the places of the rows of the conjunctions that begin in each cell.

        Parameters
        ----------
        codes : int32 array, shape (n_columns, n_cells or more)
            Values of the views.
        found : int32 array, shape (n_cells,)
        """
        self._keys.find(codes, found)
        to_places(found, self._first, self.layout.length)


class EntryFamily:
    """The same where there are so many keys that rows would be mostly zeros.

    Parameters
    ----------
    uses : sequence of Use
    keys : Keys
    width : int
        Scores a cell, of all parts.
    dtype : dtype
        Of scores.
    """

    def __init__(self, uses: Sequence[Use], keys: Keys, width: int, dtype: npt.DTypeLike) -> None:
        self._keys = keys
        self._entries = _entries(keys, uses, width, dtype)

    def push(self, codes: IntArray, block: Block, scores: FloatingArray) -> None:
        """Add the weights of the conjunctions that begin in each cell of a block.

        Parameters
        ----------
        codes : int32 array, shape (n_columns, n_cells or more)
            Values of the views, from the block's first cell on.
        block : Block
        scores : float array
        """
        rows = np.empty(block.stop - block.start, dtype=np.int32)
        self._keys.find(codes, rows)
        push_entries(rows, self._entries, block, scores)


def family(
    uses: Sequence[Use], width: int, column_of: ColumnOf, pool: Pool
) -> RowFamily | EntryFamily | None:
    """Compile conjunctions that differ by a shift or their part alone; None without any weight.

    Parameters
    ----------
    uses : sequence of Use
    width : int
        Scores a cell, of all parts.
    column_of : callable
        Gives the row of the codes that holds a view's values, numbered as in a
        vocabulary.
    pool : Pool
        For rows, and the type of all scores.
    """
    chosen = [_Chosen.of(use) for use in uses]
    keys = Keys.of(_packing(uses[0], column_of), [c.keys for c in chosen])
    size = len(keys) * Layout.of(uses).length
    if not size:
        return None
    filled = sum(int(c.counts.sum()) for c in chosen) / size
    if size <= _MOST_SCORES and filled >= _LEAST_FILLED:
        return RowFamily(uses, keys, pool)
    return EntryFamily(uses, keys, width, pool.scores.dtype)


@dataclass(frozen=True, slots=True)
class Keys:
    """The packed values of the conjunctions of a family that have any weight.

    Parameters
    ----------
    parts : Parts
    table : HashTable
    """

    parts: Parts
    table: HashTable

    @classmethod
    def of(cls, parts: Parts, keys: Sequence[LongArray]) -> Keys:
        """Number the distinct ones of all templates' keys."""
        return cls(parts, HashTable.of(np.unique(np.concatenate(keys))))

    def __len__(self) -> int:
        return len(self.table.keys)

    def rows_of(self, keys: LongArray) -> LongArray:
        """Return the numbers of keys that are among these."""
        return np.searchsorted(self.table.keys, keys)

    def find(self, codes: IntArray, rows: IntArray) -> None:
        """Fill in the number of the key that begins in each cell, -1 where there is none."""
        find_rows(codes, self.parts, self.table, rows)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The keys of a template whose features have any weight.

    Parameters
    ----------
    weights : Weights
    keys, features, counts : int64 arrays, of equal length
        Packed values, rows of the weights, and how many weights each has.
    """

    weights: Weights
    keys: LongArray
    features: LongArray
    counts: LongArray

    @classmethod
    def of(cls, use: Use) -> _Chosen:
        first = int(use.part.extractor.first_[use.number])
        features = first + np.arange(len(use.keys))
        counts = np.diff(use.part.weights.indptr)[features].astype(np.int64)
        kept = counts > 0
        weights = Weights.of(use.part.weights)
        return cls(weights, use.keys[kept], features[kept], counts[kept])


def _packing(use: Use, column_of: ColumnOf) -> Parts:
    assert isinstance(use.template, Conjunction)
    views, offsets = zip(*use.template.parts, strict=True)
    columns = [column_of(view, use.part.vocabulary(view)) for view in views]
    lowest = min(offsets)
    factors = [use.part.factor(view) for view in views]
    numbers = (columns, [offset - lowest for offset in offsets], factors)
    return Parts(*(np.array(n, dtype=np.int64) for n in numbers))


def _entries(keys: Keys, uses: Sequence[Use], width: int, dtype: npt.DTypeLike) -> EntryTable:
    """Gather the weights of all templates, key by key."""
    chosen = [_Chosen.of(use) for use in uses]
    rows = [keys.rows_of(c.keys) for c in chosen]
    counts = np.zeros(len(keys), dtype=np.int64)
    for c, r in zip(chosen, rows, strict=True):
        counts[r] += c.counts
    begins = np.concatenate([[0], np.cumsum(counts)])
    table = EntryTable(begins, np.empty(begins[-1], np.int32), np.empty(begins[-1], dtype))
    cursor = begins[:-1].copy()
    for use, c, r in zip(uses, chosen, rows, strict=True):
        ((begin, offset),) = places_of(use)
        _copy(cursor, r, c.features, begin - offset * width, c.weights, table)
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
