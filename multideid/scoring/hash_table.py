"""A hash table from packed integer keys to row numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.scoring.jit import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_WORD = 64
_SLOTS_A_KEY = 3
NONE = -1


class HashTable(NamedTuple):
    """Open addressing, at most a third full: most keys asked for are told by an empty slot.

    Parameters
    ----------
    slots : int32 array, shape (2 ** bits,)
        The row of the key that each slot holds, -1 for none.
    keys : int64 array
        The key of each row.
    shift : int
        How far a hash is shifted to become the number of a slot.
    """

    slots: IntArray
    keys: LongArray
    shift: int

    @classmethod
    def of(cls, keys: LongArray) -> HashTable:
        """Make the table that gives each of the distinct `keys` its index."""
        bits = max(int(_SLOTS_A_KEY * len(keys)).bit_length(), 1)
        table = cls(np.full(2**bits, NONE, dtype=np.int32), keys, _WORD - bits)
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


class Parts(NamedTuple):
    """What a key is packed of.

    Parameters
    ----------
    columns : int64 array
        The row of the codes that each part is read from.
    offsets : int64 array
        How far to the right of the cell each part stands.
    factors : int64 array
        What the key so far is multiplied by before a part is added.
    """

    columns: LongArray
    offsets: LongArray
    factors: LongArray


@kernel
def find_rows(codes: IntArray, parts: Parts, table: HashTable, rows: IntArray) -> None:
    """Fill in the row of every cell's key, -1 where it has none.

    Parameters
    ----------
    codes : int32 array, shape (n_columns, n_cells or more)
        Values of the views; -1 where training did not see it.
    parts : Parts
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
def _look_up(asked: LongArray, table: HashTable, rows: IntArray) -> None:
    """Replace the rows that are not negative by those of the keys asked for."""
    slots, keys, shift = table.slots, table.keys, np.uint64(table.shift)
    last = np.uint64(len(slots) - 1)
    for n in range(len(rows)):
        key = asked[n]
        at = (np.uint64(key) * _GOLDEN) >> shift
        row = slots[at]
        while row >= 0 and keys[row] != key:
            at = (at + np.uint64(1)) & last
            row = slots[at]
        rows[n] = row if rows[n] >= 0 else NONE
