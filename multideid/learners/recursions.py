"""Compiled recursions over the labels of a linear chain, shared by its trainers.

Rows of label scores are padded to `padded_width` for the processor's vector
instructions; padding has weights of 0. Very unlikely labels are skipped. All
array operations are loops, because numba takes longer to compile array
expressions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from multideid.arrays import AnyArray, FloatArray

_LANES = 8
_CACHE_LINE = 64  # In bytes.
_LOWEST_EXPONENT = np.float32(-16.0)
_UNLIKELY = np.float32(1e-7)
_LEAST_SUM = np.float32(1e-30)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)


class BoundedSteps(NamedTuple):
    """Transition scores and their bounds.

    Parameters
    ----------
    scores : float32 array, shape (n_labels, width)
    low, high : float
        Minimum and maximum of the scores, used to skip labels.
    """

    scores: FloatArray
    low: np.float32
    high: np.float32


def padded_width(n_labels: int) -> int:
    """Return the length of a padded row of label scores."""
    return -(-n_labels // _LANES) * _LANES


def aligned_zeros(n_rows: int, n_labels: int) -> FloatArray:
    """Return float32 zeros, shape (n_rows, padded_width(n_labels)), aligned to a cache line."""
    width = padded_width(n_labels)
    buffer = np.zeros(n_rows * width + _CACHE_LINE // 4, dtype=np.float32)
    skip = -buffer.ctypes.data % _CACHE_LINE // 4
    return buffer[skip : skip + n_rows * width].reshape(n_rows, width)


@njit(cache=True, fastmath=True)
def sum_rows(rows: FloatArray, chosen: AnyArray, total: FloatArray) -> None:
    """Fill `total` with the sum of the chosen rows, adding four at a time."""
    for i in range(len(total)):
        total[i] = _ZERO
    whole = len(chosen) // 4 * 4
    for k in range(0, whole, 4):
        a, b = rows[chosen[k]], rows[chosen[k + 1]]
        c, d = rows[chosen[k + 2]], rows[chosen[k + 3]]
        for i in range(len(total)):
            total[i] += (a[i] + b[i]) + (c[i] + d[i])
    for k in range(whole, len(chosen)):
        _add_multiple(total, rows[chosen[k]], _ONE)


@njit(cache=True, fastmath=True)
def _add_multiple(total: FloatArray, row: FloatArray, factor: np.float32) -> None:
    for i in range(len(total)):
        total[i] += factor * row[i]


@njit(cache=True, fastmath=True)
def exp_scores(row: FloatArray, n_labels: int, gold: int) -> float:
    """Replace scores by ``exp(score - max)``, in place; return the max less the gold score."""
    greatest = row[0]
    for i in range(1, n_labels):
        greatest = max(greatest, row[i])
    loss = greatest - row[gold]
    for i in range(n_labels):
        below = row[i] - greatest
        row[i] = np.exp(below) if below > _LOWEST_EXPONENT else _ZERO
    row[n_labels:] = _ZERO
    return float(loss)


@njit(cache=True, fastmath=True)
def forward_rows(
    local: FloatArray, step: FloatArray, length: int, forward: FloatArray, scale: FloatArray
) -> float:
    """Compute normalized forward rows and their scaling factors.

    ``forward[t] = (forward[t - 1] @ step) * local[t] / scale[t]``, where
    ``scale[t]`` makes the row sum to one.

    Parameters
    ----------
    local : float32 array, shape (at least length, width)
        From `exp_scores`.
    step : float32 array, shape (n_labels, width)
        Exponentials of the transition scores.
    length : int
    forward, scale : float32 arrays, shapes (at least length, width), (at least length,)
        Filled.

    Returns
    -------
    float
        The log of the product of `scale`.
    """
    log_sum = 0.0
    for t in range(length):
        row = forward[t]
        row[:] = _ONE if t == 0 else _ZERO
        for i in range(step.shape[0] if t > 0 else 0):
            if forward[t - 1, i] > _UNLIKELY:
                _add_multiple(row, step[i], forward[t - 1, i])
        scale[t] = scaled_product(row, local[t])
        log_sum += np.log(scale[t])
    return log_sum


@njit(cache=True, fastmath=True)
def scaled_product(row: FloatArray, factors: FloatArray) -> np.float32:
    """Multiply a row by `factors` and normalize it, in place; return the sum."""
    total = _ZERO
    for i in range(len(row)):
        row[i] *= factors[i]
        total += row[i]
    total = max(total, _LEAST_SUM)
    inverse = _ONE / total
    for i in range(len(row)):
        row[i] *= inverse
    return total


@njit(cache=True, fastmath=True)
def backward_rows(
    local: FloatArray, transposed: FloatArray, length: int, scale: FloatArray, backward: FloatArray
) -> None:
    """Compute backward rows: ``backward[t - 1] = step @ (local[t] * backward[t] / scale[t])``.

    Parameters
    ----------
    local : float32 array
        As in `forward_rows`. Row ``t`` is replaced by the factor in
        parentheses.
    transposed : float32 array, shape (n_labels, width)
        Transpose of `step`.
    length : int
    scale : float32 array
        From `forward_rows`.
    backward : float32 array
        Filled.
    """
    backward[length - 1, :] = _ONE
    for t in range(length - 1, 0, -1):
        inverse = _ONE / scale[t]
        for j in range(local.shape[1]):
            local[t, j] *= backward[t, j] * inverse
        backward[t - 1, :] = _ZERO
        for j in range(transposed.shape[0]):
            if local[t, j] != _ZERO:
                _add_multiple(backward[t - 1], transposed[j], local[t, j])


@njit(cache=True, fastmath=True)
def expected_pairs(
    forward: FloatArray, ahead: FloatArray, step: FloatArray, length: int, pairs: FloatArray
) -> None:
    """Fill the expected counts of transitions; `ahead` is `local` after `backward_rows`."""
    pairs[:] = _ZERO
    for t in range(1, length):
        for i in range(pairs.shape[0]):
            if forward[t - 1, i] > _UNLIKELY:
                _add_multiple(pairs[i], ahead[t], forward[t - 1, i])
    for i in range(pairs.shape[0]):
        for j in range(pairs.shape[1]):
            pairs[i, j] *= step[i, j]


@njit(cache=True)
def best_step(before: FloatArray, steps: BoundedSteps, row: FloatArray, origin: Any) -> None:
    """Do one step of Viterbi: ``row[j] += max_i(before[i] + steps[i, j])``.

    Parameters
    ----------
    before : float32 array, shape (width,)
        Best scores of sequences that end with each label.
    steps : BoundedSteps
    row : float32 array, shape (width,)
    origin : int32 array, shape (width,)
        Filled with the maximizing ``i``; ties go to the lowest.
    """
    n_labels = len(steps.scores)
    greatest = before[0]
    for i in range(1, n_labels):
        greatest = max(greatest, before[i])
    least = greatest + steps.low - steps.high
    best = np.empty(len(row), np.float32)
    for j in range(len(row)):
        best[j] = -np.inf
    for i in range(n_labels):
        if before[i] >= least:
            for j in range(len(row)):
                value = before[i] + steps.scores[i, j]
                origin[j] = i if value > best[j] else origin[j]
                best[j] = max(best[j], value)
    for j in range(len(row)):
        row[j] += best[j]
