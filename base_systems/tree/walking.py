"""Compiled traversal of a decision tree, token by token."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from multideid.arrays import BoolArray, FloatArray, IntArray
from multideid.scoring.jit import kernel

Nodes = tuple[IntArray, IntArray, IntArray]


def leaves(
    nodes: Nodes, shares: FloatArray, features: sparse.csr_matrix, begins: BoolArray
) -> IntArray:
    """Return the leaf of each token.

    Parameters
    ----------
    nodes : tuple of three int32 arrays, shape (n_nodes,)
        The feature of each node, negative for leaves; the next node if the feature is
        absent, and if it is present.
    shares : float32 array, shape (n_nodes, n_labels)
        Determines the predicted tag of each leaf.
    features : CSR matrix of 0 and 1, shape (n_tokens, n_features)
    begins : bool array, shape (n_tokens,)
        Whether the token is the first of a document.

    Returns
    -------
    int32 array, shape (n_tokens,)
    """
    found = np.empty(features.shape[0], dtype=np.int32)
    # The previous tag is encoded after the token's own features.
    tag = (features.shape[1] + shares.argmax(axis=1)).astype(np.int32)
    there = np.zeros(features.shape[1] + shares.shape[1], dtype=np.bool_)
    _walk(nodes, tag, (features.indptr, features.indices), begins, there, found)
    return found


@kernel
def _walk(  # noqa: PLR0913, PLR0917
    nodes: Nodes,
    tag: IntArray,
    rows: tuple[IntArray, IntArray],
    begins: BoolArray,
    there: BoolArray,
    found: IntArray,
) -> None:
    """Fill in the leaves; `there` is a buffer that marks the features of the current token."""
    feature, absent, present = nodes
    indptr, indices = rows
    for t in range(len(found)):
        own = indices[indptr[t] : indptr[t + 1]]
        _set(there, own, True)
        if not begins[t]:
            there[tag[found[t - 1]]] = True
        node = 0
        while feature[node] >= 0:
            node = present[node] if there[feature[node]] else absent[node]
        found[t] = node
        _set(there, own, False)
        if not begins[t]:
            there[tag[found[t - 1]]] = False


@kernel
def _set(there: BoolArray, features: IntArray, value: bool) -> None:
    for n in range(len(features)):
        there[features[n]] = value
