"""Sparse weights: how models keep them in files, and their sums over a token's features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

AnyArray = npt.NDArray[Any]
FloatArray = npt.NDArray[np.float64]


def sparse_arrays(matrix: sparse.csr_matrix) -> dict[str, AnyArray]:
    """Return the arrays of which `sparse_matrix` makes the matrix again.

    Parameters
    ----------
    matrix : CSR matrix

    Returns
    -------
    dict of str to array
        ``data`` of the matrix's dtype, ``indices`` int32, ``indptr`` int64.
    """
    return {
        "data": matrix.data,
        "indices": matrix.indices.astype(np.int32),
        "indptr": matrix.indptr.astype(np.int64),
    }


def sparse_matrix(arrays: Mapping[str, AnyArray], n_columns: int) -> sparse.csr_matrix:
    """Return the matrix of `sparse_arrays`, other arrays beside them or not."""
    parts = (arrays["data"], arrays["indices"], arrays["indptr"])
    return sparse.csr_matrix(parts, shape=(len(arrays["indptr"]) - 1, n_columns))


def sums(features: sparse.csr_matrix, weights: sparse.csr_matrix) -> FloatArray:
    """Return the summed weights of each token's features.

    Parameters
    ----------
    features : CSR matrix, shape (n_tokens, n_features)
    weights : float CSR matrix, shape (n_features, n_labels)

    Returns
    -------
    float64 array, shape (n_tokens, n_labels)
        New. Sums of float32 weights hardly round in it, so their order does not matter.
    """
    used, local = np.unique(features.indices, return_inverse=True)
    # A product with a dense matrix is faster, and a text has few of all features.
    dense = weights[used].toarray().astype(np.float64)
    shape = (features.shape[0], len(used))
    compact = sparse.csr_matrix((features.data, local, features.indptr), shape=shape)
    return np.asarray(compact @ dense)
