"""Fit and run base systems, several at a time in processes of their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np

from multideid.arrays import FloatArray
from multideid.errors import UsageError
from multideid.parallel import in_processes
from multideid.stacking.augmentation import DISGUISES
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class FitJob:
    """One fit of one system, and what it is to score afterwards.

    Parameters
    ----------
    system : str
    tagger : BaseTagger
        Not fitted; made where the job is made, since a worker process does not
        know what this session registered.
    train, held : sequence of int
        Documents to fit on, and documents to score.
    keep : bool
        Whether the fitted tagger is wanted.
    seed : int
        Says which words are disguised; the same for all systems of a fold,
        so that their scores are of one text.
    """

    system: str
    tagger: BaseTagger
    train: Sequence[int]
    held: Sequence[int]
    keep: bool
    seed: int = 0


@dataclass(frozen=True, slots=True)
class FitResult:
    """What a job gave.

    Parameters
    ----------
    system : str
    held : sequence of int
        The documents that were scored.
    tagger : BaseTagger or None
        Fitted, where it was to be kept.
    scores : float32 array, shape (n_tokens of the held documents, n_labels)
    disguised : list of float32 arrays, of that shape
        The scores of the same documents in each of `DISGUISES`.
    """

    system: str
    held: Sequence[int]
    tagger: BaseTagger | None
    scores: FloatArray
    disguised: list[FloatArray]


def run_fit(job: FitJob, tokens: TokenTable, labels: TokenLabels) -> FitResult:
    """Fit a tagger on some documents and score others."""
    try:
        tagger = job.tagger.fit(tokens.select(job.train), labels.rows(tokens.rows(job.train)))
    except UsageError as error:
        raise UsageError(f"system {job.system!r}: {error}") from None
    held = tokens.select(job.held)
    return FitResult(
        job.system,
        job.held,
        tagger if job.keep else None,
        tagger.predict_scores(held),
        scores_in_disguise(tagger, held, job.seed),
    )


def scores_in_disguise(tagger: BaseTagger, tokens: TokenTable, seed: int) -> list[FloatArray]:
    """Return a tagger's scores of a table in each of `DISGUISES`."""
    return [tagger.predict_scores(disguise(tokens, seed)) for disguise in DISGUISES]


def run_all(
    jobs: Sequence[FitJob],
    tokens: TokenTable,
    labels: TokenLabels,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Generator[FitResult]:
    """Run jobs and yield their results in order.

    Parameters
    ----------
    jobs : sequence of FitJob
    tokens : TokenTable
    labels : TokenLabels
        Of all documents.
    n_jobs : int, optional
        Processes. Default, as -1: one a processor.
    progress : callable, optional
        Told ``(done, total, what)`` after every job.

    Raises
    ------
    UsageError
        If `n_jobs` is none that `effective_n_jobs` takes.
    """
    bare = replace(tokens, memo={})
    calls = [(run_fit, (job, bare, labels)) for job in jobs]
    with closing(in_processes(calls, min(effective_n_jobs(n_jobs), len(calls)))) as results:
        for n, result in enumerate(results, 1):
            if progress:
                progress(n, len(jobs), result.system)
            yield result


def effective_n_jobs(n_jobs: int | None) -> int:
    """Return how many processes to use.

    Parameters
    ----------
    n_jobs : int, optional
        Default, as -1: one a processor that may be used.

    Raises
    ------
    UsageError
        If it is another number below 1, or not whole.
    """
    if n_jobs is None or n_jobs == -1:
        return _processors()
    if not isinstance(n_jobs, int | np.integer) or n_jobs < 1:
        raise UsageError(
            f"n_jobs must be a whole number, at least 1, or -1 for all processors; got {n_jobs!r}"
        )
    return int(n_jobs)


def _processors() -> int:
    # Not every system tells; where it does, containers and batch jobs get what they were given.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
