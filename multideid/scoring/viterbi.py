"""Best label sequences, sequence by sequence; `learners.inference` is the same in numpy."""

from __future__ import annotations

import numpy as np

from multideid.arrays import DoubleArray, IntArray, LongArray
from multideid.scoring.jit import kernel

_ROUNDING = 1e-9
_OPEN = -1


def viterbi(emissions: DoubleArray, transitions: DoubleArray, starts: LongArray) -> IntArray:
    """Return the best label sequences; of equals, the lower label.

    Parameters
    ----------
    emissions : float64 array, shape (n_tokens, n_labels)
    transitions : float64 array, shape (n_labels, n_labels)
        Weight of going from the row's label to the column's.
    starts : int64 array
        First rows of the sequences, which together cover all tokens.

    Returns
    -------
    int32 array, shape (n_tokens,)
    """
    # Loops are compiled once for rows that lie one behind the other, and not again for columns.
    emissions = np.ascontiguousarray(emissions)
    labels = np.full(len(emissions), _OPEN, dtype=np.int32)
    bounds = np.append(starts, len(emissions))
    origin = np.empty((np.diff(bounds).max(initial=0), emissions.shape[1]), dtype=np.int64)
    leads = _leads(transitions)
    # At the end of a sequence nothing follows, by which a label that is ahead could fall back.
    behind = np.maximum(leads[0], 0.0)
    behind = np.stack([behind, behind + transitions[0] - transitions[0, 0]])
    _viterbi(emissions, transitions, leads, behind, bounds, origin, labels)
    return labels


def _leads(transitions: DoubleArray) -> DoubleArray:
    """Return how much more a label's best transition gives than another's at most.

    Cell ``(b, i)`` is the greatest gain of coming from ``i`` rather than from
    ``b``, wherever one goes. A path that ends in ``i`` and is behind one in ``b`` by more
    than that is never part of the best.
    """
    gain = transitions[None, :, :] - transitions[:, None, :]
    return np.asarray(gain.max(axis=2) + _ROUNDING * (1 + np.abs(transitions).max()))


@kernel
def _viterbi(  # noqa: PLR0913, PLR0917
    emissions: DoubleArray,
    transitions: DoubleArray,
    leads: DoubleArray,
    behind: DoubleArray,
    bounds: LongArray,
    origin: LongArray,
    labels: IntArray,
) -> None:
    """Follow the paths; where all of them go through the first label, begin anew from it.

    Parameters
    ----------
    emissions, transitions : float64 arrays
        As for `viterbi`.
    leads : float64 array, shape (n_labels, n_labels)
        As `_leads` tells.
    behind : float64 array, shape (2, n_labels)
        How far a label must be behind the first one to be no part of the best
        path; and how far in its emission, if the token before has the first one.
    bounds : int64 array, shape (n_sequences + 1,)
    origin : int64 array, shape (length of the longest sequence, n_labels)
        Working memory.
    labels : int32 array, shape (n_tokens,)
        Filled in; all are `_OPEN` before.
    """
    top, before = np.empty(emissions.shape[1]), np.empty(emissions.shape[1])
    for s in range(len(bounds) - 1):
        first, stop = bounds[s], bounds[s + 1]
        _copy(emissions[first], top)
        sure = _is_first(top, behind[0])
        for t in range(first + 1, stop):
            if sure:
                labels[t - 1] = 0
                sure = _is_first(emissions[t], behind[1])
                if not sure:
                    _copy(transitions[0], top)
                    _add(emissions[t], top)
            else:
                _copy(top, before)
                _step(before, transitions, leads, top, origin[t - first])
                _add(emissions[t], top)
                sure = _is_first(top, behind[0])
        labels[stop - 1] = 0 if sure else _greatest(top)
        for t in range(stop - 1, first, -1):
            if labels[t - 1] == _OPEN:
                labels[t - 1] = origin[t - first, labels[t]]


@kernel
def _is_first(values: DoubleArray, behind: DoubleArray) -> bool:
    """Tell whether all other labels are behind the first by more than they could catch up."""
    near = 0
    for j in range(1, len(values)):
        # What is not a number is near.
        near += not values[j] + behind[j] < values[0]
    return near == 0


@kernel
def _step(
    before: DoubleArray,
    transitions: DoubleArray,
    leads: DoubleArray,
    top: DoubleArray,
    origin: LongArray,
) -> None:
    """Find the best way to reach each label, and where it comes from."""
    best = _greatest(before)
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
def _greatest(values: DoubleArray) -> int:
    best = 0
    for j in range(1, len(values)):
        if values[j] > values[best]:
            best = j
    return best


@kernel
def _copy(values: DoubleArray, found: DoubleArray) -> None:
    # A loop, because numba takes seconds to compile what arrays do as a whole.
    for j in range(len(found)):
        found[j] = values[j]


@kernel
def _add(values: DoubleArray, sums: DoubleArray) -> None:
    for j in range(len(sums)):
        sums[j] += values[j]
