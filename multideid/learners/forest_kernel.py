"""Compiled loops over the trees of a `Forest`."""

from __future__ import annotations

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, IntArray
from multideid.scoring.jit import kernel

Nodes = tuple[IntArray, IntArray, DoubleArray, IntArray, IntArray, IntArray, DoubleArray]
"""Roots, features, thresholds, left and right nodes, labels and values of a `Forest`."""


def sums(nodes: Nodes, base: DoubleArray, columns: FloatArray) -> DoubleArray:
    """Implement `Forest.scores`."""
    found = np.tile(base, (len(columns), 1))
    _sum_rows(nodes, np.ascontiguousarray(columns), found)
    return found


def sums_in_order(
    nodes: Nodes, base: DoubleArray, columns: FloatArray, begins: BoolArray, n_before: int
) -> DoubleArray:
    """Implement `Forest.scores_in_order`."""
    found = np.tile(base, (len(columns), 1))
    _sum_rows_in_order(nodes, columns, begins, n_before, found)
    return found


@kernel
def _sum_rows(nodes: Nodes, columns: FloatArray, found: DoubleArray) -> None:
    for t in range(len(columns)):
        _add_row(nodes, columns[t], found[t])


@kernel
def _sum_rows_in_order(
    nodes: Nodes, columns: FloatArray, begins: BoolArray, n_before: int, found: DoubleArray
) -> None:
    first = columns.shape[1] - n_before
    for t in range(len(columns)):
        row = columns[t]
        for place in range(n_before - 1, -1, -1):
            row[first + place] = 0.0
            if not begins[t]:
                row[first + place] = columns[t - 1, first + place - 1]
        if not begins[t]:
            row[first] = 1 + found[t - 1].argmax()
        _add_row(nodes, row, found[t])


@kernel
def _add_row(nodes: Nodes, row: FloatArray, found: DoubleArray) -> None:
    """Add the leaves of one token to its scores, in place."""
    roots, feature, threshold, left, right, label, value = nodes
    for root in roots:
        node = root
        while feature[node] >= 0:
            node = left[node] if row[feature[node]] <= threshold[node] else right[node]
        found[label[node]] += value[node]
