"""A model's weights as inner loops take them."""

from __future__ import annotations

from typing import NamedTuple, Self

from scipy import sparse

from multideid.arrays import AnyArray, FloatingArray, IntArray, LongArray
from multideid.scoring.jit import kernel


class Weights(NamedTuple):
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
    def of(cls, matrix: sparse.csr_matrix) -> Self:
        """Take the arrays of a matrix."""
        return cls(matrix.indptr, matrix.indices, matrix.data)


@kernel
def add_weights(
    places: IntArray, features: LongArray, weights: Weights, pool: FloatingArray
) -> None:
    """Add the weights of each feature to the scores that begin at its place.

    Parameters
    ----------
    places : int32 array
    features : int64 array, of equal length
        A feature of -1 has no weights.
    weights : Weights
    pool : float array
    """
    for n in range(len(places)):
        if features[n] >= 0:
            for k in range(weights.begins[features[n]], weights.begins[features[n] + 1]):
                pool[places[n] + weights.label[k]] += weights.weight[k]
