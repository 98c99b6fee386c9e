"""Multi's stacker refitted from kept scores; the base systems are not fitted again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

import numpy as np

from multideid.arrays import FloatArray, LongArray
from multideid.eval.experiments.fits import digest_of, kept
from multideid.eval.experiments.store import Arrays, Store
from multideid.stacking.fitting import Progress
from multideid.stacking.out_of_fold import OutOfFold
from multideid.stacking.stacker import Stacker
from multideid.stacking.stacker_folds import fit_stackers, held_margins
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """What a stacker learns from and what it is to score.

    Parameters
    ----------
    key : tuple of tuple of str
        The keys of each base system's fits.
    tokens : TokenTable
    gold : TokenLabels
        Of the training documents.
    out_of_fold : OutOfFold
        The systems' scores of them.
    fold : int64 array, shape (n_documents,)
    held : TokenTable
    held_scores : sequence of float32 arrays
        Of the documents to measure on, one array a system.
    seed : int
    store : Store
    progress : callable, optional
        Told ``(done, total, what)`` before and after a stacker is fitted.
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

    def only(self, systems: Sequence[int]) -> Stack:
        """Return the stack of some of the systems, by their numbers."""
        return replace(
            self,
            key=tuple(self.key[n] for n in systems),
            out_of_fold=self.out_of_fold.only(systems),
            held_scores=[self.held_scores[n] for n in systems],
        )

    def margins(self) -> FloatArray:
        """Return the margins of the held tokens, shape (n_tokens, n_labels)."""
        return _margins_in(self._kept("held", self._margins))

    def seconds(self) -> float:
        """Return the seconds that `margins` took when they were made."""
        return float(self._kept("held", self._margins)["seconds"])

    def margins_out_of_fold(self) -> FloatArray:
        """Return the margins of the training tokens by stackers that did not learn from them."""
        return _margins_in(self._kept("out of fold", self._margins_out_of_fold))

    def _kept(self, which: str, make: Callable[[], FloatArray]) -> Arrays:
        key = digest_of(stacker=which, fits=self.key, seed=self.seed, keeps=("margins", "seconds"))
        return kept(key, lambda: self._made(make), self.store)

    def _made(self, make: Callable[[], FloatArray]) -> Arrays:
        tell = self.progress or (lambda *_: None)
        tell(0, 1, "stacker")
        start = perf_counter()
        margins = make()
        seconds = perf_counter() - start
        tell(1, 1, "stacker")
        return {"margins": margins, "seconds": np.asarray(seconds)}

    def _margins(self) -> FloatArray:
        stacker = Stacker(seed=self.seed).fit(self.tokens, self.gold, *self.out_of_fold)
        return stacker.margins(self.held, self.held_scores)

    def _margins_out_of_fold(self) -> FloatArray:
        stackers = fit_stackers(
            Stacker(seed=self.seed), self.tokens, self.gold, self.out_of_fold, self.fold,
            np.unique(self.fold).tolist(), n_jobs=1,
        )  # fmt: skip
        return held_margins(stackers, self.tokens, self.out_of_fold, self.fold)


def _margins_in(arrays: Arrays) -> FloatArray:
    return arrays["margins"].astype(np.float32, copy=False)
