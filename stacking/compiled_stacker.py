"""The stacker's decisions in compiled loops: only what is candidate_tokens is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, FloatArray, IntArray, LongArray
from multideid.learners.svm import LinearModel
from multideid.scoring.jit import kernel
from multideid.scoring.viterbi import viterbi
from multideid.stacking.decode import possible_steps
from multideid.stacking.meta_features import FAINT, MOST, OFFSETS, ScoreNormalisation
from multideid.stacking.thresholds import with_flipped

_REACH = max(map(abs, OFFSETS))
_OWN = OFFSETS.index(0)


class Rows(NamedTuple):
    """Consecutive rows of a table, whole lines.

    Parameters
    ----------
    document : int32 array
        The document of each row.
    starts : int64 array
        First rows of the lines, counted from the first row.
    """

    document: IntArray
    starts: LongArray


class CompiledStacker:
    """Finds the best tags as `Stacker.margins` and `best_tags` do, by small dense products.

    Parameters
    ----------
    model : LinearModel
        The stacker's, over `MetaFeatures`.
    normalisations : sequence of ScoreNormalisation
        One a system.
    offsets : float32 array, shape (n_classes,)
        Decision thresholds per class, as `DecisionThresholds` gives them.
    """

    def __init__(
        self,
        model: LinearModel,
        normalisations: Sequence[ScoreNormalisation],
        offsets: FloatArray,
    ) -> None:
        n_labels, n_systems = len(model.bias), len(normalisations)
        weights = model.weights.toarray().astype(np.float64)
        own = len(OFFSETS) * 2 * n_systems * n_labels
        by_offset = weights[:own].reshape(len(OFFSETS), -1, n_labels)
        self._near = by_offset.transpose(1, 0, 2).reshape(-1, len(OFFSETS) * n_labels)
        self._pairs = weights[own:].reshape(-1, n_labels**2, n_labels)
        ranges = [(one.low, one.high - one.low) for one in normalisations]
        self._scales = np.array(ranges, dtype=np.float32)
        self._model, self._offsets = model, offsets
        self._steps = possible_steps(n_labels)

    def tags(self, rows: Rows, scores: Sequence[FloatArray]) -> IntArray:
        """Return the tag of every row.

        Parameters
        ----------
        rows : Rows
        scores : sequence of float32 arrays, shape (n_rows, n_labels)
            One a system.
        """
        tags = np.zeros(len(rows.document), dtype=np.int32)
        where = np.flatnonzero(self._contested(rows, scores))
        if len(where):
            margins = self._model.margins(self._sums(where, rows.document, scores))
            found = self._best(margins, where, rows)
            if self._offsets.any():
                found = self._best(with_flipped(margins, found, self._offsets), where, rows)
            tags[where] = found
        return tags

    def _best(self, margins: FloatArray, where: LongArray, rows: Rows) -> IntArray:
        """Return the best tags of candidate_tokens rows, run by run.

        What is not candidate_tokens is outside, so that no row after it can be inside.
        """
        begins_line = np.zeros(len(rows.document), dtype=np.bool_)
        begins_line[rows.starts] = True
        begins = begins_line[where] | (np.diff(where, prepend=-2) > 1)
        after_outside = begins & ~begins_line[where]
        gains = margins.astype(np.float64)
        gains[after_outside] += self._steps[0]
        return viterbi(gains, self._steps, np.flatnonzero(begins))

    def _contested(self, rows: Rows, scores: Sequence[FloatArray]) -> BoolArray:
        marked = np.zeros(len(rows.document), dtype=np.bool_)
        for s in scores:
            _mark(s, marked)
        found = marked.copy()
        for offset in OFFSETS:
            found |= _beside(marked, rows.document, offset)
        return found

    def _sums(
        self, where: LongArray, document: IntArray, scores: Sequence[FloatArray]
    ) -> DoubleArray:
        """Return the summed weights of the evidence of some rows."""
        near = np.flatnonzero(_near(where, len(document)))
        place = np.full(len(document), -1, dtype=np.int64)
        place[near] = np.arange(len(near))
        given = np.zeros((len(near), self._near.shape[1]))
        seen = np.stack([s[near] for s in scores], axis=1)
        _give(seen, self._scales, self._near, self._pairs, given)
        sums = np.zeros((len(where), self._pairs.shape[2]))
        for n, offset in enumerate(OFFSETS):
            _take(given, n, place, where, offset, document, sums)
        return sums


def _near(where: LongArray, n_rows: int) -> BoolArray:
    """Mark some rows and those within reach of their evidence, whatever their document."""
    near = np.zeros(n_rows + 2 * _REACH, dtype=np.bool_)
    for offset in OFFSETS:
        near[where + _REACH + offset] = True
    return near[_REACH : _REACH + n_rows]


def _beside(marked: BoolArray, document: IntArray, offset: int) -> BoolArray:
    moved = np.zeros(len(marked), dtype=np.bool_)
    n = len(marked) - abs(offset)
    if n > 0:
        here, there = (slice(-n, None), slice(n)) if offset < 0 else (slice(n), slice(-n, None))
        moved[here] = marked[there] & (document[here] == document[there])
    return moved


@kernel
def _give(
    scores: FloatArray,
    scales: FloatArray,
    weights: DoubleArray,
    pairs: DoubleArray,
    given: DoubleArray,
) -> None:
    """Add what rows give to the margins of the tokens around them, and to their own.

    Parameters
    ----------
    scores : float32 array, shape (n_rows, n_systems, n_labels)
    scales : float32 array, shape (n_systems, 2)
        The lowest score of each `ScoreNormalisation`, and what is between that and the highest.
    weights : float64 array, shape (n_systems * 2 * n_labels, n_offsets * n_labels)
        Of decisions and scaled scores, for all offsets side by side.
    pairs : float64 array, shape (n_pairs, n_labels ** 2, n_labels)
    given : float64 array, shape (n_rows, n_offsets * n_labels)
    """
    n_systems, n_labels = scores.shape[1:]
    decided = np.empty(n_systems, dtype=np.int64)
    which = np.zeros(n_systems * (n_labels + 1) + 4, dtype=np.int64)
    factor = np.empty(len(which))
    own = _OWN * n_labels
    for n in range(len(scores)):
        count = 0
        for s in range(n_systems):
            decided[s] = _greatest(scores[n, s])
            count = _support(scores[n, s], scales[s], decided[s], s, count, which, factor)
        # The rows that fill the last four up count nothing.
        factor[count : count + 4] = 0
        for c in range(0, count, 4):
            _add_four(weights, which[c : c + 4], factor[c : c + 4], given[n])
        _add_pairs(pairs, decided, given[n, own : own + n_labels])


@kernel
def _greatest(values: FloatArray) -> int:
    best = 0
    for k in range(1, len(values)):
        if values[k] > values[best]:
            best = k
    return best


@kernel
def _support(  # noqa: PLR0913, PLR0917
    scores: FloatArray,
    scale: FloatArray,
    decided: int,
    system: int,
    count: int,
    which: LongArray,
    factor: DoubleArray,
) -> int:
    """List a system's decision, and those of its scaled scores that are not nothing.

    Returns
    -------
    int
        How many rows of weights are listed now.
    """
    first = 2 * system * len(scores)
    which[count], factor[count] = first + decided, 1.0
    count += 1
    for k in range(len(scores)):
        scaled = (scores[k] - scale[0]) / scale[1]
        # Written in any case and counted or not: which it will be cannot be foretold.
        which[count], factor[count] = first + len(scores) + k, min(scaled, np.float32(MOST))
        count += scaled >= np.float32(FAINT)
    return count


@kernel
def _add_four(
    weights: DoubleArray, which: LongArray, factor: DoubleArray, given: DoubleArray
) -> None:
    a, b, c, d = (weights[which[0]], weights[which[1]], weights[which[2]], weights[which[3]])
    for k in range(len(given)):
        given[k] += factor[0] * a[k] + factor[1] * b[k] + factor[2] * c[k] + factor[3] * d[k]


@kernel
def _add_pairs(pairs: DoubleArray, decided: LongArray, given: DoubleArray) -> None:
    table = 0
    for left in range(len(decided)):
        for right in range(left + 1, len(decided)):
            row = pairs[table, decided[left] * len(given) + decided[right]]
            for k in range(len(given)):
                given[k] += row[k]
            table += 1


@kernel
def _take(  # noqa: PLR0913, PLR0917
    given: DoubleArray,
    part: int,
    place: LongArray,
    where: LongArray,
    offset: int,
    document: IntArray,
    sums: DoubleArray,
) -> None:
    """Add what the rows at an offset give to rows, if they are of the same document."""
    n_labels = sums.shape[1]
    for n in range(len(where)):
        beside = where[n] + offset
        if 0 <= beside < len(document) and document[beside] == document[where[n]]:
            here = given[place[beside], part * n_labels : (part + 1) * n_labels]
            for k in range(n_labels):
                sums[n, k] += here[k]


@kernel
def _mark(scores: FloatArray, marked: BoolArray) -> None:
    """Mark the rows in which a PHI tag stands before "O" or close behind it."""
    for n in range(len(scores)):
        row = scores[n]
        greatest = np.float32(-np.inf)
        for k in range(1, len(row)):
            greatest = max(greatest, row[k])
        if greatest > row[0] - np.float32(0.5) * abs(row[0]):
            marked[n] = True
