"""A hash table from packed integer keys to row numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from multideid.learners.compiled.kernel import kernel

IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_WORD = 64
NONE = -1


class HashTable(NamedTuple):
    """Open addressing, at most half full.

    Parameters
    ----------
    slots : int64 array, shape (2 ** bits, 2)
        Key and row of each slot; the row is -1 where the slot is empty.
    shift : int
        How far a hash is shifted to become the number of a slot.
    """

    slots: LongArray
    shift: int

    @classmethod
    def of(cls, keys: LongArray) -> HashTable:
        """Make the table that gives each of the distinct `keys` its index."""
        bits = max(int(2 * len(keys)).bit_length(), 1)
        slots = np.full((2**bits, 2), NONE, dtype=np.int64)
        table = cls(slots, _WORD - bits)
        _insert(keys, table)
        return table


@kernel
def _insert(keys: LongArray, table: HashTable) -> None:
    slots, shift, last = table.slots, np.uint64(table.shift), np.uint64(len(table.slots) - 1)
    for row in range(len(keys)):
        at = (np.uint64(keys[row]) * _GOLDEN) >> shift
        while slots[at, 1] >= 0:
            at = (at + np.uint64(1)) & last
        slots[at, 0], slots[at, 1] = keys[row], row


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
    least = np.zeros(len(rows), dtype=np.int32)
    for p in range(len(parts.columns)):
        offset, factor = parts.offsets[p], parts.factors[p]
        part = codes[parts.columns[p], offset : offset + len(rows)]
        for n in range(len(rows)):
            keys[n] = keys[n] * factor + part[n]
            least[n] = min(least[n], part[n])
    _look_up(keys, least, table, rows)


@kernel
def _look_up(keys: LongArray, least: IntArray, table: HashTable, rows: IntArray) -> None:
    slots, shift, last = table.slots, np.uint64(table.shift), np.uint64(len(table.slots) - 1)
    for n in range(len(rows)):
        key = keys[n]
        at = (np.uint64(key) * _GOLDEN) >> shift
        while slots[at, 1] >= 0 and slots[at, 0] != key:
            at = (at + np.uint64(1)) & last
        rows[n] = slots[at, 1] if least[n] >= 0 else NONE
