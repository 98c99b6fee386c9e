"""The styles in which PHI can be invented, by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Literal

from multideid.errors import UsageError
from multideid.redact.invented.realistic import Realistic
from multideid.redact.invented.vocabulary import Vocabulary
from multideid.redact.keys import Key
from multideid.resynthesis.ambiguous import Ambiguous
from multideid.resynthesis.shuffled import Shuffled
from multideid.resynthesis.unlisted import OutOfDictionary

Style = Literal["realistic", "shuffled", "ambiguous", "out-of-dictionary"]

STYLES: Mapping[str, str] = {
    "realistic": "names of the census and the gazetteer that mean nothing else",
    "shuffled": "such names with their syllables in another order",
    "ambiguous": "names that are also words of the corpus, common words or medical terms",
    "out-of-dictionary": "names of permuted letters, in no word list",
}
"""The styles, with one line about each."""

_LANGUAGE_ALONE: Mapping[str, Callable[[str], Vocabulary]] = {
    "realistic": Realistic,
    "shuffled": Shuffled,
    "out-of-dictionary": OutOfDictionary,
}


def make_vocabulary(
    style: str, words: Collection[str] = frozenset()
) -> Callable[[str], Vocabulary]:
    """Return what gives the names of a style: for `Surrogates`.

    Parameters
    ----------
    style : str
        One of `STYLES`.
    words : collection of str
        For the ambiguous style: folded words of the corpus that are no PHI.

    Raises
    ------
    UsageError
        If there is no such style.
    """
    check_style(style)
    if style in _LANGUAGE_ALONE:
        return _LANGUAGE_ALONE[style]
    return cache(lambda language: Ambiguous(language, words))


def check_style(style: str) -> None:
    """Raise UsageError if there is no such style."""
    if style not in STYLES:
        raise UsageError(f"there is no style {style!r}; there are {', '.join(STYLES)}")


def seeded_key(seed: int) -> Key:
    """Return a key that follows from a number, and is no secret.

    Raises
    ------
    UsageError
        If the seed is negative.
    """
    if seed < 0:
        raise UsageError(f"the seed must not be negative; got {seed}")
    return Key.from_secret(f"seed of a resynthesis: {seed}".encode("ascii"))
