"""Boosted decision trees, trained by scikit-learn and stored as a `Forest`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from multideid.arrays import FloatArray, IntArray, IntegerArray
from multideid.blas_threads import one_openmp_thread
from multideid.learners.forest import LEAF, Forest, Tree


class Booster(Protocol):
    """A trainer of boosted trees."""

    log_odds: ClassVar[bool]
    """Whether scores are log odds or, if not, shares of votes."""

    def train(
        self, columns: FloatArray, labels: IntArray, weights: FloatArray, n_labels: int
    ) -> Forest:
        """Train a forest.

        Parameters
        ----------
        columns : float32 array, shape (n_tokens, n_columns)
            Finite.
        labels : int32 array, shape (n_tokens,)
            Indices below `n_labels`, some of which may not occur.
        weights : float32 array, shape (n_tokens,)
        n_labels : int
        """


@dataclass(frozen=True, slots=True)
class HistogramBooster:
    """Gradient boosting over binned columns: one tree per label and round.

    Parameters
    ----------
    rounds : int
    learning_rate : float
    max_leaf_nodes : int
        Maximum of each tree.
    min_samples_leaf : int
        Minimum number of tokens of a leaf.
    l2 : float
        L2 penalty of leaf values.
    seed : int
    """

    rounds: int = 30
    learning_rate: float = 0.2
    max_leaf_nodes: int = 31
    min_samples_leaf: int = 10
    l2: float = 1.0
    seed: int = 0

    log_odds: ClassVar[bool] = True

    def train(
        self, columns: FloatArray, labels: IntArray, weights: FloatArray, n_labels: int
    ) -> Forest:
        """Train a forest, as `Booster.train`."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        seen = np.unique(labels)
        if len(seen) < 2:
            return _certain(seen, n_labels, (_UNLIKELY, 0.0))
        model = HistGradientBoostingClassifier(
            learning_rate=self.learning_rate,
            max_iter=self.rounds,
            max_leaf_nodes=self.max_leaf_nodes,
            min_samples_leaf=self.min_samples_leaf,
            l2_regularization=self.l2,
            early_stopping=False,
            random_state=self.seed,
        )
        # With one thread, sums are reproducible; folds run in parallel anyway.
        with one_openmp_thread():
            model.fit(columns, labels, weights)
        return of_histogram_model(model, n_labels)


@dataclass(frozen=True, slots=True)
class AdaBooster:
    """AdaBoost over decision trees: each tree votes for one label of a token.

    Parameters
    ----------
    rounds : int
        Szarvas (2007) found 30 to be enough.
    max_depth : int
        Maximum of each tree.
    min_samples_leaf : int
        Minimum number of tokens of a leaf.
    seed : int
    """

    rounds: int = 30
    max_depth: int = 16
    min_samples_leaf: int = 5
    seed: int = 0

    log_odds: ClassVar[bool] = False

    def train(
        self, columns: FloatArray, labels: IntArray, weights: FloatArray, n_labels: int
    ) -> Forest:
        """Train a forest, as `Booster.train`."""
        from sklearn.ensemble import AdaBoostClassifier
        from sklearn.tree import DecisionTreeClassifier

        seen = np.unique(labels)
        if len(seen) < 2:
            return _certain(seen, n_labels, (0.0, 1.0))
        tree = DecisionTreeClassifier(
            criterion="entropy", max_depth=self.max_depth, min_samples_leaf=self.min_samples_leaf
        )
        model = AdaBoostClassifier(tree, n_estimators=self.rounds, random_state=self.seed)
        try:
            model.fit(columns, labels, weights)
        except ValueError:
            # scikit-learn raises if the first tree is no better than chance.
            return _certain(seen[:1], n_labels, (0.0, 1.0))
        return of_adaboost_model(model, n_labels)


def of_histogram_model(model: Any, n_labels: int) -> Forest:
    """Return the trees of a fitted ``HistGradientBoostingClassifier`` of two or more classes.

    Parameters
    ----------
    model : HistGradientBoostingClassifier
        Its classes are numbers below `n_labels`.
    n_labels : int
        Labels that are not among the classes get a very low score.
    """
    classes = model.classes_.astype(np.int32)
    # With two classes, there is one tree per round, for the second class.
    voted = classes[-1:] if len(classes) == 2 else classes
    start = np.asarray(model._baseline_prediction, dtype=np.float64).ravel()
    base = np.full(n_labels, _UNLIKELY)
    base[classes] = 0.0
    base[voted] = start
    trees = (
        _of_nodes(predictor.nodes, int(label))
        for stage in model._predictors
        for predictor, label in zip(stage, voted, strict=True)
    )
    return Forest.join(trees, base)


def of_adaboost_model(model: Any, n_labels: int) -> Forest:
    """Return the trees of a fitted ``AdaBoostClassifier`` over decision trees.

    Parameters
    ----------
    model : AdaBoostClassifier
        Its classes are numbers below `n_labels`.
    n_labels : int
    """
    weights = model.estimator_weights_[: len(model.estimators_)]
    weights = weights / max(weights.sum(), np.finfo(np.float64).tiny)
    pairs = zip(model.estimators_, weights.tolist(), strict=True)
    trees = (_of_decision_tree(tree, weight) for tree, weight in pairs)
    return Forest.join(trees, np.zeros(n_labels))


_UNLIKELY = -30.0


def _certain(seen: IntegerArray, n_labels: int, scores: tuple[float, float]) -> Forest:
    """Return a forest without trees that predicts the only label, or the first without tokens."""
    base = np.full(n_labels, scores[0])
    base[seen if len(seen) else 0] = scores[1]
    return Forest.join((), base)


def _of_nodes(nodes: Any, label: int) -> Tree:
    leaf = nodes["is_leaf"].astype(np.bool_)
    return Tree(
        np.where(leaf, LEAF, nodes["feature_idx"]).astype(np.int32),
        nodes["num_threshold"].astype(np.float64),
        nodes["left"].astype(np.int32),
        nodes["right"].astype(np.int32),
        np.full(len(nodes), label, dtype=np.int32),
        nodes["value"].astype(np.float64),
    )


def _of_decision_tree(fitted: Any, weight: float) -> Tree:
    tree = fitted.tree_
    leaf = tree.children_left < 0
    label = fitted.classes_[tree.value[:, 0].argmax(axis=1)]
    return Tree(
        np.where(leaf, LEAF, tree.feature).astype(np.int32),
        tree.threshold.astype(np.float64),
        tree.children_left.astype(np.int32),
        tree.children_right.astype(np.int32),
        label.astype(np.int32),
        np.full(tree.node_count, weight),
    )
