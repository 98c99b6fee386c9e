"""Processor time by stage, measured only on request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import process_time


class _Stopwatch:
    """Adds the processor time to the innermost of nested stages."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._stages: list[str] = []
        self._since = process_time()

    def enter(self, name: str) -> None:
        self._add_time()
        self._stages.append(name)

    def leave(self) -> None:
        self._add_time()
        self._stages.pop()

    def _add_time(self) -> None:
        """Add the time since the last change of stage."""
        now = process_time()
        if self._stages:
            name = self._stages[-1]
            self.seconds[name] = self.seconds.get(name, 0.0) + now - self._since
        self._since = now


_STOPWATCH: ContextVar[_Stopwatch | None] = ContextVar("stopwatch", default=None)


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Attribute the time of a block to a stage, except that of nested stages."""
    stopwatch = _STOPWATCH.get()
    if stopwatch is None:
        yield
        return
    stopwatch.enter(name)
    try:
        yield
    finally:
        stopwatch.leave()


@contextmanager
def timed_stages() -> Iterator[dict[str, float]]:
    """Measure the stages of a block, in this thread.

    Yields
    ------
    dict of str to float
        Processor seconds by stage, in order of first use; updated as the block
        runs.

    Examples
    --------
    >>> with timed_stages() as seconds:
    ...     with stage("work"):
    ...         pass
    >>> list(seconds)
    ['work']
    """
    stopwatch = _Stopwatch()
    token = _STOPWATCH.set(stopwatch)
    try:
        yield stopwatch.seconds
    finally:
        _STOPWATCH.reset(token)
