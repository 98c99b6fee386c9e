"""Compiled scores of the features that stage two derives from stage one's tags."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import DoubleArray, IntArray, LongArray
from multideid.learners.chain import ChainModel
from multideid.scoring.jit import kernel
from multideid.scoring.scatter_add import (
    Block,
    RowTable,
    WordGroups,
    scatter_context,
    word_groups,
)
from multideid.text.table import TokenTable

_OUTSIDE = 0


class _Around(NamedTuple):
    """Weights of the tags of neighbours; the tag after the last means no neighbour.

    Parameters
    ----------
    offsets : int64 array, shape (n_offsets,)
    neighbours : float64 array, shape (n_offsets, n_labels + 1, n_labels)
    pairs : float64 array, shape ((n_labels + 1) ** 2, n_labels)
        For the tags of the left and the right neighbour.
    left, right : int
        Indices of -1 and 1 in `offsets`.
    all_outside : float64 array, shape (n_labels,)
        Sum of the weights if all neighbours are outside.
    """

    offsets: LongArray
    neighbours: DoubleArray
    pairs: DoubleArray
    left: int
    right: int
    all_outside: DoubleArray

    @classmethod
    def of(cls, offsets: tuple[int, ...], neighbours: DoubleArray, pairs: DoubleArray) -> Self:
        left, right = offsets.index(-1), offsets.index(1)
        all_outside = pairs[_OUTSIDE] + neighbours[:, _OUTSIDE].sum(axis=0)
        return cls(np.array(offsets, dtype=np.int64), neighbours, pairs, left, right, all_outside)


class SecondStage:
    """The weights of `stage_one_features` as tables of label scores.

    Parameters
    ----------
    model : ChainModel
        Stage two; its last rows of weights are those of `stage_one_features`.
    offsets : tuple of int
        Offsets of the neighbours; ``-1`` and ``1`` also make a pair.
    """

    def __init__(self, model: ChainModel, offsets: tuple[int, ...]) -> None:
        n = len(model.transitions)
        edge, pairs = len(offsets) * (n + 1), (n + 1) ** 2
        added = model.weights[-(edge + pairs + n) :].toarray().astype(np.float64)
        neighbours = added[:edge].reshape(len(offsets), n + 1, n)
        self._around = _Around.of(offsets, neighbours, added[edge : edge + pairs])
        self._context = added[edge + pairs :]
        self.n_labels = n

    def open(self, tokens: TokenTable, decided: IntArray) -> OpenSecondStage:
        """Return the scores of a table's rows, computed on demand."""
        return OpenSecondStage(self, tokens, decided)

    def add_around(
        self, decided: IntArray, document: IntArray, first: int, sums: DoubleArray
    ) -> None:
        """Add the weights of the neighbours' tags, from row `first` on."""
        _add_around(decided, document, first, self._around, sums)

    def add_context(
        self, words: WordGroups, member_rows: IntArray, first: int, sums: DoubleArray
    ) -> None:
        """Add the weights of the tags of other occurrences of the word, from row `first` on."""
        width, stop = self.n_labels, first + len(sums)
        begin, length = np.zeros(1, dtype=np.int64), np.array([width], dtype=np.int64)
        table = RowTable(self._context.reshape(-1), begin, length)
        tokens = np.arange(first, stop, dtype=np.int32)
        block = Block(first, stop, first, width)
        scatter_context(tokens, words, member_rows, table, block, sums.reshape(-1))


class OpenSecondStage:
    """Scores of one table from the decisions of stage one."""

    def __init__(self, stage: SecondStage, tokens: TokenTable, decided: IntArray) -> None:
        self._stage = stage
        self._decided, self._document = decided, tokens.document
        self._words = word_groups(tokens)
        self._member_rows = decided[self._words.members] * np.int32(stage.n_labels)

    def add(self, sums: DoubleArray, first: int) -> None:
        """Add to the sums of rows from `first` on, shape (n_rows, n_labels)."""
        self._stage.add_around(self._decided, self._document, first, sums)
        self._stage.add_context(self._words, self._member_rows, first, sums)


@kernel
def _add_around(
    decided: IntArray, document: IntArray, first: int, around: _Around, sums: DoubleArray
) -> None:
    near = np.empty(len(around.offsets), dtype=np.int64)
    for n in range(len(sums)):
        # Most tokens have only neighbours outside PHI, whose sum is precomputed.
        if _tags_around(decided, document, first + n, around.offsets, sums.shape[1], near):
            pair = near[around.left] * (sums.shape[1] + 1) + near[around.right]
            _add(around.pairs[pair], sums[n])
            for k in range(len(near)):
                _add(around.neighbours[k, near[k]], sums[n])
        else:
            _add(around.all_outside, sums[n])


@kernel
def _tags_around(  # noqa: PLR0913, PLR0917
    decided: IntArray, document: IntArray, row: int, offsets: LongArray, edge: int, near: LongArray
) -> bool:
    """Fill the tags at the offsets, and return whether any is not outside."""
    any_tag = False
    for k in range(len(offsets)):
        there = row + offsets[k]
        inside = 0 <= there < len(document) and document[there] == document[row]
        near[k] = decided[there] if inside else edge
        any_tag |= near[k] != _OUTSIDE
    return any_tag


@kernel
def _add(values: DoubleArray, sums: DoubleArray) -> None:
    for k in range(len(sums)):
        sums[k] += values[k]
