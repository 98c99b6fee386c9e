"""How much a binary feature tells of the labels: information gain."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from multideid.arrays import DoubleArray, LongArray
from multideid.text.bio import TokenLabels


def most_telling(features: sparse.csr_matrix, labels: TokenLabels, most: int) -> LongArray:
    """Return the columns of greatest information gain, sorted; of equals, the first.

    Parameters
    ----------
    features : CSR matrix of 0 and 1, shape (n_tokens, n_features)
    labels : TokenLabels
    most : int
        How many columns are wanted.
    """
    shape = (len(labels), len(labels.names))
    tags = sparse.csr_matrix((np.ones(len(labels)), (np.arange(len(labels)), labels.ids)), shape)
    present = np.asarray((features.T @ tags).todense())
    left = uncertainty_left(present, np.asarray(tags.sum(axis=0)).ravel())
    return np.sort(np.argsort(left, kind="stable")[:most])


def uncertainty_left(present: DoubleArray, totals: DoubleArray) -> DoubleArray:
    """Return the entropy of the labels that is left where a feature is known.

    What the entropy is without the feature is the same for all, so the least
    left is the greatest gain.

    Parameters
    ----------
    present : float64 array, shape (n_features, n_labels)
        On how many tokens of each label a feature is present.
    totals : float64 array, shape (n_labels,)
        How many tokens of each label there are.

    Returns
    -------
    float64 array, shape (n_features,)
        In nats, summed over all tokens.
    """
    return np.asarray(_uncertainty(present) + _uncertainty(totals - present))


def _uncertainty(counts: DoubleArray) -> DoubleArray:
    """Return the entropy of each row of counts times its sum, in nats."""
    total = counts.sum(axis=1)
    return np.asarray(_x_log_x(total) - _x_log_x(counts).sum(axis=1))


def _x_log_x(x: DoubleArray) -> DoubleArray:
    return np.asarray(x * np.log(np.maximum(x, 1.0)))
