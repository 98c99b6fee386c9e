"""Files that are written whole, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from multideid.errors import CorpusError, reason
from multideid.files import staged


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """Give a place to write; it takes the target's name only if nothing failed.

    Raises
    ------
    CorpusError
        If the target cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with staged(target) as stage:
            yield stage
    except OSError as error:
        raise CorpusError(target, f"cannot be written: {reason(error)}") from None
