"""External resources that the user adds once, stored in the user's data folder.

Each resource is one file with two lines of JSON: its description, and the values
made from the user's files. Files are written atomically.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from multideid.errors import ResourceError, UsageError, reason
from multideid.files import atomic_path
from multideid.knowledge.mesh import MeshLookup, read_descriptors

DATA_FOLDER = "MULTIDEID_DATA"
"""Environment variable with the path of another data folder."""

_FORMAT = 1
_FINGERPRINT = 16


class ResourceInfo(NamedTuple):
    """Description of a resource, which can be read without its content.

    Parameters
    ----------
    name : str
    sources : list of str
        Names of the files that it was made from, without folders.
    entries : int
        Number of phrases.
    added : str
        Date, such as ``2026-11-21``.
    fingerprint : str
        Equal for resources with equal content.
    """

    name: str
    sources: list[str]
    entries: int
    added: str
    fingerprint: str


class _Kind(NamedTuple):
    """A kind of resource.

    Parameters
    ----------
    summary : str
    build : callable
        Makes the number of entries and JSON values from the user's files.
    read : callable
        Makes the object for features from the JSON values.
    """

    summary: str
    build: Callable[[Sequence[Path]], tuple[int, dict[str, Any]]]
    read: Callable[[dict[str, Any]], MeshLookup]


def _build_mesh(files: Sequence[Path]) -> tuple[int, dict[str, Any]]:
    lookup = MeshLookup.build(chain.from_iterable(map(read_descriptors, files)))
    if not lookup.n_phrases:
        raise ResourceError(files[0], "has no MeSH descriptor")
    return lookup.n_phrases, lookup.to_json()


_KINDS = {
    "mesh": _Kind("Medical Subject Headings of noun phrases", _build_mesh, MeshLookup.from_json)
}

RESOURCES = {name: kind.summary for name, kind in _KINDS.items()}
"""The supported resources with their summaries."""


def data_folder() -> Path:
    """Return the folder of the user's resources, which may not exist."""
    chosen = os.environ.get(DATA_FOLDER)
    if chosen:
        return Path(chosen)
    from platformdirs import user_data_path

    return user_data_path("multideid", appauthor=False)


def add_resource(name: str, files: Iterable[str | Path]) -> ResourceInfo:
    """Make a resource from files, replacing an older one with the same name.

    Parameters
    ----------
    name : str
        One of `RESOURCES`.
    files : iterable of str or Path
        For ``"mesh"``: descriptors in NLM's XML or ASCII, or tables.

    Returns
    -------
    ResourceInfo

    Raises
    ------
    UsageError
        If the resource is not supported, or no file is given.
    ResourceError
        If a file cannot be read or has another content; nothing is changed.
    """
    kind, sources = _kind(name), [Path(file) for file in files]
    if not sources:
        raise UsageError(f"resource {name!r} needs at least one file")
    entries, value = kind.build(sources)
    body = json.dumps(value, separators=(",", ":"), sort_keys=True).encode("ascii")
    added = datetime.now(UTC).date().isoformat()
    info = ResourceInfo(name, [file.name for file in sources], entries, added, _fingerprint(body))
    head = json.dumps({"format": _FORMAT, **info._asdict()}).encode("ascii")
    _write(_path(name), head + b"\n" + body + b"\n")
    return info


def added_resources() -> list[ResourceInfo]:
    """Return the added resources, sorted by name.

    Raises
    ------
    ResourceError
        If one is damaged.
    """
    found = (resource_info(name) for name in sorted(_KINDS))
    return [info for info in found if info is not None]


def resource_info(name: str) -> ResourceInfo | None:
    """Return the description of a resource, None if it was not added.

    Raises
    ------
    ResourceError
        If it is damaged.
    """
    path = _path(name)
    try:
        with path.open("rb") as file:
            return _info(name, file.readline())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise _damaged(name) from None


def remove_resource(name: str) -> None:
    """Remove a resource.

    Raises
    ------
    UsageError
        If it was not added.
    """
    _kind(name)
    try:
        _path(name).unlink()
    except FileNotFoundError:
        raise UsageError(f"resource {name!r} was not added, so it cannot be removed") from None
    except OSError as error:
        raise ResourceError(_path(name), f"cannot be removed: {reason(error)}") from None


def load_mesh(fingerprint: str | None = None) -> MeshLookup:
    """Return the MeSH look-up; cached until the file changes.

    Parameters
    ----------
    fingerprint : str, optional
        Required fingerprint. Default: any.

    Raises
    ------
    UsageError
        If it was not added or has another fingerprint; the message has the
        command that adds it.
    ResourceError
        If it is damaged.
    """
    path = _path("mesh")
    try:
        status = path.stat()
    except OSError:
        raise UsageError(missing("mesh")) from None
    info, lookup = _load("mesh", path, status.st_mtime_ns, status.st_size)
    if fingerprint not in (None, info.fingerprint):
        raise UsageError(another("mesh", fingerprint, info.fingerprint))
    return lookup


def missing(name: str) -> str:
    """Return the message for a missing resource, with the command that adds it."""
    return f"{name} was not added here; add it with: multideid resources add {name} FILE"


def another(name: str, required: str | None, here: str) -> str:
    """Return the message for a resource with another fingerprint than the required one."""
    return (
        f"{name} has fingerprint {here}, but {required} is required; "
        f"add the same files with: multideid resources add {name} FILE"
    )


@lru_cache(maxsize=2)
def _load(name: str, path: Path, *_changed: int) -> tuple[ResourceInfo, MeshLookup]:
    try:
        head, _, body = path.read_bytes().partition(b"\n")
        info = _info(name, head)
        if info.fingerprint != _fingerprint(body.removesuffix(b"\n")):
            raise ValueError("content does not match its fingerprint")
        return info, _kind(name).read(json.loads(body))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise _damaged(name) from None


def _info(name: str, head: bytes) -> ResourceInfo:
    values = json.loads(head)
    if values.pop("format") != _FORMAT or values["name"] != name:
        raise ValueError("another format")
    return ResourceInfo(**values)


def _damaged(name: str) -> ResourceError:
    problem = f"is damaged; add it again with: multideid resources add {name} FILE"
    return ResourceError(_path(name), problem)


def _kind(name: str) -> _Kind:
    if name not in _KINDS:
        raise UsageError(f"there is no resource {name!r}; available: {', '.join(_KINDS)}")
    return _KINDS[name]


def _path(name: str) -> Path:
    return data_folder() / f"{name}.json"


def _fingerprint(body: bytes) -> str:
    return sha256(body).hexdigest()[:_FINGERPRINT]


def _write(target: Path, content: bytes) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(target) as temporary, temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise ResourceError(target, f"cannot be written: {reason(error)}") from None
