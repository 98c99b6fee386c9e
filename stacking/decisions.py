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
    shifts : float32 array, shape (n_labels,)
        What is added to the margins of each tag.
    uncontested : float
        Margin by which a token is outside that no system contests.
    """

    def __init__(
        self, model: LinearModel, scales: Sequence[Scale], shifts: ScoreArray, uncontested: float
    ) -> None:
        n_labels, n_systems = len(model.bias), len(scales)
        weights = model.weights.toarray().astype(np.float64)
        own = len(OFFSETS) * 2 * n_systems * n_labels
        by_offset = weights[:own].reshape(len(OFFSETS), -1, n_labels)
        self._near = by_offset.transpose(1, 0, 2).reshape(-1, len(OFFSETS) * n_labels)
        self._pairs = weights[own:].reshape(-1, n_labels**2, n_labels)
        self._model, self._scales = model, scales
        self._shifts, self._uncontested = shifts, uncontested
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
        contested = self._contested(rows, scores)
        if contested.any():
            chosen, starts = _lines_with(contested, rows.starts)
            margins = self._margins(chosen, contested, rows, scores)
            tags[chosen] = viterbi(margins, self._steps, starts)
        return tags

    def _contested(self, rows: Rows, scores: Sequence[ScoreArray]) -> BoolArray:
        marked = np.zeros(len(rows.document), dtype=np.bool_)
        for s in scores:
            _mark(s, marked)
        found = marked.copy()
        for offset in OFFSETS:
            found |= _beside(marked, rows.document, offset)
        return found

    def _margins(
        self, chosen: LongArray, contested: BoolArray, rows: Rows, scores: Sequence[ScoreArray]
    ) -> FloatArray:
        """Return the margins of the chosen rows, which hold all that is contested."""
        margins = np.zeros((len(chosen), len(self._shifts)))
        margins[:, 0] = self._uncontested
        where = np.flatnonzero(contested)
        sums = self._sums(where, rows.document, scores)
        margins[contested[chosen]] = self._model.finish(sums)
        margins += self._shifts
        return margins

    def _sums(
        self, where: LongArray, document: IntArray, scores: Sequence[ScoreArray]
    ) -> FloatArray:
        """Return the summed weights of the evidence of some rows."""
        near = np.flatnonzero(_near(where, len(document)))
        place = np.zeros(len(document), dtype=np.int64)
        place[near] = np.arange(len(near))
        given = (self._own(near, scores) @ self._near).reshape(len(near), len(OFFSETS), -1)
        sums = np.zeros((len(where), given.shape[2]))
        for n, offset in enumerate(OFFSETS):
            beside = where + offset
            inside = (beside >= 0) & (beside < len(document))
            inside[inside] = document[beside[inside]] == document[where[inside]]
            sums[inside] += given[place[beside[inside]], n]
        decided = [s[where].argmax(axis=1) for s in scores]
        pairs = iter(self._pairs)
        for k, first in enumerate(decided):
            for second in decided[k + 1 :]:
                sums += next(pairs)[first * sums.shape[1] + second]
        return sums

    def _own(self, where: LongArray, scores: Sequence[ScoreArray]) -> FloatArray:
        """Return the decisions and scaled scores of some rows, as `evidence` orders them."""
        blocks: list[FloatArray | ScoreArray] = []
        for s, scale in zip(scores, self._scales, strict=True):
            part = s[where]
            decided = np.zeros(part.shape)
            decided[np.arange(len(part)), part.argmax(axis=1)] = 1
            blocks += [decided, scale.apply(part)]
        return np.concatenate(blocks, axis=1)


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


def _lines_with(marked: BoolArray, starts: LongArray) -> tuple[LongArray, LongArray]:
    """Return the rows of the lines in which any row is marked, and where those lines begin."""
    lengths = np.diff(np.append(starts, len(marked)))
    wanted = np.logical_or.reduceat(marked, starts)
    rows = np.flatnonzero(np.repeat(wanted, lengths))
    return rows, np.concatenate([[0], np.cumsum(lengths[wanted])[:-1]]).astype(np.int64)


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
