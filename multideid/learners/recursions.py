"""Compiled loops over the labels of a linear chain, which its trainers share.

Rows of labels are as wide as `width_of` says, so that the processor's vector
instructions fit; what lies beyond the last label has no weight and no part.
Most labels of most tokens are so unlikely that the loops pass over them.
Bounds and fillings are loops, too: numba takes longer to compile what arrays do as a whole.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from scipy import sparse

from multideid.arrays import AnyArray, FloatArray

_BLOCK = 65_536
_LANES = 8
_CACHE_LINE = 64  # In bytes.
_FARTHEST = np.float32(-16.0)
_UNLIKELY = np.float32(1e-7)
_LEAST_SUM = np.float32(1e-30)
_NONE = np.float32(0.0)
_ONE = np.float32(1.0)


class BoundedSteps(NamedTuple):
    """Scores of the steps from label to label.

    Parameters
    ----------
    scores : float32 array, shape (n_labels, width)
    low, high : float
        Their bounds: a label that cannot win within them need not be tried.
    """

    scores: FloatArray
    low: np.float32
    high: np.float32


def width_of(n_labels: int) -> int:
    """Return the length of a row of label scores."""
    return -(-n_labels // _LANES) * _LANES


def rows_of_zeros(n_rows: int, n_labels: int) -> FloatArray:
    """Return float32 zeros, shape (n_rows, `width_of` labels), that begin with a cache line."""
    width = width_of(n_labels)
    room = np.zeros(n_rows * width + _CACHE_LINE // 4, dtype=np.float32)
    skip = -room.ctypes.data % _CACHE_LINE // 4
    return room[skip : skip + n_rows * width].reshape(n_rows, width)


def sparse_rows(rows: FloatArray, n_labels: int, negligible: float) -> sparse.csr_matrix:
    """Return the rows, shape (n_rows, n_labels), without values smaller than `negligible`."""
    blocks = [rows[n : n + _BLOCK, :n_labels] for n in range(0, max(len(rows), 1), _BLOCK)]
    kept = [sparse.csr_matrix(np.where(np.abs(b) < negligible, _NONE, b)) for b in blocks]
    return sparse.csr_matrix(sparse.vstack(kept, format="csr"))


@njit(cache=True, fastmath=True)
def sum_rows(rows: FloatArray, chosen: AnyArray, total: FloatArray) -> None:
    """Fill `total` with the sum of the chosen rows, which are added four at a time."""
    for i in range(len(total)):
        total[i] = _NONE
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
def likelihoods(row: FloatArray, n_labels: int, gold: int) -> float:
    """Turn scores into exp(score - greatest); return the greatest less the gold one."""
    greatest = row[0]
    for i in range(1, n_labels):
        greatest = max(greatest, row[i])
    loss = greatest - row[gold]
    for i in range(n_labels):
        below = row[i] - greatest
        row[i] = np.exp(below) if below > _FARTHEST else _NONE
    row[n_labels:] = _NONE
    return float(loss)


@njit(cache=True, fastmath=True)
def forward_rows(
    local: FloatArray, step: FloatArray, length: int, forward: FloatArray, scale: FloatArray
) -> float:
    """Fill forward rows that sum to one, and what each was divided by.

    Parameters
    ----------
    local : float32 array, shape (at least length, width)
        From `likelihoods`.
    step : float32 array, shape (n_labels, width)
        What each step from a label to a label multiplies by.
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
        row[:] = _ONE if t == 0 else _NONE
        for i in range(step.shape[0] if t > 0 else 0):
            if forward[t - 1, i] > _UNLIKELY:
                _add_multiple(row, step[i], forward[t - 1, i])
        scale[t] = scaled_product(row, local[t])
        log_sum += np.log(scale[t])
    return log_sum


@njit(cache=True, fastmath=True)
def scaled_product(row: FloatArray, factors: FloatArray) -> np.float32:
    """Multiply by a row and divide by the sum, which is returned."""
    total = _NONE
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
    local: FloatArray, turned: FloatArray, length: int, scale: FloatArray, backward: FloatArray
) -> None:
    """Fill backward rows.

    Parameters
    ----------
    local : float32 array
        As `forward_rows` had it. Row ``t`` becomes what a step into ``t`` is
        multiplied by for all that comes from there on.
    turned : float32 array, shape (n_labels, width)
        The steps, from column to row.
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
        backward[t - 1, :] = _NONE
        for j in range(turned.shape[0]):
            if local[t, j] != _NONE:
                _add_multiple(backward[t - 1], turned[j], local[t, j])


@njit(cache=True, fastmath=True)
def expected_pairs(
    forward: FloatArray, ahead: FloatArray, step: FloatArray, length: int, pairs: FloatArray
) -> None:
    """Fill how often each step is expected to be taken; `ahead` is `local` of `backward_rows`."""
    pairs[:] = _NONE
    for t in range(1, length):
        for i in range(pairs.shape[0]):
            if forward[t - 1, i] > _UNLIKELY:
                _add_multiple(pairs[i], ahead[t], forward[t - 1, i])
    for i in range(pairs.shape[0]):
        for j in range(pairs.shape[1]):
            pairs[i, j] *= step[i, j]


@njit(cache=True)
def best_step(before: FloatArray, steps: BoundedSteps, row: FloatArray, origin: Any) -> None:
    """Add to a row the best way to reach each of its labels, and note where from.

    Parameters
    ----------
    before : float32 array, shape (width,)
        Best scores of sequences that end with each label.
    steps : BoundedSteps
    row : float32 array, shape (width,)
    origin : int32 array, shape (width,)
        Filled; of equal labels it takes the first.
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
