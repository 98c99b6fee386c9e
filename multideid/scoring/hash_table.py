"""Hash table from packed integer keys to row numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.scoring.jit import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""The slot of a key is in the highest bits of its product with this number."""
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
        at = (np.uint64(keys[row]) * GOLDEN) >> shift
        while slots[at] >= 0:
            at = (at + np.uint64(1)) & last
        slots[at] = row
