"""Names that are also common words or medical terms."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from multideid.knowledge.lexicons import lexicon
from multideid.redact.invented.name_pools import Pool, by_initial, census, cities, pool, sexes
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.keys import Draw
from multideid.redact.spelling import capitalised, fold

_TERMS = ("common_words", "medical_words", "eponyms")
# Number of names, by frequency, and minimum length: rare and short names of the census
# are words such as "goes" and "in".
_NAMES = {WordKind.LAST: (10_000, 4), WordKind.FEMALE: (1_000, 3), WordKind.MALE: (600, 3)}
_SHORTEST_WORD = 4
_ENOUGH = 12
_FEW = 6


class Ambiguous:
    """Names that are also words: Grace, Hill, Foley, Reading.

    Words of the corpus are preferred, so that each occurs both as PHI and as
    non-PHI (Sibanda & Uzuner 2006, 6.2). If there are too few, names from the
    word lists and other words of the corpus are added.

    Parameters
    ----------
    language : {"en", "es"}
    words : collection of str
        Folded words of the corpus outside PHI.
    """

    def __init__(self, language: str = "en", words: Collection[str] = frozenset()) -> None:
        self._pools = {kind: by_initial(_chosen(kind, language, words)) for kind in _BASE_KINDS}
        first = self._pools[WordKind.FEMALE][""], self._pools[WordKind.MALE][""]
        self._pools[WordKind.FIRST] = by_initial(name for names in first for name in names)
        self.initials = _initials(self._pools)

    def word(self, kind: WordKind, original: str, initial: str, draw: Draw, /) -> str:
        """Choose a name with that initial, if there is one."""
        names = self._pools[kind if kind in self._pools else WordKind.LAST]
        return names.get(initial, names[""]).choose(draw)

    def sex(self, first_name: str, /) -> WordKind:
        """Look up the name in both languages."""
        return sexes().get(first_name, WordKind.FIRST)

    def region(self, names: Sequence[str], draw: Draw, /) -> str:
        """Choose a state or country that is also a word, if there is one."""
        return draw.choose([name for name in names if fold(name) in _terms()] or names)


_BASE_KINDS = (WordKind.FEMALE, WordKind.MALE, WordKind.LAST, WordKind.CITY)


def _chosen(kind: WordKind, language: str, words: Collection[str]) -> Sequence[str]:
    """Return the names of a kind that are words of the corpus, and others if there are few."""
    names = _candidates(kind, language)
    chosen = [name for name in names if fold(name) in words]
    if len(chosen) < _ENOUGH:
        chosen += [name for name in names if fold(name) in _terms()]
    if len(chosen) < _ENOUGH:
        chosen += [word.capitalize() for word in words if _can_be_a_name(word)]
    return chosen or names


def _candidates(kind: WordKind, language: str) -> Sequence[str]:
    if kind is WordKind.CITY:
        return cities("ES" if language == "es" else "US")
    if language == "es":
        return pool(kind, language)[""]
    commonest, shortest = _NAMES[kind]
    common = [name for name in census(kind)[:commonest] if len(name) >= shortest]
    known = common + sorted(lexicon("eponyms")) if kind is WordKind.LAST else common
    return [capitalised(name) for name in known if name in _terms()]


def _can_be_a_name(word: str) -> bool:
    return len(word) >= _SHORTEST_WORD and word.isalpha()


def _initials(pools: Mapping[WordKind, Pool]) -> str:
    """Return the initials shared by first and last names, or all if few are shared."""
    people = [pools[kind].keys() - {""} for kind in (WordKind.LAST, WordKind.FIRST)]
    shared = people[0] & people[1]
    return "".join(sorted(shared if len(shared) >= _FEW else people[0] | people[1]))


@cache
def _terms() -> frozenset[str]:
    return frozenset().union(*map(lexicon, _TERMS))
