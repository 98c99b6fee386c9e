"""Save arrays, strings and JSON values in files that are reproducible to the byte."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np

from multideid.arrays import AnyArray
from multideid.errors import ModelError

_DAMAGE = (
    OSError,
    ValueError,
    EOFError,
    KeyError,
    TypeError,
    SyntaxError,
    NotImplementedError,
    RuntimeError,
    MemoryError,
    zipfile.BadZipFile,
    zlib.error,
)
_DAMAGED = "is damaged and cannot be read; restore it from a backup or train the model again"


def save_arrays(folder: Path, name: str, /, **arrays: AnyArray) -> Path:
    """Write arrays into ``folder/name.npz``.

    The same arrays in the same order give the same bytes.

    Parameters
    ----------
    folder : Path
        An existing folder.
    name : str
        The file's name without ``.npz``.
    **arrays : array
        Arrays of numbers, booleans or fixed-width strings, of any shape.

    Returns
    -------
    Path
        The path of the file.

    Raises
    ------
    TypeError
        If an array contains Python objects, which would need pickle.
    """
    path = folder / f"{name}.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for key, value in arrays.items():
            _write_member(archive, key, np.asanyarray(value))
    return path


def _write_member(archive: zipfile.ZipFile, key: str, array: AnyArray) -> None:
    if array.dtype.hasobject:
        raise TypeError(f"array {key!r} holds Python objects; models contain no pickle")
    # An explicit ZipInfo has no time stamp, so that equal arrays give equal files.
    entry = zipfile.ZipInfo(f"{key}.npy")
    with archive.open(entry, "w", force_zip64=True) as file:
        np.lib.format.write_array(file, array, allow_pickle=False)


def load_arrays(folder: Path, name: str | None = None) -> dict[str, AnyArray]:
    """Read a file written by `save_arrays`.

    Parameters
    ----------
    folder : Path
        The folder, or the ``.npz`` file if `name` is omitted.
    name : str, optional
        The file's name without ``.npz``.

    Returns
    -------
    dict of str to array

    Raises
    ------
    ModelError
        If the file is missing, truncated, damaged or would need pickle.
    """
    path = _file(folder, name, "npz")
    try:
        with zipfile.ZipFile(path) as archive:
            return {n.removesuffix(".npy"): _read_member(archive, n) for n in archive.namelist()}
    except _DAMAGE:
        raise ModelError(path, _DAMAGED) from None


def _read_member(archive: zipfile.ZipFile, member: str) -> AnyArray:
    with archive.open(member) as file:
        array: AnyArray = np.lib.format.read_array(file, allow_pickle=False)
        # zipfile verifies the checksum only at the end of a member.
        if file.read(1):
            raise ValueError("bytes after the array")
    return array


@dataclass(frozen=True, slots=True)
class ArrayRecord:
    """Base class of dataclasses with array fields only, saved in one file.

    The arrays have the names and the order of the fields.
    """

    def save(self, folder: Path, name: str) -> None:
        """Write ``<name>.npz`` into `folder`."""
        save_arrays(folder, name, **{part.name: getattr(self, part.name) for part in fields(self)})

    @classmethod
    def load(cls, folder: Path, name: str) -> Self:
        """Read a file written by `save`.

        Raises
        ------
        ModelError
            If the file is missing or damaged.
        """
        arrays = load_arrays(folder, name)
        return cls(*(arrays[part.name] for part in fields(cls)))


def save_strings(folder: Path, name: str, strings: Iterable[str]) -> Path:
    """Write any strings into ``folder/name.npz``.

    Returns
    -------
    Path
        The path of the file: a UTF-8 buffer and the length of each string.
    """
    items = list(strings)
    utf8 = "".join(items).encode("utf-8", "surrogatepass")
    lengths = np.fromiter(map(len, items), dtype=np.int64, count=len(items))
    return save_arrays(folder, name, utf8=np.frombuffer(utf8, dtype=np.uint8), lengths=lengths)


def load_strings(folder: Path, name: str | None = None) -> tuple[str, ...]:
    """Read a file written by `save_strings`.

    Parameters
    ----------
    folder : Path
        The folder, or the ``.npz`` file if `name` is omitted.
    name : str, optional
        The file's name without ``.npz``.

    Raises
    ------
    ModelError
        If the file is missing or damaged, or contains something else.
    """
    path = _file(folder, name, "npz")
    arrays = load_arrays(path)
    try:
        text = arrays["utf8"].tobytes().decode("utf-8", "surrogatepass")
        return _split(text, arrays["lengths"])
    except (KeyError, TypeError, ValueError):
        raise ModelError(path, "contains no strings; it is another kind of file") from None


def _split(text: str, lengths: AnyArray) -> tuple[str, ...]:
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    if (lengths < 0).any() or total != len(text):
        raise ValueError("lengths and text disagree")
    slices = map(slice, (ends - lengths).tolist(), ends.tolist())
    return tuple(map(text.__getitem__, slices))


def save_json(folder: Path, name: str, value: object) -> Path:
    """Write a JSON value into ``folder/name.json``; numpy numbers are written as numbers.

    Returns
    -------
    Path
        The path of the file.

    Raises
    ------
    TypeError, ValueError
        If JSON cannot represent the value (an object, NaN, infinity).
    """
    path = folder / f"{name}.json"
    text = json.dumps(value, indent=1, allow_nan=False, default=_plain)
    path.write_text(text + "\n", encoding="ascii", newline="\n")
    return path


def _plain(value: object) -> object:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def load_json(folder: Path, name: str | None = None) -> Any:
    """Read a file written by `save_json`.

    Parameters
    ----------
    folder : Path
        The folder, or the ``.json`` file if `name` is omitted.
    name : str, optional
        The file's name without ``.json``.

    Raises
    ------
    ModelError
        If the file is missing or not JSON.
    """
    path = _file(folder, name, "json")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise ModelError(path, _DAMAGED) from None


def _file(folder: Path, name: str | None, ending: str) -> Path:
    path = Path(folder) if name is None else Path(folder) / f"{name}.{ending}"
    if not path.is_file():
        raise ModelError(path, "is missing; the model is incomplete")
    return path
