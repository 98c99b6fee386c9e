"""One thread that finds PHI for all requests, those that wait in one batch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from multideid.document import Document, FailedDocument
from multideid.errors import failed_with
from multideid.integrations.coded_notes import found_in_readable
from multideid.isolation import LostProcessError

if TYPE_CHECKING:
    from multideid.integrations.rest.model_process import ModelProcess
    from multideid.stacking.deidentifier import Deidentifier

Scores = tuple[float | None, ...]
Finish = Callable[[Document, Scores], Any]
_Found = tuple[Document, Scores] | FailedDocument


class BusyError(Exception):
    """Too many requests are waiting."""


@dataclass(slots=True)
class _Job:
    documents: Sequence[Document]
    finish: Finish
    scores: bool
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[list[Any]]
    results: list[Any] = field(default_factory=list)


class BatchingPredictor:
    """Finds PHI in the documents of concurrent requests.

    A model works in one thread at a time. Requests that come while it works are
    processed together afterwards, which takes little longer than a single one.

    Parameters
    ----------
    model : Deidentifier or ModelProcess
        Fitted.
    most : int
        Number of requests that may be in progress or wait.
    """

    def __init__(self, model: Deidentifier | ModelProcess, most: int) -> None:
        self._model = model
        self._places = BoundedSemaphore(most)
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._since: float | None = None
        self._thread = Thread(target=self._work, name="multideid predictor", daemon=True)
        self._thread.start()

    @property
    def busy_seconds(self) -> float:
        """Seconds since the present batch was begun; 0 if there is none."""
        since = self._since
        return 0.0 if since is None else monotonic() - since

    async def find(
        self, documents: Sequence[Document], finish: Finish, *, scores: bool, timeout: float
    ) -> list[Any]:
        """Return, for each document, what `finish` makes of it, or a `FailedDocument`.

        Parameters
        ----------
        documents : sequence of Document
        finish : callable
            Called in the predictor's thread with each document with spans and their scores.
        scores : bool
            Whether scores are computed; otherwise they are None.
        timeout : float
            Seconds to wait.

        Raises
        ------
        BusyError
            If too many requests are waiting.
        TimeoutError
            If there is no result in time.
        """
        if not self._places.acquire(blocking=False):
            raise BusyError
        loop = asyncio.get_running_loop()
        job = _Job(documents, finish, scores, loop, loop.create_future())
        self._queue.put(job)
        return await asyncio.wait_for(job.done, timeout)

    def close(self) -> None:
        """End the thread after the jobs in the queue; a hung one is not waited for."""
        self._queue.put(None)

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            self._since = monotonic()
            jobs, ended = self._waiting(job)
            try:
                self._process([job for job in jobs if not job.done.cancelled()])
            finally:
                self._since = None
                for _ in jobs:
                    self._places.release()
            if ended:
                return

    def _waiting(self, first: _Job) -> tuple[list[_Job], bool]:
        """Return all jobs in the queue, and whether the end was in it."""
        jobs = [first]
        while True:
            try:
                job = self._queue.get_nowait()
            except Empty:
                return jobs, False
            if job is None:
                return jobs, True
            jobs.append(job)

    def _process(self, jobs: Sequence[_Job]) -> None:
        documents = [document for job in jobs for document in job.documents]
        scores = any(job.scores for job in jobs)
        found = found_in_readable(documents, lambda readable: self._found(readable, scores))
        for job in jobs:
            results = [_finished(job, next(found)) for _ in job.documents]
            # Nobody waits where the loop is closed.
            with suppress(RuntimeError):
                job.loop.call_soon_threadsafe(_resolve, job.done, results)

    def _found(self, documents: Sequence[Document], scores: bool) -> list[_Found]:
        find = self._with_scores if scores else self._without_scores
        try:
            return find(documents)
        except BaseException as error:
            # SystemExit and the like of a base system, which would end the thread.
            if len(documents) == 1:
                return [_failed(documents[0].id, error)]
            return [one for document in documents for one in self._found([document], scores)]

    def _with_scores(self, documents: Sequence[Document]) -> list[_Found]:
        return [
            result if isinstance(result, FailedDocument) else (result.document, result.scores)
            for result in self._model.read_each(documents)
        ]

    def _without_scores(self, documents: Sequence[Document]) -> list[_Found]:
        return [
            result if isinstance(result, FailedDocument) else (result, _unscored(result))
            for result in self._model.predict_each(documents)
        ]


def _unscored(document: Document) -> Scores:
    return (None,) * len(document.spans)


def _finished(job: _Job, found: _Found) -> Any:
    if isinstance(found, FailedDocument):
        return found
    document, scores = found
    try:
        return job.finish(document, scores if job.scores else _unscored(document))
    except Exception as error:
        return _failed(document.id, error)


def _failed(document_id: str, error: BaseException) -> FailedDocument:
    if isinstance(error, LostProcessError):
        return FailedDocument(document_id, error.problem)
    return FailedDocument(document_id, failed_with(error))


def _resolve(future: asyncio.Future[list[Any]], results: list[Any]) -> None:
    if not future.done():
        future.set_result(results)
