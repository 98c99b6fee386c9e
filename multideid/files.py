"""Files are written atomically, and are readable by their owner only unless asked."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BufferedWriter, FileIO
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from multideid.errors import CorpusError, UsageError, reason
from multideid.leftovers import removed_at_last
from multideid.locks import TEMPORARY, hold

T = TypeVar("T")

_PRIVATE_FILE, _PRIVATE_FOLDER = 0o600, 0o700

# Not of the file system as a whole: another name can be written.
_OF_THE_NAME = (errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ)


class UnusableNameError(CorpusError):
    """A file that cannot be written because of its name, such as one that is too long.

    Parameters
    ----------
    path : str or Path
        The file.
    problem : str
    where : str, optional
    """

    @property
    def of_its_input(self) -> str:
        """The problem of what should have been written there."""
        return f"its output {self.problem}; rename the file"


@contextmanager
def atomic_path(target: Path, *, folder: bool = False, private: bool = True) -> Iterator[Path]:
    """Give a path to write to, which is renamed to `target` if nothing fails.

    There is an empty file or folder at the path.

    Parameters
    ----------
    target : Path
        The file or folder to make. Files in an existing folder stay, except
        those that are written again.
    folder : bool
        Whether to make a folder.
    private : bool
        Whether only the owner can read what is written; otherwise the process's
        umask decides.

    Raises
    ------
    OSError
        If the target cannot be written.
    """
    with scratch_path(target, folder=folder, private=private) as temporary:
        yield temporary
        _publish(temporary, target, private)


@contextmanager
def scratch_path(target: Path, *, folder: bool = False, private: bool = True) -> Iterator[Path]:
    """Give the path of an empty hidden file or folder next to `target`, which is removed.

    Parameters and errors are those of `atomic_path`.
    """
    scratch = _Scratch(target, folder, private)
    with removed_at_last(scratch.remove):
        yield scratch.make()


@contextmanager
def atomic_output(target: Path, *, folder: bool = False, private: bool = True) -> Iterator[Path]:
    """Give a path to write to, as `atomic_path`; parents of `target` are made.

    Raises
    ------
    CorpusError
        If the target cannot be written.
    OSError
        If what goes through `read_meanwhile` cannot be read.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(target, folder=folder, private=private) as temporary:
            yield temporary
    except _OtherError as other:
        raise other.error from None
    except OSError as error:
        raise _unwritable(target, error) from None


