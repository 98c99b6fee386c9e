"""Posterior probabilities of labels, sequence by sequence, as log odds.

`learners.inference` gives the probabilities in numpy. Loops run over labels
side by side, in vectors; so the exponential is a polynomial of our own.
"""

from __future__ import annotations

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, IntArray, LongArray
from multideid.scoring.jit import smooth_kernel
from multideid.scoring.pruning import busy_windows

_AT_ONCE = 4
_LEAST_SUM = 1e-300
# Small enough to be nothing, and large enough for products of two to keep all their digits.
_LEAST_EXPONENT = -300.0
_LOG2_E = 1.4426950408889634
# The logarithm of 2 in two parts, the first of few bits so that multiples of it are exact.
_LN2_HIGH, _LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
_EXPONENT_BIAS, _FRACTION_BITS = 1023, 52


def log_odds(
    emissions: DoubleArray, transitions: DoubleArray, starts: LongArray, most: float
) -> FloatArray:
    """Return the log odds of every label's posterior probability.

    Parameters
    ----------
    emissions : float64 array, shape (n_tokens, n_labels)
    transitions : float64 array, shape (n_labels, n_labels)
        Weight of going from the row's label to the column's.
    starts : int64 array
        First rows of the sequences, which together cover all tokens.
    most : float
        Odds are cut at this and at its negative.

    Returns
    -------
    float32 array, shape (n_tokens, n_labels)
    """
    # Loops are compiled once for rows that lie one behind the other, and not again for columns.
    emissions = np.ascontiguousarray(emissions)
    bounds = np.append(starts, len(emissions)).astype(np.int64)
    # Two more than the cut, so that all other labels stay below it by far.
    windows, busy = busy_windows(emissions, transitions, bounds, np.exp(-most - 2))
    odds = np.full(emissions.shape, -most, dtype=np.float32)
    odds[:, 0] = most
    if len(windows):
        step = _padded(np.exp(transitions - transitions.max()))
        _log_odds(emissions, step, step.T.copy(), windows, busy, most, odds)
    return odds


def _padded(step: DoubleArray) -> DoubleArray:
    """Add labels that are never reached until their number is a multiple of four."""
    more = -len(step) % _AT_ONCE
    return np.pad(step, ((0, more), (0, more)))


@smooth_kernel
def _log_odds(  # noqa: PLR0913, PLR0917
    emissions: DoubleArray,
    step: DoubleArray,
    across: DoubleArray,
    windows: LongArray,
    busy: BoolArray,
    most: float,
    odds: FloatArray,
) -> None:
    # Rows hold zeros for the labels that pad them.
    shape = ((windows[:, 1] - windows[:, 0]).max(), len(step))
    local, forward = np.zeros(shape), np.zeros(shape)
    backward, ahead = np.empty(shape[1]), np.empty(shape[1])
    # Beyond these probabilities the logarithm need not be taken.
    low, high = 1 / (1 + np.exp(most + 1)), 1 / (1 + np.exp(-most - 1))
    for s in range(len(windows)):
        first, stop = windows[s]
        _forward(emissions[first:stop], step, local, forward)
        backward[:] = 1.0
        for t in range(stop - 1, first - 1, -1):
            if busy[t]:
                _write_odds(forward[t - first], backward, (low, high, most), odds[t])
            _multiply(backward, local[t - first], ahead)
            _spread(ahead, across, backward)
            _normalise(backward)


@smooth_kernel
def _forward(
    emissions: DoubleArray, step: DoubleArray, local: DoubleArray, forward: DoubleArray
) -> None:
    bits = np.empty(emissions.shape[1], dtype=np.int64)
    for t in range(len(emissions)):
        _exponential(emissions[t], bits, bits.view(np.float64), local[t, : len(bits)])
        if t:
            _spread(forward[t - 1], step, forward[t])
            _multiply(forward[t], local[t], forward[t])
        else:
            _copy(local[t], forward[t])
        _normalise(forward[t])


