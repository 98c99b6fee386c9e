"""Pruning of forward-backward where a chain is certain of its first label, "O".

A message of the forward or backward pass is represented by its *share*: an upper
bound of the sum of all other labels' entries divided by the first label's. While
shares are small, messages hardly depend on distant tokens: every token reduces
the remaining influence by a factor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, LongArray
from multideid.scoring.jit import kernel
from multideid.scoring.transition_cache import of_transitions

_NEGLIGIBLE = 1e-16
"""Influence on shares that is ignored."""
_FAR = 3.0


class _Gains(NamedTuple):
    """Upper bounds of the factors by which transitions change shares.

    With ``e = exp(transitions)`` and ``j > 0`` for labels other than the first:

    Parameters
    ----------
    any : float
        ``max(e[i, j] / e[i, 0])`` over all ``i`` and ``j``.
    first : float
        ``max(e[0, j] / e[0, 0])`` over all ``j``.
    other : float
        ``max(e[i, j] / e[0, 0])`` over all ``i`` and ``j``.
    back : float
        ``max(e[i, 0] / e[0, 0])`` over all ``i``.
    change : float
        ``max(e[i, k] / e[0, k])`` over all ``i`` and ``k``.
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

    def with_edges(self) -> _Gains:
        """Return gains that also hold at the edges of sequences."""
        return self._replace(any=max(self.any, 1.0), first=max(self.first, 1.0))


def uncertain_windows(
    emissions: DoubleArray, transitions: DoubleArray, bounds: LongArray, limit: float
) -> tuple[LongArray, BoolArray]:
    """Find the tokens where labels other than the first may be likely.

    Parameters
    ----------
    emissions : float64 array, shape (n_tokens, n_labels)
    transitions : float64 array, shape (n_labels, n_labels)
    bounds : int64 array, shape (n_sequences + 1,)
        First rows of the sequences, followed by the number of rows.
    limit : float
        At certain tokens, the sum of the other labels' probabilities divided by
        the first label's is below this.

    Returns
    -------
    windows : int64 array, shape (n_windows, 2)
        Row ranges that determine the posterior probabilities of the uncertain tokens in them.
    uncertain : bool array, shape (n_tokens,)
    """
    n = len(emissions)
    uncertain, windows = np.empty(n, dtype=np.bool_), np.empty((n, 2), dtype=np.int64)
    local, forward, backward = np.empty((3, n))
    _local_shares(emissions, local)
    there, back = _gains(transitions)
    _bound(bounds, local, there, forward)
    _find_uncertain(bounds, local, forward, back, limit, uncertain)
    # Windows begin and end inside sequences, for which the bounds must hold too.
    _bound(bounds, local, there.with_edges(), forward)
    _bound_backward(bounds, local, back.with_edges(), backward)
    count = _fill_windows(bounds, uncertain, local, forward, backward, there, back, windows)
    return windows[:count], uncertain


@of_transitions
def _gains(transitions: DoubleArray) -> tuple[_Gains, _Gains]:
    return _Gains.of(transitions), _Gains.of(transitions.T)


@kernel
def _local_shares(emissions: DoubleArray, found: DoubleArray) -> None:
    """Fill upper bounds of the shares of the emissions."""
    n_others, far = emissions.shape[1] - 1, np.exp(-_FAR)
    for t in range(len(emissions)):
        row, largest, near = emissions[t], -np.inf, 0
        for k in range(1, len(row)):
            largest = max(largest, row[k])
        for k in range(1, len(row)):
            near += row[k] > largest - _FAR
        # One exponential per label would be tighter, but slower than all the rest.
        found[t] = np.exp(largest - row[0]) * (near + (n_others - near) * far)


@kernel
def _bound(bounds: LongArray, local: DoubleArray, gains: _Gains, share: DoubleArray) -> None:
    """Fill the shares of the messages of the forward pass."""
    for s in range(len(bounds) - 1):
        gain = 1.0
        for t in range(bounds[s], bounds[s + 1]):
            share[t] = local[t] * gain
            gain = min(gains.any, gains.first + share[t] * gains.other)


@kernel
def _bound_backward(
    bounds: LongArray, local: DoubleArray, gains: _Gains, share: DoubleArray
) -> None:
    """Fill the shares of the backward pass, including the token's own emissions."""
    for s in range(len(bounds) - 1):
        gain = 1.0
        for t in range(bounds[s + 1] - 1, bounds[s] - 1, -1):
            share[t] = local[t] * gain
            gain = min(gains.any, gains.first + share[t] * gains.other)


@kernel
def _find_uncertain(  # noqa: PLR0913, PLR0917
    bounds: LongArray,
    local: DoubleArray,
    forward: DoubleArray,
    back: _Gains,
    limit: float,
    uncertain: BoolArray,
) -> None:
    for s in range(len(bounds) - 1):
        gain = 1.0
        for t in range(bounds[s + 1] - 1, bounds[s] - 1, -1):
            # NaN counts as uncertain.
            uncertain[t] = not forward[t] * gain < limit
            gain = min(back.any, back.first + local[t] * gain * back.other)


@kernel
def _fill_windows(  # noqa: PLR0913, PLR0917
    bounds: LongArray,
    uncertain: BoolArray,
    local: DoubleArray,
    forward: DoubleArray,
    backward: DoubleArray,
    there: _Gains,
    back: _Gains,
    windows: LongArray,
) -> int:
    """Fill the row ranges around uncertain tokens, outside of which influence is negligible."""
    count = 0
    for s in range(len(bounds) - 1):
        end = bounds[s]
        for t in range(bounds[s], bounds[s + 1]):
            if uncertain[t] and t >= end:
                begin = _window_begin(local, forward, there, t, end)
                if begin > end or end == bounds[s]:
                    windows[count, 0] = begin
                    count += 1
                end = _window_end(uncertain, local, backward, back, t, bounds[s + 1])
                windows[count - 1, 1] = end
    return count


@kernel
def _window_begin(
    local: DoubleArray, forward: DoubleArray, gains: _Gains, t: int, least: int
) -> int:
    """Return the first row with influence on a token, at least `least`."""
    left = gains.change
    while t > least:
        t -= 1
        if left * forward[t] < _NEGLIGIBLE:
            return t
        left *= local[t] * gains.other + forward[t] * gains.back
    return t


@kernel
def _window_end(  # noqa: PLR0913, PLR0917
    uncertain: BoolArray,
    local: DoubleArray,
    backward: DoubleArray,
    gains: _Gains,
    t: int,
    stop: int,
) -> int:
    """Return the end of the rows with influence on a token and on uncertain ones close behind."""
    left = gains.change
    while t + 1 < stop:
        t += 1
        if uncertain[t]:
            left = gains.change
        elif left * backward[t] < _NEGLIGIBLE:
            return t + 1
        else:
            left *= local[t] * gains.other + backward[t] * gains.back
    return t + 1
