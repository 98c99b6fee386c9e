"""Scores of several taggers over the same tokens: in one pass, where that pays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

import numpy as np

from multideid.arrays import DoubleArray, FloatArray, IntArray
from multideid.taggers.contract import BaseTagger
from multideid.taggers.label_mapping import one_hot
from multideid.text.table import TokenTable
from multideid.timing import stage

if TYPE_CHECKING:
    from multideid.scoring.linear_part import LinearPart
    from multideid.scoring.linear_sums import CompiledLinear

ScoreTransform = Callable[[DoubleArray, int, int], FloatArray]
"""Makes scores of the sums of feature weights of the table's rows ``first:stop``.

The rows are whole lines; the sums may be changed in place.
"""

COMPILE_AFTER = 20_000
"""Tokens that are scored before it pays to compile, which takes a second or two."""

_BLOCK = 16_384


@runtime_checkable
class Compilable(Protocol):
    """A tagger whose scores begin with sums of feature weights."""

    labels_: tuple[str, ...]

    def linear_part(self) -> LinearPart | None:
        """Return what is summed; None if nothing is to be compiled."""

    def score_transform(self, tokens: TokenTable) -> ScoreTransform:
        """Return what makes scores of the sums of some of the table's rows."""

    def score_by_features(self, tokens: TokenTable) -> FloatArray:
        """Score without anything compiled."""


@runtime_checkable
class OneHotScorer(Protocol):
    """A tagger that scores the tag it decides on 1 and every other 0, as rules do."""

    labels_: tuple[str, ...]

    def predict_tags(self, tokens: TokenTable) -> IntArray:
        """Return the index in `labels_` of each token's tag, shape (n_tokens,)."""


class Scorer:
    """Scores tokens by several fitted taggers.

    The first tokens are scored by each tagger by itself. Then the taggers'
    sums of feature weights are compiled together. Both ways give the same
    labels, and the same scores but for rounding.

    Parameters
    ----------
    taggers : sequence of BaseTagger
        All with the same labels.
    """

    def __init__(self, taggers: Sequence[BaseTagger]) -> None:
        self._taggers = list(taggers)
        self._seen = 0
        self._model: CompiledLinear | None = None
        self._summed: dict[int, Compilable] = {}

    def should_compile(self, n_tokens: int) -> bool:
        """Tell whether to compile, given that so many more tokens are to be scored."""
        self._seen += n_tokens
        return self._seen >= COMPILE_AFTER

    def scores(self, tokens: TokenTable) -> list[FloatArray]:
        """Return every tagger's scores, float32, shape (n_tokens, n_labels)."""
        if not self.should_compile(len(tokens)):
            return [_scores_alone(tagger, tokens) for tagger in self._taggers]
        found = [np.empty((len(tokens), len(t.labels_)), dtype=np.float32) for t in self._taggers]
        table = self.open(tokens)
        for first, stop in line_blocks(tokens, _BLOCK):
            for whole, part in zip(found, table.scores(first, stop), strict=True):
                whole[first:stop] = part
        return found

    def open(self, tokens: TokenTable) -> TableScores:
        """Return a table's scores, to be asked for by and by."""
        if self._model is None:
            self._model = self._compile()
        return TableScores(self._taggers, self._summed, self._model, tokens)

    def _compile(self) -> CompiledLinear:
        from multideid.scoring.linear_sums import CompiledLinear

        parts: list[LinearPart] = []
        for n, tagger in enumerate(self._taggers):
            if isinstance(tagger, Compilable) and (part := tagger.linear_part()) is not None:
                self._summed[n] = tagger
                parts.append(part)
        return CompiledLinear(parts)


class TableScores:
    """The scores of one table."""

    def __init__(
        self,
        taggers: Sequence[BaseTagger],
        compiled: Mapping[int, Compilable],
        model: CompiledLinear,
        tokens: TokenTable,
    ) -> None:
        self._whole: dict[int, _Whole] = {}
        # Before the views, so that what these need for a while does not lie beside them.
        for n, tagger in enumerate(taggers):
            if n not in compiled:
                with stage(tagger.name):
                    self._whole[n] = _Whole.of(tagger, tokens)
        with stage("views"):
            self._table = model.open(tokens)
        self._finishers: dict[int, ScoreTransform] = {}
        for n, summed in compiled.items():
            with stage(taggers[n].name):
                self._finishers[n] = summed.score_transform(tokens)
        # Of what views were made from, much is not asked for again.
        tokens.memo.clear()
        self._names = [tagger.name for tagger in taggers]

    def scores(self, first: int, stop: int) -> list[FloatArray]:
        """Return the scores of rows ``first:stop``, which must be whole lines."""
        found = {n: whole.rows(first, stop) for n, whole in self._whole.items()}
        with stage("sums"):
            sums = self._table.scores(first, stop)
        for (n, finish), part in zip(self._finishers.items(), sums, strict=True):
            with stage(self._names[n]):
                found[n] = finish(part, first, stop)
        return [found[n] for n in sorted(found)]


class _Whole:
    """Scores of all rows; of one who decides, the decisions alone are kept."""

    def __init__(self, scores: FloatArray | None, tags: IntArray | None, n_labels: int) -> None:
        self._scores = scores
        self._tags = tags
        self._n_labels = n_labels

    @classmethod
    def of(cls, tagger: BaseTagger, tokens: TokenTable) -> Self:
        n_labels = len(tagger.labels_)
        if isinstance(tagger, OneHotScorer):
            return cls(None, tagger.predict_tags(tokens), n_labels)
        return cls(_scores_alone(tagger, tokens), None, n_labels)

    def rows(self, first: int, stop: int) -> FloatArray:
        """Return the scores of some rows."""
        if self._tags is None:
            assert self._scores is not None
            return self._scores[first:stop]
        return one_hot(self._tags[first:stop], self._n_labels)


def line_blocks(tokens: TokenTable, size: int) -> Iterator[tuple[int, int]]:
    """Yield first and last row of blocks of whole lines, of about `size` tokens or one line."""
    starts = np.flatnonzero(tokens.position == 0)
    first = 0
    while first < len(tokens):
        after = int(np.searchsorted(starts, first + size, side="left"))
        stop = int(starts[after]) if after < len(starts) else len(tokens)
        yield first, stop
        first = stop


def lines_around(tokens: TokenTable, first: int, stop: int) -> tuple[int, int]:
    """Return the range of whole lines that holds rows ``first:stop``, cut at the table's ends."""
    starts = np.flatnonzero(tokens.position == 0)
    low = int(np.searchsorted(starts, max(first, 0), side="right")) - 1
    high = int(np.searchsorted(starts, min(stop, len(tokens)), side="left"))
    return int(starts[low]), int(starts[high]) if high < len(starts) else len(tokens)


def _scores_alone(tagger: BaseTagger, tokens: TokenTable) -> FloatArray:
    if isinstance(tagger, Compilable):
        return tagger.score_by_features(tokens)
    return tagger.predict_scores(tokens)
