"""Where rewritten records go: files, streams and members of containers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from io import BytesIO
from typing import BinaryIO, Protocol

from multideid.corpora.structure import Packer
from multideid.deid.files import FileJob
from multideid.errors import CorpusError, reason
from multideid.files import atomic_output


class Output(Protocol):
    """Takes the records of one file, in order."""

    def write(self, data: bytes) -> None:
        """Add a part of the file."""

    def close(self) -> None:
        """Complete the file."""

    def abort(self) -> None:
        """Write nothing; to be called once, after which nothing is written any more."""


class FileOutput(Output):
    """A file, which is made when its first part is written, and seen when it is complete.

    Parameters
    ----------
    job : FileJob
    """

    def __init__(self, job: FileJob) -> None:
        self._job = job
        self._open = ExitStack()
        self._file: BinaryIO | None = None
        self._aborted = False

    def write(self, data: bytes) -> None:
        """Add a part of the file."""
        if self._aborted:
            return
        if self._file is None:
            path = self._open.enter_context(atomic_output(self._job.target))
            self._file = self._open.enter_context(path.open("wb"))
        try:
            self._file.write(data)
        except OSError as error:
            self.abort()
            raise CorpusError(self._job.target, f"cannot be written: {reason(error)}") from None

    def close(self) -> None:
        """Complete the file."""
        self._open.close()

    def abort(self) -> None:
        """Remove the file."""
        self._aborted = True
        stopped = _StoppedError()
        self._open.__exit__(_StoppedError, stopped, None)


class _StoppedError(Exception):
    """Makes `atomic_output` discard a file."""


class BytesOutput(Output):
    """Calls a function with all bytes, if they are complete.

    Parameters
    ----------
    done : callable
    """

    def __init__(self, done: Callable[[bytes], object]) -> None:
        self._done = done
        self._parts = BytesIO()
        self._aborted = self._begun = False

    def write(self, data: bytes) -> None:
        """Add a part."""
        self._begun = True
        self._parts.write(data)

    def close(self) -> None:
        """Pass the bytes on, if any part was written."""
        if self._begun and not self._aborted:
            self._done(self._parts.getvalue())
        self._parts.close()

    def abort(self) -> None:
        """Forget the bytes."""
        self._aborted = True


class ContainerOutput:
    """A container, whose members are outputs of their own.

    Parameters
    ----------
    packer : callable
        Returns the `Packer` for a binary file.
    outer : Output
        Takes the bytes of the container.
    """

    def __init__(self, packer: Callable[[BinaryIO], Packer], outer: Output) -> None:
        self._make_packer, self._outer = packer, outer
        self._bytes = BytesIO()
        self._packer: Packer | None = None

    def member(self, name: str) -> BytesOutput:
        """Return the output of a member, which is added when it is complete."""
        return BytesOutput(lambda data: self._add(name, data))

    def finish(self) -> None:
        """Write the container, if it has a member."""
        if self._packer is not None:
            self._packer.close()
            self._outer.write(self._bytes.getvalue())

    def _add(self, name: str, data: bytes) -> None:
        if self._packer is None:
            self._packer = self._make_packer(self._bytes)
        self._packer.add(name, data)
