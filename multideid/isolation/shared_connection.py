"""A connection to a process, which one thread may close while another waits at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from threading import Lock


class SharedConnection:
    """A connection whose descriptor is closed once, when no thread uses it any more.

    The system gives the number of a closed descriptor to the next file that is opened.
    A thread that still waits at it, or closes it again, would read or close that file.

    Parameters
    ----------
    connection : Connection
        Not to be used or closed elsewhere.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = Lock()
        self._users = 0
        self._is_closed = False

    @contextmanager
    def use(self) -> Iterator[Connection]:
        """Give the connection, which stays open meanwhile.

        Raises
        ------
        EOFError
            If it was closed, as if by the process.
        """
        with self._lock:
            if self._is_closed:
                raise EOFError
            self._users += 1
        try:
            yield self._connection
        finally:
            with self._lock:
                self._users -= 1
                self._close_if_unused()

    def close(self) -> None:
        """Let nobody begin to use it, and close it after its last use.

        Whoever waits for an answer goes on waiting until the process ends.
        """
        with self._lock:
            self._is_closed = True
            self._close_if_unused()

    def _close_if_unused(self) -> None:
        if self._is_closed and not self._users:
            self._connection.close()
