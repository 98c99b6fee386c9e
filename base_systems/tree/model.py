"""A decision tree as plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np
from scipy import sparse

from multideid.arrays import FloatArray, IntArray
from multideid.persistence.array_rules import ArrayRule, check_order
from multideid.persistence.files import ArrayRecord
from multideid.text.bio import TokenLabels

LEAF = -1


@dataclass(frozen=True, slots=True)
class TreeModel(ArrayRecord):
    """A decision tree over binary features.

    The last features are the previous tag: ``n_features + k`` is present where the
    previous token has tag ``k``.

    Parameters
    ----------
    feature : int32 array, shape (n_nodes,)
        The feature that a node tests, or `LEAF`. Node 0 is the root.
    absent, present : int32 arrays, shape (n_nodes,)
        The next node if the feature is absent, and if it is present.
    shares : float32 array, shape (n_nodes, n_labels)
        Share of each tag among the training tokens of a node.
    """

    rules: ClassVar[Mapping[str, ArrayRule]] = {
        # Features and tags of the previous token.
        "feature": ArrayRule("int32", ("n_nodes",), low=LEAF, below="n_tested"),
        "absent": ArrayRule("int32", ("n_nodes",), below="n_nodes"),
        "present": ArrayRule("int32", ("n_nodes",), below="n_nodes"),
        "shares": ArrayRule("float32", ("n_nodes", "n_labels")),
    }

    feature: IntArray = field(repr=False)
    absent: IntArray = field(repr=False)
    present: IntArray = field(repr=False)
    shares: FloatArray = field(repr=False)

    def check(self, path: Path) -> None:
        """Check that there is a root, and that every walk from it ends, as it only goes forward."""
        inner = np.flatnonzero(self.feature != LEAF)
        check_order(path, "feature", len(self.feature) > 0)
        check_order(path, "absent", self.absent[inner] > inner)
        check_order(path, "present", self.present[inner] > inner)

    def scores(self, features: sparse.csr_matrix, document: IntArray) -> FloatArray:
        """Return the shares of the leaf of each token.

        Documents are read from left to right, since the predicted tag of a token is a
        feature of the next.

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
    """Hyperparameters of a decision tree, trained by scikit-learn.

    Parameters
    ----------
    min_samples_leaf : int
        Minimum number of tokens of a leaf.
    ccp_alpha : float
        Bits of entropy per token that a branch must save for each leaf that it adds
        (minimal cost-complexity pruning).
    seed : int
        Ties between splits are broken at random.
    """

    min_samples_leaf: int = 5
    ccp_alpha: float = 3e-5
    seed: int = 0

    def train(
        self, features: sparse.csr_matrix, labels: TokenLabels, document: IntArray
    ) -> TreeModel:
        """Train a tree with the gold tag of the previous token as a feature."""
        from sklearn.tree import DecisionTreeClassifier

        if not len(labels):
            return _of_one_leaf(len(labels.names))
        before = _tags_before(labels, document)
        table = sparse.csc_matrix(sparse.hstack([features, before]), dtype=np.float32)
        grown = DecisionTreeClassifier(
            criterion="entropy",
            min_samples_leaf=self.min_samples_leaf,
            ccp_alpha=self.ccp_alpha,
            random_state=self.seed,
        ).fit(table, labels.ids)
        tree = grown.tree_
        shares = np.zeros((tree.node_count, len(labels.names)), dtype=np.float32)
        shares[:, grown.classes_] = tree.value[:, 0]
        feature = np.where(tree.children_left < 0, LEAF, tree.feature).astype(np.int32)
        children = (tree.children_left.astype(np.int32), tree.children_right.astype(np.int32))
        return TreeModel(feature, *children, shares)


def _tags_before(labels: TokenLabels, document: IntArray) -> sparse.csr_matrix:
    """Return the one-hot tag of the previous token, empty at the start of a document."""
    rows = np.flatnonzero(np.diff(document, prepend=-1) == 0)
    cells = (np.ones(len(rows), dtype=np.float32), (rows, labels.ids[rows - 1]))
    return sparse.csr_matrix(cells, shape=(len(labels), len(labels.names)))


def _of_one_leaf(n_labels: int) -> TreeModel:
    """Return a tree that predicts "O" for all tokens."""
    shares = np.zeros((1, n_labels), dtype=np.float32)
    shares[0, 0] = 1
    leaf = np.full(1, LEAF, dtype=np.int32)
    return TreeModel(leaf, leaf, leaf, shares)
