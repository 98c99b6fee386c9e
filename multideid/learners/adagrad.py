"""The inner loop of CRF training: compiled, and imported only to train."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

# A token whose posterior is this close to its gold label teaches nothing; most
# tokens soon are, and passing over them is most of the speed.
_NEGLIGIBLE = np.float32(1e-4)
_STABILISER = np.float32(1e-6)
_LEAST_SUM = np.float32(1e-30)
_NONE = np.float32(0.0)
_ONE = np.float32(1.0)


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

    indptr: npt.NDArray[Any]
    indices: npt.NDArray[Any]
    labels: npt.NDArray[np.int32]
    starts: Rows
    ends: Rows


class Weights(NamedTuple):
    """The weights and their summed squared gradients, as float32 arrays.

    Parameters
    ----------
    features, feature_squares : shape (n_features, n_labels)
    transitions, transition_squares : shape (n_labels, n_labels)
    """

    features: Floats
    feature_squares: Floats
    transitions: Floats
    transition_squares: Floats

    @classmethod
    def zeros(cls, n_features: int, n_labels: int) -> Weights:
        """Return weights that know nothing."""
        sizes = (n_features, n_features, n_labels, n_labels)
        return cls(*(np.zeros((size, n_labels), dtype=np.float32) for size in sizes))


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

    local: Floats
    forward: Floats
    backward: Floats
    scale: Floats
    pairs: Floats
    kept: npt.NDArray[Any]
    kept_until: Rows


@njit(cache=True)
def seed(number: int) -> None:
    """Seed the generator that dropout draws from, which is not numpy's own."""
    np.random.seed(number)


@njit(cache=True, fastmath=True)
def train_epoch(data: Sequences, order: Rows, weights: Weights, settings: Settings) -> float:
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

    Returns
    -------
    float
        Summed negative log-likelihood of the gold labels along the way.
    """
    room = _make_room(data, weights.transitions.shape[0])
    value = _ONE / (_ONE - settings.dropout)
    loss = 0.0
    for s in order:
        first, length = data.starts[s], data.ends[s] - data.starts[s]
        gold = data.labels[first : first + length]
        step = np.exp(weights.transitions)
        _keep_some(data, first, length, settings.dropout, room)
        loss += _emissions(weights.features, value, gold, room)
        loss += _forward_backward(step, length, room)
        loss -= _transition_score(weights.transitions, gold)
        _learn_transitions(step, gold, weights, settings, room)
        _learn_features(gold, value, weights, settings, room)
    return loss


@njit(cache=True, fastmath=True)
def _make_room(data: Sequences, n_labels: int) -> _Room:
    longest, most = 0, 0
    for s in range(len(data.starts)):
        first, end = data.starts[s], data.ends[s]
        longest = max(longest, end - first)
        most = max(most, data.indptr[end] - data.indptr[first])
    return _Room(
        np.empty((longest, n_labels), np.float32),
        np.empty((longest, n_labels), np.float32),
        np.empty((longest, n_labels), np.float32),
        np.empty(longest, np.float32),
        np.empty((n_labels, n_labels), np.float32),
        np.empty(most, data.indices.dtype),
        np.empty(longest + 1, np.int64),
    )


@njit(cache=True, fastmath=True)
def _keep_some(data: Sequences, first: int, length: int, dropout: np.float32, room: _Room) -> None:
    """Copy the features of a sequence's tokens, some of them dropped."""
    count = 0
    room.kept_until[0] = 0
    for t in range(length):
        for k in range(data.indptr[first + t], data.indptr[first + t + 1]):
            if dropout == 0.0 or np.random.random() >= dropout:
                room.kept[count] = data.indices[k]
                count += 1
        room.kept_until[t + 1] = count


@njit(cache=True, fastmath=True)
def _emissions(
    features: Floats, value: np.float32, gold: npt.NDArray[np.int32], room: _Room
) -> float:
    """Fill exp(score - greatest score); return the part of the loss that this shifts."""
    loss = 0.0
    for t in range(len(gold)):
        row = room.local[t]
        row[:] = 0.0
        for k in range(room.kept_until[t], room.kept_until[t + 1]):
            row += features[room.kept[k]]
        row *= value
        greatest = row.max()
        loss += greatest - row[gold[t]]
        for i in range(len(row)):
            row[i] = np.exp(row[i] - greatest)
    return loss


