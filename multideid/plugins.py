"""Plug-ins by name: those of this package, and the entry points of installed ones."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata

from multideid.errors import UsageError

DISTRIBUTION = "multideid"


@dataclass(frozen=True, slots=True)
class PluginEntry:
    """A plug-in that is loaded only when it is used.

    Parameters
    ----------
    name : str
    origin : str
        The distribution that provides it.
    load : callable
        Imports and returns it.
    """

    name: str
    origin: str
    load: Callable[[], object]


def plugin_entries(group: str, built_in: Mapping[str, str]) -> list[PluginEntry]:
    """Return the built-in plug-ins of a group, then those of other packages by name.

    Parameters
    ----------
    group : str
        The group of entry points.
    built_in : mapping of str to str
        The entry points of this package, which are thus also found in a checkout
        that is not installed.
    """
    ours = [metadata.EntryPoint(name, value, group) for name, value in built_in.items()]
    others = sorted(_installed(group, _path_state()), key=lambda entry: entry.name)
    return [PluginEntry(point.name, DISTRIBUTION, point.load) for point in ours] + others


@lru_cache(maxsize=8)
def _installed(group: str, _: object) -> tuple[PluginEntry, ...]:
    points = metadata.entry_points(group=group)
    found = (PluginEntry(point.name, _origin(point), point.load) for point in points)
    return tuple(entry for entry in found if entry.origin != DISTRIBUTION)


def _path_state() -> tuple[tuple[str, int], ...]:
    """Return a value that differs once a package was installed or the path changed.

    A search reads the metadata of every installed package, which takes about 0.1 s.
    """
    return tuple((path, _modified(path)) for path in map(os.path.abspath, sys.path))


def _modified(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=64)
def _name_of(distribution: metadata.Distribution) -> str:
    """Return the name of a distribution; its whole description is parsed for it."""
    return distribution.name


def _origin(point: metadata.EntryPoint) -> str:
    return _name_of(point.dist) if point.dist else "an unknown package"


def entry_named(kind: str, name: str, entries: Iterable[PluginEntry]) -> PluginEntry | None:
    """Return the plug-in of that name, if there is one.

    Raises
    ------
    UsageError
        If several packages provide it.
    """
    found = [entry for entry in entries if entry.name == name]
    if len(found) > 1:
        origins = " and ".join(sorted(entry.origin for entry in found))
        raise UsageError(f"{kind} {name!r} is provided by {origins}; uninstall all but one")
    return found[0] if found else None


def load_entry(kind: str, entry: PluginEntry) -> object:
    """Import a plug-in.

    Raises
    ------
    UsageError
        If that fails in any way; it names the plug-in and its package.
    """
    try:
        return entry.load()
    except (Exception, SystemExit) as error:
        problem = f"{type(error).__name__}: {error}"
        raise UsageError(
            f"{kind} {entry.name!r} of {entry.origin} cannot be loaded: {problem}"
        ) from error
