"""Out-of-fold scores of the base systems, and out-of-fold margins of the stacker."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from copy import copy
from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import FloatArray, LongArray
from multideid.parallel import effective_n_jobs, run_ordered
from multideid.stacking.augmentation import AUGMENTATIONS
from multideid.stacking.fitting import FitJob, Progress, run_all
from multideid.stacking.stacker import Stacker, TrainingSet
from multideid.stacking.systems import Systems, make_systems
from multideid.taggers.checked import scores_of
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

DEFAULT_SYSTEMS = ("stat-deid", "stanford", "mist", "lbj", "mimic")
"""The five base systems of the thesis."""


def check_systems(systems: Systems) -> tuple[str, ...]:
    """Return the names of the systems, or raise `UsageError` as `make_systems` does."""
    return tuple(make_systems(systems))


def fit_all(
    systems: Systems,
    tokens: TokenTable,
    labels: TokenLabels,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, BaseTagger]:
    """Fit every system on all documents."""
    documents = range(len(tokens.ids))
    taggers = make_systems(systems).items()
    jobs = [FitJob(name, tagger, documents, (), True) for name, tagger in taggers]
    with closing(run_all(jobs, tokens, labels, n_jobs, progress)) as results:
        return {each.system: each.tagger for each in results if each.tagger is not None}


class OutOfFold(NamedTuple):
    """Scores of documents by systems that were not fitted on them.

    Parameters
    ----------
    scores : list of float32 arrays, shape (n_tokens, n_labels)
        Scores of the original text, one array per system.
    augmented : list of lists of such arrays
        Scores of augmented text: for each of `AUGMENTATIONS`, one array per system.
    """

    scores: list[FloatArray]
    augmented: list[list[FloatArray]]

    @classmethod
    def empty(cls, n_systems: int, shape: tuple[int, int], augment: bool = True) -> Self:
        """Return uninitialised arrays, without augmentations if `augment` is false."""
        views = [
            [np.empty(shape, dtype=np.float32) for _ in range(n_systems)]
            for _ in range(1 + len(AUGMENTATIONS) * augment)
        ]
        return cls(views[0], views[1:])

    def fill(
        self,
        system: int,
        rows: LongArray,
        scores: FloatArray,
        augmented: Sequence[FloatArray],
    ) -> None:
        """Store the scores of a system for some tokens."""
        self.scores[system][rows] = scores
        for view, values in zip(self.augmented, augmented, strict=True):
            view[system][rows] = values

    def only(self, systems: Sequence[int]) -> OutOfFold:
        """Return the scores of some systems, given by index."""
        views = [[view[n] for n in systems] for view in (self.scores, *self.augmented)]
        return OutOfFold(views[0], views[1:])


def fit_out_of_fold(  # noqa: PLR0913 (all but four by name)
    systems: Systems,
    tokens: TokenTable,
    labels: TokenLabels,
    fold: LongArray,
    *,
    stacked: LongArray | None = None,
    augment: bool = True,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> tuple[dict[str, BaseTagger], OutOfFold]:
    """Fit every system on all documents, and score documents by a fit without their fold.

    Parameters
    ----------
    systems : sequence of str, or mapping of str to mapping
        As for `make_systems`.
    tokens : TokenTable
    labels : TokenLabels
        Gold tags.
    fold : int64 array, shape (n_documents,)
    stacked : int64 array, optional
        Indices of the documents to score, ascending. Default: all.
    augment : bool
        Whether to score augmented text too (`AUGMENTATIONS`).
    n_jobs, progress
        As for `run_all`.

    Returns
    -------
    taggers : dict of str to BaseTagger
    scores : OutOfFold
        Of the tokens of the stacked documents.
    """
    unfitted = make_systems(systems)
    names = list(unfitted)
    stacked = np.arange(len(fold)) if stacked is None else stacked
    jobs = [job for name in names for job in _jobs(name, unfitted[name], fold, stacked, augment)]
    scored = tokens.select(stacked)
    scores = OutOfFold.empty(len(names), (len(scored), len(labels.names)), augment)
    taggers = {}
    with closing(run_all(jobs, tokens, labels, n_jobs, progress)) as results:
        for result in results:
            if result.tagger is not None:
                taggers[result.system] = result.tagger
            else:
                rows = scored.rows(np.searchsorted(stacked, result.held))
                system = names.index(result.system)
                scores.fill(system, rows, result.scores, result.augmented)
    return {name: taggers[name] for name in names}, scores


def _jobs(
    name: str, tagger: BaseTagger, fold: LongArray, stacked: LongArray, augment: bool
) -> list[FitJob]:
    """Return a fit on all documents, and one without each fold, with its stacked documents."""
    everything = np.arange(len(fold)).tolist()
    jobs = [FitJob(name, copy(tagger), everything, (), True)]
    for k in np.unique(fold):
        train, held = np.flatnonzero(fold != k).tolist(), stacked[fold[stacked] == k].tolist()
        jobs.append(FitJob(name, copy(tagger), train, held, False, int(k), augment))
    return jobs


def all_scores(taggers: dict[str, BaseTagger], tokens: TokenTable) -> list[FloatArray]:
    """Return the scores of every system for every token."""
    return [scores_of(tagger, tokens) for tagger in taggers.values()]


def fit_stackers(  # noqa: PLR0913, PLR0917 (all but six by name)
    stacker: Stacker,
    tokens: TokenTable,
    labels: TokenLabels,
    scores: OutOfFold,
    fold: LongArray,
    without: Sequence[int | None],
    *,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Generator[Stacker]:
    """Yield stackers fitted on the same scores, each without one fold, in order.

    Parameters
    ----------
    stacker : Stacker
        Gives the parameters; it is not fitted itself.
    tokens : TokenTable
    labels : TokenLabels
        Gold tags.
    scores : OutOfFold
    fold : int64 array, shape (n_documents,)
    without : sequence of int or None
        The fold to leave out for each stacker; None to leave out none.
    n_jobs, progress
        As for `run_all`.
    """

    def training_set(left_out: int | None) -> tuple[Stacker, TrainingSet]:
        unfitted = stacker.unfitted()
        # No document is in fold -1.
        part = (fold != (-1 if left_out is None else left_out))[tokens.document]
        return unfitted, unfitted.training_set(tokens, labels, *scores, part)

    calls = ((Stacker.fit_weights, training_set(left_out)) for left_out in without)
    with closing(run_ordered(calls, min(effective_n_jobs(n_jobs), len(without)))) as fitted:
        for n, each in enumerate(fitted, 1):
            if progress:
                progress(n, len(without), "stacker")
            yield each


def out_of_fold_margins(
    stackers: Iterable[Stacker], tokens: TokenTable, scores: OutOfFold, fold: LongArray
) -> FloatArray:
    """Return the margins of every token by the stacker that was fitted without its fold.

    Parameters
    ----------
    stackers : iterable of Stacker
        Fitted without the first fold, the second and so on.
    tokens : TokenTable
    scores : OutOfFold
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
