"""Feature selection by information gain."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from multideid.arrays import DoubleArray, LongArray
from multideid.text.bio import TokenLabels


def most_informative(features: sparse.csr_matrix, labels: TokenLabels, most: int) -> LongArray:
    """Return the columns with the highest information gain, sorted; ties go to the first.

    Parameters
    ----------
    features : CSR matrix of 0 and 1, shape (n_tokens, n_features)
    labels : TokenLabels
    most : int
        Number of columns.
    """
    shape = (len(labels), len(labels.names))
    tags = sparse.csr_matrix((np.ones(len(labels)), (np.arange(len(labels)), labels.ids)), shape)
    present = np.asarray((features.T @ tags).todense())
    left = conditional_entropy(present, np.asarray(tags.sum(axis=0)).ravel())
    return np.sort(np.argsort(left, kind="stable")[:most])


def conditional_entropy(present: DoubleArray, totals: DoubleArray) -> DoubleArray:
    """Return the conditional entropy of the labels given each feature, H(label | feature).

    The information gain is ``H(label) - H(label | feature)``, so it is highest
    where the conditional entropy is lowest.

    Parameters
    ----------
    present : float64 array, shape (n_features, n_labels)
        Number of tokens of each label with the feature.
    totals : float64 array, shape (n_labels,)
        Number of tokens of each label.

    Returns
    -------
    float64 array, shape (n_features,)
        In nats, times the number of tokens.
    """
    return np.asarray(_entropy(present) + _entropy(totals - present))


def _entropy(counts: DoubleArray) -> DoubleArray:
    """Return the entropy of each row of counts in nats, times the sum of the row."""
    total = counts.sum(axis=1)
    return np.asarray(_x_log_x(total) - _x_log_x(counts).sum(axis=1))


def _x_log_x(x: DoubleArray) -> DoubleArray:
    return np.asarray(x * np.log(np.maximum(x, 1.0)))