@njit(cache=True, fastmath=True)
def _forward_backward(step: Floats, length: int, room: _Room) -> float:
    """Fill scaled forward and backward rows; return the log of the partition sum."""
    local, forward, backward, scale = room.local, room.forward, room.backward, room.scale
    n_labels = step.shape[0]
    log_sum = 0.0
    for t in range(length):
        forward[t] = local[t]
        if t > 0:
            for j in range(n_labels):
                backward[t, j] = 0.0
            for i in range(n_labels):
                backward[t] += forward[t - 1, i] * step[i]
            forward[t] *= backward[t]
        scale[t] = max(forward[t].sum(), _LEAST_SUM)
        forward[t] /= scale[t]
        log_sum += np.log(scale[t])
    backward[length - 1] = 1.0
    for t in range(length - 2, -1, -1):
        ahead = backward[t + 1] * local[t + 1] / scale[t + 1]
        for i in range(n_labels):
            backward[t, i] = (step[i] * ahead).sum()
    return log_sum


@njit(cache=True, fastmath=True)
def _transition_score(transitions: Floats, gold: npt.NDArray[np.int32]) -> float:
    score = 0.0
    for t in range(1, len(gold)):
        score += transitions[gold[t - 1], gold[t]]
    return score


@njit(cache=True, fastmath=True)
def _learn_transitions(
    step: Floats,
    gold: npt.NDArray[np.int32],
    weights: Weights,
    settings: Settings,
    room: _Room,
) -> None:
    """Update the transitions by their expected less their gold counts."""
    if len(gold) < 2:
        return
    _expected_pairs(step, len(gold), room)
    for t in range(1, len(gold)):
        room.pairs[gold[t - 1], gold[t]] -= 1.0
    unpruned = Settings(settings.rate, _NONE, settings.l2, settings.dropout)
    for i in range(step.shape[0]):
        _update(weights.transitions[i], weights.transition_squares[i], room.pairs[i], unpruned)


@njit(cache=True, fastmath=True)
def _expected_pairs(step: Floats, length: int, room: _Room) -> None:
    room.pairs[:] = 0.0
    for t in range(1, length):
        ahead = room.backward[t] * room.local[t] / room.scale[t]
        for i in range(step.shape[0]):
            room.pairs[i] += room.forward[t - 1, i] * ahead
    room.pairs[:] *= step


@njit(cache=True, fastmath=True)
def _learn_features(
    gold: npt.NDArray[np.int32],
    value: np.float32,
    weights: Weights,
    settings: Settings,
    room: _Room,
) -> None:
    """Update the weights of the kept features of the tokens that still teach something."""
    for t in range(len(gold)):
        gradient = room.forward[t]
        _posterior(gradient, room.backward[t], gold[t])
        if np.abs(gradient).max() > _NEGLIGIBLE:
            gradient *= value
            for k in range(room.kept_until[t], room.kept_until[t + 1]):
                f = room.kept[k]
                _update(weights.features[f], weights.feature_squares[f], gradient, settings)


@njit(cache=True, fastmath=True)
def _posterior(forward: Floats, backward: Floats, gold: int) -> None:
    """Turn a forward row into the gradient: posterior less one at the gold label."""
    forward *= backward
    forward /= max(forward.sum(), _LEAST_SUM)
    forward[gold] -= 1.0


@njit(cache=True, fastmath=True)
def _update(weights: Floats, squares: Floats, gradient: Floats, settings: Settings) -> None:
    for i in range(len(weights)):
        g = gradient[i]
        squares[i] += g * g
        size = settings.rate / np.sqrt(squares[i] + _STABILISER)
        w = weights[i] - size * g
        shrink = size * settings.l1
        w = max(_NONE, w - shrink) + min(_NONE, w + shrink)
        weights[i] = w / (_ONE + size * settings.l2)
