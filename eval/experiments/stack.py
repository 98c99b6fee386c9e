"""Multi's stacker, fitted on kept out-of-fold scores of the base systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

import numpy as np

from multideid.arrays import DoubleArray, FloatArray, IntArray, LongArray
from multideid.eval.experiments.store import Arrays, Store, digest_of, get_or_make
from multideid.stacking.decode import best_tags
from multideid.stacking.fitting import Progress
from multideid.stacking.meta_features import ScoreNormalisation
from multideid.stacking.out_of_fold import OutOfFold, fit_stackers, out_of_fold_margins
from multideid.stacking.span_choice import SpanChoice
from multideid.stacking.stacker import Stacker
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """The training set of a stacker, and the held-out scores to apply it to.

    Parameters
    ----------
    key : tuple of tuple of str
        The keys of each base system's fits.
    tokens : TokenTable
    gold : TokenLabels
        Of the training documents.
    out_of_fold : OutOfFold
        The systems' scores of these.
    fold : int64 array, shape (n_documents,)
    held : TokenTable
    held_scores : sequence of float32 arrays
        Of the held-out documents, one array per system.
    seed : int
    store : Store
    progress : callable, optional
        Called with ``(done, total, name)`` before and after a stacker is fitted.
    plain : bool
        Whether the stacker learns from decisions alone, as the thesis's.
    """

    key: tuple[tuple[str, ...], ...]
    tokens: TokenTable = field(repr=False)
    gold: TokenLabels = field(repr=False)
    out_of_fold: OutOfFold = field(repr=False)
    fold: LongArray = field(repr=False)
    held: TokenTable = field(repr=False)
    held_scores: Sequence[FloatArray] = field(repr=False)
    seed: int
    store: Store = field(repr=False)
    progress: Progress | None = field(default=None, repr=False)
    plain: bool = False

    def only(self, systems: Sequence[int]) -> Stack:
        """Return the stack of some of the systems, given by index."""
        return replace(
            self,
            key=tuple(self.key[n] for n in systems),
            out_of_fold=self.out_of_fold.only(systems),
            held_scores=[self.held_scores[n] for n in systems],
        )

    def margins(self) -> FloatArray:
        """Return the margins of the held-out tokens, shape (n_tokens, n_labels)."""
        return _margins_in(self._kept("held", self._margins))

    def margins_out_of_fold(self) -> FloatArray:
        """Return the margins of the training tokens by stackers that did not learn from them."""
        return _margins_in(self._kept("out of fold", self._margins_out_of_fold))

    def tags(self) -> IntArray:
        """Return the tags of the held-out tokens."""
        return self.with_spans(self.span_choice(), best_tags(self.held, self.margins()))

    def tags_out_of_fold(self) -> IntArray:
        """Return the tags of the training tokens by stackers that did not learn from them."""
        margins, scores = self.margins_out_of_fold(), self.out_of_fold.scores
        tags = best_tags(self.tokens, margins)
        if self.plain:
            return tags
        for k in np.unique(self.fold):
            choice = self._span_choice(np.flatnonzero(self.fold != k))
            rows, tokens = self._part(np.flatnonzero(self.fold == k))
            part = [s[rows] for s in scores]
            if choice:
                tags[rows] = choice.chosen(tokens, tags[rows], part, self._normalised)
        return tags

    def span_choice(self) -> SpanChoice | None:
        """Fit the choice of spans to the training documents, or return None if plain."""
        return None if self.plain else self._span_choice(np.arange(len(self.fold)))

    def with_spans(self, choice: SpanChoice | None, tags: IntArray) -> IntArray:
        """Return tags of the held-out tokens with the chosen spans."""
        if choice is None:
            return tags
        return choice.chosen(self.held, tags, self.held_scores, self._normalised)

    def _span_choice(self, documents: LongArray) -> SpanChoice | None:
        """Fit the choice of spans to the out-of-fold margins of some training documents."""
        rows, tokens = self._part(documents)
        margins, scores = self.margins_out_of_fold()[rows], self.out_of_fold.scores
        part = [s[rows] for s in scores]
        return SpanChoice.of_margins(tokens, self.gold.rows(rows), margins, part, self._normalised)

    def _part(self, documents: LongArray) -> tuple[LongArray, TokenTable]:
        chosen = documents.tolist()
        return self.tokens.rows(chosen), self.tokens.select(chosen)

    @property
    def _normalised(self) -> list[ScoreNormalisation]:
        return [ScoreNormalisation.of(s) for s in self.out_of_fold.scores]

    def seconds(self) -> float:
        """Return the seconds that `margins` took when they were computed."""
        return float(self._kept("held", self._margins)["seconds"])

    def trust(self) -> DoubleArray:
        """Return each system's share in each class's decisions, as `MultiDeidentifier.trust_`."""
        return self._stacker().trust(self.tokens, self.gold, self.out_of_fold.scores)

    def _kept(self, which: str, make: Callable[[], FloatArray]) -> Arrays:
        key = digest_of(
            stacker=which, fits=self.key, seed=self.seed, context=not self.plain,
            keeps=("margins", "seconds"),
        )  # fmt: skip
        return get_or_make(self.store, key, lambda: self._timed(make))

    def _timed(self, make: Callable[[], FloatArray]) -> Arrays:
        report = self.progress or (lambda *_: None)
        report(0, 1, "stacker")
        start = perf_counter()
        margins = make()
        seconds = perf_counter() - start
        report(1, 1, "stacker")
        return {"margins": margins, "seconds": np.asarray(seconds)}

    def _stacker(self) -> Stacker:
        return self._unfitted().fit(self.tokens, self.gold, *self.out_of_fold)

    def _unfitted(self) -> Stacker:
        if not self.plain:
            return Stacker(seed=self.seed)
        return Stacker(seed=self.seed, document_context=False, decisions_only=True)

    def _margins(self) -> FloatArray:
        return self._stacker().margins(self.held, self.held_scores)

    def _margins_out_of_fold(self) -> FloatArray:
        stackers = fit_stackers(
            self._unfitted(), self.tokens, self.gold, self.out_of_fold, self.fold,
            np.unique(self.fold).tolist(), n_jobs=1,
        )  # fmt: skip
        return out_of_fold_margins(stackers, self.tokens, self.out_of_fold, self.fold)


def _margins_in(arrays: Arrays) -> FloatArray:
    return arrays["margins"].astype(np.float32, copy=False)
