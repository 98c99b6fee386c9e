"""Arrays, strings and JSON values as files whose bytes follow from the values."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

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

    The same arrays in the same order always give the same bytes.

    Parameters
    ----------
    folder : Path
        An existing folder.
    name : str
        The file's name without ``.npz``.
    **arrays : array
        Of numbers, booleans or fixed-width strings; any shape.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    TypeError
        If an array holds Python objects, which only pickle could write.
    """
    path = folder / f"{name}.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for key, value in arrays.items():
            _write_member(archive, key, np.asanyarray(value))
    return path


def _write_member(archive: zipfile.ZipFile, key: str, array: AnyArray) -> None:
    if array.dtype.hasobject:
        raise TypeError(f"array {key!r} holds Python objects; models hold no pickle")
    # A ZipInfo made by hand carries no clock time, so equal arrays give equal files.
    entry = zipfile.ZipInfo(f"{key}.npy")
    with archive.open(entry, "w", force_zip64=True) as file:
        np.lib.format.write_array(file, array, allow_pickle=False)


def load_arrays(folder: Path, name: str | None = None) -> dict[str, AnyArray]:
    """Read what `save_arrays` wrote.

    Parameters
    ----------
    folder : Path
        The folder, or the ``.npz`` file itself where `name` is left out.
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
        # zipfile compares the checksum only when the end of a member is read.
        if file.read(1):
            raise ValueError("bytes after the array")
    return array


def save_strings(folder: Path, name: str, strings: Iterable[str]) -> Path:
    """Write strings into ``folder/name.npz``, exactly, whatever their characters.

    Returns
    -------
    Path
        The file: one buffer of UTF-8 and the length of each string.
    """
    items = list(strings)
    utf8 = "".join(items).encode("utf-8", "surrogatepass")
    lengths = np.fromiter(map(len, items), dtype=np.int64, count=len(items))
    return save_arrays(folder, name, utf8=np.frombuffer(utf8, dtype=np.uint8), lengths=lengths)


def load_strings(folder: Path, name: str | None = None) -> tuple[str, ...]:
    """Read what `save_strings` wrote.

    Parameters
    ----------
    folder : Path
        The folder, or the ``.npz`` file itself where `name` is left out.
    name : str, optional
        The file's name without ``.npz``.

    Raises
    ------
    ModelError
        If the file is missing or damaged, or holds something else.
    """
    path = _file(folder, name, "npz")
    arrays = load_arrays(path)
    try:
        text = arrays["utf8"].tobytes().decode("utf-8", "surrogatepass")
        return _split(text, arrays["lengths"])
    except (KeyError, TypeError, ValueError):
        raise ModelError(path, "holds no strings; the file belongs to something else") from None


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
        The file.

    Raises
    ------
    TypeError, ValueError
        If JSON cannot express the value (an object, NaN, infinity).
    """
    path = folder / f"{name}.json"
    text = json.dumps(value, indent=1, allow_nan=False, default=_plain)
    path.write_text(text + "\n", encoding="ascii", newline="\n")
    return path


def _plain(value: object) -> object:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is no JSON value")


def load_json(folder: Path, name: str | None = None) -> Any:
    """Read what `save_json` wrote.

    Parameters
    ----------
    folder : Path
        The folder, or the ``.json`` file itself where `name` is left out.
    name : str, optional
        The file's name without ``.json``.

    Raises
    ------
    ModelError
        If the file is missing or is no JSON.
    """
    path = _file(folder, name, "json")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise ModelError(path, _DAMAGED) from None


def _file(folder: Path, name: str | None, ending: str) -> Path:
    path = Path(folder) if name is None else Path(folder) / f"{name}.{ending}"
    if not path.is_file():
        raise ModelError(path, "is missing; the model is not complete")
    return path
