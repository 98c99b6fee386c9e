"""Stage two in compiled loops: what it adds for stage one's decisions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from multideid.features.views import shift
from multideid.learners.chain import ChainModel
from multideid.learners.compiled.pushing import Block, Recurring, RowTable, push_elsewhere
from multideid.learners.compiled.recurring import recurring
from multideid.text.table import TokenTable

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]

_OUTSIDE = 0


class SecondStage:
    """The weights of `stage_one_features`, as tables of label scores.

    Parameters
    ----------
    model : ChainModel
        Stage two; its last rows of weights are those of `stage_one_features`.
    offsets : tuple of int
        Where the neighbours stand, of which ``-1`` and ``1`` also make a pair.
    """

    def __init__(self, model: ChainModel, offsets: tuple[int, ...]) -> None:
        n = len(model.transitions)
        edge, pairs = len(offsets) * (n + 1), (n + 1) ** 2
        added = model.weights[-(edge + pairs + n) :].toarray().astype(np.float64)
        self._neighbours = added[:edge].reshape(len(offsets), n + 1, n)
        self._pairs = added[edge : edge + pairs]
        self._elsewhere = added[edge + pairs :]
        self._offsets = offsets
        self.n_labels = n

    def open(self, tokens: TokenTable, decided: IntArray) -> OpenSecondStage:
        """Return the sums of a table's rows, to be asked for by and by."""
        return OpenSecondStage(self, tokens, decided)

    def of_neighbours(self, near: list[IntArray]) -> FloatArray:
        """Return the sums for tags of the neighbours, one column an offset."""
        left, right = (near[self._offsets.index(offset)] for offset in (-1, 1))
        sums = self._pairs[left * len(self._neighbours[0]) + right]
        for table, tags in zip(self._neighbours, near, strict=True):
            sums += table[tags]
        return np.asarray(sums)

    def near(self, decided: IntArray, document: IntArray) -> list[IntArray]:
        """Return the neighbours' tags, one column an offset."""
        return [shift(decided, document, offset, self.n_labels) for offset in self._offsets]

    def add_elsewhere(self, words: Recurring, first: int, stop: int, sums: FloatArray) -> None:
        """Add what tags of the same word elsewhere say of rows ``first:stop``."""
        width = self.n_labels
        begin, length = np.zeros(1, dtype=np.int64), np.array([width], dtype=np.int64)
        table = RowTable(self._elsewhere.reshape(-1), begin, length)
        tokens = np.arange(first, stop, dtype=np.int32)
        block = Block(first, stop, first, width)
        push_elsewhere(tokens, words, table, block, sums.reshape(-1))


class OpenSecondStage:
    """What stage one's decisions add to the scores of one table."""

    def __init__(self, stage: SecondStage, tokens: TokenTable, decided: IntArray) -> None:
        self._stage = stage
        self._decided, self._document = decided, tokens.document
        words = recurring(tokens)
        self._words = Recurring(*words, decided[words.members] * np.int32(stage.n_labels))
        self._reach = max(abs(offset) for offset in stage._offsets)

    def add(self, sums: FloatArray, first: int, stop: int) -> None:
        """Add to the sums of rows ``first:stop``, shape (stop - first, n_labels)."""
        low = max(first - self._reach, 0)
        around = slice(low, stop + self._reach)
        near = self._stage.near(self._decided[around], self._document[around])
        near = [tags[first - low :][: stop - first] for tags in near]
        # Around most tokens stage one found nothing, and these all gain the same.
        busy = np.flatnonzero(np.maximum.reduce(near) != _OUTSIDE)
        quiet = self._stage.of_neighbours([np.zeros(1, dtype=np.int32)] * len(near))[0]
        added = self._stage.of_neighbours([tags[busy] for tags in near]) - quiet
        sums += quiet
        sums[busy] += added
        self._stage.add_elsewhere(self._words, first, stop, sums)
