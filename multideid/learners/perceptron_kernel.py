"""The inner loop of the averaged perceptron: compiled, and imported only to train."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)  # type: ignore[untyped-decorator]
def train_epoch(indptr, indices, labels, starts, ends, order, model, clock):  # type: ignore[no-untyped-def]
    """Go once through the sequences in `order`, updating the weights in place.

    The structured perceptron (Collins 2002): where the best sequence is not
    the gold one, the features of the gold tags gain one and those of the wrong
    tags lose one. The average over all steps follows from a second set of
    weights, in which every change counts as often as it is too late.

    Parameters
    ----------
    indptr, indices : int arrays
        CSR rows of binary features.
    labels : int32 array, shape (n_tokens,)
    starts, ends, order : int64 arrays
        Half-open rows of the sequences and the order to take them in.
    model : tuple of float32 arrays
        Weights and time-weighted weights of features ``(n_features, n_labels)``,
        then those of transitions ``(n_labels, n_labels)``.
    clock : float
        Number of sequences seen before this epoch.

    Returns
    -------
    int
        Tokens that were decided wrongly.
    """
    weights, late_weights, transitions, late_transitions = model
    longest = 0
    for s in range(len(starts)):
        longest = max(longest, ends[s] - starts[s])
    n_labels = transitions.shape[0]
    best = np.empty((longest, n_labels), np.float32)
    origin = np.empty((longest, n_labels), np.int32)
    path = np.empty(longest, np.int32)
    wrong = 0
    for s in order:
        first, length = starts[s], ends[s] - starts[s]
        _best_path(indptr, indices, weights, transitions, first, length, best, origin, path)
        for t in range(length):
            gold, found = labels[first + t], path[t]
            if gold != found:
                wrong += 1
                for k in range(indptr[first + t], indptr[first + t + 1]):
                    _move(weights, late_weights, indices[k], gold, found, clock)
            if t > 0 and (gold != found or labels[first + t - 1] != path[t - 1]):
                before = labels[first + t - 1]
                transitions[before, gold] += 1
                late_transitions[before, gold] += clock
                transitions[path[t - 1], found] -= 1
                late_transitions[path[t - 1], found] -= clock
        clock += 1
    return wrong


@njit(cache=True)  # type: ignore[untyped-decorator]
def _move(weights, late, feature, gold, found, clock):  # type: ignore[no-untyped-def]
    weights[feature, gold] += 1
    late[feature, gold] += clock
    weights[feature, found] -= 1
    late[feature, found] -= clock


@njit(cache=True)  # type: ignore[untyped-decorator]
def _best_path(indptr, indices, weights, transitions, first, length, best, origin, path):  # type: ignore[no-untyped-def]
    """Fill `path` with the tags of the best sequence (Viterbi)."""
    n_labels = transitions.shape[0]
    for t in range(length):
        row = best[t]
        row[:] = 0
        for k in range(indptr[first + t], indptr[first + t + 1]):
            row += weights[indices[k]]
        if t > 0:
            for j in range(n_labels):
                top, at = best[t - 1, 0] + transitions[0, j], 0
                for i in range(1, n_labels):
                    value = best[t - 1, i] + transitions[i, j]
                    if value > top:
                        top, at = value, i
                row[j] += top
                origin[t, j] = at
    path[length - 1] = best[length - 1].argmax()
    for t in range(length - 1, 0, -1):
        path[t - 1] = origin[t, path[t]]
