"""Log odds of posterior probabilities by compiled, pruned forward-backward.

`multideid.scoring.inference` has the probabilities in numpy. Inner loops run
over labels and are vectorized, for which the exponential is a polynomial.
"""

from __future__ import annotations

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, IntArray, LongArray
from multideid.scoring.inference import RAISED
from multideid.scoring.jit import smooth_kernel
from multideid.scoring.pruning import uncertain_windows
from multideid.scoring.transition_cache import of_transitions
from multideid.scoring.viterbi import viterbi

_AT_ONCE = 4
_LEAST_SUM = 1e-300
# Negligible, but large enough that products of two exponentials are normal numbers.
_LEAST_EXPONENT = -300.0
_LOG2_E = 1.4426950408889634
# The logarithm of 2 as a sum; the first part has few bits, so that its multiples are exact.
_LN2_HIGH, _LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
_EXPONENT_BIAS, _FRACTION_BITS = 1023, 52


def log_odds(
    emissions: DoubleArray, transitions: DoubleArray, starts: LongArray, limit: float
) -> FloatArray:
    """Return the log odds ``log(p / (1 - p))`` of every label's posterior probability ``p``.

    Parameters
    ----------
    emissions : float64 array, shape (n_tokens, n_labels)
    transitions : float64 array, shape (n_labels, n_labels)
        Weight of the transition from the row's label to the column's.
    starts : int64 array
        First rows of the sequences, which cover all tokens.
    limit : float
        Odds are clipped to plus or minus this value.

    Returns
    -------
    float32 array, shape (n_tokens, n_labels)
    """
    # Kernels are compiled for C-contiguous arrays only.
    emissions = np.ascontiguousarray(emissions)
    bounds = np.append(starts, len(emissions)).astype(np.int64)
    # Two more than the limit, so that the odds of all other labels are clipped too.
    windows, uncertain = uncertain_windows(emissions, transitions, bounds, np.exp(-limit - 2))
    odds = np.full(emissions.shape, -limit, dtype=np.float32)
    odds[:, 0] = limit
    if len(windows):
        _log_odds(emissions, *_steps(transitions), windows, uncertain, limit, odds)
    return odds


def decoded_log_odds(
    emissions: DoubleArray,
    transitions: DoubleArray,
    starts: LongArray,
    limit: float,
    temperature: float = 1.0,
) -> FloatArray:
    """Return `log_odds` with the labels of the best sequences raised to the maximum of their rows.

    Parameters
    ----------
    emissions, transitions, starts, limit
        As for `log_odds`; the emissions are changed in place.
    temperature : float
        Divisor of emissions and transitions in the posterior probability.

    Returns
    -------
    float32 array, shape (n_tokens, n_labels)
    """
    best = viterbi(emissions, transitions, starts)
    if temperature != 1:
        emissions /= temperature
    odds = log_odds(emissions, transitions / temperature, starts, limit)
    raise_labels(odds, best)
    return odds


@of_transitions
def _steps(transitions: DoubleArray) -> tuple[DoubleArray, DoubleArray]:
    """Return the factors of transitions, and their transpose."""
    step = _padded(np.exp(transitions - transitions.max()))
    return step, step.T.copy()


def _padded(step: DoubleArray) -> DoubleArray:
    """Pad with unreachable labels to a multiple of four."""
    more = -len(step) % _AT_ONCE
    return np.pad(step, ((0, more), (0, more)))


@smooth_kernel
def _log_odds(  # noqa: PLR0913, PLR0917
    emissions: DoubleArray,
    step: DoubleArray,
    transposed: DoubleArray,
    windows: LongArray,
    uncertain: BoolArray,
    limit: float,
    odds: FloatArray,
) -> None:
    # Padding labels have zeros.
    shape = ((windows[:, 1] - windows[:, 0]).max(), len(step))
    local, forward = np.zeros(shape), np.zeros(shape)
    backward, message = np.empty(shape[1]), np.empty(shape[1])
    # Beyond these probabilities, odds are clipped without taking logarithms.
    low, high = 1 / (1 + np.exp(limit + 1)), 1 / (1 + np.exp(-limit - 1))
    for s in range(len(windows)):
        first, stop = windows[s]
        _forward(emissions[first:stop], step, local, forward)
        backward[:] = 1.0
        for t in range(stop - 1, first - 1, -1):
            if uncertain[t]:
                _fill_odds(forward[t - first], backward, (low, high, limit), odds[t])
            _multiply(backward, local[t - first], message)
            _row_times_matrix(message, transposed, backward)
            _normalize(backward)


