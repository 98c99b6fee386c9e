"""Signals end a command in order, even where Python loses their exception.

The handler of a signal raises an exception, which removes temporary files on its way out. Python
ignores it if it is raised where nobody can catch it: in a ``__del__``, in the callback of a weak
reference (an import has one), in a callback of compiled code. So the signal is noted as well:
`end_if_stopped` looks at the note, and where an exception was lost it is raised again.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_PAUSE = 0.2
"""Seconds between looks at whether the exception was lost."""

_LONGEST_END = 10.0
"""Seconds that a stopped program may take for its end, such as for threads of base systems."""


class StoppedError(BaseException):
    """The command was asked to end by a signal.

    Parameters
    ----------
    number : int
        Of the signal.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)


class _Request:
    """The signal that asked the command to end, and the exception that was raised for it.

    `latest` is the signal too, and is not forgotten.
    """

    signal: int | None = None
    raised: weakref.ref[StoppedError] | None = None
    held_back: bool = False
    latest: int | None = None


_request = _Request()


def end_on_signals() -> None:
    """Let SIGTERM and SIGHUP end the command in order, so that no file is left behind."""
    for number in _signals():
        # One that is ignored, as by nohup, stays so.
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def end_at_once_on_signals() -> None:
    """Let signals end the program at once from now on, when nothing is left to be removed.

    Nobody would handle their exception any more. A program that was stopped ends in any case: it
    does not wait for threads that base systems have started.
    """
    _look_again(0)
    for number in _signals():
        if signal.getsignal(number) is _stop:
            signal.signal(number, _end)
    if _request.latest is not None and hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, _end_if_waiting)
        signal.setitimer(signal.ITIMER_REAL, _LONGEST_END)


def signal_that_stops() -> int | None:
    """Return the signal that asked the command to end; what it interrupted may raise another."""
    return _request.signal


def end_if_stopped() -> None:
    """Go on unless the command was asked to end; called between documents and steps.

    Raises
    ------
    StoppedError
        If it was. Only in the main thread, as by a signal.
    """
    if _request.signal is not None and current_thread() is main_thread():
        _raise(_request.signal)


@contextmanager
def stops_noted() -> Iterator[None]:
    """Look for lost exceptions meanwhile, without a word on the terminal, and then forget all."""
    before = sys.unraisablehook

    def hook(lost: UnraisableHookArgs) -> None:
        if not isinstance(lost.exc_value, StoppedError):
            before(lost)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before
        forget_signals()


def forget_signals() -> None:
    """Forget what asked the command to end, and look for lost exceptions no more."""
    _look_again(0)
    _request.signal = _request.raised = None
    _request.held_back = False


def _signals() -> list[signal.Signals]:
    names = ("SIGTERM", "SIGHUP")
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


def _end(number: int, _: object) -> None:
    os._exit(128 + (_request.latest or number))


def _end_if_waiting(number: int, frame: object) -> None:
    # Whoever called the command line from Python goes on in the main thread.
    if not main_thread().is_alive():
        _end(number, frame)


def _stop(number: int, _: object) -> None:
    _request.signal = _request.latest = number
    _look_again(_PAUSE)
    if _is_handled() and not _request.held_back:
        # A service manager or a closed terminal sends two at once, and the second would interrupt
        # the removal of files. A third ends even a removal that hangs.
        _request.held_back = True
        return
    _raise(number)


def _is_handled() -> bool:
    return _request.raised is not None and _request.raised() is not None


def _raise(number: int) -> NoReturn:
    # No variable holds the exception, so that it lives only as long as somebody handles it.
    raise _noted(StoppedError(number))


def _noted(error: StoppedError) -> StoppedError:
    _request.raised = weakref.ref(error)
    return error


def _look_again(pause: float) -> None:
    """Let a timer look whether the exception still lives, or end that with 0."""
    if not hasattr(signal, "setitimer"):
        return
    if pause and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL:
        signal.signal(signal.SIGALRM, _raise_if_lost)
    if signal.getsignal(signal.SIGALRM) is _raise_if_lost:
        # Once: with many objects a look takes longer than the pause, and the next one would
        # follow at once and stop the removal of files.
        signal.setitimer(signal.ITIMER_REAL, pause)
        if not pause:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _raise_if_lost(*_: object) -> None:
    # While temporary files are removed, the exception is being handled, and lives. One that was
    # swallowed may be kept by a cycle of references, such as that of a frame that named it.
    gc.collect()
    if _request.signal is not None:
        _look_again(_PAUSE)
    lost = _request.raised is not None and _request.raised() is None
    if lost and _request.signal is not None:
        _raise(_request.signal)
