"""Where rewritten records go: files, streams and members of containers."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Protocol

from multideid.corpora.structure import Packer
from multideid.deid.files import FileJob
from multideid.errors import CorpusError, reason
from multideid.files import UnusableNameError, atomic_output, remove_stale

if TYPE_CHECKING:
    from multideid.deid.run import Mark, Run

_FAST = 1  # Of nine levels.


class Output(Protocol):
    """Takes the records of one file, in order."""

    def write(self, data: bytes) -> None:
        """Add a part of the file."""

    def close(self) -> None:
        """Complete the file."""

    def abort(self, failed: bool = True) -> None:
        """Write nothing; to be called once, after which nothing is written any more.

        Unless the run was stopped, the file has `failed`: no older output of it stays.
        """


class FileOutput(Output):
    """A file, which is made when its first part is written, and seen when it is complete.

    Parameters
    ----------
    job : FileJob
    private : bool
        Whether only the owner can read it.
    """

    def __init__(self, job: FileJob, private: bool = True) -> None:
        self._job, self._private = job, private
        self._open = ExitStack()
        self._file: BinaryIO | None = None
        self._aborted = False

    def write(self, data: bytes) -> None:
        """Add a part of the file."""
        if self._aborted:
            return
        if self._file is None:
            output = atomic_output(self._job.target, private=self._private)
            self._file = self._open.enter_context(self._open.enter_context(output).open("wb"))
        try:
            self._file.write(data)
        except OSError as error:
            self.abort(failed=False)
            raise CorpusError(self._job.target, f"cannot be written: {reason(error)}") from None

    def close(self) -> None:
        """Complete the file; if all its records failed there is none."""
        self._open.close()
        if self._file is None:
            remove_stale(self._job.target)

    def abort(self, failed: bool = True) -> None:
        """Remove the file."""
        self._aborted = True
        stopped = _StoppedError()
        self._open.__exit__(_StoppedError, stopped, None)
        if failed:
            remove_stale(self._job.target)


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

    def abort(self, failed: bool = True) -> None:
        """Forget the bytes."""
        self._aborted = True


class CountedOutput(Output):
    """An output of a run, of which nothing stays counted if it is not written.

    One that cannot have its name has failed; other errors of the file system end the run.

    Parameters
    ----------
    output : Output
    name : str
        Names it in failures.
    run : Run
    """

    def __init__(self, output: Output, name: str, run: Run) -> None:
        self._output, self._name, self._run = output, name, run
        self._begin: Mark | None = None
        self.is_aborted = False

    def begin(self) -> None:
        """Note what was counted before it."""
        self._begin = self._run.mark()

    def write(self, data: bytes) -> None:
        """Add a part of the file."""
        with self._failing():
            self._output.write(data)

    def close(self) -> None:
        """Complete the file."""
        with self._failing():
            self._output.close()

    def abort(self, failed: bool = True) -> None:
        """Write nothing, and count nothing if it has failed."""
        self.is_aborted = True
        self._output.abort(failed)
        if failed and self._begin is not None:
            self._run.return_to(self._begin)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except UnusableNameError as error:
            self._run.failures.add(self._name, error.of_its_input)
            self.abort()


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
        self._members: list[tuple[str, bytes]] = []

    @property
    def names(self) -> list[str]:
        """The names of the members that are complete."""
        return [name for name, _ in self._members]

    def member(self, name: str) -> BytesOutput:
        """Return the output of a member, which is added when it is complete."""
        return BytesOutput(lambda data: self._add(name, data))

    def finish(self, names: Mapping[str, str]) -> None:
        """Write the container, if it has a member.

        Parameters
        ----------
        names : mapping of str to str
            The new names of members.
        """
        if not self._members:
            return
        packed = BytesIO()
        packer = self._make_packer(packed)
        # Each is freed when it is packed.
        self._members.reverse()
        while self._members:
            name, data = self._members.pop()
            packer.add(names.get(name, name), zlib.decompress(data))
        packer.close()
        self._outer.write(packed.getvalue())

    def _add(self, name: str, data: bytes) -> None:
        # Compressed, since its name is known when all members are complete.
        self._members.append((name, zlib.compress(data, _FAST)))
