"""The inner loop that adds the weights of all conjunctions of a model to the cells around a cell.

All tables are in the same arrays, so that one call does for all of them: for one note, calls
would take longer than their work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import AnyArray, FloatingArray, IntArray, LongArray
from multideid.scoring.hash_table import GOLDEN, NOT_FOUND, HashTable
from multideid.scoring.jit import kernel
from multideid.scoring.scatter_add import Block


class KeyParts(NamedTuple):
    """The parts of a key: ``key = key * factor + codes[column, cell + offset]`` for each.

    Parameters
    ----------
    columns : int64 array
        Row of `codes` of each part.
    offsets : int64 array
        Position of each part relative to the cell, from 0.
    factors : int64 array
        Factor of each part.
    """

    columns: LongArray
    offsets: LongArray
    factors: LongArray


class EntryTable(NamedTuple):
    """Sparse rows of scores.

    Parameters
    ----------
    begins : int64 array, shape (n_rows + 1,)
        Row ``r`` is ``begins[r]:begins[r + 1]``.
    target : int32 array
        Target of each score, relative to the cell's scores.
    weight : float array
    """

    begins: LongArray
    target: IntArray
    weight: FloatingArray


class JoinedTables(NamedTuple):
    """Several tables of conjunctions, one after the other in the same arrays.

    Parameters
    ----------
    part_begins : int64 array, shape (n_tables + 1,)
        The parts of the keys of table ``t`` are ``part_begins[t]:part_begins[t + 1]``.
    columns, offsets, factors : int64 arrays
        As in `KeyParts`.
    slot_begins : int64 array, shape (n_tables + 1,)
    shifts : int64 array, shape (n_tables,)
        Right shift from a hash to a slot.
    slots : int32 array
        Row of the key in each slot, counted through all tables, -1 if empty.
    keys : int64 array, shape (n_rows,)
    begins, target, weight : arrays
        As in `EntryTable`, for the rows of all tables.
    """

    part_begins: LongArray
    columns: LongArray
    offsets: LongArray
    factors: LongArray
    slot_begins: LongArray
    shifts: LongArray
    slots: IntArray
    keys: LongArray
    begins: LongArray
    target: IntArray
    weight: FloatingArray

    @classmethod
    def of(
        cls,
        parts: Sequence[KeyParts],
        hashes: Sequence[HashTable],
        entries: Sequence[EntryTable],
    ) -> Self:
        """Join tables, of each the parts of its keys, its keys, and their entries."""
        rows = _bounds([table.keys for table in hashes])
        places = _bounds([table.weight for table in entries])
        begins = [table.begins[:-1] + at for table, at in zip(entries, places, strict=False)]
        slots = [
            np.where(table.slots >= 0, table.slots + np.int32(first), np.int32(NOT_FOUND))
            for table, first in zip(hashes, rows, strict=False)
        ]
        return cls(
            _bounds([each.columns for each in parts]),
            _joined([each.columns for each in parts]),
            _joined([each.offsets for each in parts]),
            _joined([each.factors for each in parts]),
            _bounds(slots),
            np.array([table.shift for table in hashes], dtype=np.int64),
            _joined(slots),
            _joined([table.keys for table in hashes]),
            np.append(_joined(begins), places[-1]),
            _joined([table.target for table in entries]),
            _joined([table.weight for table in entries]),
        )


def _bounds(arrays: Sequence[AnyArray]) -> LongArray:
    return np.cumsum([0, *map(len, arrays)], dtype=np.int64)


def _joined(arrays: Sequence[AnyArray]) -> AnyArray:
    return np.concatenate(arrays)


@kernel
def scatter_conjunctions(
    codes: IntArray, tables: JoinedTables, block: Block, scores: FloatingArray
) -> None:
    """Add the weights of the conjunctions that begin in each cell of a block.

    Parameters
    ----------
    codes : int32 array, shape (n_columns, n_cells or more)
        Values of the views, from the block's first cell on, -1 if unknown.
    tables : JoinedTables
    block : Block
    scores : float array
    """
    keys = np.empty(block.stop - block.start, dtype=np.int64)
    rows = np.empty(len(keys), dtype=np.int32)
    for table in range(len(tables.shifts)):
        _pack(codes, tables, table, keys, rows)
        _look_up(keys, tables, table, rows)
        _add_entries(rows, tables, block, scores)


@kernel
def _pack(
    codes: IntArray, tables: JoinedTables, table: int, keys: LongArray, rows: IntArray
) -> None:
    """Fill the key of every cell, and make its row negative if a value is unknown."""
    keys[:] = 0
    rows[:] = 0
    for p in range(tables.part_begins[table], tables.part_begins[table + 1]):
        offset, factor = tables.offsets[p], tables.factors[p]
        part = codes[tables.columns[p], offset : offset + len(rows)]
        for n in range(len(rows)):
            keys[n] = keys[n] * factor + part[n]
            rows[n] = min(rows[n], part[n])


@kernel
def _look_up(queries: LongArray, tables: JoinedTables, table: int, rows: IntArray) -> None:
    """Replace nonnegative rows by those of the queried keys, -1 if there are none."""
    slots = tables.slots[tables.slot_begins[table] : tables.slot_begins[table + 1]]
    keys, shift = tables.keys, np.uint64(tables.shifts[table])
    last = np.uint64(len(slots) - 1)
    for n in range(len(rows)):
        key = queries[n]
        at = (np.uint64(key) * GOLDEN) >> shift
        row = slots[at]
        while row >= 0 and keys[row] != key:
            at = (at + np.uint64(1)) & last
            row = slots[at]
        rows[n] = row if rows[n] >= 0 else NOT_FOUND


@kernel
def _add_entries(rows: IntArray, tables: JoinedTables, block: Block, scores: FloatingArray) -> None:
    """Add the entries of each cell's row; negative rows have none."""
    begins, target, weight = tables.begins, tables.target, tables.weight
    for cell in range(block.start, block.stop):
        row = rows[cell - block.start]
        if row >= 0:
            at = (cell - block.base) * block.width
            for k in range(np.uint64(begins[row]), np.uint64(begins[row + 1])):
                scores[np.uint64(at + target[k])] += weight[k]
