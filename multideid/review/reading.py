"""A model reads the notes of a review, in a process of its own, while people already work."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING

from multideid.document import FailedDocument
from multideid.isolation import print_nothing
from multideid.parallel import TIMEOUT, exit_with
from multideid.review.notes import Note, Proposal
from multideid.review.order import arrange
from multideid.review.store import Store

if TYPE_CHECKING:
    from multideid.stacking.deidentifier import Deidentifier
    from multideid.stacking.one_pass import Findings

MODEL = "model"
"""The fact with the name or folder of the model."""
RECALL = "recall"
SITE = "site"
"""The fact with the path of the site's file, and a digest of its knowledge."""
WANTED = "wanted"
"""The fact with the number of the note that somebody has opened, which is read next."""
READING = "reading"
"""The fact with the numbers of the notes that the process has begun, after it loaded the model."""
_FIRST, _MOST = 4, 64
_SOON = 10.0
"""More notes are read at once if the last took no more seconds: opened ones wait for them."""
_NICENESS = 5
_PAUSE = 0.5
_LONGEST_END = 5.0  # Seconds.


def read_notes(path: Path, most: int = _MOST) -> None:
    """Let the model of a review propose spans for all notes without proposals; order them.

    Parameters
    ----------
    path : Path
        Of the store.
    most : int
        Number of notes that are read at once.
    """
    store = Store(path)
    model = reading_model(store)
    for numbers in _batches(store, most):
        store.propose(proposals(model, list(store.notes(numbers))))
    arrange(store)
    store.close()


def reading_model(store: Store, model: str | Path | None = None) -> Deidentifier:
    """Load the model of a review, or another one, with its recall point and site."""
    from multideid.models import load

    place, _ = store.fact(SITE) or (None, None)
    return load(store.fact(MODEL) if model is None else model, store.fact(RECALL), place)


def proposals(model: Deidentifier, notes: Sequence[Note]) -> list[tuple[int, Proposal]]:
    """Return what a model proposes for notes, with their numbers."""
    found = model.read_batch([note.document for note in notes], systems=True)
    return [(note.number, _proposal(result)) for note, result in zip(notes, found, strict=True)]


def _proposal(result: Findings | FailedDocument) -> Proposal:
    if isinstance(result, FailedDocument):
        return Proposal(problem=result.problem)
    systems = {name: tuple(span for span, _ in own) for name, own in result.systems.items()}
    margins = {name: tuple(margin for _, margin in own) for name, own in result.systems.items()}
    return Proposal(result.document.spans, result.scores, systems, margins=margins)


def _batches(store: Store, most: int) -> Iterator[list[int]]:
    """Yield the numbers of notes without proposals: few at first, and opened ones next.

    They are noted as begun, so that whoever waits for the process knows where it is.
    """
    size = min(_FIRST, most)
    while unread := store.without_proposal():
        wanted = store.fact(WANTED)
        numbers = [wanted] if wanted in unread else unread[:size]
        store.set_fact(READING, numbers)
        since = monotonic()
        yield numbers
        if len(numbers) == size and monotonic() - since <= _SOON:
            size = min(2 * size, most)


class Reader:
    """Keeps a process that reads the notes, and replaces one that died.

    Parameters
    ----------
    store : Store
    work : callable, optional
        What the process does; for tests.
    seconds : float
        Time to load the model, and then for each batch of notes, after which the process is
        ended as if it had died.
    clock : callable, optional
        Returns the seconds since some moment; for tests.
    """

    def __init__(
        self,
        store: Store,
        work: Callable[[Path, int], None] = read_notes,
        seconds: float = TIMEOUT,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._store, self._work = store, work
        self._seconds, self._clock = seconds, clock
        self._process: BaseProcess | None = None
        self._ended, self._turn = Event(), Lock()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin, if there is a model and a note that it has not read."""
        if self._store.fact(MODEL) is not None:
            self._ended.clear()
            self._thread = Thread(target=self._supervise, name="multideid reader", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the process."""
        self._ended.set()
        with suppress(AttributeError, ValueError):
            self._process.terminate()  # type: ignore[union-attr]
        if self._thread is not None:
            self._thread.join(timeout=_LONGEST_END)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """End the process, and begin again afterwards: another model may be chosen meanwhile.

        A process keeps the model that it has loaded, and would propose what that one finds.
        """
        with self._turn:
            self._ended.set()
            if self._thread is not None:
                self._thread.join()
            try:
                yield
            finally:
                self.start()

    def _supervise(self) -> None:
        most = _MOST
        while not self._ended.is_set() and self._store.without_proposal():
            problem = self._run(most)
            unread = self._store.without_proposal()
            if self._ended.is_set() or not unread:
                return
            # The process died: at one note a time it dies at the note that is the cause.
            if most == 1 and (cause := self._cause(unread)) is not None:
                self._store.propose([(cause, Proposal(problem=problem))])
                if len(unread) == 1:
                    arrange(self._store)
            most = 1

    def _cause(self, unread: Sequence[int]) -> int | None:
        """Return the note that the process had begun; none if it had just read one."""
        begun = self._store.fact(READING)
        if not begun:
            # It came to no note: without one that fails, it would be begun again for ever.
            return unread[0]
        return begun[0] if begun[0] in unread else None

    def _run(self, most: int) -> str:
        """Run the process until its end, or its time is over; return what is wrong then."""
        context = multiprocessing.get_context("spawn")
        arguments = (_NICENESS, self._work, self._store.path, most, os.getpid())
        self._process = context.Process(target=work_behind_page, args=arguments, daemon=True)
        self._store.set_fact(READING, None)
        state, since = self._state(), self._clock()
        self._process.start()
        while self._process.is_alive() and not self._ended.is_set():
            self._process.join(_PAUSE)
            if (now := self._state()) != state:
                state, since = now, self._clock()
            # Without unread notes, it puts them in order.
            elif state[0] and self._clock() - since > self._seconds:
                self._process.kill()
                self._process.join()
                return f"took longer than {self._seconds:g} s"
        if self._ended.is_set():
            # It may have begun after it was told to end.
            self._process.kill()
            self._process.join()
        return "the process of the model died"

    def _state(self) -> tuple[list[int], list[int] | None]:
        return self._store.without_proposal(), self._store.fact(READING)


def work_behind_page(
    niceness: int, work: Callable[[Path, int], None], path: Path, number: int, parent: int
) -> None:
    """Do the work of a review in this process, which ends with its parent and prints nothing.

    Parameters
    ----------
    niceness : int
        Added to that of the process: the page goes first where processors are few.
    work : callable
    path : Path
        Of the store.
    number : int
        The other argument of `work`.
    parent : int
        Id of the parent process.
    """
    Thread(target=exit_with, args=(parent,), daemon=True).start()
    with suppress(AttributeError, OSError):
        os.nice(niceness)
    print_nothing()
    work(path, number)
