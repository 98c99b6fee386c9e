"""Consistent hashing: random choices that hardly change when the list of names does."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import overload

from multideid.redact.keys import Draw

_BYTES = 8


class HashRing(Sequence[str]):
    """A hash ring of names.

    The position of a name is its hash. A random draw is a position, and chooses
    the next name on the ring. If a new release of a gazetteer adds or drops a
    name, only the choices next to it change, so that the surrogates of a running
    study stay the same.

    Parameters
    ----------
    names : iterable of str
        At least one.
    """

    def __init__(self, names: Iterable[str]) -> None:
        hashed = sorted((_position(name), name) for name in set(names))
        self._positions = [position for position, _ in hashed]
        self._names = [name for _, name in hashed]

    def choose(self, draw: Draw) -> str:
        """Return the name after a random position."""
        return self._names[bisect(self._positions, draw.below(256**_BYTES)) % len(self._names)]

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self._names[index]

    def __len__(self) -> int:
        return len(self._names)


def _position(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8"), digest_size=_BYTES).digest(), "big")
