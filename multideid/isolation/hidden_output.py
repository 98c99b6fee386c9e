"""Printed text that is counted and not shown, since it may quote documents."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Lock, Thread

from multideid.errors import DEBUG

_LAST_WORDS = 0.5


def print_nothing() -> None:
    """Let this process print nothing from now on, since it may quote documents.

    With the environment variable MULTIDEID_DEBUG, it goes on to print.
    """
    if os.environ.get(DEBUG):
        return
    for stream in (sys.stdout, sys.stderr):
        # There may be none, or a closed one.
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)


class HiddenOutputWarning(UserWarning):
    """Base systems printed something, which is not shown."""


class HiddenOutput:
    """Takes what processes print, and keeps nothing but its size.

    With the environment variable MULTIDEID_DEBUG, it is shown on stderr too.

    Attributes
    ----------
    lines, characters : int
        Line feeds and bytes so far.
    """

    def __init__(self) -> None:
        self.lines = self.characters = 0
        self._lock = Lock()
        self._threads: list[Thread] = []

    def open(self) -> Connection:
        """Return the end of a new pipe to print to; close it when processes have it."""
        reader, writer = Pipe(duplex=False)
        thread = Thread(target=self._drain, args=(reader,), daemon=True)
        self._threads.append(thread)
        thread.start()
        return writer

    def add(self, data: bytes) -> None:
        """Count printed bytes."""
        with self._lock:
            self.lines += data.count(b"\n")
            self.characters += len(data)
        if os.environ.get(DEBUG):
            sys.stderr.write(data.decode("utf-8", "backslashreplace"))

    def warn(self) -> None:
        """Give a `HiddenOutputWarning` with the size, if there is anything."""
        for thread in self._threads:
            # Not for ever: a program that a base system started may hold the pipe.
            thread.join(_LAST_WORDS)
        if self.characters:
            message = (
                f"{self} printed by base systems are not shown, since they may quote documents"
            )
            warnings.warn(message, HiddenOutputWarning, stacklevel=3)

    def _drain(self, reader: Connection) -> None:
        with reader:
            while chunk := os.read(reader.fileno(), 1 << 16):
                self.add(chunk)

    def __str__(self) -> str:
        return f"{self.lines:,} lines ({self.characters:,} bytes)"