@smooth_kernel
def _exponential(
    values: DoubleArray, bits: LongArray, powers: DoubleArray, found: DoubleArray
) -> None:
    """Fill in the exponentials of values less the greatest of them.

    Parameters
    ----------
    values, found : float64 arrays, shape (n,)
    bits, powers : int64 and float64 arrays, shape (n,)
        Working memory, the same bytes as numbers of both kinds.
    """
    greatest = values[0]
    for j in range(len(values)):
        greatest = max(greatest, values[j])
    for j in range(len(values)):
        value = max(values[j] - greatest, _LEAST_EXPONENT)
        whole = np.floor(value * _LOG2_E + 0.5)
        found[j] = _polynomial(value - whole * _LN2_HIGH - whole * _LN2_LOW)
        bits[j] = (np.int64(whole) + _EXPONENT_BIAS) << _FRACTION_BITS
    _multiply(found, powers, found)


@smooth_kernel
def _polynomial(x: float) -> float:
    """Return the exponential of x, which is at most half the logarithm of 2 from 0."""
    p = 1 / 6227020800 * x + 1 / 479001600
    p = p * x + 1 / 39916800
    p = p * x + 1 / 3628800
    p = p * x + 1 / 362880
    p = p * x + 1 / 40320
    p = p * x + 1 / 5040
    p = p * x + 1 / 720
    p = p * x + 1 / 120
    p = p * x + 1 / 24
    p = p * x + 1 / 6
    p = p * x + 1 / 2
    return (p * x + 1) * x + 1


@smooth_kernel
def _spread(values: DoubleArray, step: DoubleArray, found: DoubleArray) -> None:
    """Multiply a row by a matrix, four of its rows at once."""
    found[:] = 0.0
    for i in range(0, len(values), _AT_ONCE):
        a, b, c, d = values[i], values[i + 1], values[i + 2], values[i + 3]
        row_a, row_b, row_c, row_d = step[i], step[i + 1], step[i + 2], step[i + 3]
        for j in range(len(found)):
            found[j] += a * row_a[j] + b * row_b[j] + c * row_c[j] + d * row_d[j]


@smooth_kernel
def _copy(values: DoubleArray, found: DoubleArray) -> None:
    # A loop, because numba takes seconds to compile what arrays do as a whole.
    for j in range(len(found)):
        found[j] = values[j]


@smooth_kernel
def _multiply(left: DoubleArray, right: DoubleArray, found: DoubleArray) -> None:
    for j in range(len(found)):
        found[j] = left[j] * right[j]


@smooth_kernel
def _normalise(values: DoubleArray) -> None:
    total = 0.0
    for j in range(len(values)):
        total += values[j]
    share = 1 / max(total, _LEAST_SUM)
    for j in range(len(values)):
        values[j] *= share


@smooth_kernel
def _write_odds(
    forward: DoubleArray,
    backward: DoubleArray,
    limits: tuple[float, float, float],
    odds: FloatArray,
) -> None:
    low, high, most = limits
    total = 0.0
    for j in range(len(forward)):
        total += forward[j] * backward[j]
    share = 1 / max(total, _LEAST_SUM)
    for j in range(len(odds)):
        p = forward[j] * backward[j] * share
        if p < low:
            odds[j] = -most
        elif p > high:
            odds[j] = most
        else:
            odds[j] = min(max(np.log(p / (1 - p)), -most), most)


def raise_labels(odds: FloatArray, labels: IntArray, by: float) -> None:
    """Raise the odds of given labels above all others of their row, where they are not.

    Parameters
    ----------
    odds : float32 array, shape (n_tokens, n_labels)
        Of probabilities that sum to one. Changed in place.
    labels : int32 array, shape (n_tokens,)
    by : float
        How far above the greatest.
    """
    _raise_labels(odds, labels, np.float32(by))


@smooth_kernel
def _raise_labels(odds: FloatArray, labels: IntArray, by: float) -> None:
    for t in range(len(odds)):
        row, greatest = odds[t], 0
        if row[labels[t]] > 0:
            # More likely than all others together.
            continue
        for j in range(1, len(row)):
            if row[j] > row[greatest]:
                greatest = j
        if greatest != labels[t]:
            row[labels[t]] = row[greatest] + by
