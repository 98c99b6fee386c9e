"""Several stackers from the same scores: one for use, and those that left a fold out."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import FloatArray, LongArray
from multideid.parallel import effective_n_jobs, run_ordered
from multideid.stacking.fitting import Progress
from multideid.stacking.stacker import Stacker, TrainingSet
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from multideid.stacking.out_of_fold import OutOfFold


def fit_stackers(  # noqa: PLR0913, PLR0917 (what all are fitted on)
    like: Stacker,
    tokens: TokenTable,
    labels: TokenLabels,
    scores: OutOfFold,
    fold: LongArray,
    without: Sequence[int | None],
    *,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Generator[Stacker]:
    """Yield stackers that learned from the same scores, each but for one fold, in order.

    Parameters
    ----------
    like : Stacker
        Its parameters are taken; it is not fitted itself.
    tokens : TokenTable
    labels : TokenLabels
        Gold tags.
    scores : OutOfFold
        Of all tokens.
    fold : int64 array, shape (n_documents,)
    without : sequence of int or None
        The fold that each leaves out; None for none.
    n_jobs, progress
        As `multideid.stacking.fitting.run_all`.
    """

    def training_set(left_out: int | None) -> tuple[Stacker, TrainingSet]:
        stacker = Stacker(like.c, like.seed)
        # No fold is -1, which leaves out nothing.
        part = (fold != (-1 if left_out is None else left_out))[tokens.document]
        return stacker, stacker.training_set(tokens, labels, *scores, part)

    calls = ((Stacker.fit_weights, training_set(left_out)) for left_out in without)
    with closing(run_ordered(calls, min(effective_n_jobs(n_jobs), len(without)))) as fitted:
        for n, stacker in enumerate(fitted, 1):
            if progress:
                progress(n, len(without), "stacker")
            yield stacker


def held_margins(
    stackers: Iterable[Stacker], tokens: TokenTable, scores: OutOfFold, fold: LongArray
) -> FloatArray:
    """Return each token's margins by the stacker that did not learn from its fold.

    Parameters
    ----------
    stackers : iterable of Stacker
        One a fold, in order.
    tokens : TokenTable
    scores : OutOfFold
        Of all tokens.
    fold : int64 array, shape (n_documents,)

    Returns
    -------
    float32 array, shape (n_tokens, n_labels)
    """
    margins = np.zeros_like(scores.scores[0])
    for k, stacker in zip(np.unique(fold), stackers, strict=True):
        held = np.flatnonzero(fold == k)
        rows = tokens.rows(held)
        margins[rows] = stacker.margins(tokens.select(held), [s[rows] for s in scores.scores])
    return margins
