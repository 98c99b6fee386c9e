"""A model's weights as inner loops take them."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse

from multideid.scoring.jit import kernel

FloatArray = npt.NDArray[np.floating]
IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]


class Weights(NamedTuple):
    """A CSR matrix of features by labels.

    Parameters
    ----------
    begins, label : int arrays
        Feature ``f`` has the labels ``label[begins[f]:begins[f + 1]]``.
    weight : float array
    """

    begins: npt.NDArray[Any]
    label: npt.NDArray[Any]
    weight: npt.NDArray[Any]

    @classmethod
    def of(cls, matrix: sparse.csr_matrix) -> Self:
        """Take the arrays of a matrix."""
        return cls(matrix.indptr, matrix.indices, matrix.data)


@kernel
def add_weights(places: IntArray, features: LongArray, weights: Weights, pool: FloatArray) -> None:
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
