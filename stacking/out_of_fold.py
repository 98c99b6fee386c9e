"""What de-identifiers of several systems share: out-of-fold scores and fitted systems."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from copy import copy
from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import FloatArray, LongArray
from multideid.errors import UsageError
from multideid.stacking.augmentation import AUGMENTATIONS
from multideid.stacking.fitting import FitJob, Progress, run_all
from multideid.stacking.folds import Groups, document_folds
from multideid.stacking.systems import Systems, make_systems
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

DEFAULT_SYSTEMS = ("stat-deid", "stanford", "mist", "lbj", "mimic")
"""The five base systems of the thesis."""


def check_systems(systems: Systems) -> tuple[str, ...]:
    """Return the systems' names, or raise `UsageError` as `make_systems`."""
    return tuple(make_systems(systems))


def check_seed(seed: int) -> int:
    """Return the seed, or raise `UsageError` if numpy and scikit-learn refuse it."""
    if not isinstance(seed, int | np.integer) or not 0 <= seed < 2**32:
        raise UsageError(f"seed must be a whole number from 0 to 2**32 - 1; got {seed!r}")
    return seed


def fit_all(
    systems: Systems,
    tokens: TokenTable,
    labels: TokenLabels,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[str, BaseTagger]:
    """Fit every system on everything."""
    documents = range(len(tokens.ids))
    taggers = make_systems(systems).items()
    jobs = [FitJob(name, tagger, documents, (), True) for name, tagger in taggers]
    with closing(run_all(jobs, tokens, labels, n_jobs, progress)) as results:
        return {result.system: _kept(result.tagger) for result in results}


class OutOfFold(NamedTuple):
    """Scores of documents by fits that did not see them.

    Parameters
    ----------
    scores : list of float32 arrays, shape (n_tokens, n_labels)
        One a system, of the text as it is.
    augmented : list of lists of such arrays
        For each of `AUGMENTATIONS`, one a system.
    """

    scores: list[FloatArray]
    augmented: list[list[FloatArray]]

    @classmethod
    def empty(cls, n_systems: int, shape: tuple[int, int], augment: bool = True) -> Self:
        """Return arrays to be filled, without augmentations if `augment` is false."""
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
        """Set a system's scores of some tokens."""
        self.scores[system][rows] = scores
        for view, values in zip(self.augmented, augmented, strict=True):
            view[system][rows] = values

    def only(self, systems: Sequence[int]) -> OutOfFold:
        """Return the scores of some systems, by their numbers."""
        views = [[view[n] for n in systems] for view in (self.scores, *self.augmented)]
        return OutOfFold(views[0], views[1:])


def fit_out_of_fold(  # noqa: PLR0913 (all but four by name)
    systems: Systems,
    tokens: TokenTable,
    labels: TokenLabels,
    fold: LongArray,
    *,
    augment: bool = True,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> tuple[dict[str, BaseTagger], OutOfFold]:
    """Fit every system on everything, and score every document by a fit without its fold.

    Parameters
    ----------
    systems : sequence of str, or mapping of str to mapping
        As `make_systems`.
    tokens : TokenTable
    labels : TokenLabels
    fold : int64 array, shape (n_documents,)
    augment : bool
        Whether documents are also scored with words changed (`AUGMENTATIONS`).
    n_jobs, progress
        As `run_all`.

    Returns
    -------
    taggers : dict of str to BaseTagger
    scores : OutOfFold
    """
    made = make_systems(systems)
    names = list(made)
    jobs = [
        job for name, tagger in made.items() for job in _jobs_of_system(name, tagger, fold, augment)
    ]
    found = OutOfFold.empty(len(names), (len(tokens), len(labels.names)), augment)
    taggers = {}
    with closing(run_all(jobs, tokens, labels, n_jobs, progress)) as results:
        for result in results:
            if result.tagger is not None:
                taggers[result.system] = result.tagger
            else:
                number, rows = names.index(result.system), tokens.rows(result.held)
                found.fill(number, rows, result.scores, result.augmented)
    return {name: taggers[name] for name in names}, found


def _jobs_of_system(name: str, tagger: BaseTagger, fold: LongArray, augment: bool) -> list[FitJob]:
    everything = np.arange(len(fold)).tolist()
    jobs = [FitJob(name, copy(tagger), everything, (), True)]
    for k in np.unique(fold):
        train, held = np.flatnonzero(fold != k).tolist(), np.flatnonzero(fold == k).tolist()
        jobs.append(FitJob(name, copy(tagger), train, held, False, int(k), augment))
    return jobs


def _kept(tagger: BaseTagger | None) -> BaseTagger:
    assert tagger is not None
    return tagger


def all_scores(taggers: dict[str, BaseTagger], tokens: TokenTable) -> list[FloatArray]:
    """Return every system's scores of every token."""
    return [tagger.predict_scores(tokens) for tagger in taggers.values()]


def folds_of(tokens: TokenTable, folds: int, seed: int, groups: Groups = None) -> LongArray:
    """Assign the table's documents to folds; parameters as `document_folds`."""
    return document_folds(len(tokens.ids), folds, seed, groups)
