"""The parent's side: processes are started, called, waited for and replaced."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from threading import Lock
from typing import Any

from multideid.isolation.child import FAILED, Function
from multideid.isolation.hidden_output import HiddenOutput
from multideid.isolation.processes import CleanProcess, LostProcessError, Server


class IsolatedFunction:
    """A function that runs in processes of its own, called from any number of threads.

    Parameters
    ----------
    make : callable
        Called in a new process, without arguments; returns the function. Pickled by
        cloudpickle.
    n : int
        Maximum number of calls at the same time.
    seconds : float, optional
        After this time a call has failed. Default: never.

    Attributes
    ----------
    hidden : HiddenOutput
        Counts what the processes print.
    """

    def __init__(self, make: Callable[[], Function], n: int, seconds: float | None = None) -> None:
        import cloudpickle

        self.hidden = HiddenOutput()
        self._packed = cloudpickle.dumps(make)
        self._n, self._seconds = n, seconds
        self._lock = Lock()
        self._processes = _Processes()
        self._idle: list[Server] = []
        # Python waits at its end for processes that were not stopped.
        self._finalizer = weakref.finalize(self, self._processes.end)

    def __call__(self, item: Any, seconds: float | None = None) -> Any:
        """Return ``function(item)``.

        Parameters
        ----------
        item : object
        seconds : float, optional
            After this time the call has failed. Default: that of all calls.

        Raises
        ------
        LostProcessError
            If the process died or took too long. It is replaced for the next call.
        UsageError
            If no process can be started.
        Exception
            That of the function.
        """
        server = self._take()
        try:
            kind, value = server.ask(item, self._seconds if seconds is None else seconds)
        except BaseException:
            self._processes.remove(server)
            raise
        with self._lock:
            self._idle.append(server)
        if kind == FAILED:
            raise value
        return value

    def start(self) -> None:
        """Start a process now, so that an error shows before the first call."""
        server = self._take()
        with self._lock:
            self._idle.append(server)

    def stop(self) -> None:
        """End all processes at once."""
        self._finalizer()

    def _take(self) -> Server:
        while server := self._pop_idle():
            if not server.has_ended():
                return server
            # Nobody's item ended it: the machine may have run out of memory.
            self._processes.remove(server)
        return self._processes.start(self._packed, self._n, self.hidden)

    def _pop_idle(self) -> Server | None:
        with self._lock:
            return self._idle.pop() if self._idle else None


class _Processes:
    """The processes of one function."""

    def __init__(self) -> None:
        self._servers: set[Server] = set()
        self._clean: set[CleanProcess] = set()
        self._source: CleanProcess | None = None
        self._can_copy = True
        self._ended = False
        self._lock = Lock()

    def start(self, packed: bytes, n: int, hidden: HiddenOutput) -> Server:
        """Return a new server: a copy of a process that has loaded, or a process that loads."""
        with self._lock:
            if self._can_copy:
                return self._added(self._copied() or self._loaded(packed, n, hidden))
        # Without copies, several processes load side by side.
        return self._added(self._loaded(packed, n, hidden))

    def remove(self, server: Server) -> None:
        """End a server."""
        self._servers.discard(server)
        server.end()

    def end(self) -> None:
        """End all of them, also those that load."""
        self._ended = True
        for server in list(self._servers):
            server.end()
        for process in list(self._clean):
            process.end()

    def _added(self, server: Server) -> Server:
        self._servers.add(server)
        if self._ended:
            self.remove(server)
            raise _stopped()
        return server

    def _copied(self) -> Server | None:
        if self._source is None:
            return None
        try:
            return self._source.copy()
        except (EOFError, OSError):
            self._source.end()
            self._source = None
            return None

    def _loaded(self, packed: bytes, n: int, hidden: HiddenOutput) -> Server:
        if self._ended:
            raise _stopped()
        process = CleanProcess(n, hidden)
        self._clean.add(process)
        if self._ended:
            # The end came between, and has not seen this process.
            process.end()
            raise _stopped()
        self._can_copy = process.load(packed)
        if not self._can_copy:
            return process.serving()
        self._source = process
        return process.copy()


def _stopped() -> LostProcessError:
    return LostProcessError("was stopped")
