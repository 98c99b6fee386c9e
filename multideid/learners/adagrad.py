"""The inner loop of CRF training: compiled, and imported only to train."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy import sparse

from multideid.arrays import AnyArray, FloatArray, IntArray, LongArray, ULongArray
from multideid.learners.recursions import (
    backward_rows,
    expected_pairs,
    forward_rows,
    likelihoods,
    rows_of_zeros,
    scaled_product,
    sum_rows,
)
from multideid.text.bio import TokenLabels

# A line this certain of its gold labels teaches nothing, nor does a label whose
# posterior is this right; passing over them is most of the speed.
_EASY = 1e-4
_NEGLIGIBLE = np.float32(1e-3)
_STABILISER = np.float32(1e-6)
_NONE = np.float32(0.0)
_ONE = np.float32(1.0)

_DRAWS = 4  # Numbers of 16 bits from one of 64.
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
        """Return the tokens and their gold tags, of sequences that together cover all tokens."""
        ends = np.append(starts[1:], len(labels))
        return cls(features.indptr, features.indices, labels.ids, starts, ends)


class Weights(NamedTuple):
    """The weights and their summed squared gradients, as float32 arrays.

    Rows may be wider than the labels are many; see `learners.recursions`.

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
        """Return weights that know nothing."""
        sizes = (n_features, n_features, n_labels, n_labels)
        return cls(*(rows_of_zeros(size, n_labels) for size in sizes))


class Settings(NamedTuple):
    """How to learn.

    Parameters
    ----------
    rate, l1, l2 : float32
        Step size, and strengths of the L1 and L2 penalties.
    dropout : float32
        Chance that a feature of a token is passed over in this epoch, so that
        no single one is relied upon. The others count for more in its stead.
    """

    rate: np.float32
    l1: np.float32
    l2: np.float32
    dropout: np.float32


class _Room(NamedTuple):
    """Working memory for one sequence, made once for the longest."""

    local: FloatArray
    forward: FloatArray
    backward: FloatArray
    scale: FloatArray
    step: FloatArray
    turned: FloatArray
    pairs: FloatArray
    kept: AnyArray
    kept_until: LongArray
    taught: LongArray
    random: ULongArray


def train_epoch(
    data: Sequences, order: LongArray, weights: Weights, settings: Settings, seed: int
) -> float:
    """Go once through the sequences in `order`, updating the weights in place.

    AdaGrad with a proximal step on every weight that is touched (Duchi,
    Hazan and Singer 2011), on the conditional likelihood of a linear-chain CRF
    (Lafferty, McCallum and Pereira 2001). The L1 penalty spares transitions.

    Parameters
    ----------
    data : Sequences
    order : int64 array
        Numbers of the sequences to learn from.
    weights : Weights
    settings : Settings
    seed : int
        Says which features are dropped.

    Returns
    -------
    float
        Summed negative log-likelihood of the gold labels along the way.
    """
    room = _make_room(data, weights.transitions)
    room.random[0] = seed
    return float(_train(data, order, weights, settings, room))


@njit(cache=True, fastmath=True, nogil=True)
def _train(
    data: Sequences, order: LongArray, weights: Weights, settings: Settings, room: _Room
) -> float:
    _begin_steps(weights.transitions, room)
    value = _ONE / (_ONE - settings.dropout)
    total = 0.0
    for s in order:
        first, length = data.starts[s], data.ends[s] - data.starts[s]
        gold = data.labels[first : first + length]
        _keep_some(data, first, length, settings.dropout, room)
        loss = _emissions(weights.features, value, gold, room)
        loss += forward_rows(room.local, room.step, length, room.forward, room.scale)
        loss -= _transition_score(weights.transitions, gold)
        total += loss
        if loss > _EASY:
            backward_rows(room.local, room.turned, length, room.scale, room.backward)
            _learn_transitions(gold, weights, settings, room)
            _learn_features(gold, value, weights, settings, room)
    return total


