"""Sparse count tables, and the interpolation of their relative frequencies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np
from scipy import sparse

from multideid.arrays import DoubleArray, IntegerArray, LongArray


@dataclass(frozen=True, slots=True)
class CountTable:
    """Counts of each class for each key.

    Parameters
    ----------
    keys : int64 array, shape (n_keys,)
        Sorted, distinct.
    counts : float64 CSR matrix, shape (n_keys + 1, n_classes)
        The last row is empty, for all other keys.
    """

    keys: LongArray = field(repr=False)
    counts: sparse.csr_matrix = field(repr=False)

    @classmethod
    def of(
        cls, keys: LongArray, classes: IntegerArray, weights: IntegerArray, n_classes: int
    ) -> Self:
        """Sum the weights of each key and class."""
        distinct, row = np.unique(keys, return_inverse=True)
        cells = (weights.astype(np.float64), (row, classes))
        counts = sparse.coo_matrix(cells, shape=(len(distinct) + 1, n_classes)).tocsr()
        return cls(distinct, counts)

    def rows(self, keys: LongArray) -> DoubleArray:
        """Return the counts of each key, zeros if unknown, shape (len(keys), n_classes)."""
        place = np.searchsorted(self.keys, keys)
        known = np.append(self.keys, -1)[place] == keys
        return np.asarray(self.counts[np.where(known, place, len(self.keys))].toarray())

    def grouped(self, keys: LongArray) -> CountTable:
        """Return the sums of the rows with the same group key."""
        cells = self.counts[:-1].tocoo()
        return CountTable.of(keys[cells.row], cells.col, cells.data, self.counts.shape[1])

    def kinds(self) -> CountTable:
        """Return the table with 1 for every count."""
        ones = self.counts.copy()
        ones.data = np.ones_like(ones.data)
        return CountTable(self.keys, ones)

    def total(self) -> DoubleArray:
        """Return the counts of each class, shape (n_classes,)."""
        return np.asarray(self.counts.sum(axis=0), dtype=np.float64).ravel()


class Level(NamedTuple):
    """A level of a back-off model.

    Parameters
    ----------
    share : float64 array
        Relative frequencies, the estimates of the level.
    total, distinct : float64 arrays that broadcast against `share`
        Sample size, and number of distinct outcomes.
    used : float64 array or 0
        Sample size of the more specific level.
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
        """Return the level with ``share = counts / total``."""
        return cls(counts / np.maximum(total, 1.0), total, distinct, used)

    def spread(self) -> Level:
        """Return the level with a new second axis, to broadcast over."""
        return self._replace(share=self.share[:, None])

    def weight(self) -> DoubleArray:
        """Return lambda, Bikel et al. (1999): ``(1 - old c / c) / (1 + distinct / c)``."""
        size = np.maximum(self.total + self.distinct, 1.0)
        return np.asarray((self.total - self.used) / size)


def interpolated(levels: Sequence[Level], floor: float) -> DoubleArray:
    """Interpolate levels, from the most specific one to a constant."""
    found: DoubleArray = np.full((1,), floor)
    for level in reversed(levels):
        weight = level.weight()
        found = weight * level.share + (1 - weight) * found
    return found
