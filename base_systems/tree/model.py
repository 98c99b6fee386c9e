"""A decision tree as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from multideid.arrays import FloatArray, IntArray
from multideid.persistence import ArrayRecord
from multideid.text.bio import TokenLabels

LEAF = -1


@dataclass(frozen=True, slots=True)
class TreeModel(ArrayRecord):
    """A decision tree whose tests ask whether a binary feature is present.

    The last features are the tag before: ``n_features + k`` is present where
    the token before has tag ``k``.

    Parameters
    ----------
    feature : int32 array, shape (n_nodes,)
        The feature that a node asks for; `LEAF` where it decides. Node 0 is the root.
    absent, present : int32 arrays, shape (n_nodes,)
        The nodes that come next.
    shares : float32 array, shape (n_nodes, n_labels)
        How a node's training tokens are divided among tags.
    """

    feature: IntArray = field(repr=False)
    absent: IntArray = field(repr=False)
    present: IntArray = field(repr=False)
    shares: FloatArray = field(repr=False)

    def scores(self, features: sparse.csr_matrix, document: IntArray) -> FloatArray:
        """Return the shares of the leaf that each token comes to.

        Each document is read from left to right, for what a token is decided
        to be is a feature of the next.

        Parameters
        ----------
        features : CSR matrix of 0 and 1, shape (n_tokens, n_features)
        document : int32 array, shape (n_tokens,)

        Returns
        -------
        float32 array, shape (n_tokens, n_labels)
        """
        from multideid.base_systems.tree.walking import leaves

        begins = np.diff(document, prepend=-1) != 0
        nodes = (self.feature, self.absent, self.present)
        return self.shares[leaves(nodes, self.shares, features, begins)]


@dataclass(frozen=True, slots=True)
class TreeTrainer:
    """Parameters of a decision tree, which scikit-learn grows.

    Parameters
    ----------
    min_leaf : int
        Tokens that a leaf must have.
    pruning : float
        Bits of entropy, averaged over all tokens, that a branch must save for
        each leaf that it adds (minimal cost-complexity pruning).
    seed : int
        Of tests that are equally good, one is drawn by lot.
    """

    min_leaf: int = 5
    pruning: float = 3e-5
    seed: int = 0

    def train(
        self, features: sparse.csr_matrix, labels: TokenLabels, document: IntArray
    ) -> TreeModel:
        """Grow a tree that is told the gold tag of the token before."""
        from sklearn.tree import DecisionTreeClassifier

        if not len(labels):
            return _of_one_leaf(len(labels.names))
        before = _tags_before(labels, document)
        table = sparse.csc_matrix(sparse.hstack([features, before]), dtype=np.float32)
        grown = DecisionTreeClassifier(
            criterion="entropy",
            min_samples_leaf=self.min_leaf,
            ccp_alpha=self.pruning,
            random_state=self.seed,
        ).fit(table, labels.ids)
        tree = grown.tree_
        shares = np.zeros((tree.node_count, len(labels.names)), dtype=np.float32)
        shares[:, grown.classes_] = tree.value[:, 0]
        feature = np.where(tree.children_left < 0, LEAF, tree.feature).astype(np.int32)
        children = (tree.children_left.astype(np.int32), tree.children_right.astype(np.int32))
        return TreeModel(feature, *children, shares)


def _tags_before(labels: TokenLabels, document: IntArray) -> sparse.csr_matrix:
    """Return a one for the tag of the token before, none where a document begins."""
    rows = np.flatnonzero(np.diff(document, prepend=-1) == 0)
    cells = (np.ones(len(rows), dtype=np.float32), (rows, labels.ids[rows - 1]))
    return sparse.csr_matrix(cells, shape=(len(labels), len(labels.names)))


def _of_one_leaf(n_labels: int) -> TreeModel:
    """Return the tree that finds all tokens outside."""
    shares = np.zeros((1, n_labels), dtype=np.float32)
    shares[0, 0] = 1
    leaf = np.full(1, LEAF, dtype=np.int32)
    return TreeModel(leaf, leaf, leaf, shares)
