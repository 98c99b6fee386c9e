"""Fit base systems and score held-out documents, in several processes."""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from copy import copy
from dataclasses import dataclass, replace

from multideid.arrays import FloatArray
from multideid.errors import UsageError, is_ours, without_message
from multideid.parallel import effective_n_jobs, run_ordered
from multideid.stacking.augmentation import AUGMENTATIONS
from multideid.taggers.checked import check_fit, scores_of
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class FitJob:
    """One fit of one system, and the documents to score with it.

    Parameters
    ----------
    system : str
    tagger : BaseTagger
        Not fitted. It is made in the parent process, since worker processes
        lack the systems that this session registered.
    train, held : sequence of int
        Indices of the documents to fit on, and of those to score.
    keep : bool
        Whether to return the fitted tagger.
    seed : int
        For `AUGMENTATIONS`; the same for all systems of a fold, so that they
        score the same text.
    augment : bool
        Whether to score the held documents in each of `AUGMENTATIONS` too.
    """

    system: str
    tagger: BaseTagger
    train: Sequence[int]
    held: Sequence[int]
    keep: bool
    seed: int = 0
    augment: bool = True


@dataclass(frozen=True, slots=True)
class FitResult:
    """The result of a `FitJob`.

    Parameters
    ----------
    system : str
    held : sequence of int
        Indices of the documents that were scored.
    tagger : BaseTagger or None
        Fitted; None unless the job keeps it.
    scores : float32 array, shape (n_tokens of the held documents, n_labels)
    augmented : list of float32 arrays, of that shape
        The scores of the same documents in each of `AUGMENTATIONS`.
    """

    system: str
    held: Sequence[int]
    tagger: BaseTagger | None
    scores: FloatArray
    augmented: list[FloatArray]


def run_fit(job: FitJob, tokens: TokenTable, labels: TokenLabels) -> FitResult:
    """Fit a tagger on the training documents of a job, and score the held-out ones.

    Raises
    ------
    UsageError
        As `failures_of`.
    """
    # In the process itself: from there, an error comes back without the places it went through.
    try:
        with failures_of(job.system):
            return _fitted(job, tokens, labels)
    finally:
        # A tagger and its scorer refer to each other: in later fits they would take up gigabytes.
        gc.collect()


@contextmanager
def failures_of(system: str) -> Iterator[None]:
    """Name a base system where it fails.

    Raises
    ------
    UsageError
        If it refuses its parameters or the corpus, or is somebody else's and fails: then
        the error has the type and place only, since the message may quote documents.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        if is_ours(error) and not isinstance(error, UsageError):
            raise
        problem = str(error) if is_ours(error) else f"failed with {without_message(error)}"
        named = problem.startswith(f"system {system!r} ")
        raise UsageError(problem if named else f"system {system!r}: {problem}") from None


def _fitted(job: FitJob, tokens: TokenTable, labels: TokenLabels) -> FitResult:
    # The job outlives the fit, and would keep the memory of a fitted tagger.
    tagger = copy(job.tagger).fit(tokens.select(job.train), labels.rows(tokens.rows(job.train)))
    check_fit(job.system, tagger, labels.names)
    held = tokens.select(job.held)
    return FitResult(
        job.system,
        job.held,
        tagger if job.keep else None,
        scores_of(tagger, held),
        augmented_scores(tagger, held, job.seed) if job.augment else [],
    )


def augmented_scores(tagger: BaseTagger, tokens: TokenTable, seed: int) -> list[FloatArray]:
    """Return a tagger's scores of a table, once per augmentation."""
    return [scores_of(tagger, augment(tokens, seed)) for augment in AUGMENTATIONS]


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
        Number of processes. Default, as -1: one per processor.
    progress : callable, optional
        Called with ``(done, total, system)`` before the first and after every job.

    Raises
    ------
    UsageError
        If `n_jobs` is invalid; see `effective_n_jobs`.
    """
    if progress and jobs:
        progress(0, len(jobs), jobs[0].system)
    bare = replace(tokens, memo={})
    calls = [(run_fit, (job, bare, labels)) for job in jobs]
    with closing(run_ordered(calls, min(effective_n_jobs(n_jobs), len(calls)))) as results:
        for n, result in enumerate(results, 1):
            if progress:
                progress(n, len(jobs), result.system)
            yield result
