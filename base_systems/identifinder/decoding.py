"""Compiled Viterbi decoding and forward-backward of a lattice."""

from __future__ import annotations

import numpy as np

from multideid.arrays import DoubleArray, IntArray, LongArray
from multideid.base_systems.identifinder.lattice import Lattice
from multideid.scoring.jit import kernel

_LEAST = 1e-300
_STAYS = -1


def best_tags(lattice: Lattice, starts: LongArray) -> IntArray:
    """Return the BIO tags of the most probable path of each line (Viterbi).

    Parameters
    ----------
    lattice : Lattice
    starts : int64 array
        First rows of the lines.

    Returns
    -------
    int32 array, shape (n_tokens,)
    """
    tags = np.zeros(len(lattice.stay), dtype=np.int32)
    bounds = np.append(starts, len(tags))
    longest = int(np.diff(bounds).max(initial=0))
    origin = np.empty((longest, lattice.stay.shape[1]), dtype=np.int64)
    _best(lattice, bounds, origin, tags)
    return tags


def posteriors(lattice: Lattice, starts: LongArray) -> DoubleArray:
    """Return the posterior of every BIO tag, shape (n_tokens, 2 * n_classes - 1).

    Parameters are those of `best_tags`.
    """
    n_tokens, n_classes = lattice.stay.shape
    entered, stayed = np.empty((n_tokens, n_classes)), np.empty((n_tokens, n_classes))
    bounds = np.append(starts, n_tokens)
    _forward(lattice, bounds, entered, stayed)
    _backward(lattice, bounds, entered, stayed)
    found = np.empty((n_tokens, 2 * n_classes - 1))
    found[:, 0] = entered[:, 0] + stayed[:, 0]
    found[:, 1::2], found[:, 2::2] = entered[:, 1:], stayed[:, 1:]
    return found


@kernel
def _best(lattice: Lattice, bounds: LongArray, origin: LongArray, tags: IntArray) -> None:
    n_classes = lattice.stay.shape[1]
    before, top = np.empty(n_classes + 1), np.empty(n_classes)
    for line in range(len(bounds) - 1):
        first, stop = bounds[line], bounds[line + 1]
        _begin(before)
        for t in range(first, stop):
            _step(lattice, t, before, top, origin[t - first])
            _copy_scaled(top, before)
        for c in range(n_classes):
            top[c] *= lattice.leave[stop - 1, c]
        _follow(_greatest(top), origin, tags[first:stop])


@kernel
def _begin(before: DoubleArray) -> None:
    """Initialise the paths at a line's first token."""
    before[:] = 0.0
    before[len(before) - 1] = 1.0


@kernel
def _step(
    lattice: Lattice, t: int, before: DoubleArray, top: DoubleArray, origin: LongArray
) -> None:
    """Extend the best paths by one token."""
    moves, first = lattice.moves[lattice.word_before[t]], lattice.first[lattice.pair[t]]
    for c in range(len(top)):
        top[c] = before[c] * lattice.stay[t, c]
        origin[c] = _STAYS
    for source in range(len(before)):
        left = before[source] * lattice.left[t, source]
        for c in range(len(top)):
            way = left * moves[source, c] * first[source, c]
            if way > top[c]:
                top[c] = way
                origin[c] = source


@kernel
def _copy_scaled(values: DoubleArray, scaled: DoubleArray) -> None:
    """Copy values scaled to a maximum of 1, and fill the rest with 0."""
    share = 1 / max(values[_greatest(values)], _LEAST)
    scaled[:] = 0.0
    for c in range(len(values)):
        scaled[c] = values[c] * share


@kernel
def _greatest(values: DoubleArray) -> int:
    best = 0
    for c in range(1, len(values)):
        if values[c] > values[best]:
            best = c
    return best


@kernel
def _follow(c: int, origin: LongArray, tags: IntArray) -> None:
    """Trace the best path back from its last class."""
    for t in range(len(tags) - 1, -1, -1):
        source = origin[t, c]
        if c > 0:
            tags[t] = 2 * c if source == _STAYS else 2 * c - 1
        if source != _STAYS:
            c = source


@kernel
def _forward(
    lattice: Lattice, bounds: LongArray, entered: DoubleArray, stayed: DoubleArray
) -> None:
    """Fill in the forward probabilities of entering each class, and of staying in it."""
    n_classes = lattice.stay.shape[1]
    before, both = np.empty(n_classes + 1), np.empty(n_classes)
    for line in range(len(bounds) - 1):
        _begin(before)
        for t in range(bounds[line], bounds[line + 1]):
            _enter(lattice, t, before, entered[t])
            for c in range(n_classes):
                stayed[t, c] = before[c] * lattice.stay[t, c]
                both[c] = entered[t, c] + stayed[t, c]
            _copy_scaled(both, before)


@kernel
def _enter(lattice: Lattice, t: int, before: DoubleArray, entered: DoubleArray) -> None:
    """Sum all transitions into each class."""
    moves, first = lattice.moves[lattice.word_before[t]], lattice.first[lattice.pair[t]]
    entered[:] = 0.0
    for source in range(len(before)):
        left = before[source] * lattice.left[t, source]
        for c in range(len(entered)):
            entered[c] += left * moves[source, c] * first[source, c]


@kernel
def _backward(
    lattice: Lattice, bounds: LongArray, entered: DoubleArray, stayed: DoubleArray
) -> None:
    """Multiply the forward probabilities by the backward ones, in place, and normalise rows."""
    n_classes = lattice.stay.shape[1]
    after, earlier = np.empty(n_classes), np.empty(n_classes)
    for line in range(len(bounds) - 1):
        _copy_scaled(lattice.leave[bounds[line + 1] - 1], after)
        for t in range(bounds[line + 1] - 1, bounds[line] - 1, -1):
            _weigh(entered[t], stayed[t], after)
            _from_here(lattice, t, after, earlier)
            _copy_scaled(earlier, after)


@kernel
def _weigh(entered: DoubleArray, stayed: DoubleArray, after: DoubleArray) -> None:
    """Multiply both by the backward probabilities, and divide by their sum."""
    total = 0.0
    for c in range(len(after)):
        entered[c] *= after[c]
        stayed[c] *= after[c]
        total += entered[c] + stayed[c]
    share = 1 / max(total, _LEAST)
    for c in range(len(after)):
        entered[c] *= share
        stayed[c] *= share


@kernel
def _from_here(lattice: Lattice, t: int, after: DoubleArray, earlier: DoubleArray) -> None:
    """Sum all transitions out of each class of the previous token."""
    moves, first = lattice.moves[lattice.word_before[t]], lattice.first[lattice.pair[t]]
    for source in range(len(earlier)):
        total = 0.0
        for c in range(len(after)):
            total += moves[source, c] * first[source, c] * after[c]
        stay = lattice.stay[t, source] * after[source]
        earlier[source] = lattice.left[t, source] * total + stay
