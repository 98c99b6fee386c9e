"""The option ``--out`` of measurements: a folder with results and the fits behind them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.errors import unwritable

if TYPE_CHECKING:
    from multideid.eval.experiments import Store

_FITS = "fits"


def fits_store(folder: Path | None) -> Store:
    """Return the store of fits in a folder, or one in memory."""
    from multideid.eval.experiments import FolderStore, MemoryStore

    return MemoryStore() if folder is None else FolderStore(folder / _FITS)


def save_results(folder: Path, name: str, figures: dict[str, Any], text: str) -> None:
    """Save figures as JSON and as text.

    Raises
    ------
    UsageError
        If they cannot be written.
    """
    from multideid.persistence import save_json

    try:
        save_json(folder, name, figures)
        (folder / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise unwritable(folder, error) from None
