"""Scores of several taggers over the same tokens, in one pass if compiling is worthwhile."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

import numpy as np

from multideid.arrays import DoubleArray, FloatArray, IntArray
from multideid.fork_locks import ForkLock
from multideid.taggers.checked import checked_scores, checked_tags, scores_of
from multideid.taggers.contract import BaseTagger
from multideid.taggers.label_mapping import one_hot
from multideid.text.lines import line_blocks
from multideid.text.table import TokenTable
from multideid.timing import stage

if TYPE_CHECKING:
    from multideid.scoring.linear_part import LinearPart
    from multideid.scoring.linear_sums import CompiledLinear

ScoreTransform = Callable[[DoubleArray, int, int], FloatArray]
"""Takes the sums of feature weights of rows ``first:stop`` and returns their scores.

The rows are whole lines; the sums may be changed in place.
"""

COMPILE_AFTER = 20_000
"""Tokens scored before compiling, which takes some ten seconds; see `compile_after`."""

_CACHED_SHARE = 2
_BLOCK = 16_384
_COMPILING = ForkLock()


@runtime_checkable
class Compilable(Protocol):
    """A tagger with scores that are a function of sums of feature weights."""

    labels_: tuple[str, ...]

    def linear_part(self) -> LinearPart | None:
        """Return the linear part of the model; None if nothing can be compiled."""

    def score_transform(self, tokens: TokenTable) -> ScoreTransform:
        """Return the function from sums of the table's rows to scores."""

    def score_by_features(self, tokens: TokenTable) -> FloatArray:
        """Return the scores without compiled code."""


@runtime_checkable
class OneHotScorer(Protocol):
    """A tagger with scores of 1 for the decided tag and 0 for others, such as rules."""

    labels_: tuple[str, ...]

    def predict_tags(self, tokens: TokenTable) -> IntArray:
        """Return the index in `labels_` of each token's tag, shape (n_tokens,)."""


class Scorer:
    """Scores tokens by several fitted taggers.

    The first tokens are scored by each tagger separately (`compile_after`). Then
    the linear parts of all taggers are compiled together. Both give the same
    labels, and the same scores up to rounding.

    Parameters
    ----------
    taggers : sequence of BaseTagger
        With the same labels.
    """

    def __init__(self, taggers: Sequence[BaseTagger]) -> None:
        self._taggers = list(taggers)
        self._seen = 0
        self._model: CompiledLinear | None = None
        self._summed: dict[int, Compilable] = {}

    def should_compile(self, n_tokens: int) -> bool:
        """Return whether to compile, and count `n_tokens` as scored."""
        self._seen += n_tokens
        return self._seen >= compile_after()

    def scores(self, tokens: TokenTable, *, compiled: bool | None = None) -> list[FloatArray]:
        """Return every tagger's scores, float32, shape (n_tokens, n_labels).

        Parameters
        ----------
        tokens : TokenTable
        compiled : bool, optional
            The answer of `should_compile`, if it was asked already.
        """
        if compiled is None:
            compiled = self.should_compile(len(tokens))
        if not compiled:
            return [_scores_of(tagger, tokens) for tagger in self._taggers]
        found = [np.empty((len(tokens), len(t.labels_)), dtype=np.float32) for t in self._taggers]
        table = self.open(tokens)
        for first, stop in line_blocks(tokens, _BLOCK):
            for whole, part in zip(found, table.scores(first, stop), strict=True):
                whole[first:stop] = part
        return found

    def open(self, tokens: TokenTable) -> TableScores:
        """Return the scores of a table, computed on demand."""
        # A fork waits for the modules that are imported here, and for what is compiled.
        with _COMPILING:
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
    """The scores of one table, by ranges of rows."""

    def __init__(
        self,
        taggers: Sequence[BaseTagger],
        compiled: Mapping[int, Compilable],
        model: CompiledLinear,
        tokens: TokenTable,
    ) -> None:
        self._all_rows: dict[int, _AllRows] = {}
        # Before the views, so that their temporary memory is free again.
        for n, tagger in enumerate(taggers):
            if n not in compiled:
                with stage(tagger.name):
                    self._all_rows[n] = _AllRows.of(tagger, tokens)
        with stage("views"):
            self._table = model.open(tokens)
        self._transforms: dict[int, ScoreTransform] = {}
        for n, summed in compiled.items():
            with stage(taggers[n].name):
                self._transforms[n] = summed.score_transform(tokens)
        # Much of what views are made from is not used again.
        tokens.memo.clear()
        self._taggers, self._tokens = taggers, tokens

    def scores(self, first: int, stop: int) -> list[FloatArray]:
        """Return the scores of rows ``first:stop``, which must be whole lines, by tagger."""
        found = {n: whole.rows(first, stop) for n, whole in self._all_rows.items()}
        with stage("sums"):
            sums = self._table.scores(first, stop)
        for (n, transform), part in zip(self._transforms.items(), sums, strict=True):
            tagger = self._taggers[n]
            with stage(tagger.name):
                scores = transform(part, first, stop)
                found[n] = checked_scores(tagger, scores, self._tokens, first, stop)
        return [found[n] for n in sorted(found)]


class _AllRows:
    """Scores of all rows; one-hot scores are stored as tags."""

    def __init__(self, scores: FloatArray | None, tags: IntArray | None, n_labels: int) -> None:
        self._scores = scores
        self._tags = tags
        self._n_labels = n_labels

    @classmethod
    def of(cls, tagger: BaseTagger, tokens: TokenTable) -> Self:
        n_labels = len(tagger.labels_)
        if isinstance(tagger, OneHotScorer):
            return cls(None, checked_tags(tagger, tagger.predict_tags(tokens), tokens), n_labels)
        return cls(_scores_of(tagger, tokens), None, n_labels)

    def rows(self, first: int, stop: int) -> FloatArray:
        """Return the scores of some rows."""
        if self._tags is None:
            assert self._scores is not None
            return self._scores[first:stop]
        return one_hot(self._tags[first:stop], self._n_labels)


def compile_after() -> int:
    """Return the number of tokens to score before compiling.

    Loading compiled loops from numba's cache takes as long as some 10,000 tokens
    take without them, and compiling them longer than 20,000.
    """
    return COMPILE_AFTER // _CACHED_SHARE if _is_compiled() else COMPILE_AFTER


@cache
def _is_compiled() -> bool:
    """Return whether numba's cache next to this file has a loop for this version of Python."""
    version = "".join(map(str, sys.version_info[:2]))
    return any((Path(__file__).parent / "__pycache__").glob(f"viterbi.*.py{version}.nbi"))


def _scores_of(tagger: BaseTagger, tokens: TokenTable) -> FloatArray:
    if isinstance(tagger, Compilable):
        return checked_scores(tagger, tagger.score_by_features(tokens), tokens)
    return scores_of(tagger, tokens)
