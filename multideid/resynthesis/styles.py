"""The styles of synthetic PHI, by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Literal

from multideid.errors import UsageError
from multideid.redact.invented.realistic import Realistic
from multideid.redact.invented.vocabulary import Vocabulary
from multideid.redact.keys import Key
from multideid.resynthesis.ambiguous import Ambiguous
from multideid.resynthesis.out_of_dictionary import OutOfDictionary
from multideid.resynthesis.shuffled import Shuffled

Style = Literal["realistic", "shuffled", "ambiguous", "out-of-dictionary"]

STYLES: Mapping[str, str] = {
    "realistic": "names of the census and the gazetteer without another meaning",
    "shuffled": "such names with shuffled syllables",
    "ambiguous": "names that are also words of the corpus, common words or medical terms",
    "out-of-dictionary": "names with permuted letters that are in no word list",
}
"""A one-line summary of each style."""

_LANGUAGE_ALONE: Mapping[str, Callable[[str], Vocabulary]] = {
    "realistic": Realistic,
    "shuffled": Shuffled,
    "out-of-dictionary": OutOfDictionary,
}


def make_vocabulary(
    style: str, words: Collection[str] = frozenset()
) -> Callable[[str], Vocabulary]:
    """Return the vocabulary of a style by language, for `Surrogates`.

    Parameters
    ----------
    style : str
        One of `STYLES`.
    words : collection of str
        For the ambiguous style: folded words of the corpus outside PHI.

    Raises
    ------
    UsageError
        If the style is unknown.
    """
    check_style(style)
    if style in _LANGUAGE_ALONE:
        return _LANGUAGE_ALONE[style]
    return cache(lambda language: Ambiguous(language, words))


def check_style(style: str) -> None:
    """Raise UsageError if the style is unknown."""
    if style not in STYLES:
        raise UsageError(f"unknown style {style!r}; use one of {', '.join(STYLES)}")


def seeded_key(seed: int) -> Key:
    """Return a reproducible key for a random seed; it is not secret.

    Raises
    ------
    UsageError
        If the seed is negative.
    """
    if seed < 0:
        raise UsageError(f"the seed must not be negative; got {seed}")
    return Key.from_secret(f"seed of a resynthesis: {seed}".encode("ascii"))
