"""Sparse matrices by rows, with the few steps that predicting takes.

`scipy.sparse` has all of them, but importing it takes a fifth of the time in which a model
is loaded; `Csr.matrix` imports it where a model is trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from multideid.arrays import AnyArray, IntegerArray

if TYPE_CHECKING:
    from scipy import sparse


@dataclass(frozen=True, slots=True)
class Csr:
    """The arrays of a CSR matrix.

    Parameters
    ----------
    data : array, shape (n_stored,)
    indices : int array, shape (n_stored,)
        Column of each value.
    indptr : int array, shape (n_rows + 1,)
        Row ``r`` has the values ``indptr[r]:indptr[r + 1]``.
    n_columns : int
    """

    data: AnyArray
    indices: AnyArray
    indptr: AnyArray
    n_columns: int

    @classmethod
    def of_ones(cls, indices: IntegerArray, indptr: IntegerArray, n_columns: int) -> Self:
        """Make a float32 matrix of ones and zeros."""
        return cls(np.ones(len(indices), dtype=np.float32), indices, indptr, n_columns)

    @classmethod
    def one_hot(cls, column: IntegerArray, n_columns: int) -> Self:
        """Make a float32 matrix with a one in the given column of each row."""
        indptr = np.arange(len(column) + 1, dtype=np.int32)
        return cls.of_ones(column.astype(np.int32), indptr, n_columns)

    @classmethod
    def of_dense(cls, dense: AnyArray) -> Self:
        """Make a matrix of the values that are not 0."""
        rows, columns = dense.nonzero()
        counts = np.bincount(rows, minlength=len(dense))
        data = dense[rows, columns]
        return cls(data, columns.astype(np.int32), bounds_of(counts), dense.shape[1])

    @classmethod
    def side_by_side(cls, blocks: Sequence[Csr]) -> Self:
        """Join matrices with equal numbers of rows, columns after columns."""
        counts = [np.diff(block.indptr) for block in blocks]
        indptr = bounds_of(np.sum(counts, axis=0))
        data = np.empty(int(indptr[-1]), dtype=np.result_type(*(block.data for block in blocks)))
        indices = np.empty(len(data), dtype=np.int32)
        cursor, first = indptr[:-1].astype(np.int64), 0
        for block, n_stored in zip(blocks, counts, strict=True):
            places = np.repeat(cursor - block.indptr[:-1], n_stored) + np.arange(len(block.data))
            data[places], indices[places] = block.data, block.indices + np.int32(first)
            cursor += n_stored
            first += block.n_columns
        return cls(data, indices, indptr, first)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return len(self.indptr) - 1, self.n_columns

    def __getitem__(self, rows: IntegerArray | slice) -> Csr:
        """Return some rows, in the order given."""
        if isinstance(rows, slice):
            rows = np.arange(len(self.indptr) - 1)[rows]
        starts = self.indptr[rows]
        counts = self.indptr[rows + 1] - starts
        indptr = bounds_of(counts)
        stored = spread(starts, counts)
        return Csr(self.data[stored], self.indices[stored], indptr, self.n_columns)

    def times(self, dense: AnyArray) -> AnyArray:
        """Return the product with a dense array, in its dtype; a row's terms are added in order."""
        counts = np.diff(self.indptr)
        longest = np.argsort(-counts, kind="stable")
        starts = self.indptr[longest]
        sums = np.zeros((len(counts), dense.shape[1]), dtype=dense.dtype)
        weighted = bool((self.data != 1).any())
        # How many rows have more than 0, 1, 2 ... values.
        n_rows = len(counts) - np.cumsum(np.bincount(counts))[:-1]
        for n, many in enumerate(n_rows.tolist()):
            stored = starts[:many] + n
            terms = dense[self.indices[stored]]
            sums[:many] += terms * self.data[stored, None] if weighted else terms
        found = np.empty_like(sums)
        found[longest] = sums
        return found

    def toarray(self) -> AnyArray:
        """Return the dense array; columns are in no row twice."""
        dense = np.zeros(self.shape, dtype=self.data.dtype)
        dense[np.repeat(np.arange(len(dense)), np.diff(self.indptr)), self.indices] = self.data
        return dense

    def matrix(self) -> sparse.csr_matrix:
        """Return scipy's matrix of the same arrays."""
        from scipy import sparse

        return sparse.csr_matrix((self.data, self.indices, self.indptr), shape=self.shape)


def bounds_of(counts: IntegerArray) -> AnyArray:
    """Return the bounds of rows with these numbers of values, int32 as long as they fit."""
    bounds = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=bounds[1:])
    return bounds.astype(np.int32) if bounds[-1] < 2**31 else bounds


def spread(starts: IntegerArray, counts: IntegerArray) -> AnyArray:
    """Return ``start, start + 1, ...``, as many as its count says, for each start."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - ends + counts, counts) + np.arange(total)
