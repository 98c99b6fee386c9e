"""Files are written atomically, and private ones are readable by their owner only."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from multideid.errors import CorpusError, UsageError, reason


def temporary_path(target: Path) -> Path:
    """Return a hidden, unused path in the folder of `target`, to write to first."""
    return target.with_name(f".{secrets.token_hex(8)}.tmp")


@contextmanager
def atomic_path(target: Path, *, folder: bool = False) -> Iterator[Path]:
    """Give a path to write to, which is renamed to `target` if nothing fails.

    Parameters
    ----------
    target : Path
        The file or folder to make. Files in an existing folder stay, except
        those that are written again.
    folder : bool
        Whether to make a folder.

    Raises
    ------
    OSError
        If the target cannot be written.
    """
    temporary = temporary_path(target)
    try:
        if folder:
            temporary.mkdir()
        yield temporary
        _publish(temporary, target)
    finally:
        if folder:
            shutil.rmtree(temporary, ignore_errors=True)
        else:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


@contextmanager
def atomic_output(target: Path, *, folder: bool = False) -> Iterator[Path]:
    """Give a path to write to, as `atomic_path`; parents of `target` are made.

    Raises
    ------
    CorpusError
        If the target cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(target, folder=folder) as temporary:
            yield temporary
    except OSError as error:
        raise CorpusError(target, f"cannot be written: {reason(error)}") from None


def refuse_inside(output: Path, inputs: Iterable[Path]) -> None:
    """Raise UsageError if `output` is one of the inputs, or lies in one."""
    resolved = output.resolve()
    for path in inputs:
        if path.resolve() in (resolved, *resolved.parents):
            raise UsageError(f"{output} is, or lies in, the input {path}; choose another output")


def owner_only(path: str, flags: int) -> int:
    """Open a new file that only its owner can read; for ``open(..., opener=owner_only)``.

    Raises
    ------
    FileExistsError
        If the path exists.
    """
    return os.open(path, flags | os.O_EXCL, 0o600)


def _publish(temporary: Path, target: Path) -> None:
    if not (temporary.is_dir() and target.is_dir()):
        temporary.replace(target)
        return
    for root, _, files in os.walk(temporary):
        place = target / Path(root).relative_to(temporary)
        place.mkdir(parents=True, exist_ok=True)
        for name in files:
            Path(root, name).replace(place / name)