def _make_room(data: Sequences, transitions: FloatArray) -> _Room:
    longest = int((data.ends - data.starts).max(initial=0))
    most = int((data.indptr[data.ends] - data.indptr[data.starts]).max(initial=0))
    width = transitions.shape[1]
    return _Room(
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
def _begin_steps(transitions: FloatArray, room: _Room) -> None:
    for i in range(len(transitions)):
        for j in range(transitions.shape[1]):
            room.step[i, j] = np.exp(transitions[i, j])
        for j in range(len(transitions)):
            room.turned[j, i] = room.step[i, j]


@njit(cache=True)
def _keep_some(data: Sequences, first: int, length: int, dropout: np.float32, room: _Room) -> None:
    """Copy the features of a sequence's tokens, some of them dropped."""
    count = 0
    room.kept_until[0] = 0
    dropped = np.uint64(dropout * _OUTCOMES)
    bits, left = room.random[0], 0
    for t in range(length):
        for k in range(data.indptr[first + t], data.indptr[first + t + 1]):
            if left == 0:
                bits = _next_random(room.random)
                left = _DRAWS
            # Written without a branch, which no processor could predict.
            room.kept[count] = data.indices[k]
            count += int((bits & _ALL_SET) >= dropped)
            bits >>= _BITS
            left -= 1
        room.kept_until[t + 1] = count


@njit(cache=True)
def _next_random(state: ULongArray) -> np.uint64:
    """Return 64 random bits (SplitMix64; Steele, Lea and Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = (state[0] ^ (state[0] >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.uint64(bits ^ (bits >> np.uint64(31)))


@njit(cache=True, fastmath=True)
def _emissions(features: FloatArray, value: np.float32, gold: IntArray, room: _Room) -> float:
    """Fill exp(score - greatest score); return the part of the loss that this shifts."""
    loss = 0.0
    for t in range(len(gold)):
        kept = room.kept[room.kept_until[t] : room.kept_until[t + 1]]
        sum_rows(features, kept, room.local[t])
        _scale(room.local[t], value)
        loss += likelihoods(room.local[t], len(room.step), gold[t])
    return loss


@njit(cache=True)
def _scale(row: FloatArray, value: np.float32) -> None:
    # A loop, because numba takes seconds to compile what arrays do as a whole.
    for i in range(len(row)):
        row[i] *= value


@njit(cache=True, fastmath=True)
def _transition_score(transitions: FloatArray, gold: IntArray) -> float:
    score = 0.0
    for t in range(1, len(gold)):
        score += transitions[gold[t - 1], gold[t]]
    return score


@njit(cache=True, fastmath=True)
def _learn_transitions(gold: IntArray, weights: Weights, settings: Settings, room: _Room) -> None:
    """Update the transitions by their expected less their gold counts."""
    if len(gold) < 2:
        return
    expected_pairs(room.forward, room.local, room.step, len(gold), room.pairs)
    for t in range(1, len(gold)):
        room.pairs[gold[t - 1], gold[t]] -= _ONE
    unpruned = Settings(settings.rate, _NONE, settings.l2, settings.dropout)
    for i in range(len(room.pairs)):
        gradient, taught = room.pairs[i], _worth_learning(room.pairs[i], room.taught)
        _update(weights.transitions[i], weights.transition_squares[i], gradient, taught, unpruned)
        for j in taught:
            room.step[i, j] = np.exp(weights.transitions[i, j])
            room.turned[j, i] = room.step[i, j]


@njit(cache=True, fastmath=True)
def _learn_features(
    gold: IntArray,
    value: np.float32,
    weights: Weights,
    settings: Settings,
    room: _Room,
) -> None:
    """Update the weights of the kept features, for the labels that they can teach."""
    for t in range(len(gold)):
        gradient = room.forward[t]
        scaled_product(gradient, room.backward[t])
        gradient[gold[t]] -= _ONE
        taught = _worth_learning(gradient, room.taught)
        _scale(gradient, value)
        for k in range(room.kept_until[t], room.kept_until[t + 1] if len(taught) else 0):
            f = room.kept[k]
            _update(weights.features[f], weights.feature_squares[f], gradient, taught, settings)


@njit(cache=True)
def _worth_learning(gradient: FloatArray, room: LongArray) -> LongArray:
    """Return the labels whose gradient is not negligible."""
    count = 0
    for i in range(len(gradient)):
        room[count] = i
        count += int(np.abs(gradient[i]) > _NEGLIGIBLE)
    return room[:count]


@njit(cache=True, fastmath=True)
def _update(
    weights: FloatArray,
    squares: FloatArray,
    gradient: FloatArray,
    taught: LongArray,
    settings: Settings,
) -> None:
    for i in taught:
        g = gradient[i]
        squares[i] += g * g
        size = settings.rate / np.sqrt(squares[i] + _STABILISER)
        w = weights[i] - size * g
        shrink = size * settings.l1
        w = max(_NONE, w - shrink) + min(_NONE, w + shrink)
        weights[i] = w / (_ONE + size * settings.l2)
