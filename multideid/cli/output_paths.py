"""Where output may go: checked before any work is done."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from multideid.errors import UsageError, unwritable


def refuse_inside(place: Path, inputs: Iterable[Path]) -> None:
    """Raise UsageError if `place` is one of the inputs, or lies in one."""
    resolved = place.resolve()
    for path in inputs:
        if path.resolve() in (resolved, *resolved.parents):
            raise UsageError(f"{place} is, or lies in, the input {path}; choose another place")


def make_free_folder(folder: Path, overwrite: bool) -> None:
    """Make an output folder; a full one only if it may be written over.

    Raises
    ------
    UsageError
        If something stands there, or it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        full = any(folder.iterdir())
    except OSError as error:
        raise unwritable(folder, error) from None
    if full and not overwrite:
        raise UsageError(f"{folder} is not empty; choose another folder, or add --overwrite")
