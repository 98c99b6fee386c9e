"""Best covers: the candidates of a cluster that do not overlap and are worth most together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, LongArray
from multideid.stacking.span_candidates import SpanCandidates

_UNCOVERED = -1e6

Item = tuple[int, int, float]
"""First row, row after the last, and value of a candidate."""


def best_covers(candidates: SpanCandidates, values: DoubleArray, needed: BoolArray) -> LongArray:
    """Return the numbers of the candidates in the best cover of each cluster.

    Parameters
    ----------
    candidates : SpanCandidates
    values : float64 array, shape (n_candidates,)
        What each one is worth.
    needed : bool array, shape (n_tokens,)
        Tokens to be covered, which counts for more than any value.
    """
    columns = (candidates.first, candidates.last + 1, values)
    items = list(zip(*(column.tolist() for column in columns), strict=True))
    all_needed = needed.tolist()
    chosen: list[int] = []
    for low, high in pairwise(candidates.bounds().tolist()):
        chosen += (low + n for n in best_cover(items[low:high], all_needed))
    return np.array(chosen, dtype=np.int64)


def best_cover(items: Sequence[Item], needed: Sequence[bool]) -> list[int]:
    """Return the numbers of the items in the best cover.

    Parameters
    ----------
    items : sequence of (first, stop, value)
        Half-open ranges of tokens, ascending by their first.
    needed : sequence of bool
        Whether each token should be covered.
    """
    first, stop = items[0][0], max(item[1] for item in items)
    # For each row, the best value of all before it, and the item that ends there.
    worth = [0.0] + [-np.inf] * (stop - first)
    ending = [-1] * (stop - first + 1)
    n = 0
    for row in range(first, stop):
        at = row - first
        value = worth[at]
        skipped = value + _UNCOVERED * needed[row]
        if skipped > worth[at + 1]:
            worth[at + 1], ending[at + 1] = skipped, -1
        while n < len(items) and items[n][0] == row:
            end, gained = items[n][1] - first, value + items[n][2]
            if gained > worth[end]:
                worth[end], ending[end] = gained, n
            n += 1
    return _back(items, ending, first)


def _back(items: Sequence[Item], ending: Sequence[int], first: int) -> list[int]:
    """Return the items on the best way, from the last to the first."""
    chosen, at = [], len(ending) - 1
    while at > 0:
        n = ending[at]
        if n >= 0:
            chosen.append(n)
        at = items[n][0] - first if n >= 0 else at - 1
    return chosen
