"""Sparse weights in the form that kernels take."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from multideid.arrays import AnyArray
from multideid.csr import Csr

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
