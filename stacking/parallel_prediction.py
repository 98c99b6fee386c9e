"""Prediction on many documents in several processes, with results in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from dataclasses import replace
from itertools import chain, islice
from types import TracebackType
from typing import Any, Self

from multideid import parallel
from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.evidence import EVIDENCE
from multideid.parallel import ProcessPool, effective_n_jobs
from multideid.stacking.deidentifier import Deidentifier, FailedDocument, batches
from multideid.stacking.votes import VOTES

Text = tuple[str, str]
Found = tuple[tuple[Span, ...], dict[str, Any]] | FailedDocument
"""Spans, and what the model adds to `meta`."""

_AHEAD = 2  # Batches per process: one in progress, and one queued.
_DIED = "the process that worked on it ended abruptly; it may have run out of memory"


class ParallelPredictor:
    """A fitted de-identifier in several processes; a context manager.

    A single batch of documents is processed in this process. The second batch
    starts the worker processes, which get the model from memory. Texts and spans
    are sent through pipes and never written to disk.

    Parameters
    ----------
    model : Deidentifier
        Fitted.
    n_jobs : int, optional
        Number of processes. Default, as -1: one per processor. With 1,
        everything is done in this process.
    votes : bool, default False
        Whether to add the result of `Deidentifier.votes` to the `meta` of the
        documents, under ``"votes"``. It takes about twice the time.

    Examples
    --------
    >>> with ParallelPredictor(model) as predictor:  # doctest: +SKIP
    ...     for document in predictor.predict_each(documents):
    ...         print(document.id, len(document.spans))
    """

    def __init__(
        self, model: Deidentifier, n_jobs: int | None = None, *, votes: bool = False
    ) -> None:
        self._model = model
        self._votes = votes
        self._n_jobs = effective_n_jobs(n_jobs)
        self._pool: ProcessPool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # After Ctrl-C, do not wait for running calls.
        self._stop(at_once=error is not None)

    def predict_each(self, documents: Iterable[Document]) -> Iterator[Document | FailedDocument]:
        """Yield the documents in order; as `Deidentifier.predict_each`.

        At most a few batches of about 500,000 characters are read in advance. If a
        process dies, its documents are processed again one by one; a document that
        kills its process again has failed.

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
                yield from self._oldest(waiting)
        while waiting:
            yield from self._oldest(waiting)

    def _oldest(
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
                yield from self._retry(again)
        else:
            yield from _results(batch, found)

    def _retry(self, batch: Sequence[Document]) -> list[Document | FailedDocument]:
        """Process a batch alone, to find the document that kills the process."""
        try:
            return _results(batch, self._submit(batch).result())
        except BrokenExecutor:
            self._stop()
        if len(batch) == 1:
            return [FailedDocument(batch[0].id, _DIED)]
        return [result for document in batch for result in self._retry([document])]

    def _submit(self, batch: Sequence[Document]) -> Future[list[Found]]:
        texts = [(document.id, document.text) for document in batch]
        if self._pool is None:
            self._pool = _start_pool(self._model, self._n_jobs)
        return self._pool.submit(_find, texts, self._votes)

    def _stop(self, at_once: bool = False) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.stop(at_once)


def _results(batch: Sequence[Document], found: Sequence[Found]) -> list[Document | FailedDocument]:
    return [
        result if isinstance(result, FailedDocument) else _found(document, *result)
        for document, result in zip(batch, found, strict=True)
    ]


def _found(document: Document, spans: tuple[Span, ...], added: dict[str, Any]) -> Document:
    meta = {**document.meta, **added} if added else document.meta
    return replace(document, spans=spans, meta=meta)


def _predicted(
    model: Deidentifier, batch: Sequence[Document], votes: bool
) -> list[Document | FailedDocument]:
    results = model.predict_batch(batch)
    return model.with_votes(results) if votes else results


def _start_pool(model: Deidentifier, n: int) -> ProcessPool:
    # Word lists are loaded on first use: load them once, before forking.
    model.predict_batch([Document("first use", "A 1")])
    if parallel.START_METHOD == "fork":
        # A fork shares the model's memory and has the plug-ins registered in this session.
        pool = ProcessPool(n, _set_model, model)
    else:
        import cloudpickle

        # Views contain functions that another process cannot import by name. A site's
        # knowledge goes through the pipe too, but is no part of a pickled model.
        site = model.site and replace(model.site, recall=None)
        packed = cloudpickle.dumps((model.with_site(None), site))
        pool = ProcessPool(n, _unpack_model, packed)
    try:
        pool.submit(os.getpid).result()
    except BrokenExecutor:
        pool.stop()
        raise UsageError("cannot start processes with the model; run it with one job") from None
    return pool


# The functions below run in the worker processes.

_MODEL: list[Deidentifier] = []


def _set_model(model: Deidentifier) -> None:
    _MODEL[:] = [model]


def _unpack_model(packed: bytes) -> None:
    import cloudpickle

    model, site = cloudpickle.loads(packed)
    _set_model(model.with_site(site))


def _find(texts: Sequence[Text], votes: bool) -> list[Found]:
    (model,) = _MODEL
    results = _predicted(model, [Document(name, text) for name, text in texts], votes)
    return [r if isinstance(r, FailedDocument) else (r.spans, _added(r)) for r in results]


def _added(result: Document) -> dict[str, Any]:
    return {key: result.meta[key] for key in (VOTES, EVIDENCE) if key in result.meta}