class _OtherError(Exception):
    """Carries an error of reading past those of writing."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error


def read_meanwhile(items: Iterable[T]) -> Iterator[T]:
    """Yield items whose errors, while `atomic_output` writes a file, are not those of the file."""
    try:
        yield from items
    except OSError as error:
        raise _OtherError(error) from None


@contextmanager
def atomic_file(target: Path) -> Iterator[BinaryIO]:
    """Give a private file to write to in the course of other work, as `atomic_output`.

    Only its own errors are those of the target: an OSError of the other work passes.

    Raises
    ------
    CorpusError
        If the target cannot be written.
    """
    is_other = False
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(target) as path, BufferedWriter(_TargetFile(path, target)) as file:
            is_other = True
            yield file
            is_other = False
    except OSError as error:
        raise error if is_other else _unwritable(target, error) from None


class _TargetFile(FileIO):
    """A file whose errors name the target that it will be."""

    def __init__(self, path: Path, target: Path) -> None:
        super().__init__(path, "w")
        self._target = target

    def write(self, data: Any, /) -> Any:
        """Write bytes."""
        try:
            return super().write(data)
        except OSError as error:
            raise _unwritable(self._target, error) from None


def _unwritable(target: Path, error: OSError) -> CorpusError:
    kind = UnusableNameError if error.errno in _OF_THE_NAME else CorpusError
    return kind(target, f"cannot be written: {reason(error)}")


class _Scratch:
    """A hidden file or folder next to `target`, marked as in use."""

    def __init__(self, target: Path, folder: bool, private: bool) -> None:
        self._target, self._folder, self._private = target, folder, private
        self._path: Path | None = None
        self._mark: int | None = None

    def make(self) -> Path:
        """Make it, and return its path."""
        while True:
            # Known before it is there, so that `remove` finds it whatever comes between.
            path = self._path = self._target.with_name(f".{secrets.token_hex(8)}{TEMPORARY}")
            if self._folder:
                path.mkdir(_PRIVATE_FOLDER if self._private else 0o777)
            else:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
                os.close(os.open(path, flags, _PRIVATE_FILE if self._private else 0o666))
            # Another run that tidies the folder may have been quicker.
            if (mark := hold(path)) is not None:
                self._mark = mark
                return path

    def remove(self) -> None:
        """Remove it if it is there."""
        if self._path is not None:
            _remove(self._path, self._folder)
        if self._mark is not None:
            os.close(self._mark)
            self._mark = None


def _remove(path: Path, folder: bool) -> None:
    if folder:
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def remove_stale(target: Path) -> None:
    """Remove the output of an earlier run, which this run cannot replace.

    It may be that of a run that found less. No file is at a path that runs through another
    file, is too long for the system, or has characters that it does not take.

    Raises
    ------
    CorpusError
        If it cannot be removed.
    """
    try:
        target.unlink(missing_ok=True)
    except OSError as error:
        if error.errno in (errno.ENOTDIR, *_OF_THE_NAME):
            return
        raise CorpusError(target, f"cannot be removed: {reason(error)}") from None


def refuse_inside(output: Path, inputs: Iterable[Path]) -> None:
    """Raise UsageError if `output` is one of the inputs, or lies in one."""
    resolved = output.resolve()
    for path in inputs:
        if path.resolve() in (resolved, *resolved.parents):
            raise UsageError(f"{output} is, or lies in, the input {path}; choose another output")


def refuse_same(inputs: Mapping[str, Path], outputs: Mapping[str, Path]) -> None:
    """Check that no output is an input or another output.

    Parameters
    ----------
    inputs, outputs : mapping of str to Path
        Files and folders by what they are, such as ``"the vault"``. Links are
        followed, and two names of one file are found.

    Raises
    ------
    UsageError
        If two of them are the same, or an output and an input lie one in the other.
    """
    named = [*inputs.items(), *outputs.items()]
    for number, (role, output) in enumerate(outputs.items(), start=len(inputs)):
        for other, path in named[:number]:
            if is_same(path, output):
                raise UsageError(f"{role} and {other} are both {output}; choose another name")
        for other, path in inputs.items():
            if _is_in(output, path):
                raise UsageError(f"{role}, {output}, lies in {other}; choose another place")
            if _is_in(path, output):
                raise UsageError(f"{other}, {path}, lies in {role}; choose another place")


def is_same(path: Path, other: Path) -> bool:
    """Return whether two paths lead to the same file or folder, which need not exist."""
    if path.resolve() == other.resolve():
        return True
    try:
        return path.samefile(other)
    except OSError:
        return False


def _is_in(path: Path, folder: Path) -> bool:
    return folder.resolve() in path.resolve().parents


def owner_only(path: str, flags: int) -> int:
    """Open a new file that only its owner can read; for ``open(..., opener=owner_only)``.

    Raises
    ------
    FileExistsError
        If the path exists.
    """
    return os.open(path, flags | os.O_EXCL, _PRIVATE_FILE)


def make_private(folder: Path) -> None:
    """Let only the owner read a folder and all in it."""
    for root, _, files in os.walk(folder):
        os.chmod(root, _PRIVATE_FOLDER)
        for name in files:
            os.chmod(os.path.join(root, name), _PRIVATE_FILE)


def _publish(temporary: Path, target: Path, private: bool) -> None:
    if private and temporary.is_dir():
        make_private(temporary)
    if not (temporary.is_dir() and target.is_dir()):
        temporary.replace(target)
        return
    for root, _, files in os.walk(temporary):
        place = target / Path(root).relative_to(temporary)
        place.mkdir(_PRIVATE_FOLDER if private else 0o777, parents=True, exist_ok=True)
        for name in files:
            Path(root, name).replace(place / name)
