"""Where finished fits are kept, so that an experiment begun again goes on where it was."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Protocol

from multideid.arrays import AnyArray
from multideid.errors import ModelError, unwritable
from multideid.persistence import load_arrays, save_arrays

Arrays = dict[str, AnyArray]
"""What a fit gave, by name: scores, tags, seconds. Never text."""


class Store(Protocol):
    """Keeps what fits gave, each under a digest of all that it depends on."""

    def get(self, key: str) -> Arrays | None:
        """Return what is kept under `key`, None if nothing whole is."""

    def put(self, key: str, arrays: Arrays) -> None:
        """Keep arrays under `key`."""


class MemoryStore:
    """Keeps fits for as long as it lives."""

    def __init__(self) -> None:
        self._kept: dict[str, Arrays] = {}

    def get(self, key: str) -> Arrays | None:
        """Return what is kept under `key`, None if nothing is."""
        return self._kept.get(key)

    def put(self, key: str, arrays: Arrays) -> None:
        """Keep arrays under `key`."""
        self._kept[key] = arrays


class FolderStore:
    """Keeps fits as files of a folder, of numbers only.

    A fit is there whole or not at all: it is written beside its place and
    then moved. A file that is damaged, which its checksums tell, counts as
    not there, and the fit is made again.

    Parameters
    ----------
    folder : Path
        Made if it is missing.

    Raises
    ------
    UsageError
        If the folder cannot be made, or a fit not be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(folder, error) from None

    def get(self, key: str) -> Arrays | None:
        """Return what is kept under `key`, None if nothing whole is."""
        try:
            return load_arrays(self._folder, key)
        except ModelError:
            return None

    def put(self, key: str, arrays: Arrays) -> None:
        """Keep arrays under `key`."""
        try:
            with tempfile.TemporaryDirectory(prefix=".new-", dir=self._folder) as beside:
                written = save_arrays(Path(beside), key, **arrays)
                os.replace(written, self._folder / written.name)
        except OSError as error:
            raise unwritable(self._folder, error) from None
