"""The identity of a run: what must not change between a run that stops and one that goes on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid import __version__
from multideid.errors import UsageError
from multideid.models import find_model
from multideid.site.site import Site, as_site

if TYPE_CHECKING:
    from multideid.redact import Key

Digest = Callable[[bytes], bytes]
"""A keyed hash: without the key, guessed notes cannot be compared with it."""
Identity = Callable[[Digest], Mapping[str, str]]
"""Returns what must be the same for a run to go on: options by name."""

_HASHED = "#"
"""Begins a value that is a digest, and is not shown."""

_DIGITS = 12

_LISTS = ("allow", "deny", "patterns", "patients")
"""Parts of a site that may hold PHI."""
_SETTINGS = {
    "labels": "labels",
    "recall": "recall of the site",
    "date_order": "date order",
    "min_score": "min score",
    "agreement": "agreement",
    "actions": "actions",
    "preset": "preset",
}
"""The names of a site's other parts."""


def identity_of(
    model: str | Path,
    site: Site | str | Path | None = None,
    key: Key | None = None,
    **options: Any,
) -> Identity:
    """Return the identity of a run.

    Parameters
    ----------
    model : str or Path
    site : Site, str or Path, optional
    key : Key, optional
    **options
        All else on which the output depends, by the names that users know.
    """
    return partial(_identity, model, site, key, options)


def require_stored(model: object) -> None:
    """Raise UsageError for a model in memory, of which a later run cannot know whether it is it."""
    if not isinstance(model, str | Path):
        problem = "only a run with a model folder or a bundled model can be resumed"
        raise UsageError(f"{problem}; save the model, and name its folder")


def require_named(mode: object) -> None:
    """Raise UsageError for a mode that is a function, of which nobody knows what it depends on."""
    if callable(mode):
        problem = "a run whose mode is a function cannot be resumed, nor skip files"
        raise UsageError(f"{problem}; it may replace otherwise than the run before")


def changes(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Return what differs between two identities, for an error."""
    # Other digests follow from the key.
    other_key = before.get("key") != now.get("key")
    names = ["key"] if other_key else sorted({*before, *now})
    return "; ".join(filter(None, (_difference(name, before, now) for name in names)))


def _difference(name: str, before: Mapping[str, str], now: Mapping[str, str]) -> str | None:
    old, new = before.get(name), now.get(name)
    if old == new:
        return None
    if old is None or new is None or _HASHED in (old[:1], new[:1]):
        return f"{name} has changed"
    return f"{name} was {old}, is {new}"


def _identity(
    model: str | Path,
    site: Site | str | Path | None,
    key: Key | None,
    options: Mapping[str, Any],
    digest: Digest,
) -> dict[str, str]:
    known = Site() if site is None else as_site(site)
    # Of the key, too, no more is kept than whether it is the same.
    hashed = {
        "model": _file_digest(find_model(model) / "manifest.json"),
        "key": _hexadecimal(digest, "with" if key else "without"),
        **{part: _hexadecimal(digest, "\n".join(known.content_of(part))) for part in _LISTS},
    }
    return {
        "version of multideid": __version__,
        **{name: f"{_HASHED}{value}" for name, value in hashed.items()},
        **{name: _shown(getattr(known, part)) for part, name in _SETTINGS.items()},
        **{name.replace("_", " "): _shown(value) for name, value in options.items()},
    }


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return _shown([f"{name}={each}" for name, each in value.items()])
    if callable(value):
        return str(getattr(value, "__qualname__", type(value).__qualname__))
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "not given"
    return "not given" if value is None else str(value)


def _hexadecimal(digest: Digest, content: str) -> str:
    return digest(content.encode("utf-8", "surrogatepass")).hex()[:_DIGITS]


def _file_digest(path: Path) -> str:
    # The manifest has the checksums of all other files of the model.
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:_DIGITS]
