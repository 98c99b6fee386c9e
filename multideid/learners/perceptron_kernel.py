"""The inner loop of the averaged perceptron: compiled, and imported only to train."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from multideid.arrays import FloatArray, IntArray, LongArray
from multideid.learners.adagrad import Sequences
from multideid.learners.recursions import BoundedSteps, best_step, rows_of_zeros, sum_rows


class Weights(NamedTuple):
    """The weights, and their changes each counted as often as it came too late.

    Rows may be wider than the labels are many; see `learners.recursions`.

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
        """Return weights that know nothing."""
        sizes = (n_features, n_features, n_labels, n_labels)
        return cls(*(rows_of_zeros(size, n_labels) for size in sizes))

    def average(self, clock: float) -> None:
        """Turn the weights, in place, into their average over `clock` steps."""
        self.late_features[:] /= np.float32(clock)
        self.features[:] -= self.late_features
        self.late_transitions[:] /= np.float32(clock)
        self.transitions[:] -= self.late_transitions


class _Room(NamedTuple):
    """Working memory for one sequence, made once for the longest."""

    best: FloatArray
    origin: IntArray
    path: IntArray


def train_epoch(data: Sequences, order: LongArray, weights: Weights, clock: float) -> int:
    """Go once through the sequences in `order`, updating the weights in place.

    The structured perceptron (Collins 2002): where the best sequence is not
    the gold one, the features of the gold tags gain one and those of the wrong
    tags lose one. The average over all steps follows from a second set of
    weights, in which every change counts as often as it is too late.

    Parameters
    ----------
    data : Sequences
    order : int64 array
        Numbers of the sequences to learn from.
    weights : Weights
    clock : float
        One more than the number of sequences seen before this epoch.

    Returns
    -------
    int
        Tokens that were decided wrongly.
    """
    return int(_train(data, order, weights, clock, _make_room(data, weights.transitions)))


@njit(cache=True, nogil=True)
def _train(data: Sequences, order: LongArray, weights: Weights, clock: float, room: _Room) -> int:
    wrong = 0
    for s in order:
        first, length = data.starts[s], data.ends[s] - data.starts[s]
        gold = data.labels[first : first + length]
        _best_path(data, weights, first, length, room)
        for t in range(length):
            if gold[t] != room.path[t]:
                wrong += 1
                _move_features(data, first + t, weights, room.path[t], clock)
        _move_transitions(weights, gold, room.path, clock)
        clock += 1
    return wrong


def _make_room(data: Sequences, transitions: FloatArray) -> _Room:
    longest, width = int((data.ends - data.starts).max(initial=0)), transitions.shape[1]
    return _Room(
        np.empty((longest, width), np.float32),
        np.empty((longest, width), np.int32),
        np.empty(longest, np.int32),
    )


@njit(cache=True)
def _move_features(
    data: Sequences, row: int, weights: Weights, found: np.int32, clock: float
) -> None:
    gold = data.labels[row]
    for k in range(data.indptr[row], data.indptr[row + 1]):
        feature = data.indices[k]
        _move(weights.features[feature], weights.late_features[feature], gold, clock, 1)
        _move(weights.features[feature], weights.late_features[feature], found, clock, -1)


@njit(cache=True)
def _move_transitions(weights: Weights, gold: IntArray, path: IntArray, clock: float) -> None:
    steps, late = weights.transitions, weights.late_transitions
    for t in range(1, len(gold)):
        if gold[t] != path[t] or gold[t - 1] != path[t - 1]:
            _move(steps[gold[t - 1]], late[gold[t - 1]], gold[t], clock, 1)
            _move(steps[path[t - 1]], late[path[t - 1]], path[t], clock, -1)


@njit(cache=True)
def _move(row: FloatArray, late: FloatArray, label: np.int32, clock: float, sign: int) -> None:
    row[label] += sign
    late[label] += sign * clock


@njit(cache=True)
def _best_path(data: Sequences, weights: Weights, first: int, length: int, room: _Room) -> None:
    """Fill `path` with the tags of the best sequence (Viterbi)."""
    best, steps = room.best, _bounded(weights.transitions)
    for t in range(length):
        here = data.indices[data.indptr[first + t] : data.indptr[first + t + 1]]
        sum_rows(weights.features, here, best[t])
        if t > 0:
            best_step(best[t - 1], steps, best[t], room.origin[t])
    room.path[length - 1] = _first_greatest(best[length - 1], len(steps.scores))
    for t in range(length - 1, 0, -1):
        room.path[t - 1] = room.origin[t, room.path[t]]


# Loops, because numba takes seconds to compile what arrays do as a whole.


@njit(cache=True)
def _bounded(scores: FloatArray) -> BoundedSteps:
    low = high = scores[0, 0]
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            low, high = min(low, scores[i, j]), max(high, scores[i, j])
    return BoundedSteps(scores, low, high)


@njit(cache=True)
def _first_greatest(row: FloatArray, n_labels: int) -> int:
    best = 0
    for j in range(1, n_labels):
        if row[j] > row[best]:
            best = j
    return best