@smooth_kernel
def _forward(
    emissions: DoubleArray, step: DoubleArray, local: DoubleArray, forward: DoubleArray
) -> None:
    bits = np.empty(emissions.shape[1], dtype=np.int64)
    for t in range(len(emissions)):
        _exponential(emissions[t], bits, bits.view(np.float64), local[t, : len(bits)])
        if t:
            _row_times_matrix(forward[t - 1], step, forward[t])
            _multiply(forward[t], local[t], forward[t])
        else:
            _copy(local[t], forward[t])
        _normalize(forward[t])


@smooth_kernel
def _exponential(
    values: DoubleArray, bits: LongArray, powers: DoubleArray, found: DoubleArray
) -> None:
    """Fill ``exp(values - max(values))``.

    Parameters
    ----------
    values, found : float64 arrays, shape (n,)
    bits, powers : int64 and float64 arrays, shape (n,)
        A buffer, viewed as both types.
    """
    largest = values[0]
    for j in range(len(values)):
        largest = max(largest, values[j])
    for j in range(len(values)):
        value = max(values[j] - largest, _LEAST_EXPONENT)
        whole = np.floor(value * _LOG2_E + 0.5)
        found[j] = _polynomial(value - whole * _LN2_HIGH - whole * _LN2_LOW)
        bits[j] = (np.int64(whole) + _EXPONENT_BIAS) << _FRACTION_BITS
    _multiply(found, powers, found)


@smooth_kernel
def _polynomial(x: float) -> float:
    """Return exp(x) for abs(x) <= log(2) / 2, by its Taylor polynomial of degree 13."""
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
def _row_times_matrix(values: DoubleArray, step: DoubleArray, found: DoubleArray) -> None:
    """Fill ``found = values @ step``, four rows at a time."""
    found[:] = 0.0
    for i in range(0, len(values), _AT_ONCE):
        a, b, c, d = values[i], values[i + 1], values[i + 2], values[i + 3]
        row_a, row_b, row_c, row_d = step[i], step[i + 1], step[i + 2], step[i + 3]
        for j in range(len(found)):
            found[j] += a * row_a[j] + b * row_b[j] + c * row_c[j] + d * row_d[j]


@smooth_kernel
def _copy(values: DoubleArray, found: DoubleArray) -> None:
    # A loop, because numba takes seconds to compile array expressions.
    for j in range(len(found)):
        found[j] = values[j]


@smooth_kernel
def _multiply(left: DoubleArray, right: DoubleArray, found: DoubleArray) -> None:
    for j in range(len(found)):
        found[j] = left[j] * right[j]


@smooth_kernel
def _normalize(values: DoubleArray) -> None:
    total = 0.0
    for j in range(len(values)):
        total += values[j]
    share = 1 / max(total, _LEAST_SUM)
    for j in range(len(values)):
        values[j] *= share


@smooth_kernel
def _fill_odds(
    forward: DoubleArray,
    backward: DoubleArray,
    limits: tuple[float, float, float],
    odds: FloatArray,
) -> None:
    low, high, limit = limits
    total = 0.0
    for j in range(len(forward)):
        total += forward[j] * backward[j]
    share = 1 / max(total, _LEAST_SUM)
    for j in range(len(odds)):
        p = forward[j] * backward[j] * share
        if p < low:
            odds[j] = -limit
        elif p > high:
            odds[j] = limit
        else:
            odds[j] = min(max(np.log(p / (1 - p)), -limit), limit)


def raise_labels(odds: FloatArray, labels: IntArray) -> None:
    """Raise the odds of the given labels above the maximum of their row, in place.

    Parameters
    ----------
    odds : float32 array, shape (n_tokens, n_labels)
        Odds of probabilities that sum to one.
    labels : int32 array, shape (n_tokens,)
        Those that are not the maximum of their row are put `RAISED` above it.
    """
    _raise_labels(odds, labels, np.float32(RAISED))


@smooth_kernel
def _raise_labels(odds: FloatArray, labels: IntArray, by: float) -> None:
    for t in range(len(odds)):
        row, largest = odds[t], 0
        if row[labels[t]] > 0:
            # More likely than all others together, so the maximum.
            continue
        for j in range(1, len(row)):
            if row[j] > row[largest]:
                largest = j
        if largest != labels[t]:
            row[labels[t]] = row[largest] + by
