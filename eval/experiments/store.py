"""Stores of finished fits, so that interrupted runs resume and commands share fits.

A fit is found by a digest of everything that it depends on, its code included.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

import multideid
from multideid.arrays import AnyArray
from multideid.errors import ModelError, unwritable
from multideid.persistence.files import load_arrays, save_arrays

Arrays = dict[str, AnyArray]
"""The result of a fit by name: scores, tags, seconds. Never text."""


_CODE = (
    "base_systems", "features", "knowledge", "learners", "scoring", "stacking", "taggers", "text",
)  # fmt: skip


class Store(Protocol):
    """Keeps the results of fits under digests of everything that they depend on."""

    def get(self, key: str) -> Arrays | None:
        """Return the arrays of `key`, or None."""

    def put(self, key: str, arrays: Arrays) -> None:
        """Keep arrays under `key`."""


class MemoryStore:
    """Keeps fits in memory."""

    def __init__(self) -> None:
        self._arrays: dict[str, Arrays] = {}

    def get(self, key: str) -> Arrays | None:
        """Return the arrays of `key`, or None."""
        return self._arrays.get(key)

    def put(self, key: str, arrays: Arrays) -> None:
        """Keep arrays under `key`."""
        self._arrays[key] = arrays


class FolderStore:
    """Keeps fits as files of numbers in a folder.

    Files are written atomically. A file with a wrong checksum counts as
    missing, so that the fit is repeated.

    Parameters
    ----------
    folder : Path
        Created if it is missing.

    Raises
    ------
    UsageError
        If the folder cannot be created, or a fit cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(folder, error) from None

    def get(self, key: str) -> Arrays | None:
        """Return the arrays of `key`, or None if there is no intact file."""
        try:
            return load_arrays(self._folder, key)
        except ModelError:
            return None

    def put(self, key: str, arrays: Arrays) -> None:
        """Keep arrays under `key`."""
        try:
            with tempfile.TemporaryDirectory(prefix=".new-", dir=self._folder) as staging:
                written = save_arrays(Path(staging), key, **arrays)
                os.replace(written, self._folder / written.name)
        except OSError as error:
            raise unwritable(self._folder, error) from None


def get_or_make(store: Store, key: str, make: Callable[[], Arrays]) -> Arrays:
    """Return the arrays of a key; compute and keep them if they are missing."""
    arrays = store.get(key)
    if arrays is None:
        arrays = make()
        store.put(key, arrays)
    return arrays


def digest_of(**content: Any) -> str:
    """Return a digest of JSON values and of the code."""
    text = json.dumps({**content, "code": code_digest()}, sort_keys=True, default=_plain)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _plain(value: object) -> object:
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else repr(value)


@cache
def code_digest() -> str:
    """Return a digest of the version and the code, so that changed code repeats its fits."""
    digest = hashlib.sha256(multideid.__version__.encode())
    root = Path(multideid.__file__).parent
    for folder in _CODE:
        for path in sorted((root / folder).resolve().rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def source_digest(kind: type) -> str:
    """Return a digest of the file that defines a class or plug-in, "" if there is none."""
    try:
        source = inspect.getsourcefile(getattr(kind, "factory", kind))
    except TypeError:
        return ""
    path = Path(source) if source else None
    return hashlib.sha256(path.read_bytes()).hexdigest() if path and path.is_file() else ""
