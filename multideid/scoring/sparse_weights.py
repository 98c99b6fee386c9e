"""Sparse weights: how models keep them in files, and their sums over a token's features."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy import sparse

from multideid.arrays import AnyArray, DoubleArray

_SINGLE, _DOUBLE = 24, 53  # Bits of a fraction.
_LEAST = float(np.finfo(np.float32).smallest_subnormal)


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


def sums(features: sparse.csr_matrix, weights: sparse.csr_matrix) -> DoubleArray:
    """Return the summed weights of each token's features.

    Parameters
    ----------
    features : CSR matrix, shape (n_tokens, n_features)
    weights : float CSR matrix, shape (n_features, n_labels)

    Returns
    -------
    float64 array, shape (n_tokens, n_labels)
        New. Sums of float32 weights hardly round in it, so their order does not matter;
        those of `short` weights are exact within their bound.
    """
    used, local = np.unique(features.indices, return_inverse=True)
    # A product with a dense matrix is faster, and a text has few of all features.
    dense = weights[used].toarray().astype(np.float64)
    shape = (features.shape[0], len(used))
    compact = sparse.csr_matrix((features.data, local, features.indptr), shape=shape)
    return np.asarray(compact @ dense)


def quantize(weights: sparse.csr_matrix, bits: int = 17) -> sparse.csr_matrix:
    """Return weights of so few digits that float32 holds their sums exactly, in any order.

    They are multiples of a power of two, ``2**bits`` times less than the
    largest weight or a little more. What is left of float32's 24 bits is for
    sums, which `exact_up_to` limits: with 17 bits, to 128 times the largest weight.

    Parameters
    ----------
    weights : float CSR matrix
    bits : int

    Returns
    -------
    float32 CSR matrix
        New; without the weights that become 0.
    """
    fraction, exponent = np.frexp(float(np.abs(weights.data).max(initial=0)))
    # A power of two ends its range: were it to begin the next, weights that are
    # rounded up to it would be rounded again.
    unit = max(2.0 ** (int(exponent) - int(fraction == 0.5) - bits), _LEAST)
    kept = weights.astype(np.float32)
    kept.data[:] = np.rint(weights.data.astype(np.float64) / unit) * unit
    kept.eliminate_zeros()
    return kept


def exact_up_to(values: AnyArray) -> float:
    """Return how large sums of weights may become that float32 still holds exactly.

    All weights are multiples of some power of two, and float32 holds all its multiples
    up to 2**24 times itself.

    Parameters
    ----------
    values : float array

    Returns
    -------
    float
        Infinite without any weight but 0.
    """
    fractions, exponents = np.frexp(values[values != 0].astype(np.float64))
    if not len(fractions):
        return float(np.inf)
    digits = np.ldexp(fractions, _DOUBLE).astype(np.int64)
    lowest = np.log2(digits & -digits) + exponents
    return float(2.0 ** (lowest.min() - _DOUBLE + _SINGLE))
