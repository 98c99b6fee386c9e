"""Save arrays and JSON values in files that are reproducible to the byte."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from os import PathLike, fspath
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from multideid.arrays import AnyArray
from multideid.errors import ModelError
from multideid.persistence.array_rules import ArrayRule, check_arrays
from multideid.persistence.compact import compact, restore
from multideid.persistence.json_rules import Pattern, check_json
from multideid.persistence.npy import parse_array

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
_MOST_JSON = 64_000_000
"""Bytes; a manifest of a thousand labels has a few hundred thousand."""
_DAMAGED = "is damaged and cannot be read; restore it from a backup or train the model again"


def save_arrays(folder: Path, name: str, /, **arrays: AnyArray) -> Path:
    """Write arrays into ``folder/name.npz``, in a compact form (`multideid.persistence.compact`).

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
            array = np.asanyarray(value)
            if array.dtype.hasobject:
                raise TypeError(f"array {key!r} holds Python objects; models contain no pickle")
            _write_member(archive, *compact(key, array))
    return path


def _write_member(archive: zipfile.ZipFile, key: str, array: AnyArray) -> None:
    # An explicit ZipInfo has no time stamp, so that equal arrays give equal files.
    entry = zipfile.ZipInfo(f"{key}.npy")
    with archive.open(entry, "w", force_zip64=True) as file:
        np.lib.format.write_array(file, array, allow_pickle=False)


def load_arrays(
    folder: Path,
    name: str | None = None,
    rules: Mapping[str, ArrayRule] | None = None,
    **sizes: int,
) -> dict[str, AnyArray]:
    """Read a file written by `save_arrays`.

    Parameters
    ----------
    folder : Path
        The folder, or the ``.npz`` file if `name` is omitted.
    name : str, optional
        The file's name without ``.npz``.
    rules : mapping of str to ArrayRule, optional
        The arrays to read, and what they must satisfy. Default: all of them, unchecked;
        never for arrays that compiled code indexes with.
    **sizes : int
        Sizes that the rules name.

    Returns
    -------
    dict of str to array
        C-contiguous if there are rules.

    Raises
    ------
    ModelError
        If the file is missing, truncated, damaged, compressed or would need pickle, or
        breaks a rule.
    """
    path = model_file(folder, name, "npz")
    try:
        with zipfile.ZipFile(path) as archive:
            members = _members(archive)
            names = list(members) if rules is None else [n for n in rules if n in members]
            arrays = {n: _read_member(archive, members[n]) for n in names}
    except _DAMAGE:
        raise ModelError(path, _DAMAGED) from None
    if rules is not None:
        arrays = {n: np.asarray(array, order="C") for n, array in arrays.items()}
        check_arrays(path, arrays, rules, sizes)
    return arrays


def _members(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the member of each array."""
    names = archive.namelist()
    members = {name.removesuffix(".npy").partition("~")[0]: name for name in names}
    if len(members) < len(names):
        raise ValueError("two arrays of one name")
    return members


def _read_member(archive: zipfile.ZipFile, member: str) -> AnyArray:
    if archive.getinfo(member).compress_type != zipfile.ZIP_STORED:
        # A few bytes could become all memory; `save_arrays` compresses nothing.
        raise ValueError("compressed")
    array = restore(member.removesuffix(".npy"), parse_array(archive.read(member)))
    return array if array.flags.writeable else array.copy(order="K")


@dataclass(frozen=True, slots=True)
class ArrayRecord:
    """Base class of dataclasses with array fields only, saved in one file.

    The arrays have the names and the order of the fields.
    """

    rules: ClassVar[Mapping[str, ArrayRule]]
    """What each array must satisfy when it is read."""

    def save(self, folder: Path, name: str) -> None:
        """Write ``<name>.npz`` into `folder`."""
        save_arrays(folder, name, **{part.name: getattr(self, part.name) for part in fields(self)})

    @classmethod
    def load(cls, folder: Path, name: str, **sizes: int) -> Self:
        """Read a file written by `save`.

        Parameters
        ----------
        folder : Path
        name : str
        **sizes : int
            Sizes that the rules name.

        Raises
        ------
        ModelError
            If the file is missing or damaged, or breaks a rule.
        """
        arrays = load_arrays(
            folder, name, {part.name: cls.rules[part.name] for part in fields(cls)}, **sizes
        )
        record = cls(*(arrays[part.name] for part in fields(cls)))
        record.check(folder / f"{name}.npz")
        return record

    def check(self, path: Path) -> None:
        """Check what no rule can express.

        Parameters
        ----------
        path : Path
            The file, for errors.

        Raises
        ------
        ModelError
        """


def save_json(folder: Path, name: str, value: object) -> Path:
    """Write a JSON value into ``folder/name.json``; numpy numbers are written as numbers.

    Paths are written as texts.

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
    if isinstance(value, PathLike):
        return fspath(value)
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def load_json(folder: Path, name: str | None = None, pattern: Pattern = None) -> Any:
    """Read a file written by `save_json`.

    Parameters
    ----------
    folder : Path
        The folder, or the ``.json`` file if `name` is omitted.
    name : str, optional
        The file's name without ``.json``.
    pattern : Pattern, optional
        What the value must be; see `multideid.persistence.json_rules`.

    Raises
    ------
    ModelError
        If the file is missing, not JSON, or has another value.
    """
    path = model_file(folder, name, "json")
    try:
        value = json.loads(_small_text(path), parse_constant=_refuse_constant)
    except (OSError, ValueError, RecursionError):
        raise ModelError(path, _DAMAGED) from None
    if pattern is not None:
        check_json(path, value, pattern)
    return value


def _small_text(path: Path) -> str:
    with path.open("rb") as file:
        content = file.read(_MOST_JSON + 1)
    if len(content) > _MOST_JSON:
        raise ValueError("too long")
    return content.decode("utf-8")


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def model_file(folder: Path, name: str | None, ending: str) -> Path:
    """Return the path of a file of a model.

    Raises
    ------
    ModelError
        If it is missing.
    """
    path = Path(folder) if name is None else Path(folder) / f"{name}.{ending}"
    if not path.is_file():
        raise ModelError(path, "is missing; the model is incomplete")
    return path
