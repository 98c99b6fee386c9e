"""Choices that hardly change when the list to choose from does."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import overload

from multideid.redact.keys import Draw

_BYTES = 8


class Ring(Sequence[str]):
    """Names on a circle, each at a place that follows from the name alone.

    A draw chooses the next name after a point of the circle. A name more or
    less, in another release of a gazetteer, changes only what lies before it:
    surrogates of a running study stay what they were.

    Parameters
    ----------
    names : iterable of str
        At least one.
    """

    def __init__(self, names: Iterable[str]) -> None:
        placed = sorted((_place(name), name) for name in set(names))
        self._places = [place for place, _ in placed]
        self._names = [name for _, name in placed]

    def choose(self, draw: Draw) -> str:
        """Return the name that the draw decides for."""
        return self._names[bisect(self._places, draw.below(256**_BYTES)) % len(self._names)]

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self._names[index]

    def __len__(self) -> int:
        return len(self._names)


def _place(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8"), digest_size=_BYTES).digest(), "big")
