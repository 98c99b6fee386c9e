"""Learn from what reviewers accepted, in a process of its own, and compare before with after."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import RLock, Thread
from time import monotonic
from typing import Any

from multideid.document import Document
from multideid.errors import MultideidError, UsageError, failed_with, is_ours
from multideid.locks import run_lock
from multideid.review.jobs import DONE, FAILED, RUNNING, Job
from multideid.review.outcome import reviewed_documents
from multideid.review.reading import MODEL, reading_model, work_behind_page
from multideid.review.store import Store
from multideid.stacking.deidentifier import Deidentifier

TRAINING = "training"
CORPORA = "training corpora"
"""The fact with the paths of corpora that are learned from too."""
LONGEST_STEP = 6 * 3600.0
"""Seconds for a step of the training, such as one fit of a system, before it counts as hung."""
_NICENESS = 10
_PAUSE = 0.5
_LONGEST_END = 10.0  # Seconds.
_RUNS = "a training is running"


def figures(gold: Sequence[Document], predicted: Sequence[Document]) -> dict[str, float]:
    """Return how good predictions are: spans, strictly, and tokens of PHI against the rest."""
    from multideid.eval.metrics.span_metrics import count_spans
    from multideid.eval.metrics.token_metrics import count_tokens
    from multideid.eval.metrics.tokens import TokenView

    labels = sorted({span.label for note in (*gold, *predicted) for span in note.spans})
    spans = count_spans(gold, predicted, labels).micro()
    tokens = count_tokens(TokenView.from_documents(gold), gold, predicted, labels).two_way()
    return {
        "span_precision": spans.precision,
        "span_recall": spans.recall,
        "span_f1": spans.f1,
        "token_precision": tokens.precision,
        "token_recall": tokens.recall,
        "token_f1": tokens.f1,
    }


def train(path: Path, number: int) -> None:
    """Do a job of training.

    Parameters
    ----------
    path : Path
        Of the store.
    number : int
        Of the job.
    """
    store = Store(path)
    try:
        _train(store, number)
    except (Exception, SystemExit) as error:
        ours = isinstance(error, MultideidError) and is_ours(error)
        problem = str(error) if ours else failed_with(error)
        store.jobs.update(number, FAILED, problem=problem)
    store.close()


def _train(store: Store, number: int) -> None:
    from sklearn.base import clone

    from multideid.models import load

    def tell(done: int, total: int, name: str) -> None:
        store.jobs.update(number, stage=name, done=done, total=total)

    before = reading_model(store)
    after = clone(load(store.fact(MODEL)))
    if "progress" in after.get_params(deep=False):
        after.set_params(progress=tell)
    learned = [*reviewed_documents(store, held_out=False), *_corpora(store.fact(CORPORA) or ())]
    after.fit(learned)
    if "progress" in after.get_params(deep=False):
        after.set_params(progress=None)
    store.jobs.update(number, stage="compare", done=1, total=1)
    found = store.path.with_name(f"{store.path.name}.model-{number}")
    after.save(found, overwrite=True)
    held_out = list(reviewed_documents(store, held_out=True))
    models = {"before": before, "after": reading_model(store, found)}
    compared = {name: figures(held_out, _read(model, held_out)) for name, model in models.items()}
    store.jobs.update(number, DONE, model=str(found), figures=compared)


def _read(model: Deidentifier, notes: Sequence[Document]) -> list[Document]:
    return [found for note in notes for found in model.predict([note])]


def _corpora(paths: Iterable[str]) -> list[Document]:
    from multideid.corpora import read_corpus

    return [document for path in paths for document in read_corpus(path)]


class Trainer:
    """Begins training, and lets the review use what came out.

    Parameters
    ----------
    store : Store
    work : callable, optional
        What the process does; for tests.
    seconds : float
        Time for a step of the training, after which its process is ended.
    clock : callable, optional
        Returns the seconds since some moment; for tests.
    """

    def __init__(
        self,
        store: Store,
        work: Callable[[Path, int], None] = train,
        seconds: float = LONGEST_STEP,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._store, self._work = store, work
        self._seconds, self._clock = seconds, clock
        self._process: BaseProcess | None = None
        self._watcher: Thread | None = None
        self._turn = RLock()

    def start(self) -> Job:
        """Begin.

        Raises
        ------
        UsageError
            If a training runs, there is no model, or too few notes are reviewed.
        """
        with self._turn:
            job = self.job()
            if job is not None and job.state == RUNNING:
                raise UsageError(_RUNS)
            counts = self.counts()
            if self._store.fact(MODEL) is None:
                raise UsageError("there is no model: start multideid review with --model")
            if not counts["train"] or not counts["held_out"]:
                raise UsageError("accept more notes first: one of five is kept to measure with")
            if self._watcher is not None:
                # The process of the training before may take a moment to end.
                self._watcher.join(_LONGEST_END)
            return self._begin(counts)

    def _begin(self, counts: Mapping[str, int]) -> Job:
        with ExitStack() as stack:
            if not stack.enter_context(self._alone()):
                raise UsageError(_RUNS)
            number = self._store.jobs.begin(TRAINING, **counts)
            context = multiprocessing.get_context("spawn")
            arguments = (_NICENESS, self._work, self._store.path, number, os.getpid())
            self._process = context.Process(target=work_behind_page, args=arguments)
            self._process.start()
            watched = (self._process, number, stack.pop_all())
            self._watcher = Thread(target=self._watch, args=watched, daemon=True)
            self._watcher.start()
        return Job(number, RUNNING, dict(counts))

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Give whether no training of the review runs, and let none begin meanwhile.

        Other desks, which may have the same file, know it by a lock that ends with its process.
        """
        path = self._store.path
        with ExitStack() as stack:
            try:
                stack.enter_context(run_lock([path.with_name(f"{path.name}.training")]))
            except UsageError:
                yield False
                return
            yield True

    def _watch(self, process: BaseProcess, number: int, alone: ExitStack) -> None:
        with alone:
            self._supervise(process, number)

    def _supervise(self, process: BaseProcess, number: int) -> None:
        """End the process if a step takes too long."""
        job, since = self._store.jobs.last(TRAINING), self._clock()
        process.join(_PAUSE)
        while process.is_alive():
            if (now := self._store.jobs.last(TRAINING)) != job:
                job, since = now, self._clock()
            elif self._clock() - since > self._seconds:
                self._end(process, number)
            process.join(_PAUSE)

    def _end(self, process: BaseProcess, number: int) -> None:
        process.kill()
        process.join()
        job = self._store.jobs.last(TRAINING)
        if job is not None and job.number == number and job.state != DONE:
            problem = f"a step took longer than {self._seconds:g} s"
            self._store.jobs.update(number, FAILED, problem=problem)

    def job(self) -> Job | None:
        """Return the last training, which has failed if its process is gone."""
        with self._turn:
            job = self._store.jobs.last(TRAINING)
            alive = self._process is not None and self._process.is_alive()
            if job is None or job.state != RUNNING or alive:
                return job
            with self._alone() as alone:
                # It may have ended after it was looked up.
                job = self._store.jobs.last(TRAINING)
                if alone and job is not None and job.state == RUNNING:
                    self._store.jobs.update(job.number, FAILED, problem="it was interrupted")
            return self._store.jobs.last(TRAINING)

    def counts(self) -> dict[str, int]:
        """Return how many reviewed notes there are to learn from, and to measure with."""
        notes = dict.fromkeys((False, True), 0)
        for held_out in notes:
            notes[held_out] = sum(1 for _ in reviewed_documents(self._store, held_out=held_out))
        return {"train": notes[False], "held_out": notes[True]}

    def use(self, number: int) -> None:
        """Let the new model read all notes that nobody has begun.

        Raises
        ------
        UsageError
            If that training is not the last one, or has no model.
        """
        job = self.job()
        if job is None or job.number != number or job.state != DONE:
            raise UsageError("this training has no model")
        self._store.set_fact(MODEL, job.content["model"])
        self._store.forget_proposals()
        self._store.jobs.update(number, DONE, used=True)

    def close(self) -> None:
        """End a training that runs."""
        if self._process is not None and self._process.is_alive():
            self._process.terminate()
            self._process.join(timeout=5)
            # A system may ignore the first signal.
            self._process.kill()


def describe(job: Job | None) -> dict[str, Any] | None:
    """Return a job as plain JSON values."""
    return None if job is None else {"number": job.number, "state": job.state, **job.content}
