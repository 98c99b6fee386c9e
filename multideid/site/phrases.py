"""Phrases of lists, found in texts in one pass, however many they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from multideid.site.globs import STAR, Globs
from multideid.site.words import Words, folded_word, joined_key, split_words

LONGEST = 40
"""Words of the longest phrase; longer entries are refused where lists are read."""


class PhraseMatch(NamedTuple):
    """An occurrence of a phrase.

    Parameters
    ----------
    first, last : int
        Rows of its first and its last word.
    value : str
        What the phrase was listed with.
    """

    first: int
    last: int
    value: str


class PhraseIndex:
    """Phrases, each with a value, as a table of all their beginnings.

    Case, accents and the amount of white space are ignored, and quotes and hyphens
    of all kinds are the same. A phrase matches whole words only, and crosses at most
    one line end between two words. Of two phrases that begin at the same word the
    longer one is found.

    Parameters
    ----------
    phrases : iterable of (str, str)
        Phrases with their values. ``*`` stands for letters and digits of a word.
    """

    def __init__(self, phrases: Iterable[tuple[str, str]]) -> None:
        self._values: dict[str, str] = {}
        self._beginnings: set[str] = set()
        patterns: list[str] = []
        for phrase, value in phrases:
            words = phrase_words(phrase)
            patterns += [word for word in words if STAR in word]
            self._values.setdefault(joined_key(words), value)
            self._beginnings.update(joined_key(words[:n]) for n in range(1, len(words) + 1))
        self._globs = Globs(patterns)

    def __bool__(self) -> bool:
        return bool(self._values)

    def matches(self, words: Words) -> Iterator[PhraseMatch]:
        """Yield the longest phrase that begins at each word, in order; they may overlap."""
        begins = [any(o in self._beginnings for o in self._options(w)) for w in words.folded]
        for row in np.flatnonzero(np.array(begins, dtype=np.bool_)[words.kind]).tolist():
            found = self._longest(words, row, row, "")
            if found is not None:
                yield found

    def _options(self, word: str) -> tuple[str, ...]:
        """Return the word itself and the patterns that it matches."""
        return (word, *self._globs.of(word)) if self._globs else (word,)

    def _longest(self, words: Words, first: int, row: int, before: str) -> PhraseMatch | None:
        """Return the longest phrase from a first word, if that far it reads as `before`."""
        best: PhraseMatch | None = None
        for option in self._options(words.folded[words.kind[row]]):
            key = f"{before}\0{option}" if before else option
            if key not in self._beginnings:
                continue
            longer = self._longest(words, first, row + 1, key) if words.follows(row) else None
            if longer is None and key in self._values:
                longer = PhraseMatch(first, row, self._values[key])
            if longer is not None and (best is None or longer.last > best.last):
                best = longer
        return best


def phrase_words(phrase: str) -> list[str]:
    """Return the folded words of a phrase; a star belongs to the word that it touches."""
    found: list[str] = []
    for part in phrase.split():
        if STAR not in part:
            found += [folded_word(word) for word in split_words(part)]
            continue
        # A rune stands for the star meanwhile: it is a letter, and glues what it touches.
        words = split_words(part.replace(STAR, _GLUE))
        found += [folded_word(word).replace(_GLUE, STAR) for word in words]
    return found


_GLUE = "\u16a0"
