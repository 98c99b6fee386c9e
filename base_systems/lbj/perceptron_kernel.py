"""The compiled inner loop of the averaged perceptron."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from multideid.arrays import FloatArray, IntArray, LongArray
from multideid.learners.adagrad import Sequences
from multideid.learners.recursions import BoundedSteps, aligned_zeros, best_step, sum_rows


class Weights(NamedTuple):
    """Weights, and sums of their updates multiplied by the time of the update.

    Rows are padded; see `multideid.learners.recursions`.

    Parameters
    ----------
    features, late_features : float32 arrays, shape (n_features, width)
    transitions, late_transitions : float32 arrays, shape (n_labels, width)
    """

    features: FloatArray
    late_features: FloatArray
    transitions: FloatArray
    late_transitions: FloatArray

    @classmethod
    def zeros(cls, n_features: int, n_labels: int) -> Weights:
        """Return weights of 0."""
        sizes = (n_features, n_features, n_labels, n_labels)
        return cls(*(aligned_zeros(size, n_labels) for size in sizes))

    def average(self, clock: float) -> None:
        """Replace the weights by their average over `clock` steps, ``w - late / clock``."""
        self.late_features[:] /= np.float32(clock)
        self.features[:] -= self.late_features
        self.late_transitions[:] /= np.float32(clock)
        self.transitions[:] -= self.late_transitions


class _Buffers(NamedTuple):
    """Buffers for one sequence, allocated once for the longest."""

    best: FloatArray
    origin: IntArray
    path: IntArray


def train_epoch(data: Sequences, order: LongArray, weights: Weights, clock: float) -> int:
    """Train one epoch over the sequences in `order`, updating the weights in place.

    Structured perceptron (Collins 2002): if the best sequence is not the gold
    one, 1 is added to the weights of the gold tags and subtracted from those
    of the predicted tags. The average over all steps is computed from a second
    set of weights, which sums the updates multiplied by their time.

    Parameters
    ----------
    data : Sequences
    order : int64 array
        Indices of sequences.
    weights : Weights
    clock : float
        One more than the number of sequences seen before this epoch.

    Returns
    -------
    int
        Number of wrongly tagged tokens.
    """
    return int(_train(data, order, weights, clock, _allocate(data, weights.transitions)))


@njit(cache=True, nogil=True)
def _train(
    data: Sequences, order: LongArray, weights: Weights, clock: float, buffers: _Buffers
) -> int:
    wrong = 0
    for s in order:
        first, length = data.starts[s], data.ends[s] - data.starts[s]
        gold = data.labels[first : first + length]
        _best_path(data, weights, first, length, buffers)
        for t in range(length):
            if gold[t] != buffers.path[t]:
                wrong += 1
                _update_features(data, first + t, weights, buffers.path[t], clock)
        _update_transitions(weights, gold, buffers.path, clock)
        clock += 1
    return wrong


def _allocate(data: Sequences, transitions: FloatArray) -> _Buffers:
    longest, width = int((data.ends - data.starts).max(initial=0)), transitions.shape[1]
    return _Buffers(
        np.empty((longest, width), np.float32),
        np.empty((longest, width), np.int32),
        np.empty(longest, np.int32),
    )


@njit(cache=True)
def _update_features(
    data: Sequences, row: int, weights: Weights, found: np.int32, clock: float
) -> None:
    gold = data.labels[row]
    for k in range(data.indptr[row], data.indptr[row + 1]):
        feature = data.indices[k]
        _add_update(weights.features[feature], weights.late_features[feature], gold, clock, 1)
        _add_update(weights.features[feature], weights.late_features[feature], found, clock, -1)


@njit(cache=True)
def _update_transitions(weights: Weights, gold: IntArray, path: IntArray, clock: float) -> None:
    steps, late = weights.transitions, weights.late_transitions
    for t in range(1, len(gold)):
        if gold[t] != path[t] or gold[t - 1] != path[t - 1]:
            _add_update(steps[gold[t - 1]], late[gold[t - 1]], gold[t], clock, 1)
            _add_update(steps[path[t - 1]], late[path[t - 1]], path[t], clock, -1)


@njit(cache=True)
def _add_update(
    row: FloatArray, late: FloatArray, label: np.int32, clock: float, sign: int
) -> None:
    row[label] += sign
    late[label] += sign * clock


@njit(cache=True)
def _best_path(
    data: Sequences, weights: Weights, first: int, length: int, buffers: _Buffers
) -> None:
    """Fill `path` with the best sequence of tags (Viterbi)."""
    best, steps = buffers.best, _bounded(weights.transitions)
    for t in range(length):
        here = data.indices[data.indptr[first + t] : data.indptr[first + t + 1]]
        sum_rows(weights.features, here, best[t])
        if t > 0:
            best_step(best[t - 1], steps, best[t], buffers.origin[t])
    buffers.path[length - 1] = _argmax(best[length - 1], len(steps.scores))
    for t in range(length - 1, 0, -1):
        buffers.path[t - 1] = buffers.origin[t, buffers.path[t]]


# Loops, because numba takes seconds to compile array expressions.


@njit(cache=True)
def _bounded(scores: FloatArray) -> BoundedSteps:
    low = high = scores[0, 0]
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            low, high = min(low, scores[i, j]), max(high, scores[i, j])
    return BoundedSteps(scores, low, high)


@njit(cache=True)
def _argmax(row: FloatArray, n_labels: int) -> int:
    best = 0
    for j in range(1, n_labels):
        if row[j] > row[best]:
            best = j
    return best
