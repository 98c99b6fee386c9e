"""Processor time by stage, for those who ask; nobody else pays for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import process_time


class _Watch:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._running: list[str] = []
        self._since = process_time()

    def enter(self, stage: str) -> None:
        self._note()
        self._running.append(stage)

    def leave(self) -> None:
        self._note()
        self._running.pop()

    def _note(self) -> None:
        """Add the time since the last change to the innermost stage."""
        now = process_time()
        if self._running:
            stage = self._running[-1]
            self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._since
        self._since = now


_WATCH: ContextVar[_Watch | None] = ContextVar("watch", default=None)


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Count the time of a block to a stage; that of a stage within it is not counted twice."""
    watch = _WATCH.get()
    if watch is None:
        yield
        return
    watch.enter(name)
    try:
        yield
    finally:
        watch.leave()


@contextmanager
def timed_stages() -> Iterator[dict[str, float]]:
    """Measure the stages of a block, in this thread.

    Yields
    ------
    dict of str to float
        Processor seconds by stage, in order of first sight, growing as the block runs.

    Examples
    --------
    >>> with timed_stages() as seconds:
    ...     with stage("work"):
    ...         pass
    >>> list(seconds)
    ['work']
    """
    watch = _Watch()
    token = _WATCH.set(watch)
    try:
        yield watch.seconds
    finally:
        _WATCH.reset(token)
