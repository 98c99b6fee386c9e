"""Prediction on many documents in several processes, with results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from multiprocessing import current_process
from types import TracebackType
from typing import TYPE_CHECKING, Self, cast

from multideid.arguments import invalid
from multideid.document import Document, Evidence, FailedDocument, Span
from multideid.errors import UsageError
from multideid.isolation import HiddenOutput, IsolatedFunction, LostProcessError
from multideid.parallel import effective_n_jobs
from multideid.stacking.deidentifier import Deidentifier, batches
from multideid.stacking.failing_notes import results_of
from multideid.stacking.inputs import documents_of
from multideid.stacking.prediction_process import (
    LABELS,
    Found,
    Result,
    make_finder,
    predicted,
    sent,
    with_site,
)
from multideid.taggers.registry import session_plugins, system_names

if TYPE_CHECKING:
    from concurrent.futures import Future

Batch = Sequence[Document]

_AHEAD = 2  # Batches per process: one in progress, and one queued.


class ParallelPredictor:
    """A fitted de-identifier in processes of its own; a context manager.

    Texts and spans are sent through pipes and never written to disk. What base
    systems print in the processes is counted and not shown, since it may quote
    documents.

    Parameters
    ----------
    model : Deidentifier or callable
        Fitted; or a function without arguments that loads it, which is called in
        the processes.
    n_jobs : int, optional
        Number of processes. Default, as -1: one per processor.
    votes : bool, default False
        Whether to count the votes of base systems for each span
        (`multideid.evidence.votes_of`). It takes about twice the time.
    isolated : bool, default False
        Whether to use a process also for a single batch and with ``n_jobs=1``, so
        that a base system that crashes, exits or hangs fails on its document and
        no more. It takes a second or two to start.
    timeout : float, optional
        Seconds after which a document has failed; for documents in processes of
        their own. Default: never.

    Examples
    --------
    >>> with ParallelPredictor(model) as predictor:  # doctest: +SKIP
    ...     for document in predictor.predict_each(documents):
    ...         print(document.id, len(document.spans))
    """

    def __init__(
        self,
        model: Deidentifier | Callable[[], Deidentifier],
        n_jobs: int | None = None,
        *,
        votes: bool = False,
        isolated: bool = False,
        timeout: float | None = None,
    ) -> None:
        if not callable(model) and not isinstance(model, Deidentifier):
            raise invalid("the model", "a fitted model, or a function that loads one", model)
        is_time = isinstance(timeout, int | float) and timeout > 0
        if timeout is not None and not is_time:
            raise UsageError(f"the timeout must be a positive number of seconds; got {timeout!r}")
        self._model = model
        self._votes = votes
        self._n_jobs = effective_n_jobs(n_jobs)
        self._isolated = isolated and _may_have_processes()
        self._timeout = timeout
        self._labels: tuple[str, ...] | None = None
        self._calls: IsolatedFunction | None = None
        self._threads: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._threads is not None:
            # After Ctrl-C, do not wait for running calls.
            self._threads.shutdown(wait=False, cancel_futures=True)
        if self._calls is not None:
            self._calls.stop()
            self._calls.hidden.warn()

    @property
    def labels(self) -> tuple[str, ...]:
        """The PHI labels of the model, which is loaded if it has not been."""
        if isinstance(self._model, Deidentifier) or not self._isolated:
            return self._own_model().labels_
        if self._labels is None:
            self._labels = tuple(self._function()(LABELS))
        return self._labels

    @property
    def hidden(self) -> HiddenOutput:
        """The size of what base systems printed in the processes."""
        return HiddenOutput() if self._calls is None else self._calls.hidden

    def predict_each(self, documents: Iterable[str | Document]) -> Iterator[Result]:
        """Yield the documents in order; as `Deidentifier.predict_each`.

        At most a few batches of about 500,000 characters are read in advance. If a
        process dies or takes too long, its documents are processed again one by one;
        a document on which that happens again has failed, and the others of a patient
        are processed together, so that they agree.

        Raises
        ------
        UsageError
            If no process can be started.
        ModelError
            If the model cannot be loaded.
        """
        ahead = batches(documents_of(documents))
        first = list(islice(ahead, 1 if self._isolated else 2))
        if self._isolated or (len(first) == 2 and self._n_jobs > 1):
            yield from self._in_processes(chain(first, ahead))
        else:
            for batch in chain(first, ahead):
                yield from predicted(self._own_model(), batch, self._votes)

    def _own_model(self) -> Deidentifier:
        if not isinstance(self._model, Deidentifier):
            self._model = self._model()
        return self._model

    def _in_processes(self, ahead: Iterable[Batch]) -> Iterator[Result]:
        waiting: deque[Future[list[Result]]] = deque()
        for batch in ahead:
            waiting.append(self._submit(batch))
            if len(waiting) == _AHEAD * self._n_jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()

    def _submit(self, batch: Batch) -> Future[list[Result]]:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._n_jobs)
        return self._threads.submit(_results, self._function(), batch)

    def _function(self) -> IsolatedFunction:
        if self._calls is None:
            plugins = session_plugins(system_names())
            make = partial(make_finder, self._loader(), plugins, self._votes)
            self._calls = IsolatedFunction(make, self._n_jobs, self._timeout)
        return self._calls

    def _loader(self) -> Callable[[], Deidentifier]:
        if not isinstance(self._model, Deidentifier):
            return self._model
        # A site's knowledge is no part of a pickled model, but may go through the pipe.
        return partial(with_site, self._model.with_site(None), self._model.site)


def _may_have_processes() -> bool:
    # Daemons of multiprocessing may not.
    return not current_process().daemon


def _results(calls: IsolatedFunction, batch: Batch) -> list[Result]:
    """Return the results of a batch; a document fails if its process is lost on it alone."""
    return results_of(batch, partial(_called, calls), _problem, LostProcessError)


def _problem(lost: BaseException) -> str:
    return cast("LostProcessError", lost).problem


def _called(calls: IsolatedFunction, batch: Batch) -> list[Result]:
    found: list[Found] = calls([sent(document) for document in batch])
    return [
        result if isinstance(result, FailedDocument) else _found(document, *result)
        for document, result in zip(batch, found, strict=True)
    ]


def _found(
    document: Document, spans: tuple[Span, ...], evidence: Mapping[Span, Evidence]
) -> Document:
    return replace(document, spans=spans, evidence=evidence)
