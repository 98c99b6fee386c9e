"""Processes that start clean, their copies, and what ended them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any

from multideid.errors import MultideidError, UsageError, reason
from multideid.isolation.child import COPY, END, MAKE_COPIES, READY, SERVE, main
from multideid.isolation.hidden_output import HiddenOutput
from multideid.isolation.shared_connection import SharedConnection
from multideid.parallel import effective_n_jobs

_LONGEST_START = 900.0
_LONGEST_END = 5.0
_POSIX = os.name == "posix"
_THREADS = (
    "BLIS_NUM_THREADS",
    "LOKY_MAX_CPU_COUNT",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


class LostProcessError(MultideidError):
    """A process died or took too long.

    Parameters
    ----------
    problem : str
        Holds no document text.
    """

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(problem)


class Server:
    """A process that serves, and the connection to it.

    Parameters
    ----------
    connection : SharedConnection
    cause : callable
        Ends the process if it has not ended, and returns the signal that did. Called once.
    """

    def __init__(self, connection: SharedConnection, cause: Callable[[], int]) -> None:
        self._connection, self._ask_cause = connection, cause
        self._lock = Lock()
        self._number: int | None = None

    def ask(self, item: Any, seconds: float | None) -> tuple[str, Any]:
        """Send an item, and return the answer.

        Raises
        ------
        LostProcessError
            If the process died or took too long.
        """
        try:
            with self._connection.use() as connection:
                connection.send(item)
                if not connection.poll(seconds):
                    raise LostProcessError(f"took longer than {seconds:g} s")
                answer: tuple[str, Any] = connection.recv()
                return answer
        except (EOFError, OSError):
            how = _described(self._cause())
            raise LostProcessError(f"the process that worked on it ended abruptly{how}") from None

    def has_ended(self) -> bool:
        """Return whether the process of an idle server has ended."""
        try:
            with self._connection.use() as connection:
                return connection.poll(0)
        except OSError:
            return True

    def end(self) -> None:
        """End the process at once; a thread that waits for it raises LostProcessError."""
        self._cause()
        self._connection.close()

    def _cause(self) -> int:
        # Two threads may notice the end, and the number of an ended process may be another's.
        with self._lock:
            if self._number is None:
                self._number = self._ask_cause()
            return self._number


class CleanProcess:
    """A process that starts clean and loads a function.

    Parameters
    ----------
    n : int
        Number of processes that share the processors.
    hidden : HiddenOutput
        Counts what the process and its copies print.

    Raises
    ------
    UsageError
        If it cannot be started.
    """

    def __init__(self, n: int, hidden: HiddenOutput) -> None:
        self._lock = Lock()
        output = hidden.open()
        try:
            self._process, control = _started(output, n)
        except OSError as error:
            raise UsageError(f"cannot start a process: {reason(error)}") from None
        finally:
            output.close()
        self._control = SharedConnection(control)

    def load(self, packed: bytes) -> bool:
        """Load the function, and return whether the process can make copies of itself.

        Parameters
        ----------
        packed : bytes
            What makes the function, pickled.

        Raises
        ------
        UsageError
            If the process ends while it loads, or does not come to an end with it.
        Exception
            That of the loading.
        """
        try:
            with self._control.use() as control:
                control.send_bytes(packed)
                if not control.poll(_LONGEST_START):
                    self._cause()
                    raise UsageError(f"the model was not loaded within {_LONGEST_START:g} s")
                kind, value = control.recv()
        except (EOFError, OSError):
            how = _described(self._cause())
            raise UsageError(f"the process that loaded the model ended abruptly{how}") from None
        if kind != READY:
            self._cause()
            raise value
        if value:
            self._send(MAKE_COPIES)
        return bool(value)

    def serving(self) -> Server:
        """Let the process itself serve."""
        self._send(SERVE)
        return Server(self._control, self._cause)

    def copy(self) -> Server:
        """Return a copy of the process, which serves.

        Raises
        ------
        EOFError, OSError
            If the process has ended.
        """
        with self._lock, self._control.use() as control:
            control.send((COPY, None))
            with socket.socket(fileno=os.dup(control.fileno())) as receiver:
                _, descriptors, _, _ = socket.recv_fds(receiver, 1, 1)
            if not descriptors:
                raise EOFError
            connection = SharedConnection(Connection(descriptors[0]))
            pid = control.recv()
        return Server(connection, lambda: self._cause_of(pid))

    def end(self) -> None:
        """End the process at once; a thread that waits for it goes on."""
        self._cause()
        self._control.close()

    def _send(self, message: str) -> None:
        with self._control.use() as control:
            control.send(message)

    def _cause(self) -> int:
        """End the process, and return the signal that ended it, or 0."""
        self._process.kill()
        return max(0, -_wait(self._process))

    def _cause_of(self, pid: int) -> int:
        with self._lock:
            try:
                with self._control.use() as control:
                    control.send((END, pid))
                    return int(control.recv())
            except (EOFError, OSError):
                # Without the process that made it, nobody else ends a copy that hangs.
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                return 0


def _started(output: Connection, n: int) -> tuple[Any, Connection]:
    """Start a process that prints to `output`; return it and the connection to it."""
    mine, childs = Pipe()
    with childs:
        if _POSIX:
            return _started_by_command(childs, output, n), mine
        # As everywhere on Windows, the program needs ``if __name__ == "__main__"``.
        process = get_context("spawn").Process(target=main, args=(childs,), daemon=True)
        process.start()
        return process, mine


def _started_by_command(control: Connection, output: Connection, n: int) -> subprocess.Popen[bytes]:
    # Not multiprocessing: it would run the user's program again, up to this place.
    code = f"import sys; sys.path[:] = {sys.path!r}; from {main.__module__} import main; "
    return subprocess.Popen(
        [sys.executable, "-P", "-c", f"{code}main({control.fileno()})"],
        pass_fds=[control.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=output.fileno(),
        stderr=output.fileno(),
        env={**os.environ, **_share_of_processors(n)},
    )


def _share_of_processors(n: int) -> dict[str, str]:
    """Return variables that let n processes with threads of their own share the processors."""
    threads = str(max(effective_n_jobs(None) // n, 1))
    return {name: os.environ.get(name, threads) for name in _THREADS}


def _wait(process: Any) -> int:
    """Return the exit code of a process that is ending, or 0 if it does not end."""
    if isinstance(process, subprocess.Popen):
        try:
            return process.wait(_LONGEST_END)
        except subprocess.TimeoutExpired:
            return 0
    process.join(_LONGEST_END)
    return process.exitcode or 0


def _described(number: int) -> str:
    if number == signal.SIGKILL:
        return " (SIGKILL; it may have run out of memory)"
    return f" ({signal.Signals(number).name})" if number else ""
