"""What runs in the processes: it loads a function, then calls it or makes copies of itself."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any, NoReturn

from multideid.errors import MultideidError, UsageError, is_ours, without_message
from multideid.parallel import exit_with

Function = Callable[[Any], Any]

READY, FAILED, RESULT = "ready", "failed", "result"
"""Kinds of messages to the parent."""

SERVE, MAKE_COPIES, COPY, END = "serve", "make copies", "copy", "end"
"""Kinds of messages from the parent."""


def main(control: Connection | int) -> None:
    """Load a function, and do what the parent says until it closes the connection."""
    import cloudpickle

    parent = os.getppid()
    if isinstance(control, int):
        control = Connection(control)
    leave_no_core()
    # The parent ends its processes itself when Ctrl-C, or a signal to all of them, ends it.
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    try:
        function = cloudpickle.loads(control.recv_bytes())()
    except BaseException as error:
        _send_error(control, error)
        return
    control.send((READY, _can_copy()))
    with suppress(EOFError, OSError):
        if control.recv() == SERVE:
            # A copy is ended by the process that made it; this one may be in a long call.
            Thread(target=exit_with, args=(parent,), daemon=True).start()
            serve(control, function)
        else:
            _make_copies(control, function)


def serve(control: Connection, function: Function) -> None:
    """Answer each message of the parent with the result of the function."""
    while True:
        item = control.recv()
        try:
            result = function(item)
        except BaseException as error:
            _send_error(control, error)
        else:
            control.send((RESULT, result))


def _send_error(control: Connection, error: BaseException) -> None:
    # Messages of others may quote a document, and not every exception can be pickled.
    if not (isinstance(error, MultideidError) and is_ours(error)):
        error = UsageError(f"a base system failed with {without_message(error)}")
    control.send((FAILED, error))


def _can_copy() -> bool:
    """Return whether this process can be forked safely: it has no thread but this one."""
    if sys.platform != "linux":
        return False
    return len(os.listdir("/proc/self/task")) == 1


def _make_copies(control: Connection, function: Function) -> None:
    # Collecting garbage would copy the memory that the processes share.
    gc.collect()
    gc.freeze()
    copies: set[int] = set()
    try:
        while True:
            kind, value = control.recv()
            if kind == COPY:
                copies.add(_copy(control, function))
            else:
                copies.discard(value)
                control.send(_ended(value))
    finally:
        for pid in copies:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _copy(control: Connection, function: Function) -> int:
    """Fork a process that serves a connection which the parent sends."""
    mine, parents = socket.socketpair()
    if not (pid := os.fork()):
        parents.close()
        control.close()
        _serve_and_exit(Connection(mine.detach()), function)
    with mine, parents:
        sender = socket.socket(fileno=os.dup(control.fileno()))
        with sender:
            socket.send_fds(sender, [b"c"], [parents.fileno()])
    control.send(pid)
    return pid


def _serve_and_exit(connection: Connection, function: Function) -> NoReturn:
    try:
        serve(connection, function)
    except BaseException:
        pass
    finally:
        os._exit(0)


def _ended(pid: int) -> int:
    """End a process, and return the signal that ended it, or 0."""
    # If it has ended by itself, its state is still there, and the signal has no effect.
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def leave_no_core() -> None:
    """Let a crash write no memory, with documents in it, to a file.

    It holds for this process and all that it starts.
    """
    with suppress(ImportError, OSError, ValueError):
        import resource

        # With 1 rather than 0, Linux starts no program for it either.
        resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
