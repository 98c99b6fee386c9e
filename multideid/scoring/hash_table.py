"""Hash table from packed integer keys to row numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.scoring.jit import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_WORD = 64
_SLOTS_PER_KEY = 3
NOT_FOUND = -1


class HashTable(NamedTuple):
    """Hash table with open addressing, at most a third full, as most queries fail.

    Parameters
    ----------
    slots : int32 array, shape (2 ** bits,)
        Row of the key in each slot, -1 if empty.
    keys : int64 array
        Key of each row.
    shift : int
        Right shift from a hash to a slot.
    """

    slots: IntArray
    keys: LongArray
    shift: int

    @classmethod
    def of(cls, keys: LongArray) -> HashTable:
        """Make the table from distinct `keys` to their indices."""
        bits = max(int(_SLOTS_PER_KEY * len(keys)).bit_length(), 1)
        table = cls(np.full(2**bits, NOT_FOUND, dtype=np.int32), keys, _WORD - bits)
        _insert(table)
        return table


@kernel
def _insert(table: HashTable) -> None:
    slots, keys, shift = table.slots, table.keys, np.uint64(table.shift)
    last = np.uint64(len(slots) - 1)
    for row in range(len(keys)):
        at = (np.uint64(keys[row]) * _GOLDEN) >> shift
        while slots[at] >= 0:
            at = (at + np.uint64(1)) & last
        slots[at] = row


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


@kernel
def find_rows(codes: IntArray, parts: KeyParts, table: HashTable, rows: IntArray) -> None:
    """Fill the row of every cell's key, -1 if the key is not in the table.

    Parameters
    ----------
    codes : int32 array, shape (n_columns, n_cells or more)
        Values of the views, -1 if unknown.
    parts : KeyParts
    table : HashTable
    rows : int32 array, shape (n_cells,)
    """
    keys = np.zeros(len(rows), dtype=np.int64)
    rows[:] = 0
    for p in range(len(parts.columns)):
        offset, factor = parts.offsets[p], parts.factors[p]
        part = codes[parts.columns[p], offset : offset + len(rows)]
        for n in range(len(rows)):
            keys[n] = keys[n] * factor + part[n]
            rows[n] = min(rows[n], part[n])
    _look_up(keys, table, rows)


@kernel
def _look_up(queries: LongArray, table: HashTable, rows: IntArray) -> None:
    """Replace nonnegative rows by those of the queried keys."""
    slots, keys, shift = table.slots, table.keys, np.uint64(table.shift)
    last = np.uint64(len(slots) - 1)
    for n in range(len(rows)):
        key = queries[n]
        at = (np.uint64(key) * _GOLDEN) >> shift
        row = slots[at]
        while row >= 0 and keys[row] != key:
            at = (at + np.uint64(1)) & last
            row = slots[at]
        rows[n] = row if rows[n] >= 0 else NOT_FOUND
