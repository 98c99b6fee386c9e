"""Entropy and information gain in bits, from counts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from multideid.arrays import BoolArray, DoubleArray, LongArray


def entropy(counts: npt.ArrayLike) -> DoubleArray:
    """Return the entropy -sum(p log2 p) of distributions given by counts.

    Parameters
    ----------
    counts : array-like, shape (..., n_classes)

    Returns
    -------
    float64 array, shape (...)
        In bits; 0 without any counts.
    """
    table = np.asarray(counts, dtype=np.float64)
    total = table.sum(axis=-1, keepdims=True)
    shares = np.divide(table, total, out=np.zeros_like(table), where=total > 0)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=-1))


def gain_of_values(values: LongArray, classes: LongArray) -> float:
    """Return the mutual information H(class) - H(class | value) in bits.

    Parameters
    ----------
    values, classes : int64 arrays, shape (n,)
        Value and class of every token.
    """
    _, value = np.unique(values, return_inverse=True)
    _, label = np.unique(classes, return_inverse=True)
    if not len(value):
        return 0.0
    width = int(label.max()) + 1
    counts = np.bincount(value * width + label).astype(np.float64)
    counts = np.resize(np.append(counts, np.zeros(width)), (int(value.max()) + 1, width))
    weights = counts.sum(axis=1) / len(value)
    return float(entropy(counts.sum(axis=0)) - (weights * entropy(counts)).sum())


def gains_of_presence(features: sparse.csr_matrix, is_class: BoolArray) -> DoubleArray:
    """Return the mutual information of each feature's presence and a class, in bits.

    Parameters
    ----------
    features : CSR matrix of ones, shape (n_tokens, n_features)
    is_class : bool array, shape (n_tokens,)

    Returns
    -------
    float64 array, shape (n_features,)
    """
    n = features.shape[0]
    there = np.asarray(features.sum(axis=0), dtype=np.float64).ravel()
    inside = np.asarray(features.T @ is_class.astype(np.float64)).ravel()
    total = float(is_class.sum())
    present = np.stack([inside, there - inside], axis=1)
    absent = np.stack([total - inside, (n - total) - (there - inside)], axis=1)
    conditional = (there * entropy(present) + (n - there) * entropy(absent)) / max(1, n)
    return np.asarray(entropy([total, n - total]) - conditional)


def row_patterns(features: sparse.csr_matrix) -> LongArray:
    """Return a hash of every row's features.

    Different rows have the same hash with probability of about 2**-63.
    """
    random = np.random.default_rng(0).integers(2**63, size=features.shape[1], dtype=np.int64)
    patterns = sparse.csr_matrix(
        (random[features.indices], features.indices, features.indptr), shape=features.shape
    )
    # Overflow of the sums is harmless.
    return np.asarray(patterns.sum(axis=1), dtype=np.int64).ravel()
