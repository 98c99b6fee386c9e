"""Additive decision trees as plain arrays, for gradient boosting and AdaBoost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, IntArray
from multideid.persistence.array_rules import ArrayRule, check_order
from multideid.persistence.files import ArrayRecord

if TYPE_CHECKING:
    from multideid.learners.forest_kernel import Nodes


LEAF = -1


@dataclass(frozen=True, slots=True)
class Forest(ArrayRecord):
    """Decision trees with leaves that each add a value to the score of one label.

    A node tests ``x[feature] <= threshold``.

    Parameters
    ----------
    roots : int32 array, shape (n_trees,)
        The root of each tree.
    feature : int32 array, shape (n_nodes,)
        The column that a node tests, or `LEAF`.
    threshold : float64 array, shape (n_nodes,)
    left, right : int32 arrays, shape (n_nodes,)
        The next node if the test holds, and if it does not.
    label : int32 array, shape (n_nodes,)
        The label of a leaf.
    value : float64 array, shape (n_nodes,)
        The value that a leaf adds to the score of its label.
    base : float64 array, shape (n_labels,)
        Initial scores.
    """

    rules: ClassVar[Mapping[str, ArrayRule]] = {
        "roots": ArrayRule("int32", ("n_trees",), low=0, below="n_nodes"),
        "feature": ArrayRule("int32", ("n_nodes",), low=LEAF, below="n_columns"),
        "threshold": ArrayRule("float64", ("n_nodes",)),
        "left": ArrayRule("int32", ("n_nodes",), below="n_nodes"),
        "right": ArrayRule("int32", ("n_nodes",), below="n_nodes"),
        "label": ArrayRule("int32", ("n_nodes",), low=0, below="n_labels"),
        "value": ArrayRule("float64", ("n_nodes",)),
        "base": ArrayRule("float64", ("n_labels",)),
    }

    roots: IntArray = field(repr=False)
    feature: IntArray = field(repr=False)
    threshold: DoubleArray = field(repr=False)
    left: IntArray = field(repr=False)
    right: IntArray = field(repr=False)
    label: IntArray = field(repr=False)
    value: DoubleArray = field(repr=False)
    base: DoubleArray = field(repr=False)

    def check(self, path: Path) -> None:
        """Check that every walk ends, as it only goes forward."""
        inner = np.flatnonzero(self.feature != LEAF)
        check_order(path, "left", self.left[inner] > inner)
        check_order(path, "right", self.right[inner] > inner)

    @classmethod
    def join(cls, trees: Iterable[Tree], base: DoubleArray) -> Self:
        """Join trees.

        Parameters
        ----------
        trees : iterable of Tree
        base : float64 array, shape (n_labels,)
        """
        parts = [_NO_TREE, *trees]
        sizes = np.array([len(tree.feature) for tree in parts], dtype=np.int32)
        first = np.cumsum(sizes, dtype=np.int32) - sizes
        feature, left, right, label = (
            np.concatenate([getattr(tree, name) for tree in parts], dtype=np.int32)
            for name in ("feature", "left", "right", "label")
        )
        threshold, value = (
            np.concatenate([getattr(tree, name) for tree in parts], dtype=np.float64)
            for name in ("threshold", "value")
        )
        shift = np.repeat(first, sizes)
        left, right = (np.where(feature == LEAF, LEAF, n + shift) for n in (left, right))
        return cls(first[1:], feature, threshold, left, right, label, value, base)

    def scores(self, columns: FloatArray, *, compiled: bool = True) -> DoubleArray:
        """Return the sum of all trees.

        Parameters
        ----------
        columns : float32 array, shape (n_tokens, n_columns)
            Finite.
        compiled : bool
            Whether to use compiled loops; without, a few tokens take less time than numba's
            import.

        Returns
        -------
        float64 array, shape (n_tokens, n_labels)
        """
        if not compiled:
            return self._scores_by_numpy(columns)
        from multideid.learners.forest_kernel import sums

        return sums(self._nodes(), self.base, columns)

    def scores_in_order(self, columns: FloatArray, begins: BoolArray, n_before: int) -> DoubleArray:
        """Return the sum of all trees, with the previous decisions as columns.

        Parameters
        ----------
        columns : float32 array, shape (n_tokens, n_columns)
            The last `n_before` columns are filled in place with 1 + the label
            of maximum score of the previous tokens, the nearest first; 0 where
            there is none.
        begins : bool array, shape (n_tokens,)
            Whether the token is the first of a document.
        n_before : int

        Returns
        -------
        float64 array, shape (n_tokens, n_labels)
        """
        from multideid.learners.forest_kernel import sums_in_order

        return sums_in_order(self._nodes(), self.base, columns, begins, n_before)

    def _scores_by_numpy(self, columns: FloatArray) -> DoubleArray:
        """Walk through all trees at once, one level at a time."""
        node = np.tile(self.roots, (len(columns), 1))
        row = np.arange(len(columns))[:, None]
        while (inner := self.feature[node] != LEAF).any():
            value = columns[row, self.feature[node]]
            following = np.where(value <= self.threshold[node], self.left[node], self.right[node])
            node = np.where(inner, following, node)
        found = np.tile(self.base, (len(columns), 1))
        for label in range(len(self.base)):
            found[:, label] += (self.value[node] * (self.label[node] == label)).sum(axis=1)
        return found

    def _nodes(self) -> Nodes:
        parts = (self.feature, self.threshold, self.left, self.right, self.label, self.value)
        return (self.roots, *parts)


@dataclass(frozen=True, slots=True)
class Tree:
    """One tree of a `Forest`, with nodes numbered from 0."""

    feature: IntArray
    threshold: DoubleArray
    left: IntArray
    right: IntArray
    label: IntArray
    value: DoubleArray


_NOTHING: tuple[IntArray, DoubleArray] = np.zeros(0, np.int32), np.zeros(0)
_NO_TREE = Tree(*_NOTHING, _NOTHING[0], _NOTHING[0], *_NOTHING)
