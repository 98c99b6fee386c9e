"""Stores of finished fits, so that interrupted runs resume and commands share fits.

A fit is found by a digest of everything that it depends on, its code and libraries included.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import platform
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

import numpy as np

import multideid
from multideid.arrays import AnyArray
from multideid.errors import ModelError, unwritable
from multideid.persistence.files import load_arrays, save_arrays

Arrays = dict[str, AnyArray]
"""The result of a fit by name: scores, tags, seconds. Never text."""


_NOT_USED = ("cli", "deid", "integrations", "models", "pages", "review", "samples", "validation")
"""Parts of the package that no fit uses, so that changes of them repeat none."""
_LIBRARIES = (
    "numpy", "scipy", "scikit-learn", "numba", "sklearn-crfsuite", "python-crfsuite",
    "snowballstemmer", "PyStemmer", "rapidfuzz", "spacy", "presidio-analyzer", "torch",
    "transformers",
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
    """Return a digest of JSON values, of the code and of the versions of libraries."""
    about = {"code": code_digest(), "libraries": library_versions()}
    text = json.dumps({**content, **about}, sort_keys=True, default=_plain)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _plain(value: object) -> object:
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else repr(value)


@cache
def code_digest() -> str:
    """Return a digest of the version, the code and its word lists: if they change, fits do."""
    digest = hashlib.sha256(multideid.__version__.encode())
    for path in _used_files(Path(multideid.__file__).parent):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _used_files(root: Path) -> Iterator[Path]:
    """Yield the files of the package that a fit may use, in an order that is always the same."""
    for entry in sorted(root.iterdir()):
        if entry.is_dir() and entry.name not in (*_NOT_USED, "__pycache__"):
            # In a checkout, some folders are symlinks, which a search would not follow.
            found = sorted(entry.resolve().rglob("*"))
            yield from (p for p in found if p.is_file() and p.parent.name != "__pycache__")
        elif entry.suffix == ".py":
            yield entry


@cache
def library_versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that fits depend on, if installed."""
    found = {"python": platform.python_version()}
    for name in _LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def source_digest(kind: type) -> str:
    """Return a digest of the file that defines a class or plug-in, "" if there is none."""
    try:
        source = inspect.getsourcefile(getattr(kind, "factory", kind))
    except TypeError:
        return ""
    path = Path(source) if source else None
    return hashlib.sha256(path.read_bytes()).hexdigest() if path and path.is_file() else ""
