"""A de-identifier at work on many documents, in several processes, in order."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from dataclasses import replace
from itertools import chain, islice
from multiprocessing import active_children, connection, get_context, parent_process
from threading import Thread
from types import TracebackType
from typing import Self

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.stacking.deidentifier import Deidentifier, FailedDocument, batches
from multideid.stacking.fitting import effective_n_jobs
from multideid.stacking.votes import VOTES, Votes

Text = tuple[str, str]
Found = tuple[tuple[Span, ...], Votes | None] | FailedDocument

_AHEAD = 2  # Batches for each process: one that it works on, and one that waits.
_START = "fork" if sys.platform == "linux" else "spawn"
_DIED = "the process that worked on it ended abruptly; it may have run out of memory"


class ParallelPredictor:
    """A fitted de-identifier in several processes; a context manager.

    A single batch of documents is processed here, and costs no process. With
    the second one the processes start, each with the model as it is in memory.
    Texts and spans pass through pipes and never touch a disk.

    Parameters
    ----------
    model : Deidentifier
        Fitted.
    n_jobs : int, optional
        Processes. Default, as -1: one a processor. With 1, all is done here.
    votes : bool, default False
        Whether documents come with what `Deidentifier.votes` tells of their
        spans, in `meta` under ``"votes"``. It takes about as long again.

    Examples
    --------
    >>> with ParallelPredictor(model) as workers:  # doctest: +SKIP
    ...     for document in workers.predict_each(documents):
    ...         print(document.id, len(document.spans))
    """

    def __init__(
        self, model: Deidentifier, n_jobs: int | None = None, *, votes: bool = False
    ) -> None:
        self._model = model
        self._votes = votes
        self._n_jobs = effective_n_jobs(n_jobs)
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # After Ctrl-C nobody waits for what the processes still do.
        self._stop(at_once=error is not None)

    def predict_each(self, documents: Iterable[Document]) -> Iterator[Document | FailedDocument]:
        """Yield the documents in order; as `Deidentifier.predict_each`.

        No more than a few batches of about 500,000 characters are read
        ahead of what was taken. If a process dies, what it had is done again,
        document by document; one that ends its process again has failed.

        Raises
        ------
        UsageError
            If no process can be started.
        """
        ahead = batches(documents)
        first = list(islice(ahead, 2))
        if len(first) < 2 or self._n_jobs == 1:
            for batch in chain(first, ahead):
                yield from _predicted(self._model, batch, self._votes)
        else:
            yield from self._in_processes(chain(first, ahead))

    def _in_processes(
        self, ahead: Iterable[Sequence[Document]]
    ) -> Iterator[Document | FailedDocument]:
        waiting: deque[tuple[Sequence[Document], Future[list[Found]]]] = deque()
        for batch in ahead:
            waiting.append((batch, self._submit(batch)))
            if len(waiting) == _AHEAD * self._n_jobs:
                yield from self._take(waiting)
        while waiting:
            yield from self._take(waiting)

    def _take(
        self, waiting: deque[tuple[Sequence[Document], Future[list[Found]]]]
    ) -> Iterator[Document | FailedDocument]:
        """Yield the results of the oldest batch, or of all if a process died."""
        batch, future = waiting.popleft()
        try:
            found = future.result()
        except BrokenExecutor:
            lost = [batch, *(later for later, _ in waiting)]
            waiting.clear()
            self._stop()
            for again in lost:
                yield from self._rescue(again)
        else:
            yield from _results(batch, found)

    def _rescue(self, batch: Sequence[Document]) -> list[Document | FailedDocument]:
        """Process a batch with no other under way, so that it is clear what a process dies of."""
        try:
            return _results(batch, self._submit(batch).result())
        except BrokenExecutor:
            self._stop()
        if len(batch) == 1:
            return [FailedDocument(batch[0].id, _DIED)]
        return [result for document in batch for result in self._rescue([document])]

    def _submit(self, batch: Sequence[Document]) -> Future[list[Found]]:
        texts = [(document.id, document.text) for document in batch]
        if self._pool is None:
            self._others = set(active_children())
            self._pool = _start_pool(self._model, self._n_jobs)
        try:
            return self._pool.submit(_find, texts, self._votes)
        except BrokenExecutor as broken:
            future: Future[list[Found]] = Future()
            future.set_exception(broken)
            return future

    def _stop(self, at_once: bool = False) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        for process in set(active_children()) - self._others if at_once else ():
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _results(batch: Sequence[Document], found: Sequence[Found]) -> list[Document | FailedDocument]:
    return [
        result if isinstance(result, FailedDocument) else _found(document, *result)
        for document, result in zip(batch, found, strict=True)
    ]


def _found(document: Document, spans: tuple[Span, ...], votes: Votes | None) -> Document:
    meta = document.meta if votes is None else {**document.meta, VOTES: votes}
    return replace(document, spans=spans, meta=meta)


def _predicted(
    model: Deidentifier, batch: Sequence[Document], votes: bool
) -> list[Document | FailedDocument]:
    results = model.predict_batch(batch)
    return model.with_votes(results) if votes else results


def _start_pool(model: Deidentifier, n: int) -> ProcessPoolExecutor:
    # Word lists are loaded at first use: once, before there are several processes.
    model.predict_batch([Document("first use", "A 1")])
    pool = _pool(model, n)
    try:
        pool.submit(os.getpid).result()
    except BrokenExecutor:
        pool.shutdown()
        raise UsageError("cannot start processes with the model; run it with one job") from None
    return pool


def _pool(model: Deidentifier, n: int) -> ProcessPoolExecutor:
    if _START == "fork":
        # A fork shares the model's memory, and knows what this session registered.
        return ProcessPoolExecutor(n, get_context("fork"), _begin, (model,))
    import cloudpickle

    # Views hold functions that have no name by which another process could import them.
    packed = cloudpickle.dumps(model)
    return ProcessPoolExecutor(n, get_context(_START), _begin_anew, (packed,))


# What follows runs in the processes.

_HERE: list[Deidentifier] = []


def _begin(model: Deidentifier) -> None:
    _HERE[:] = [model]
    # Ctrl-C ends all processes of a terminal at once, without a traceback from each.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _begin_anew(packed: bytes) -> None:
    import cloudpickle

    _begin(cloudpickle.loads(packed))


def _end_with_parent() -> None:
    """Leave no process, with documents in its memory, behind a parent that was killed."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _find(texts: Sequence[Text], votes: bool) -> list[Found]:
    (model,) = _HERE
    results = _predicted(model, [Document(name, text) for name, text in texts], votes)
    return [r if isinstance(r, FailedDocument) else (r.spans, r.meta.get(VOTES)) for r in results]
