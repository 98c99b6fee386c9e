"""The stacker's decisions in compiled loops: only what is contested is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from multideid.learners.compiled.kernel import kernel
from multideid.learners.compiled.viterbi import viterbi
from multideid.learners.linear import LinearModel
from multideid.stacking.decode import possible_steps
from multideid.stacking.evidence import OFFSETS, Scale
from multideid.stacking.recall import rescued

FloatArray = npt.NDArray[np.float64]
ScoreArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_REACH = max(map(abs, OFFSETS))


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
        The stacker's, over `evidence.evidence`.
    scales : sequence of Scale
        One a system.
    offsets : float32 array, shape (n_classes,)
        Of the recall dial.
    """

    def __init__(self, model: LinearModel, scales: Sequence[Scale], offsets: ScoreArray) -> None:
        n_labels, n_systems = len(model.bias), len(scales)
        weights = model.weights.toarray().astype(np.float64)
        own = len(OFFSETS) * 2 * n_systems * n_labels
        by_offset = weights[:own].reshape(len(OFFSETS), -1, n_labels)
        self._near = by_offset.transpose(1, 0, 2).reshape(-1, len(OFFSETS) * n_labels)
        self._pairs = weights[own:].reshape(-1, n_labels**2, n_labels)
        self._model, self._scales, self._offsets = model, scales, offsets
        self._steps = possible_steps(n_labels)

    def tags(self, rows: Rows, scores: Sequence[ScoreArray]) -> IntArray:
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
            margins = self._model.finish(self._sums(where, rows.document, scores))
            found = self._best(margins, where, rows)
            if self._offsets.any():
                found = self._best(rescued(margins, found, self._offsets), where, rows)
            tags[where] = found
        return tags

    def _best(self, margins: ScoreArray, where: LongArray, rows: Rows) -> IntArray:
        """Return the best tags of contested rows, run by run.

        What is not contested is outside, so that no row after it can be inside.
        """
        begins_line = np.zeros(len(rows.document), dtype=np.bool_)
        begins_line[rows.starts] = True
        begins = begins_line[where] | (np.diff(where, prepend=-2) > 1)
        after_outside = begins & ~begins_line[where]
        gains = margins.astype(np.float64)
        gains[after_outside] += self._steps[0]
        return viterbi(gains, self._steps, np.flatnonzero(begins))

    def _contested(self, rows: Rows, scores: Sequence[ScoreArray]) -> BoolArray:
        marked = np.zeros(len(rows.document), dtype=np.bool_)
        for s in scores:
            _mark(s, marked)
        found = marked.copy()
        for offset in OFFSETS:
            found |= _beside(marked, rows.document, offset)
        return found

    def _sums(
        self, where: LongArray, document: IntArray, scores: Sequence[ScoreArray]
    ) -> FloatArray:
        """Return the summed weights of the evidence of some rows."""
        near = np.flatnonzero(_near(where, len(document)))
        place = np.full(len(document), -1, dtype=np.int64)
        place[near] = np.arange(len(near))
        given = np.zeros((len(near), self._near.shape[1]))
        _give([s[near] for s in scores], self._scales, self._near, self._pairs, given)
        sums = np.zeros((len(where), self._pairs.shape[2]))
        for n, offset in enumerate(OFFSETS):
            _take(given, n, place, where, offset, document, sums)
        return sums


def _give(
    scores: Sequence[ScoreArray],
    scales: Sequence[Scale],
    weights: FloatArray,
    pairs: FloatArray,
    given: FloatArray,
) -> None:
    """Add what rows give to the margins of the tokens around them, and to their own.

    Parameters
    ----------
    scores : sequence of float32 arrays, shape (n_rows, n_labels)
        One a system.
    scales : sequence of Scale
    weights : float64 array, shape (n_systems * 2 * n_labels, n_offsets * n_labels)
        Of decisions and scaled scores, for all offsets side by side.
    pairs : float64 array, shape (n_pairs, n_labels ** 2, n_labels)
    given : float64 array, shape (n_rows, n_offsets * n_labels)
    """
    n_labels = pairs.shape[2]
    decided = [_decided(s) for s in scores]
    for n, (s, scale) in enumerate(zip(scores, scales, strict=True)):
        first = 2 * n * n_labels
        _add_rows(weights[first : first + n_labels], decided[n], given)
        scaled = scale.apply(s)
        _add_products(scaled, weights[first + n_labels : first + 2 * n_labels], given)
    own = given[:, OFFSETS.index(0) * n_labels :][:, :n_labels]
    table = iter(pairs)
    for n, left in enumerate(decided):
        for right in decided[n + 1 :]:
            _add_rows(next(table), left * n_labels + right, own)


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
def _decided(scores: ScoreArray) -> LongArray:
    """Return the tag with the greatest score of each row."""
    decided = np.zeros(len(scores), dtype=np.int64)
    for n in range(len(scores)):
        for k in range(1, scores.shape[1]):
            if scores[n, k] > scores[n, decided[n]]:
                decided[n] = k
    return decided


@kernel
def _add_rows(table: FloatArray, rows: LongArray, sums: FloatArray) -> None:
    for n in range(len(rows)):
        here, there = table[rows[n]], sums[n]
        for k in range(len(there)):
            there[k] += here[k]


@kernel
def _add_products(values: ScoreArray, weights: FloatArray, sums: FloatArray) -> None:
    """Add the product of two matrices, of which the first is mostly zeros."""
    for n in range(len(values)):
        for i in range(len(weights)):
            value = values[n, i]
            if value != 0:
                here, there = weights[i], sums[n]
                for k in range(len(there)):
                    there[k] += value * here[k]


@kernel
def _take(  # noqa: PLR0913, PLR0917
    given: FloatArray,
    part: int,
    place: LongArray,
    where: LongArray,
    offset: int,
    document: IntArray,
    sums: FloatArray,
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
def _mark(scores: ScoreArray, marked: BoolArray) -> None:
    """Mark the rows in which a PHI tag stands before "O" or close behind it."""
    for n in range(len(scores)):
        row = scores[n]
        greatest = np.float32(-np.inf)
        for k in range(1, len(row)):
            greatest = max(greatest, row[k])
        if greatest > row[0] - np.float32(0.5) * abs(row[0]):
            marked[n] = True
