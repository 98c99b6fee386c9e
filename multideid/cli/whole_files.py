"""Files that are written whole, or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from multideid.errors import CorpusError


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """Give a place to write; it takes the target's name only if nothing failed.

    Raises
    ------
    CorpusError
        If the target cannot be written.
    """
    stage = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield stage
        os.replace(stage, target)
    except OSError as error:
        problem = f"cannot be written: {error.strerror or type(error).__name__}"
        raise CorpusError(target, problem) from None
    finally:
        with suppress(OSError):
            stage.unlink(missing_ok=True)
