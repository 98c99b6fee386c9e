"""Forward-backward and Viterbi over many label sequences at once, in numpy.

Sequences are sorted by length; step ``t`` processes the ``t``-th tokens of all
sequences that are long enough as one matrix, which amortizes the overhead of
numpy calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from multideid.arrays import DoubleArray, FloatArray, IntArray, LongArray, ShortArray

RAISED = 1e-3
"""By how much the best sequence's label is put above a label with greater odds."""
_AT_ONCE = 64
_LEAST_PROBABILITY = 1e-12


@dataclass(frozen=True, slots=True)
class Steps:
    """Rows of the ``t``-th tokens of all sequences, for every ``t``.

    Parameters
    ----------
    rows : list of int64 arrays
        ``rows[t]`` holds one row for each sequence longer than ``t``, longest
        sequence first; ``rows[t + 1]`` continues the first rows of ``rows[t]``.
    """

    rows: list[LongArray]

    @classmethod
    def of(cls, starts: LongArray, n_tokens: int) -> Steps:
        """Arrange the sequences that begin at rows `starts` and cover all tokens."""
        lengths = np.diff(np.append(starts, n_tokens))
        order = np.argsort(-lengths, kind="stable")
        starts, lengths = starts[order], lengths[order]
        longest = int(lengths[0]) if len(lengths) else 0
        alive = np.searchsorted(-lengths, -np.arange(longest), side="left")
        return cls([starts[:count] + t for t, count in enumerate(alive.tolist())])


def marginals(emissions: DoubleArray, transitions: DoubleArray, steps: Steps) -> DoubleArray:
    """Return the posterior probability of every label of every token.

    Parameters
    ----------
    emissions : float64 array, shape (n_tokens, n_labels)
        Summed weights of each token's features.
    transitions : float64 array, shape (n_labels, n_labels)
        Weight of the transition from the row's label to the column's.
    steps : Steps

    Returns
    -------
    float64 array, shape (n_tokens, n_labels)
        Rows sum to one.
    """
    # Shifts per token cancel in the normalization and keep exp in range.
    local = np.exp(emissions - emissions.max(axis=1, keepdims=True))
    step = np.exp(transitions - transitions.max())
    forward = _forward(local, step, steps)
    backward = np.empty_like(forward)
    following: LongArray | None = None
    for rows in reversed(steps.rows):
        backward[rows] = 1.0
        if following is not None:
            arriving = (backward[following] * local[following]) @ step.T
            backward[rows[: len(following)]] = _normalised(arriving)
        following = rows
    return _normalised(forward * backward)


def _forward(local: DoubleArray, step: DoubleArray, steps: Steps) -> DoubleArray:
    forward = np.empty_like(local)
    previous: LongArray | None = None
    for rows in steps.rows:
        arriving = local[rows]
        if previous is not None:
            arriving = arriving * (forward[previous[: len(rows)]] @ step)
        forward[rows] = _normalised(arriving)
        previous = rows
    return forward


def _normalised(values: DoubleArray) -> DoubleArray:
    # The lower bound prevents NaN where all products of a row underflow.
    total = np.maximum(values.sum(axis=1, keepdims=True), 1e-300)
    return np.asarray(values / total)


def raised_log_odds(probabilities: DoubleArray, best: IntArray, limit: float) -> FloatArray:
    """Return log odds ``log(p / (1 - p))`` whose maximum in a row is at the best label.

    Parameters
    ----------
    probabilities : float64 array, shape (n_tokens, n_labels)
    best : int32 array, shape (n_tokens,)
        The labels of the best sequences. Their odds are raised where others are greater.
    limit : float
        Odds are clipped to plus or minus this value.

    Returns
    -------
    float32 array, shape (n_tokens, n_labels)
    """
    others = np.maximum(1 - probabilities, _LEAST_PROBABILITY)
    odds = np.log(np.maximum(probabilities, _LEAST_PROBABILITY)) - np.log(others)
    scores: FloatArray = np.clip(odds, -limit, limit).astype(np.float32)
    rows = np.flatnonzero(scores.argmax(axis=1) != best)
    scores[rows, best[rows]] = scores[rows].max(axis=1) + np.float32(RAISED)
    return scores


def viterbi(emissions: DoubleArray, transitions: DoubleArray, steps: Steps) -> IntArray:
    """Return the best label sequence, one label index per token.

    Parameters are those of `marginals`. Ties go to the lower label index.
    """
    labels = np.zeros(len(emissions), dtype=np.int32)
    if not steps.rows:
        return labels
    best = emissions.copy()
    origin = np.zeros(emissions.shape, dtype=np.int16)
    for previous, rows in pairwise(steps.rows):
        best[rows], origin[rows] = _step(best[previous[: len(rows)]], transitions, emissions[rows])
    last: LongArray = steps.rows[-1][:0]
    for rows in reversed(steps.rows):
        ended = rows[len(last) :]
        labels[ended] = best[ended].argmax(axis=1)
        going_on = rows[: len(last)]
        labels[going_on] = origin[last, labels[last]]
        last = rows
    return labels


def _step(
    before: DoubleArray, transitions: DoubleArray, emissions: DoubleArray
) -> tuple[DoubleArray, ShortArray]:
    """Extend the best paths by one token, some sequences at once to stay in cache."""
    best = np.empty_like(before)
    origin = np.empty(before.shape, dtype=np.int16)
    into = np.ascontiguousarray(transitions.T)
    for first in range(0, len(before), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        paths = before[some, None, :] + into
        origin[some] = paths.argmax(axis=2)
        paths.max(axis=2, out=best[some])
    return best + emissions, origin
