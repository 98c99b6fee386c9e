"""Sparse weights in the form that kernels take."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from multideid.arrays import AnyArray, FloatingArray, IntArray, LongArray
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
def add_weights(
    starts: IntArray, features: LongArray, weights: CsrWeights, scores: FloatingArray
) -> None:
    """Add the weights of each feature to the scores that begin at its start.

    Parameters
    ----------
    starts : int32 array
    features : int64 array, of equal length
        -1 is a feature without weights.
    weights : CsrWeights
    scores : float array
    """
    for n in range(len(starts)):
        if features[n] >= 0:
            for k in range(weights.begins[features[n]], weights.begins[features[n] + 1]):
                scores[starts[n] + weights.label[k]] += weights.weight[k]
