"""Locks on files: two runs never write to one output, and left-over files are known as such.

The locks are those of the operating system: they end with the process that holds
them, even if it is killed. On Windows, and on file systems without locks, there
are none.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from multideid.errors import UsageError
from multideid.leftovers import removed_at_last

try:
    import fcntl
except ImportError:  # pragma: no cover (Windows)
    fcntl = None  # type: ignore[assignment]

TEMPORARY = ".multideid-tmp"
"""Ending of the names of hidden files and folders that are renamed when complete."""

JOURNAL = ".multideid-journal"
"""Ending of the names of journals."""

_LOCK = ".multideid-lock"
_UNSUPPORTED = {errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.EBADF, errno.EINVAL}


def hold(path: Path) -> int | None:
    """Mark a temporary file or folder as in use.

    Returns
    -------
    int or None
        A file descriptor, to be closed when the file is no longer in use; None if
        the path was removed before it could be marked.
    """
    with suppress(FileNotFoundError):
        descriptor = os.open(path, os.O_RDONLY)
        if _lock(descriptor, wait=True) and _is_at(descriptor, path):
            return descriptor
        os.close(descriptor)
    return None


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files and folders that a killed run left in `folder`."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(folder) as entries:
        names = [entry.name for entry in entries if entry.name.endswith(TEMPORARY)]
        for name in names:
            _remove_unused(folder / name)


def is_ours(name: str) -> bool:
    """Return whether a hidden file is one that runs make for themselves."""
    return name.removesuffix("-journal").endswith((JOURNAL, _LOCK, TEMPORARY))


@contextmanager
def run_lock(outputs: Iterable[Path]) -> Iterator[None]:
    """Keep other runs from writing to the same outputs, and remove what killed runs left there.

    Parameters
    ----------
    outputs : iterable of Path
        Files and folders that the run will write. Parents are made.

    Raises
    ------
    UsageError
        If another run writes to one of them.
    """
    with ExitStack() as held:
        # In order, so that of two runs with common outputs one goes on.
        for output in sorted({output.resolve() for output in outputs}):
            held.enter_context(_locked(output))
        yield


@contextmanager
def _locked(output: Path) -> Iterator[None]:
    lock = _OutputLock(output)
    with removed_at_last(lock.remove):
        # Where nothing can be written, whoever tries explains it better.
        with suppress(OSError):
            lock.take()
            remove_leftovers(output.parent)
            remove_leftovers(output)
        yield


def sibling(output: Path, ending: str) -> Path:
    """Return the hidden path next to an output, or in it if its parent cannot be written to."""
    output = output.resolve()
    if output.is_dir() and not os.access(output.parent, os.W_OK):
        return output / ending
    return output.with_name(f".{output.name}{ending}")


class _OutputLock:
    """The lock of an output: a file next to it, which the run removes."""

    def __init__(self, output: Path) -> None:
        self._output, self._path = output, sibling(output, _LOCK)
        self._descriptor: int | None = None

    def take(self) -> None:
        """Make and lock the file.

        Raises
        ------
        UsageError
            If another run holds the lock.
        OSError
            If there can be no such file.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            if not _lock(self._descriptor, wait=False):
                problem = f"another run is writing to {self._output}"
                raise UsageError(f"{problem}; wait for its end, or choose another output")
            # The run that held the lock may have removed the file in the meantime.
            if _is_at(self._descriptor, self._path):
                return
            self._close()

    def remove(self) -> None:
        """Remove the file unless another run holds the lock."""
        with suppress(OSError):
            if self._descriptor is None:
                # It may have been made, but not locked, when an exception came.
                self._descriptor = os.open(self._path, os.O_RDONLY)
            if _lock(self._descriptor, wait=False) and _is_at(self._descriptor, self._path):
                self._path.unlink()
        self._close()

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _lock(descriptor: int, wait: bool) -> bool:
    """Lock an open file; with `wait`, as one of several users. Return whether it worked."""
    if fcntl is None:
        return True
    kind = fcntl.LOCK_SH if wait else fcntl.LOCK_EX | fcntl.LOCK_NB
    try:
        fcntl.flock(descriptor, kind)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
    return True


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def _remove_unused(path: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            # Without locks there is no way to know that nobody uses it.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()
        finally:
            os.close(descriptor)
