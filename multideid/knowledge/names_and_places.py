"""Names of the US census, and cities, countries and states of GeoNames.

One packed table, made by ``scripts/names_and_places``; `docs/reference/lexicons.md`
lists the sources and their licences.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from multideid.arrays import UByteArray

Census: TypeAlias = Literal["female", "male", "last"]
"""First names of women, of men, and last names."""

PATH = Path(__file__).parent / "data" / "names_and_places.npz"
SHARES_PER_CENT = 1000
"""The census gives per cents with three decimals, which are kept as whole numbers."""


class City(NamedTuple):
    """A place of 15,000 people or more.

    Parameters
    ----------
    name : str
        In Latin letters.
    country : str
        Its two-letter code.
    state : str
        The two-letter code of a state of the United States, otherwise empty.
    population : int
    """

    name: str
    country: str
    state: str
    population: int


def census(kind: Census) -> dict[str, float]:
    """Return the percentage of people with each name, by descending frequency."""
    with np.load(PATH, allow_pickle=False) as table:
        shares = table[f"{kind}_shares"].tolist()
        return {n: s / SHARES_PER_CENT for n, s in zip(_words(table[kind]), shares, strict=True)}


def census_names(kind: Census) -> list[str]:
    """Return the names, lower case, by descending frequency."""
    return _column(kind)


def cities() -> Iterator[City]:
    """Yield the cities; they are read again at every call."""
    with np.load(PATH, allow_pickle=False) as table:
        columns = [_words(table[f"city_{name}"]) for name in ("names", "countries", "states")]
        populations = table["city_populations"].tolist()
    return map(City, *columns, populations)


def city_names(smallest: int = 0) -> list[str]:
    """Return the names of the cities of at least `smallest` people, in the order of `cities`."""
    with np.load(PATH, allow_pickle=False) as table:
        names, populations = _words(table["city_names"]), table["city_populations"]
    if not smallest:
        return names
    return [names[n] for n in np.flatnonzero(populations >= smallest).tolist()]


def countries() -> list[str]:
    """Return the names of countries."""
    return _column("countries")


def us_states() -> dict[str, str]:
    """Return the names of the states of the United States by two-letter code."""
    return dict(zip(_column("us_state_codes"), _column("us_states"), strict=True))


def pack(words: list[str]) -> UByteArray:
    """Return words as one array of bytes, a line each."""
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)


def _words(packed: UByteArray) -> list[str]:
    return packed.tobytes().decode().split("\n")


def _column(name: str) -> list[str]:
    with np.load(PATH, allow_pickle=False) as table:
        return _words(table[name])
