"""The compiled inner loop of CRF training."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy import sparse

from multideid.arrays import AnyArray, FloatArray, IntArray, LongArray, ULongArray
from multideid.learners.recursions import (
    aligned_zeros,
    backward_rows,
    exp_scores,
    expected_pairs,
    forward_rows,
    scaled_product,
    sum_rows,
)
from multideid.text.bio import TokenLabels

# Sequences with a smaller loss, and labels with a smaller gradient, are skipped;
# most of the speed comes from this.
_EASY = 1e-4
_NEGLIGIBLE = np.float32(1e-3)
_STABILISER = np.float32(1e-6)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)

_DRAWS = 4  # 16-bit numbers per 64-bit number.
_BITS, _ALL_SET, _OUTCOMES = np.uint64(16), np.uint64(0xFFFF), 0x10000


class Sequences(NamedTuple):
    """The training data.

    Parameters
    ----------
    indptr, indices : int arrays
        CSR rows of binary features.
    labels : int32 array, shape (n_tokens,)
    starts, ends : int64 arrays
        Half-open rows of the sequences.
    """

    indptr: AnyArray
    indices: AnyArray
    labels: IntArray
    starts: LongArray
    ends: LongArray

    @classmethod
    def of(cls, features: sparse.csr_matrix, labels: TokenLabels, starts: LongArray) -> Sequences:
        """Return the training data; the sequences that begin at `starts` cover all tokens."""
        ends = np.append(starts[1:], len(labels))
        return cls(features.indptr, features.indices, labels.ids, starts, ends)


class Weights(NamedTuple):
    """Weights and sums of their squared gradients, as float32 arrays.

    Rows are padded; see `multideid.learners.recursions`.

    Parameters
    ----------
    features, feature_squares : shape (n_features, width)
    transitions, transition_squares : shape (n_labels, width)
    """

    features: FloatArray
    feature_squares: FloatArray
    transitions: FloatArray
    transition_squares: FloatArray

    @classmethod
    def zeros(cls, n_features: int, n_labels: int) -> Weights:
        """Return weights of 0."""
        sizes = (n_features, n_features, n_labels, n_labels)
        return cls(*(aligned_zeros(size, n_labels) for size in sizes))


class Settings(NamedTuple):
    """Hyperparameters.

    Parameters
    ----------
    learning_rate, l1, l2 : float32
        Step size, and strengths of the L1 and L2 penalties.
    feature_dropout : float32
        Probability that a feature of a token is dropped in this epoch. The
        values of the others are 1 / (1 - feature_dropout).
    """

    learning_rate: np.float32
    l1: np.float32
    l2: np.float32
    feature_dropout: np.float32


class _Buffers(NamedTuple):
    """Buffers for one sequence, allocated once for the longest."""

    local: FloatArray
    forward: FloatArray
    backward: FloatArray
    scale: FloatArray
    step: FloatArray
    transposed: FloatArray
    pairs: FloatArray
    kept: AnyArray
    kept_indptr: LongArray
    active: LongArray
    random: ULongArray


def train_epoch(
    data: Sequences, order: LongArray, weights: Weights, settings: Settings, seed: int
) -> float:
    """Train one epoch over the sequences in `order`, updating the weights in place.

    Maximizes the conditional likelihood of a linear-chain CRF (Lafferty,
    McCallum and Pereira 2001) by AdaGrad with proximal steps (Duchi, Hazan and
    Singer 2011) on the weights with a gradient ``g``::

        s += g**2
        step = learning_rate / sqrt(s)
        w -= step * g
        w = sign(w) * max(0, abs(w) - step * l1) / (1 + step * l2)

    Transitions have no L1 penalty.

    Parameters
    ----------
    data : Sequences
    order : int64 array
        Indices of sequences.
    weights : Weights
    settings : Settings
    seed : int
        Seed of the dropout.

    Returns
    -------
    float
        Sum of the negative log-likelihoods of the gold labels, each before its update.
    """
    buffers = _allocate(data, weights.transitions)
    buffers.random[0] = seed
    return float(_train(data, order, weights, settings, buffers))


@njit(cache=True, fastmath=True, nogil=True)
def _train(
    data: Sequences, order: LongArray, weights: Weights, settings: Settings, buffers: _Buffers
) -> float:
    _fill_steps(weights.transitions, buffers)
    value = _ONE / (_ONE - settings.feature_dropout)
    total = 0.0
    for s in order:
        first, length = data.starts[s], data.ends[s] - data.starts[s]
        gold = data.labels[first : first + length]
        _drop_features(data, first, length, settings.feature_dropout, buffers)
        loss = _emissions(weights.features, value, gold, buffers)
        loss += forward_rows(buffers.local, buffers.step, length, buffers.forward, buffers.scale)
        loss -= _transition_score(weights.transitions, gold)
        total += loss
        if loss > _EASY:
            backward_rows(
                buffers.local, buffers.transposed, length, buffers.scale, buffers.backward
            )
            _update_transitions(gold, weights, settings, buffers)
            _update_features(gold, value, weights, settings, buffers)
    return total


def _allocate(data: Sequences, transitions: FloatArray) -> _Buffers:
    longest = int((data.ends - data.starts).max(initial=0))
    most = int((data.indptr[data.ends] - data.indptr[data.starts]).max(initial=0))
    width = transitions.shape[1]
    return _Buffers(
        np.empty((longest, width), np.float32),
        np.empty((longest, width), np.float32),
        np.empty((longest, width), np.float32),
        np.empty(longest, np.float32),
        np.empty_like(transitions),
        np.zeros_like(transitions),
        np.empty_like(transitions),
        np.empty(most + 1, data.indices.dtype),
        np.empty(longest + 1, np.int64),
        np.empty(width, np.int64),
        np.empty(1, np.uint64),
    )


@njit(cache=True, fastmath=True)
def _fill_steps(transitions: FloatArray, buffers: _Buffers) -> None:
    for i in range(len(transitions)):
        for j in range(transitions.shape[1]):
            buffers.step[i, j] = np.exp(transitions[i, j])
        for j in range(len(transitions)):
            buffers.transposed[j, i] = buffers.step[i, j]


@njit(cache=True)
def _drop_features(
    data: Sequences, first: int, length: int, dropout: np.float32, buffers: _Buffers
) -> None:
    """Copy the features of a sequence's tokens, with dropout."""
    count = 0
    buffers.kept_indptr[0] = 0
    dropped = np.uint64(dropout * _OUTCOMES)
    bits, left = buffers.random[0], 0
    for t in range(length):
        for k in range(data.indptr[first + t], data.indptr[first + t + 1]):
            if left == 0:
                bits = _next_random(buffers.random)
                left = _DRAWS
            # Without a branch, which would be unpredictable.
            buffers.kept[count] = data.indices[k]
            count += int((bits & _ALL_SET) >= dropped)
            bits >>= _BITS
            left -= 1
        buffers.kept_indptr[t + 1] = count


