"""Files that take their name when they are whole, and that none but their owner reads."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def stage_beside(target: Path) -> Path:
    """Return a hidden place beside a file, to write what will become it."""
    return target.with_name(f".{secrets.token_hex(8)}.tmp")


@contextmanager
def staged(target: Path) -> Iterator[Path]:
    """Give a place to write; it takes the target's name only if nothing failed.

    Raises
    ------
    OSError
        If the target cannot be written.
    """
    stage = stage_beside(target)
    try:
        yield stage
        os.replace(stage, target)
    finally:
        with suppress(OSError):
            stage.unlink(missing_ok=True)


def owner_only(path: str, flags: int) -> int:
    """Open a new file that only its owner can read; for ``open(..., opener=owner_only)``.

    Raises
    ------
    FileExistsError
        If something stands there.
    """
    return os.open(path, flags | os.O_EXCL, 0o600)
