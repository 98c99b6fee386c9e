"""Interface to the Link Grammar parser, which runs in a child process."""

from __future__ import annotations

import atexit
import json
import os
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from select import select
from threading import Lock
from typing import NamedTuple

from multideid.errors import UsageError, reason

MOST_WORDS = 50
"""Longer sentences are not parsed (thesis 4.1.5)."""

NULL_WORDS = 1
"""Maximum number of words without links; parsing time increases steeply with it."""

SECONDS = 1
"""Processor time limit per sentence."""

HOW_TO_INSTALL = "on Debian and Ubuntu: apt install link-grammar"

_TIMEOUT = 30.0  # Seconds until the process is considered to hang.
_MOST_CHARACTERS = 2000
_MAX_CACHED = 100_000
_CHILD = Path(__file__).with_name("child.py")
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Word(NamedTuple):
    """A word of a sentence, as tokenized and annotated by the parser.

    Parameters
    ----------
    start, end : int
        Half-open character offsets into the sentence; equal for the two walls,
        which represent the sentence's edges.
    text : str
        Such as ``was.v-d``; the walls are ``LEFT-WALL`` and ``RIGHT-WALL``.
    """

    start: int
    end: int
    text: str

    def __repr__(self) -> str:
        """Return the offsets, without text."""
        return f"Word({self.start}, {self.end})"


class Link(NamedTuple):
    """A link between two words.

    Parameters
    ----------
    left, right : int
        Indices of the words.
    label : str
        Such as ``Ss*s``: the kind in capitals, subtypes in lower case.
    """

    left: int
    right: int
    label: str


class Linkage(NamedTuple):
    """The words of a sentence and the links between them.

    Parameters
    ----------
    words : tuple of Word
    links : tuple of Link
    """

    words: tuple[Word, ...]
    links: tuple[Link, ...]


def parse(sentence: str) -> Linkage | None:
    """Return the first linkage of an English sentence.

    The latest answers are cached in memory.

    Parameters
    ----------
    sentence : str

    Returns
    -------
    Linkage or None
        None for a sentence that has no linkage, has more than `MOST_WORDS`
        words, takes longer than `SECONDS`, or makes the library fail.

    Raises
    ------
    UsageError
        If the library or its English dictionary is not installed.
    """
    if len(sentence) > _MOST_CHARACTERS or not 0 < len(sentence.split()) <= MOST_WORDS:
        return None
    answer = json.loads(_answer(_CONTROL_CHARACTERS.sub(" ", sentence)))
    if answer is None:
        return None
    words = tuple(Word(*word) for word in answer["words"])
    return Linkage(words, tuple(Link(*link) for link in answer["links"]))


def version() -> str:
    """Return the library's version.

    Raises
    ------
    UsageError
        If the library or its English dictionary is not installed.
    """
    with _LOCK:
        return _running().version


def problem() -> str | None:
    """Return why the parser is not usable, in one line; None if it is."""
    try:
        version()
    except UsageError as error:
        return str(error)
    return None


class _Child:
    """The process that runs the library."""

    def __init__(self) -> None:
        self._process = _started()
        self._out = b""
        greeting = json.loads(self._line() or b'{"problem": "its process ends at once"}')
        if "problem" in greeting:
            self.end()
            raise _unusable(greeting["problem"])
        self.version: str = greeting["version"]

    def ask(self, sentence: str) -> bytes | None:
        """Return the answer as JSON, None if the process has ended or hangs."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(sentence).encode("ascii") + b"\n")
        except OSError:
            return None
        return self._line()

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self.close_pipes()

    def close_pipes(self) -> None:
        """Close this process's ends of the pipes."""
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        # It may be the child of another process, for which this one cannot wait.
        self._process.returncode = self._process.returncode or 0

    def _line(self) -> bytes | None:
        assert self._process.stdout is not None
        source = self._process.stdout.fileno()
        while b"\n" not in self._out:
            ready, _, _ = select([source], [], [], _TIMEOUT)
            chunk = os.read(source, 1 << 16) if ready else b""
            if not chunk:
                return None
            self._out += chunk
        line, _, self._out = self._out.partition(b"\n")
        return line


def _started() -> subprocess.Popen[bytes]:
    if os.name == "nt":
        raise _unusable("it does not work on Windows")
    limits = map(str, (SECONDS, NULL_WORDS, MOST_WORDS))
    try:
        # Isolated and without site packages, to start fast and independently.
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(_CHILD), *limits],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
    except OSError as error:
        raise _unusable(f"its process does not start ({reason(error)})") from None


def _unusable(why: str) -> UsageError:
    return UsageError(f"Link Grammar cannot be used: {why}; {HOW_TO_INSTALL}")


_LOCK = Lock()
_CHILDREN: list[_Child] = []


@lru_cache(maxsize=_MAX_CACHED)
def _answer(sentence: str) -> bytes:
    with _LOCK:
        child = _running()
        found = child.ask(sentence)
        if found is None:
            _CHILDREN.clear()
            child.end()
        return found or b"null"


def _running() -> _Child:
    if not _CHILDREN:
        _CHILDREN.append(_Child())
    return _CHILDREN[0]


def _end_all() -> None:
    while _CHILDREN:
        _CHILDREN.pop().end()


def _after_fork() -> None:
    """Forget the parent's child process; writing to it from two processes would mix lines."""
    global _LOCK  # noqa: PLW0603 (another thread may have held the lock)
    _LOCK = Lock()
    while _CHILDREN:
        _CHILDREN.pop().close_pipes()


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
