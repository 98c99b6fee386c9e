"""Viterbi by compiled loops; `multideid.scoring.inference` has it in numpy."""

from __future__ import annotations

import numpy as np

from multideid.arrays import DoubleArray, IntArray, LongArray
from multideid.scoring.jit import kernel
from multideid.scoring.transition_cache import of_transitions

_ROUNDING = 1e-9
_OPEN = -1


def viterbi(emissions: DoubleArray, transitions: DoubleArray, starts: LongArray) -> IntArray:
    """Return the best label sequences; ties go to the lower label.

    Parameters
    ----------
    emissions : float64 array, shape (n_tokens, n_labels)
    transitions : float64 array, shape (n_labels, n_labels)
        Weight of the transition from the row's label to the column's.
    starts : int64 array
        First rows of the sequences, which cover all tokens.

    Returns
    -------
    int32 array, shape (n_tokens,)
    """
    # Kernels are compiled for C-contiguous arrays only.
    emissions = np.ascontiguousarray(emissions)
    labels = np.full(len(emissions), _OPEN, dtype=np.int32)
    bounds = np.append(starts, len(emissions))
    origin = np.empty((np.diff(bounds).max(initial=0), emissions.shape[1]), dtype=np.int64)
    leads, margins = _leads_and_margins(transitions)
    _viterbi(emissions, transitions, leads, margins, bounds, origin, labels)
    return labels


@of_transitions
def _leads_and_margins(transitions: DoubleArray) -> tuple[DoubleArray, DoubleArray]:
    leads = _max_leads(transitions)
    # At the end of a sequence, there are no transitions through which a label could catch up.
    margins = np.maximum(leads[0], 0.0)
    return leads, np.stack([margins, margins + transitions[0] - transitions[0, 0]])


def _max_leads(transitions: DoubleArray) -> DoubleArray:
    """Return ``leads[b, i] = max_j(transitions[i, j] - transitions[b, j])``.

    A path that ends in ``i`` and scores less than one that ends in ``b`` by more
    than ``leads[b, i]`` cannot be part of the best path.
    """
    gain = transitions[None, :, :] - transitions[:, None, :]
    return np.asarray(gain.max(axis=2) + _ROUNDING * (1 + np.abs(transitions).max()))


@kernel
def _viterbi(  # noqa: PLR0913, PLR0917
    emissions: DoubleArray,
    transitions: DoubleArray,
    leads: DoubleArray,
    margins: DoubleArray,
    bounds: LongArray,
    origin: LongArray,
    labels: IntArray,
) -> None:
    """Extend the paths token by token, and restart where all go through the first label.

    Parameters
    ----------
    emissions, transitions : float64 arrays
        As for `viterbi`.
    leads : float64 array, shape (n_labels, n_labels)
        From `_max_leads`.
    margins : float64 array, shape (2, n_labels)
        By how much the first label's score must exceed each other label's, so
        that the best path goes through the first; and the same for emissions,
        if the path of the previous token does.
    bounds : int64 array, shape (n_sequences + 1,)
    origin : int64 array, shape (length of the longest sequence, n_labels)
        Buffer.
    labels : int32 array, shape (n_tokens,)
        Filled; initially `_OPEN`.
    """
    top, before = np.empty(emissions.shape[1]), np.empty(emissions.shape[1])
    for s in range(len(bounds) - 1):
        first, stop = bounds[s], bounds[s + 1]
        _copy(emissions[first], top)
        certain = _first_wins(top, margins[0])
        for t in range(first + 1, stop):
            if certain:
                labels[t - 1] = 0
                certain = _first_wins(emissions[t], margins[1])
                if not certain:
                    _copy(transitions[0], top)
                    _add(emissions[t], top)
            else:
                _copy(top, before)
                _step(before, transitions, leads, top, origin[t - first])
                _add(emissions[t], top)
                certain = _first_wins(top, margins[0])
        labels[stop - 1] = 0 if certain else _argmax(top)
        for t in range(stop - 1, first, -1):
            if labels[t - 1] == _OPEN:
                labels[t - 1] = origin[t - first, labels[t]]


@kernel
def _first_wins(values: DoubleArray, margins: DoubleArray) -> bool:
    """Return whether the first label exceeds all others by more than the margins."""
    near = 0
    for j in range(1, len(values)):
        # NaN counts as near.
        near += not values[j] + margins[j] < values[0]
    return near == 0


@kernel
def _step(
    before: DoubleArray,
    transitions: DoubleArray,
    leads: DoubleArray,
    top: DoubleArray,
    origin: LongArray,
) -> None:
    """Fill ``top[j] = max_i(before[i] + transitions[i, j])``, and the maximizing ``i``."""
    best = _argmax(before)
    row, value, lead = transitions[best], before[best], leads[best]
    for j in range(len(top)):
        top[j] = value + row[j]
        origin[j] = best
    for i in range(len(before)):
        if i != best and before[i] + lead[i] >= value:
            _compare(i, before[i], transitions[i], top, origin)


@kernel
def _compare(i: int, value: float, row: DoubleArray, top: DoubleArray, origin: LongArray) -> None:
    for j in range(len(top)):
        path = value + row[j]
        better = path > top[j] or (path == top[j] and i < origin[j])
        top[j] = path if better else top[j]
        origin[j] = i if better else origin[j]


@kernel
def _argmax(values: DoubleArray) -> int:
    best = 0
    for j in range(1, len(values)):
        if values[j] > values[best]:
            best = j
    return best


@kernel
def _copy(values: DoubleArray, found: DoubleArray) -> None:
    # A loop, because numba takes seconds to compile array expressions.
    for j in range(len(found)):
        found[j] = values[j]


@kernel
def _add(values: DoubleArray, sums: DoubleArray) -> None:
    for j in range(len(sums)):
        sums[j] += values[j]
