"""Other spellings of known names in a text: slips, nicknames, and hyphenated names in one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any

from multideid.labels import SurrogateKind, surrogate_kind
from multideid.redact.spelling import WORD, fold
from multideid.site.words import is_ordinary

PACKAGES = {"rapidfuzz": "misspelt names", "nicknames": "nicknames"}
"""What each package of the extra ``fuzzy`` finds."""

_SHORTEST = 6  # Letters; nearly all shorter words are one slip from some name.
_SHORTEST_FOR_TWO = 9
_MOST_CACHED = 10_000
_HYPHENS = "-\u2010\u2011"
_APOSTROPHES = str.maketrans("", "", "'\u2019\u02bc")
_PLAIN_LETTERS = str.maketrans(
    {"\u00f8": "o", "\u00e6": "ae", "\u0153": "oe", "\u0142": "l", "\u0111": "d", "\u0131": "i",
     "\u00f0": "d", "\u00fe": "th"}
)  # fmt: skip
"""Letters that are more than a letter with an accent."""
_ABBREVIATIONS = {
    name: short
    for name, *short in map(
        str.split,
        (
            "maria ma", "francisco fco", "francisca fca", "fernando fdo", "guadalupe gpe",
            "guillermo gmo", "fernandez fdez fndez", "gonzalez glez gzlez", "hernandez hdez",
            "martinez mtnez mtez", "rodriguez rguez rdguez rdez", "sanchez schez", "william wm",
            "charles chas", "john jno", "thomas thos", "robert robt", "james jas",
            "benjamin benj", "samuel saml",
        ),
    )
}  # fmt: skip
"""How first names and Spanish surnames are abbreviated in writing."""
_DIGRAPHS = re.compile(r"(?<=[aou])e|(?<=a)a")


def missing_packages() -> list[str]:
    """Return what is not found, since packages are missing."""
    return [found for package, found in PACKAGES.items() if find_spec(package) is None]


def with_variants(text: str, known: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return known values with the spellings of their names that a text has.

    A word of six letters or more that is no ordinary word is a name with one slip (a letter
    left out, added, exchanged, or two exchanged with one another), or with two if it has
    nine. Nicknames are those of the package nicknames, also for the name that one stands for, and
    usual abbreviations: ``Fco`` of Francisco.
    Letters such as \u00f6 and \u00f8 may be written ``oe`` or ``o``.

    Parameters
    ----------
    text : str
    known : mapping of str to set of str
        The values of each label.
    """
    return {
        label: values | set(_variants(text, values)) if _is_name(label) else values
        for label, values in known.items()
    }


def _is_name(label: str) -> bool:
    return surrogate_kind(label) is SurrogateKind.PERSON


def _variants(text: str, values: Iterable[str]) -> Iterator[str]:
    written = {word for value in values for word in WORD.findall(value)}
    yield from _transliterations(text, written)
    parts = set(map(_joined, written))
    for part in parts:
        yield from (*_nicknames(part), *_ABBREVIATIONS.get(part, ()))
    for value in values:
        for piece in value.split():
            if any(hyphen in piece for hyphen in _HYPHENS):
                yield "".join(WORD.findall(piece))
    long = [part for part in parts if len(part) >= _SHORTEST]
    own = WORD.findall(text) if long else ()
    words = {_joined(word) for word in own if len(word) >= _SHORTEST}
    yield from (word for word in words - parts if _is_slip(word, long))


def _joined(word: str) -> str:
    return fold(word).translate(_APOSTROPHES)


def _transliterations(text: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the words of a text that are names but for letters beyond A to Z."""
    special = {_simple(name) for name in names if not name.isascii()}
    if not special and text.isascii():
        return
    plain = {_simple(name) for name in names}
    for word in set(WORD.findall(text)):
        if _simple(word) in (special if word.isascii() else plain):
            yield word


def _simple(word: str) -> str:
    """Return a word without accents, in which ``oe`` and \u00f8 are ``o``."""
    return _DIGRAPHS.sub("", fold(word).translate(_PLAIN_LETTERS))


def _is_slip(word: str, names: Iterable[str]) -> bool:
    distance = _distance()
    if distance is None:
        return False
    near = any(distance(word, name) <= _most_slips(word, name) for name in names)
    return near and not is_ordinary(word)


def _most_slips(word: str, name: str) -> int:
    return 2 if min(len(word), len(name)) >= _SHORTEST_FOR_TWO else 1


@cache
def _distance() -> Callable[[str, str], int] | None:
    """Return the number of slips between two words; None without rapidfuzz."""
    if find_spec("rapidfuzz") is None:
        return None
    from rapidfuzz.distance import OSA

    return OSA.distance


@cache
def _namer() -> Any:
    if find_spec("nicknames") is None:
        return None
    from nicknames import NickNamer

    return NickNamer()


@lru_cache(_MOST_CACHED)
def _nicknames(name: str) -> tuple[str, ...]:
    namer = _namer()
    if namer is None:
        return ()
    full = set(namer.canonicals_of(name))
    others = (namer.nicknames_of(one) for one in (name, *full))
    return tuple(sorted(full.union(*others) - {name}))
