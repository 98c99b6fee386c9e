"""Names with permuted letters that are in no dictionary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from multideid.knowledge.lexicons import LEXICON_NAMES, lexicon
from multideid.redact.invented import spanish
from multideid.redact.invented.consistent_hashing import HashRing
from multideid.redact.invented.name_pools import pool
from multideid.redact.invented.realistic import Realistic
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.keys import Draw
from multideid.redact.spelling import WORD, fold, words_of

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SHORT = 3  # Letters; such short words have too few permutations.


class OutOfDictionary(Realistic):
    """Names with letters permuted until they are in no word list.

    As in Sibanda & Uzuner (2006), 6.3: ``O. Ymfgkstjj``.

    Parameters
    ----------
    language : {"en", "es"}
    """

    def word(self, kind: WordKind, original: str, initial: str, draw: Draw, /) -> str:
        """Permute the letters of a name after its initial."""
        names = pool(kind, self._language)
        return _permuted_one(names.get(initial, names[""]), draw)

    def region(self, names: Sequence[str], draw: Draw, /) -> str:
        """Permute the letters of a state or country."""
        return _permuted_one(names, draw)


def is_listed(word: str) -> bool:
    """Return whether a word is in a word list, alone or in an entry of several words.

    Case and accents are ignored. The lists are all those of
    `multideid.knowledge.lexicons` and the Spanish names.
    """
    return fold(word) in _listed_words()


def _permuted_one(names: Sequence[str], draw: Draw) -> str:
    while True:
        name = names.choose(draw) if isinstance(names, HashRing) else draw.choose(names)
        new = WORD.sub(lambda match: _permuted(match[0], draw), name)
        if not any(map(is_listed, WORD.findall(new))):
            return new


def _permuted(word: str, draw: Draw) -> str:
    rest = list(word[1:].lower())
    if len(word) <= _SHORT:
        return word[0] + "".join(draw.choose(_LETTERS) for _ in rest)
    return word[0] + "".join(rest.pop(draw.below(len(rest))) for _ in word[1:])


@cache
def _listed_words() -> frozenset[str]:
    return frozenset(word for entry in _entries() for word in (fold(entry), *words_of(entry)))


def _entries() -> Iterator[str]:
    for name in LEXICON_NAMES:
        yield from lexicon(name)
    for names in (spanish.FIRST_NAMES_FEMALE, spanish.FIRST_NAMES_MALE, spanish.LAST_NAMES):
        yield from names.split()