@njit(cache=True)
def _next_random(state: ULongArray) -> np.uint64:
    """Return 64 random bits (SplitMix64; Steele, Lea and Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = (state[0] ^ (state[0] >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.uint64(bits ^ (bits >> np.uint64(31)))


@njit(cache=True, fastmath=True)
def _emissions(features: FloatArray, value: np.float32, gold: IntArray, buffers: _Buffers) -> float:
    """Fill ``exp(score - max score)``; return the sum of max score less gold score."""
    loss = 0.0
    for t in range(len(gold)):
        kept = buffers.kept[buffers.kept_indptr[t] : buffers.kept_indptr[t + 1]]
        sum_rows(features, kept, buffers.local[t])
        _scale(buffers.local[t], value)
        loss += exp_scores(buffers.local[t], len(buffers.step), gold[t])
    return loss


@njit(cache=True)
def _scale(row: FloatArray, value: np.float32) -> None:
    # A loop, because numba takes seconds to compile array expressions.
    for i in range(len(row)):
        row[i] *= value


@njit(cache=True, fastmath=True)
def _transition_score(transitions: FloatArray, gold: IntArray) -> float:
    score = 0.0
    for t in range(1, len(gold)):
        score += transitions[gold[t - 1], gold[t]]
    return score


@njit(cache=True, fastmath=True)
def _update_transitions(
    gold: IntArray, weights: Weights, settings: Settings, buffers: _Buffers
) -> None:
    """Update the transitions; their gradient is expected counts less gold counts."""
    if len(gold) < 2:
        return
    expected_pairs(buffers.forward, buffers.local, buffers.step, len(gold), buffers.pairs)
    for t in range(1, len(gold)):
        buffers.pairs[gold[t - 1], gold[t]] -= _ONE
    unpruned = Settings(settings.learning_rate, _ZERO, settings.l2, settings.feature_dropout)
    for i in range(len(buffers.pairs)):
        gradient, active = buffers.pairs[i], _active_labels(buffers.pairs[i], buffers.active)
        _update(weights.transitions[i], weights.transition_squares[i], gradient, active, unpruned)
        for j in active:
            buffers.step[i, j] = np.exp(weights.transitions[i, j])
            buffers.transposed[j, i] = buffers.step[i, j]


@njit(cache=True, fastmath=True)
def _update_features(
    gold: IntArray,
    value: np.float32,
    weights: Weights,
    settings: Settings,
    buffers: _Buffers,
) -> None:
    """Update the weights of the kept features; their gradient is posterior less gold."""
    for t in range(len(gold)):
        gradient = buffers.forward[t]
        scaled_product(gradient, buffers.backward[t])
        gradient[gold[t]] -= _ONE
        active = _active_labels(gradient, buffers.active)
        _scale(gradient, value)
        for k in range(buffers.kept_indptr[t], buffers.kept_indptr[t + 1] if len(active) else 0):
            f = buffers.kept[k]
            _update(weights.features[f], weights.feature_squares[f], gradient, active, settings)


@njit(cache=True)
def _active_labels(gradient: FloatArray, buffers: LongArray) -> LongArray:
    """Return the labels with a gradient that is not negligible."""
    count = 0
    for i in range(len(gradient)):
        buffers[count] = i
        count += int(np.abs(gradient[i]) > _NEGLIGIBLE)
    return buffers[:count]


@njit(cache=True, fastmath=True)
def _update(
    weights: FloatArray,
    squares: FloatArray,
    gradient: FloatArray,
    active: LongArray,
    settings: Settings,
) -> None:
    for i in active:
        g = gradient[i]
        squares[i] += g * g
        size = settings.learning_rate / np.sqrt(squares[i] + _STABILISER)
        w = weights[i] - size * g
        shrink = size * settings.l1
        w = max(_ZERO, w - shrink) + min(_ZERO, w + shrink)
        weights[i] = w / (_ONE + size * settings.l2)
