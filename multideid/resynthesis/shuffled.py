"""Names with their syllables in another order, as in the 2006 challenge."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from multideid.redact.invented.consistent_hashing import Ring
from multideid.redact.invented.name_pools import pool
from multideid.redact.invented.realistic import Realistic
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.keys import Draw
from multideid.redact.spelling import WORD, fold

_VOWEL = "aeiouyáéíóúüàèìòùâêîôûäëïöåæøãõ"
# Of two consonants between vowels the first one ends its syllable.
_SYLLABLE = re.compile(
    rf"[^{_VOWEL}]*[{_VOWEL}]+(?:[^{_VOWEL}]+$|[^{_VOWEL}](?=[^{_VOWEL}]))?", re.I
)


class Shuffled(Realistic):
    """Names of dictionaries, the syllables of each in another order.

    That is how the names of the 2006 challenge were made (thesis, 5.1.1):
    ``Walker`` becomes ``Kerwal``.

    Parameters
    ----------
    language : {"en", "es"}
        Whose names.
    """

    def word(self, kind: WordKind, original: str, initial: str, draw: Draw, /) -> str:
        """Choose a name that has a later syllable with that initial, and begin with that one."""
        names = _names(kind, self._language)
        return shuffled(names.get(initial, names[""]).choose(draw), initial, draw)

    def region(self, names: Sequence[str], draw: Draw, /) -> str:
        """Shuffle the name of a state or country; its letters alone, such as MA, are chosen."""
        return shuffled(draw.choose(names), "", draw)


def syllables(word: str) -> list[str]:
    """Divide a word into syllables, by rule; joined they are the word.

    Examples
    --------
    >>> syllables("Walker"), syllables("Petrosian"), syllables("Smith")
    (['Wal', 'ker'], ['Pet', 'ro', 'sian'], ['Smith'])
    """
    return _SYLLABLE.findall(word) or [word]


def shuffled(name: str, initial: str, draw: Draw) -> str:
    """Put the syllables of each word of a name into another order.

    Parameters
    ----------
    name : str
    initial : str
        The letter to begin with, if a later syllable of the word does; empty: any.
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
def _names(kind: WordKind, language: str) -> Mapping[str, Ring]:
    """Return names of several syllables by the letters that the later ones begin with."""
    found = defaultdict(list)
    for name in pool(kind, language)[""]:
        later = {fold(part[0]).upper() for part in syllables(WORD.findall(name)[0])[1:]}
        for initial in later | {""} if later else ():
            found[initial].append(name)
    return {initial: Ring(names) for initial, names in found.items()}
