"""Sparse weights in the form that kernels take."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from multideid.arrays import AnyArray, DoubleArray, LongArray
from multideid.csr import Csr
from multideid.scoring.jit import kernel

if TYPE_CHECKING:
    from scipy import sparse


class CsrWeights(NamedTuple):
    """A CSR matrix of features by labels.

    Parameters
    ----------
    begins, label : int arrays
        Feature ``f`` has the labels ``label[begins[f]:begins[f + 1]]``.
    weight : float array
    """

    begins: AnyArray
    label: AnyArray
    weight: AnyArray

    @classmethod
    def of(cls, matrix: Csr | sparse.csr_matrix) -> Self:
        """Return the arrays of a matrix."""
        return cls(matrix.indptr, matrix.indices, matrix.data)


@kernel
def add_known(  # noqa: PLR0913, PLR0917
    owner: LongArray,
    values: LongArray,
    keys: LongArray,
    first: int,
    weights: CsrWeights,
    starts: LongArray,
    sums: DoubleArray,
) -> None:
    """Add the weights of each value's feature, if it is one, to the row of its string.

    Parameters
    ----------
    owner : int64 array
        The row of each value.
    values : int64 array, of equal length
        Packed values, all known.
    keys : int64 array
        The packed values that are features, sorted.
    first : int
        The feature of the first key.
    weights : CsrWeights
    starts : int64 array
        Where the scores begin in a row: one start, or one for each offset of a window.
    sums : float64 array, shape (n_rows, length of a row)
    """
    for n in range(len(values)):
        place = np.searchsorted(keys, values[n])
        if place < len(keys) and keys[place] == values[n]:
            feature = first + place
            for k in range(weights.begins[feature], weights.begins[feature + 1]):
                for start in starts:
                    sums[owner[n], start + weights.label[k]] += weights.weight[k]
