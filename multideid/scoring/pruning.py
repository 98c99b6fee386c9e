"""Where a chain is certain of its first label, "O", so that nothing else need be worked out.

A message of the forward or backward pass is told here by a bound on the share of
all other labels together, compared with the first's. While it is small, what stands
beyond hardly changes the message: each token divides what is left of a difference.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, LongArray
from multideid.scoring.jit import kernel

_NOTHING = 1e-16
"""A difference in shares that is as good as none."""
_FAR = 3.0


class _Gains(NamedTuple):
    """How much a step can change shares, as factors.

    Parameters
    ----------
    any : float
        The most that another label gains on the first, wherever the step comes from.
    first : float
        The same if it comes from the first label.
    other : float
        The most by which a step to another label outweighs that from first to first.
    back : float
        The same of a step to the first label.
    change : float
        The most by which a step outweighs that from the first label to the same one.
    """

    any: float
    first: float
    other: float
    back: float
    change: float

    @classmethod
    def of(cls, transitions: DoubleArray) -> _Gains:
        others, stay = transitions[:, 1:], transitions[0, 0]
        if not others.size:
            return cls(0.0, 0.0, 0.0, 0.0, 0.0)
        gains = (
            (others - transitions[:, :1]).max(),
            (others[0] - stay).max(),
            (others - stay).max(),
            (transitions[:, 0] - stay).max(),
            (transitions - transitions[0]).max(),
        )
        return cls(*np.exp(gains).tolist())

    def of_no_step(self) -> _Gains:
        """Return gains that hold where nothing stands before a label, too."""
        return self._replace(any=max(self.any, 1.0), first=max(self.first, 1.0))


def busy_windows(
    emissions: DoubleArray, transitions: DoubleArray, bounds: LongArray, limit: float
) -> tuple[LongArray, BoolArray]:
    """Find the tokens at which another label than the first may be likely.

    Parameters
    ----------
    emissions : float64 array, shape (n_tokens, n_labels)
    transitions : float64 array, shape (n_labels, n_labels)
    bounds : int64 array, shape (n_sequences + 1,)
        First rows of the sequences, and the number of rows.
    limit : float
        At all other tokens the other labels' probabilities together, divided by
        that of the first label, are less.

    Returns
    -------
    windows : int64 array, shape (n_windows, 2)
        Rows that decide the posterior probabilities of the busy tokens among them.
    busy : bool array, shape (n_tokens,)
    """
    n = len(emissions)
    busy, windows = np.empty(n, dtype=np.bool_), np.empty((n, 2), dtype=np.int64)
    alone, forward, backward = np.empty((3, n))
    _others(emissions, alone)
    there, back = _Gains.of(transitions), _Gains.of(transitions.T)
    _bound(bounds, alone, there, forward)
    _find_busy(bounds, alone, forward, back, limit, busy)
    # Windows begin and end where lines do not: that must not be taken for more than it is.
    _bound(bounds, alone, there.of_no_step(), forward)
    _bound_backward(bounds, alone, back.of_no_step(), backward)
    count = _windows(bounds, busy, alone, forward, backward, there, back, windows)
    return windows[:count], busy


@kernel
def _others(emissions: DoubleArray, found: DoubleArray) -> None:
    """Fill in how likely all other labels are at most, if the emissions alone are asked."""
    n_others, far = emissions.shape[1] - 1, np.exp(-_FAR)
    for t in range(len(emissions)):
        row, greatest, near = emissions[t], -np.inf, 0
        for k in range(1, len(row)):
            greatest = max(greatest, row[k])
        for k in range(1, len(row)):
            near += row[k] > greatest - _FAR
        # An exponential for each label would be nearer, and take longer than all the rest.
        found[t] = np.exp(greatest - row[0]) * (near + (n_others - near) * far)


@kernel
def _bound(bounds: LongArray, alone: DoubleArray, gains: _Gains, share: DoubleArray) -> None:
    """Fill in bounds of the other labels' share in the messages of the forward pass."""
    for s in range(len(bounds) - 1):
        gain = 1.0
        for t in range(bounds[s], bounds[s + 1]):
            share[t] = alone[t] * gain
            gain = min(gains.any, gains.first + share[t] * gains.other)


@kernel
def _bound_backward(
    bounds: LongArray, alone: DoubleArray, gains: _Gains, share: DoubleArray
) -> None:
    """Do the same for the backward pass, with what the token itself says."""
    for s in range(len(bounds) - 1):
        gain = 1.0
        for t in range(bounds[s + 1] - 1, bounds[s] - 1, -1):
            share[t] = alone[t] * gain
            gain = min(gains.any, gains.first + share[t] * gains.other)


@kernel
def _find_busy(  # noqa: PLR0913, PLR0917
    bounds: LongArray,
    alone: DoubleArray,
    forward: DoubleArray,
    back: _Gains,
    limit: float,
    busy: BoolArray,
) -> None:
    for s in range(len(bounds) - 1):
        gain = 1.0
        for t in range(bounds[s + 1] - 1, bounds[s] - 1, -1):
            # What is not a number is busy too.
            busy[t] = not forward[t] * gain < limit
            gain = min(back.any, back.first + alone[t] * gain * back.other)


@kernel
def _windows(  # noqa: PLR0913, PLR0917
    bounds: LongArray,
    busy: BoolArray,
    alone: DoubleArray,
    forward: DoubleArray,
    backward: DoubleArray,
    there: _Gains,
    back: _Gains,
    windows: LongArray,
) -> int:
    """Fill in the rows around busy tokens, so many that what is beyond no longer counts."""
    count = 0
    for s in range(len(bounds) - 1):
        end = bounds[s]
        for t in range(bounds[s], bounds[s + 1]):
            if busy[t] and t >= end:
                begin = _begin(alone, forward, there, t, end)
                if begin > end or end == bounds[s]:
                    windows[count, 0] = begin
                    count += 1
                end = _end(busy, alone, backward, back, t, bounds[s + 1])
                windows[count - 1, 1] = end
    return count


@kernel
def _begin(alone: DoubleArray, forward: DoubleArray, gains: _Gains, t: int, least: int) -> int:
    """Return how far back one must look from a token, at most to `least`."""
    left = gains.change
    while t > least:
        t -= 1
        if left * forward[t] < _NOTHING:
            return t
        left *= alone[t] * gains.other + forward[t] * gains.back
    return t


@kernel
def _end(  # noqa: PLR0913, PLR0917
    busy: BoolArray, alone: DoubleArray, backward: DoubleArray, gains: _Gains, t: int, stop: int
) -> int:
    """Return the end of the rows that a busy token and those close behind it ask for."""
    left = gains.change
    while t + 1 < stop:
        t += 1
        if busy[t]:
            left = gains.change
        elif left * backward[t] < _NOTHING:
            return t + 1
        else:
            left *= alone[t] * gains.other + backward[t] * gains.back
    return t + 1
