"""Changes of a model folder such as a malicious author could make, with repaired checksums."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from multideid.arrays import AnyArray
from multideid.errors import ModelError
from multideid.persistence import load_arrays, save_arrays
from multideid.persistence.manifest import MANIFEST, _checksum, _sha256

NUMBERS = (-1, 0, 1, 2, 7, 127, -128, 32_767, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63))
FLOATS = (np.nan, np.inf, -np.inf, 1e300, -1e300, 3e38, 1e-310, -1.0, 0.0)
DTYPES = ("int8", "int32", "int64", "uint64", "float16", "float32", "float64", ">i4", "bool", "U3")
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 10**30, 1e308, "", "x", "O", "../../etc", [], {}, [None], [[]], {"a": 1},
    [0] * 1000, "é\ud83d", -0.5,
)  # fmt: skip
LITERALS = ("NaN", "Infinity", "9" * 5000, "[" * 2000, "", "{", '{"a": 1', "\x00", "1e999")

Mutation = Callable[[Path, Random], str]


def mutate(model: Path, rng: Random) -> list[str]:
    """Change a model folder in one to three ways, and repair its checksums.

    Parameters
    ----------
    model : Path
        A copy of a model.
    rng : Random

    Returns
    -------
    list of str
        What was done.
    """
    done = []
    for mutation in rng.choices(MUTATIONS, k=rng.choice((1, 1, 1, 2, 3))):
        try:
            done.append(mutation(model, rng))
        except (ModelError, OSError, ValueError, TypeError) as error:
            # There is no such file, or an earlier mutation broke it.
            done.append(f"no {mutation.__name__} ({type(error).__name__})")
    repair(model)
    return done


def repair(model: Path) -> None:
    """Write the checksums of all files into the manifest, if it can still be read."""
    path = model / MANIFEST
    if not path.is_file():
        return
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        content["files"] = {
            file.relative_to(model).as_posix(): _sha256(file)
            for file in sorted(model.rglob("*"))
            if file.is_file() and file != path
        }
        content.pop("checksum", None)
        content["checksum"] = _checksum(content)
        path.write_text(json.dumps(content), encoding="utf-8")
    except (OSError, ValueError, TypeError, AttributeError):
        return


def change_array(model: Path, rng: Random) -> str:
    """Change one array of an ``.npz`` file."""
    path = _some_file(model, rng, "*.npz")
    arrays = load_arrays(path)
    name = rng.choice(list(arrays))
    change = rng.choice(ARRAY_CHANGES)
    with np.errstate(all="ignore"):
        arrays[name] = change(arrays[name], rng)
    _write(path, arrays)
    return f"{change.__name__} {name} of {path.relative_to(model)}"


def change_json(model: Path, rng: Random) -> str:
    """Replace or remove one value of a JSON file."""
    path = _some_file(model, rng, "*.json")
    value = json.loads(path.read_text(encoding="utf-8"))
    place = _some_place(value, rng)
    if place is None or rng.random() < 0.05:
        value = rng.choice(VALUES)
    else:
        holder, key = place
        if isinstance(holder, dict) and rng.random() < 0.2:
            del holder[key]
        else:
            holder[key] = rng.choice(VALUES)
    path.write_text(json.dumps(value), encoding="utf-8")
    return f"change_json {path.relative_to(model)}"


def break_json(model: Path, rng: Random) -> str:
    """Put what JSON does not have in place of a number, or of everything."""
    path = _some_file(model, rng, "*.json")
    text, literal = path.read_text(encoding="utf-8"), rng.choice(LITERALS)
    digits = [n for n, c in enumerate(text) if c.isdigit()]
    at = rng.choice(digits) if digits else 0
    path.write_text(text[:at] + literal + text[at + 1 :] if rng.random() < 0.8 else literal)
    return f"break_json {path.relative_to(model)}"


def flip_bytes(model: Path, rng: Random) -> str:
    """Change a few bytes of any file."""
    path = _some_file(model, rng, "*")
    content = bytearray(path.read_bytes())
    for _ in range(rng.randint(1, 8) if content else 0):
        content[rng.randrange(len(content))] = rng.randrange(256)
    path.write_bytes(content)
    return f"flip_bytes {path.relative_to(model)}"


def truncate(model: Path, rng: Random) -> str:
    """Cut the end of any file off."""
    path = _some_file(model, rng, "*")
    content = path.read_bytes()
    path.write_bytes(content[: rng.randrange(len(content) + 1)])
    return f"truncate {path.relative_to(model)}"


def exchange(model: Path, rng: Random) -> str:
    """Put a file in the place of another."""
    one, other = _some_file(model, rng, "*"), _some_file(model, rng, "*")
    one.write_bytes(other.read_bytes())
    return f"exchange {one.relative_to(model)} {other.relative_to(model)}"


def change_kind(model: Path, rng: Random) -> str:
    """Replace a file by a pipe, a link, a folder, nothing, or a compressed bomb."""
    path = _some_file(model, rng, "*")
    path.unlink()
    kind = rng.choice(("pipe", "link", "folder", "nothing", "bomb"))
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    elif kind == "bomb":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in ("data", "indices", "indptr", "utf8", "lengths"):
                archive.writestr(f"{name}.npy", bytes(50_000_000))
    return f"{kind} {path.relative_to(model)}"


def _some_file(model: Path, rng: Random, pattern: str) -> Path:
    files = sorted(p for p in model.rglob(pattern) if p.is_file() and not p.is_symlink())
    # Numbers do more harm than strings.
    numbers = [p for p in files if "-strings" not in p.name]
    return rng.choice((numbers if rng.random() < 0.8 else files) or [model / MANIFEST])


def _some_place(value: object, rng: Random) -> tuple[Any, Any] | None:
    """Return a list or object inside a JSON value, and an index or name in it."""
    places: list[tuple[Any, Any]] = []
    open_values = [value]
    while open_values:
        holder = open_values.pop()
        items: list[tuple[Any, Any]] = []
        if isinstance(holder, dict):
            items = list(holder.items())
        elif isinstance(holder, list):
            items = list(enumerate(holder))
        places += [(holder, key) for key, _ in items]
        open_values += [inner for _, inner in items]
    return rng.choice(places) if places else None


def _write(path: Path, arrays: dict[str, AnyArray]) -> None:
    save_arrays(path.parent, path.stem, **arrays)


def _one_value(array: AnyArray, rng: Random) -> AnyArray:
    changed = array.copy()
    if changed.size:
        at = rng.randrange(changed.size)
        changed.reshape(-1)[at] = _a_value(changed, rng)
    return changed


def _all_values(array: AnyArray, rng: Random) -> AnyArray:
    return np.full_like(array, _a_value(array, rng))


def _random_values(array: AnyArray, rng: Random) -> AnyArray:
    raw = rng.randbytes(array.nbytes)
    return np.frombuffer(raw, array.dtype).reshape(array.shape) if array.nbytes else array


def _a_value(array: AnyArray, rng: Random) -> Any:
    if array.dtype.kind == "f":
        return np.array(rng.choice(FLOATS)).astype(array.dtype)
    if array.dtype.kind in "iu":
        near = (len(array) if array.ndim else 3) + rng.randint(-2, 2)
        return np.array(rng.choice((*NUMBERS, near))).astype(array.dtype)
    return np.array(rng.choice((0, 1))).astype(array.dtype)


def _exchanged_values(array: AnyArray, rng: Random) -> AnyArray:
    changed = array.copy().reshape(-1)
    if changed.size:
        one, other = rng.randrange(changed.size), rng.randrange(changed.size)
        changed[[one, other]] = changed[[other, one]]
    return changed.reshape(array.shape)


def _shorter(array: AnyArray, rng: Random) -> AnyArray:
    return array[: rng.randrange(len(array))] if array.ndim and len(array) else array


def _longer(array: AnyArray, rng: Random) -> AnyArray:
    return np.concatenate([array, array[-1:]]) if array.ndim else np.array([array, array])


def _empty(array: AnyArray, rng: Random) -> AnyArray:
    return np.zeros(rng.choice(((0,), (0, 5), (2**40, 0), ())), array.dtype)


def _other_type(array: AnyArray, rng: Random) -> AnyArray:
    return array.astype(rng.choice(DTYPES))


def _other_shape(array: AnyArray, rng: Random) -> AnyArray:
    changed: AnyArray = rng.choice((array.reshape(-1), array[None], array.T, array.reshape(-1, 1)))
    return changed


def _shifted(array: AnyArray, rng: Random) -> AnyArray:
    changed = array.copy()
    if array.dtype.kind in "iuf":
        changed += np.array(rng.choice((1, -1, 100))).astype(array.dtype)
    return changed


ARRAY_CHANGES = (
    _one_value, _one_value, _one_value, _all_values, _random_values, _exchanged_values, _shorter,
    _longer, _empty, _other_type, _other_shape, _shifted,
)  # fmt: skip
MUTATIONS: tuple[Mutation, ...] = (
    change_array, change_array, change_array, change_array, change_array, change_array,
    change_json, change_json, break_json, flip_bytes, truncate, exchange, change_kind,
)  # fmt: skip
