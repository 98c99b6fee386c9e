"""Features of one template as columns of the matrix, and the matrix of all templates."""

from __future__ import annotations

import numpy as np

from multideid.arrays import IntArray, IntegerArray, LongArray
from multideid.csr import Csr
from multideid.features.mapped_views import UNKNOWN, known_only


class Block:
    """The features of one template.

    Parameters
    ----------
    counts : int array, shape (n_tokens,)
        Number of features of each token.
    indices : int32 array
        Their columns, token by token.
    """

    def __init__(self, counts: IntegerArray, indices: IntArray) -> None:
        self.counts = counts
        self.indices = indices

    @classmethod
    def of_columns(cls, columns: list[IntArray]) -> Block:
        """Make a block from arrays of column numbers, -1 where there is no feature."""
        stacked = np.stack(columns, axis=1)
        present = stacked != UNKNOWN
        return cls(present.sum(axis=1, dtype=np.min_scalar_type(len(columns))), stacked[present])

    @classmethod
    def of_sets(cls, sets: Csr, rows: IntArray, keys: LongArray, first: int) -> Block:
        """Make a block from each token's row of a matrix of values; `keys` as for `look_up`."""
        columns = look_up(sets.indices.astype(np.int64), keys, first)
        chosen = known_only(columns, sets.indptr, first + len(keys) + 1)[rows]
        return cls(np.diff(chosen.indptr).astype(np.int32), chosen.indices)


def look_up(values: LongArray, keys: LongArray, first: int) -> IntArray:
    """Return the column of each packed value, `UNKNOWN` if it has none.

    Parameters
    ----------
    values : int64 array, shape (n,)
    keys : int64 array
        The packed values that have a column, sorted.
    first : int
        Column of the first of them.

    Returns
    -------
    int32 array, shape (n,)
    """
    if not len(keys):
        return np.full(len(values), UNKNOWN, dtype=np.int32)
    place = np.searchsorted(keys, values)
    place[place == len(keys)] = 0
    return np.where(keys[place] == values, place + first, UNKNOWN).astype(np.int32)


def side_by_side(blocks: list[Block], n_tokens: int, n_features: int) -> Csr:
    """Interleave the blocks' rows into one CSR matrix.

    The list is emptied, so that the blocks of a training corpus and the matrix are not all
    in memory at the end.
    """
    counts = np.zeros(n_tokens, dtype=np.int64)
    for block in blocks:
        counts += block.counts
    indptr = np.concatenate([[0], np.cumsum(counts)])
    indices = np.empty(int(indptr[-1]), dtype=np.int32)
    cursor = indptr[:-1].copy()
    blocks.reverse()
    while blocks:
        block = blocks.pop()
        before = np.cumsum(block.counts, dtype=np.int64) - block.counts
        places = np.repeat(cursor - before, block.counts) + np.arange(len(block.indices))
        indices[places] = block.indices
        cursor += block.counts
    return Csr.of_ones(indices, indptr.astype(np.int32), n_features)
