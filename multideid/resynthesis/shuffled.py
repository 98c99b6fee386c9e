"""Names with shuffled syllables, as in the 2006 challenge."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from multideid.redact.invented.consistent_hashing import HashRing
from multideid.redact.invented.name_pools import pool
from multideid.redact.invented.realistic import Realistic
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.keys import Draw
from multideid.redact.spelling import WORD, fold

_VOWEL = "aeiouyáéíóúüàèìòùâêîôûäëïöåæøãõ"
# The first of two consonants between vowels ends its syllable.
_SYLLABLE = re.compile(
    rf"[^{_VOWEL}]*[{_VOWEL}]+(?:[^{_VOWEL}]+$|[^{_VOWEL}](?=[^{_VOWEL}]))?", re.I
)


class Shuffled(Realistic):
    """Dictionary names with shuffled syllables.

    The names of the 2006 challenge were generated in this way (thesis, 5.1.1):
    ``Walker`` becomes ``Kerwal``.

    Parameters
    ----------
    language : {"en", "es"}
    """

    def word(self, kind: WordKind, original: str, initial: str, draw: Draw, /) -> str:
        """Choose a name, and shuffle it so that it has that initial."""
        names = _names(kind, self._language)
        return shuffled(names.get(initial, names[""]).choose(draw), initial, draw)

    def region(self, names: Sequence[str], draw: Draw, /) -> str:
        """Shuffle the name of a state or country; codes such as MA are only chosen."""
        return shuffled(draw.choose(names), "", draw)


def syllables(word: str) -> list[str]:
    """Split a word into syllables by rule; joined, they are the word.

    Examples
    --------
    >>> syllables("Walker"), syllables("Petrosian"), syllables("Smith")
    (['Wal', 'ker'], ['Pet', 'ro', 'sian'], ['Smith'])
    """
    found, place = [], 0
    # Not `findall`, which would look for a vowel from each of many consonants.
    while match := _SYLLABLE.match(word, place):
        found.append(match[0])
        place = match.end()
    return found or [word]


def shuffled(name: str, initial: str, draw: Draw) -> str:
    """Shuffle the syllables of each word of a name.

    Parameters
    ----------
    name : str
    initial : str
        The initial, if a later syllable of the word begins with it; empty for any.
    draw : Draw
    """
    return WORD.sub(lambda match: _shuffled(match[0], initial, draw), name)


def _shuffled(word: str, initial: str, draw: Draw) -> str:
    parts = syllables(word)
    if len(parts) == 1:
        return word
    later = [n for n, part in enumerate(parts) if n and _starts(part, initial)]
    first = parts.pop(draw.choose(later or range(1, len(parts))))
    rest = [parts.pop(draw.below(len(parts))) for _ in range(len(parts))]
    return "".join([first, *rest]).capitalize()


def _starts(syllable: str, initial: str) -> bool:
    return fold(syllable).startswith(initial.lower())


@cache
def _names(kind: WordKind, language: str) -> Mapping[str, HashRing]:
    """Return names of several syllables, by the initials of all but the first one."""
    found = defaultdict(list)
    for name in pool(kind, language)[""]:
        later = {fold(part[0]).upper() for part in syllables(WORD.findall(name)[0])[1:]}
        for initial in later | {""} if later else ():
            found[initial].append(name)
    return {initial: HashRing(names) for initial, names in found.items()}
