"""From the root to a leaf, token by token: compiled loops."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from multideid.arrays import BoolArray, FloatArray, IntArray
from multideid.scoring.jit import kernel

Nodes = tuple[IntArray, IntArray, IntArray]


def leaves(
    nodes: Nodes, shares: FloatArray, features: sparse.csr_matrix, begins: BoolArray
) -> IntArray:
    """Return the leaf that each token comes to.

    Parameters
    ----------
    nodes : tuple of three int32 arrays, shape (n_nodes,)
        The feature that each node asks for, negative where it is a leaf; the
        next node where the feature is absent, and where it is present.
    shares : float32 array, shape (n_nodes, n_labels)
        The greatest share of a leaf is what it decides.
    features : CSR matrix of 0 and 1, shape (n_tokens, n_features)
    begins : bool array, shape (n_tokens,)
        Whether a document begins with the token.

    Returns
    -------
    int32 array, shape (n_tokens,)
    """
    found = np.empty(features.shape[0], dtype=np.int32)
    # The tag before comes after the token's own features.
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
    """Fill in the leaves; `there` tells what features a token has, and between tokens is empty."""
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
