"""The sentence-level log-likelihood of Collobert et al. (2011), by compiled loops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from multideid.arrays import FloatArray, IntArray, LongArray
from multideid.learners.recursions import (
    aligned_zeros,
    backward_rows,
    exp_scores,
    expected_pairs,
    forward_rows,
    scaled_product,
)


class SentenceGradient(NamedTuple):
    """Gradients of the sum of ``-log p(tags)`` over sequences.

    Parameters
    ----------
    scores : float32 array, shape (n_tokens, n_labels)
    transitions : float32 array, shape (n_labels, n_labels)
    """

    scores: FloatArray
    transitions: FloatArray

    @classmethod
    def of(
        cls, scores: FloatArray, transitions: FloatArray, tags: IntArray, starts: LongArray
    ) -> SentenceGradient:
        """Compute the gradients: posterior probabilities less gold counts.

        Parameters
        ----------
        scores : float32 array, shape (n_tokens, n_labels)
        transitions : float32 array, shape (n_labels, n_labels)
            Score of the transition from the row's tag to the column's.
        tags : int32 array, shape (n_tokens,)
        starts : int64 array
            First rows of the sequences, which cover all tokens.
        """
        n_labels = scores.shape[1]
        bounds = np.append(starts, len(scores))
        found = cls(np.empty(scores.shape, np.float32), np.zeros((n_labels, n_labels), np.float32))
        _fill(scores, tags, bounds, _Buffers.of(transitions, bounds), found)
        return found


class _Buffers(NamedTuple):
    """Factors of the transitions, and rows of the longest sequence."""

    step: FloatArray
    transposed: FloatArray
    local: FloatArray
    forward: FloatArray
    backward: FloatArray
    scale: FloatArray
    pairs: FloatArray

    @classmethod
    def of(cls, transitions: FloatArray, bounds: LongArray) -> _Buffers:
        n_labels, longest = len(transitions), int(np.diff(bounds).max(initial=0))
        step, transposed = (aligned_zeros(n_labels, n_labels) for _ in range(2))
        step[:, :n_labels] = np.exp(transitions)
        transposed[:, :n_labels] = step[:, :n_labels].T
        local, forward, backward = (aligned_zeros(longest, n_labels) for _ in range(3))
        scale, pairs = np.empty(longest, np.float32), aligned_zeros(n_labels, n_labels)
        return cls(step, transposed, local, forward, backward, scale, pairs)


@njit(cache=True, fastmath=True)
def _fill(
    scores: FloatArray,
    tags: IntArray,
    bounds: LongArray,
    buffers: _Buffers,
    found: SentenceGradient,
) -> None:
    local, forward, backward = buffers.local, buffers.forward, buffers.backward
    n_labels = scores.shape[1]
    for s in range(len(bounds) - 1):
        first, length = bounds[s], bounds[s + 1] - bounds[s]
        for t in range(length):
            local[t, :n_labels] = scores[first + t]
            exp_scores(local[t], n_labels, tags[first + t])
        forward_rows(local, buffers.step, length, forward, buffers.scale)
        backward_rows(local, buffers.transposed, length, buffers.scale, backward)
        _add_pairs(tags[first : first + length], buffers, found.transitions)
        for t in range(length):
            scaled_product(forward[t], backward[t])
            found.scores[first + t] = forward[t, :n_labels]
            found.scores[first + t, tags[first + t]] -= np.float32(1)


@njit(cache=True, fastmath=True)
def _add_pairs(tags: IntArray, buffers: _Buffers, gradient: FloatArray) -> None:
    expected_pairs(buffers.forward, buffers.local, buffers.step, len(tags), buffers.pairs)
    for i in range(len(gradient)):
        for j in range(len(gradient)):
            gradient[i, j] += buffers.pairs[i, j]
    for t in range(1, len(tags)):
        gradient[tags[t - 1], tags[t]] -= np.float32(1)
