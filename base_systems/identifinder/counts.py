"""Sparse tables of counts, and the weights with which their shares are mixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np
from scipy import sparse

from multideid.arrays import DoubleArray, IntegerArray, LongArray


@dataclass(frozen=True, slots=True)
class CountTable:
    """How often each class came with each of many keys.

    Parameters
    ----------
    keys : int64 array, shape (n_keys,)
        Sorted, distinct.
    counts : float64 CSR matrix, shape (n_keys + 1, n_classes)
        The last row, which is empty, is that of all other keys.
    """

    keys: LongArray = field(repr=False)
    counts: sparse.csr_matrix = field(repr=False)

    @classmethod
    def of(
        cls, keys: LongArray, classes: IntegerArray, weights: IntegerArray, n_classes: int
    ) -> Self:
        """Add up the weights of each key and class."""
        distinct, row = np.unique(keys, return_inverse=True)
        cells = (weights.astype(np.float64), (row, classes))
        counts = sparse.coo_matrix(cells, shape=(len(distinct) + 1, n_classes)).tocsr()
        return cls(distinct, counts)

    def rows(self, keys: LongArray) -> DoubleArray:
        """Return the counts of each key, zeros for one unknown, shape (len(keys), n_classes)."""
        place = np.searchsorted(self.keys, keys)
        known = np.append(self.keys, -1)[place] == keys
        return np.asarray(self.counts[np.where(known, place, len(self.keys))].toarray())

    def grouped(self, keys: LongArray) -> CountTable:
        """Return the sums of the rows that have the same of some other keys."""
        cells = self.counts[:-1].tocoo()
        return CountTable.of(keys[cells.row], cells.col, cells.data, self.counts.shape[1])

    def kinds(self) -> CountTable:
        """Return the same table with 1 for every count."""
        ones = self.counts.copy()
        ones.data = np.ones_like(ones.data)
        return CountTable(self.keys, ones)

    def total(self) -> DoubleArray:
        """Return the counts of each class, shape (n_classes,)."""
        return np.asarray(self.counts.sum(axis=0), dtype=np.float64).ravel()


class Level(NamedTuple):
    """A model among those that back off to one another.

    Parameters
    ----------
    share : float64 array
        Its estimate of each probability.
    total, distinct : float64 arrays that broadcast against `share`
        How many tokens it was made of, and how many different outcomes there were.
    used : float64 array or 0
        How many of the tokens the model above it was made of already.
    """

    share: DoubleArray
    total: DoubleArray
    distinct: DoubleArray
    used: DoubleArray | float = 0.0

    @classmethod
    def of(
        cls,
        counts: DoubleArray,
        total: DoubleArray,
        distinct: DoubleArray,
        used: DoubleArray | float = 0.0,
    ) -> Self:
        """Make the level whose shares are counts out of the total."""
        return cls(counts / np.maximum(total, 1.0), total, distinct, used)

    def spread(self) -> Level:
        """Return the level with the same shares for all rows of a new second axis."""
        return self._replace(share=self.share[:, None])

    def weight(self) -> DoubleArray:
        """Return lambda, Bikel et al. (1999): ``(1 - old c / c) / (1 + distinct / c)``."""
        size = np.maximum(self.total + self.distinct, 1.0)
        return np.asarray((self.total - self.used) / size)


def interpolated(levels: Sequence[Level], floor: float) -> DoubleArray:
    """Mix models, from the most specific one down to a constant."""
    found: DoubleArray = np.full((1,), floor)
    for level in reversed(levels):
        weight = level.weight()
        found = weight * level.share + (1 - weight) * found
    return found
