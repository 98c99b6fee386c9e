"""Surrogates of names and professions, in the form of the original."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from multideid.redact.invented import spanish
from multideid.redact.invented.name_pools import is_first_name, is_listed_name
from multideid.redact.invented.numbers import same_shape
from multideid.redact.invented.surrogate_map import SurrogateMap
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.keys import Draw
from multideid.redact.spelling import WORD, fold, like, words_of
from multideid.spans import splice

_TITLE = r"(?:dr|dra|drs|mrs?|ms|miss|mister|prof|professor|doctor|sra?|srta)\b"
_CHILD = (
    r"(?:baby(?:[\s-]+(?:boy|girl)\b)?|infant|newborn|twin)\b(?:\s+[ab12](?![\w.]))?(?:\s+of\b)?"
)
_TITLES = re.compile(
    rf"\W*(?:(?:{_TITLE}|{_CHILD})[\s.]*(?:(?:&|and\b|y\b)\s*(?={_TITLE}))?)+(?=[^\W\d_])", re.I
)
_DEGREE = (
    r"M\.?D|Ph\.?D|R\.?N|[JS][Rr]|II|III|IV|MBBS|MBChB|FRC[PS]|FAC[CPS]|PharmD|DNP|CRNA|LCSW|LPN|DDS|DMD"
    r"|DPM|MPH|[BM]SN"
)
_SUFFIX = re.compile(rf"(?:(?:,\s*+|(?<!\s)\s++)(?:{_DEGREE})\b\.?)+\W*$")
_SHORT_DEGREE = re.compile(r",\s*(?:NP|PA(?:-C)?|DO|ARNP)\W*$")
_CHILD_AFTER = re.compile(rf",\s*{_CHILD}\W*$", re.I)
_PARTICLES = frozenset("de del dos das von der".split())
# Van and Di are also first names.
_PARTICLES_INSIDE = frozenset("la las los da di du van".split())
_SMALL_PARTICLES = frozenset("do den ter bin y e i".split())
_GENERATIONS = frozenset("Jr Sr JR SR II III IV".split())
_COMMA = re.compile(r"\s*(?:(?:[JS][Rr]|II|III|IV)\b\.?\s*)?,")
_LONGEST_INITIALS = 3
_PROFESSIONS = (
    "accountant", "architect", "baker", "bank clerk", "beekeeper", "bookbinder", "bricklayer",
    "bus driver", "butcher", "cabinet maker", "carpenter", "cashier", "dressmaker", "economist",
    "electrician", "farmer", "florist", "gardener", "glazier", "hairdresser", "jeweler",
    "journalist", "librarian", "machinist", "mail carrier", "painter", "plumber", "potter",
    "receptionist", "roofer", "sailor", "salesperson", "tailor", "translator", "truck driver",
    "upholsterer", "waiter", "watchmaker", "welder",
)  # fmt: skip

Roles = list[WordKind | None]
"""The kind of each word; None for initials."""


class _Word(NamedTuple):
    """A word to replace; hyphenated words are one unit."""

    start: int
    end: int
    text: str
    unit: int


class Persons:
    """The names of people in one document.

    Parameters
    ----------
    texts : iterable of str
        All names of people in the document. Full names resolve whether a name
        that occurs alone is a first or last name.
    surrogate_map : SurrogateMap
    language : {"en", "es"}
        In Spanish, people have two last names.
    sex : WordKind, optional
        Of patients whose first name is given to both sexes.
    patients : iterable of str
        Those of the names that are patients'.
    titled : mapping of str to WordKind
        The sex of names with a title such as ``Mr.``.
    """

    def __init__(  # noqa: PLR0913 (the last ones by name)
        self,
        texts: Iterable[str],
        surrogate_map: SurrogateMap,
        language: str = "en",
        *,
        sex: WordKind | None = None,
        patients: Iterable[str] = (),
        titled: Mapping[str, WordKind] = MappingProxyType({}),
    ) -> None:
        self._sex = sex
        self._patients = {word for text in patients for word in words_of(text)} if sex else set()
        self._map = surrogate_map
        self._last_names = 2 if language == "es" else 1
        self._known: dict[str, WordKind] = {}
        self._texts = list(texts)
        for text in self._texts:
            self._learn(text)
        self._sexes: dict[str, WordKind] = {}
        for text, sex_by_title in titled.items():
            for word in self._first_names(text):
                self._sexes.setdefault(word, sex_by_title)

    def word_kinds(self) -> dict[str, WordKind]:
        """Return the kind of each folded word of the names, FIRST or LAST."""
        found = dict(self._known)
        for text in self._texts:
            words = _words(text)
            for word, role in zip(words, self._roles(text, words), strict=True):
                if role is not None:
                    found.setdefault(fold(word.text), role)
        return found

    def renamed(self, text: str) -> str:
        """Return the surrogate of a name, in the same form.

        Titles, particles, punctuation and the possessive are kept; initials are
        those of the surrogate.
        """
        words = _words(text)
        pairs = zip(words, self._roles(text, words), strict=True)
        changes = ((word.start, word.end, self._written(word.text, role)) for word, role in pairs)
        return self._without_digits(splice(text, changes))

    def _learn(self, text: str) -> None:
        words = _words(text)
        units = {word.unit for word in words if len(word.text) > 1}
        if len(units) > 1:
            for word, role in zip(words, self._roles(text, words), strict=True):
                if role is not None:
                    self._known.setdefault(fold(word.text), role)

    def _roles(self, text: str, words: Sequence[_Word]) -> Roles:
        long = [word for word in words if not self._are_initials(word, words)]
        units = list(dict.fromkeys(word.unit for word in long))
        if len(units) == 1:
            role = self._role_alone(words, long)
            return [role if word in long else None for word in words]
        comma = next((w.unit for w in long if _COMMA.match(text, w.end)), None)
        if comma is not None and comma != units[-1]:
            first = units[units.index(comma) + 1 :]
        else:
            first = units[: self._count_first_names(units, long, words)]
        return [
            (WordKind.FIRST if word.unit in first else WordKind.LAST) if word in long else None
            for word in words
        ]

    def _count_first_names(
        self, units: Sequence[int], long: Sequence[_Word], words: Sequence[_Word]
    ) -> int:
        """Return the number of first names in a name without a comma."""
        n = len(units) - self._last_names
        if self._last_names == 1 or n > 1:
            return n
        # Ana Peral, or Peral Olmo; in M. Peral Olmo, the first name is an initial.
        if not words or words[0] not in long:
            return 0
        return int(n == 1 or is_first_name(fold(long[0].text)))

    def _role_alone(self, words: Sequence[_Word], long: Sequence[_Word]) -> WordKind:
        name = fold(long[0].text)
        if name in self._known:
            return self._known[name]
        # B. Alder and Alder-Beech are last names, but Martha and Mary-Ann are not.
        if words[0] not in long:
            return WordKind.LAST
        is_first = all(is_first_name(fold(word.text)) for word in long)
        return WordKind.FIRST if is_first else WordKind.LAST

    def _are_initials(self, word: _Word, words: Sequence[_Word]) -> bool:
        letters = len(word.text)
        if letters == 1:
            return True
        if not word.text.isupper() or letters > _LONGEST_INITIALS:
            return False
        # Beside a name in capitals, JT may be a name too; in JT Alder it is none.
        if len(words) > 1 and all(other.text.isupper() for other in words):
            return False
        name = fold(word.text)
        return name not in self._known and (letters == 2 or not is_listed_name(name))

    def _written(self, word: str, role: WordKind | None) -> str:
        if role is None:
            return "".join(self._map.letter(letter) for letter in word)
        if role is WordKind.FIRST:
            role = self._sex_of(fold(word))
        return self._map.word(role, word)

    def _sex_of(self, name: str) -> WordKind:
        """Return the sex of a folded first name, by title and pronouns if both sexes have it."""
        sex = self._map.vocabulary.sex(name)
        if sex is not WordKind.FIRST:
            return sex
        by_pronouns = self._sex if name in self._patients else None
        return self._sexes.get(name) or by_pronouns or sex

    def _first_names(self, text: str) -> Iterator[str]:
        words = _words(text)
        for word, role in zip(words, self._roles(text, words), strict=True):
            if role is WordKind.FIRST:
                yield fold(word.text)

    def _without_digits(self, name: str) -> str:
        def exchanged(match: re.Match[str]) -> str:
            return same_shape(match[0], self._map.draw("digits of a name", match[0]))

        return re.sub(r"\d+", exchanged, name)


def _words(text: str) -> list[_Word]:
    """Return the words of a name, without titles, degrees and particles."""
    start = match.end() if (match := _TITLES.match(text)) else 0
    suffix = _suffix(text, start)
    end = suffix.start() if suffix and WORD.search(text, start, suffix.start()) else len(text)
    found: list[_Word] = []
    matches = [m for m in WORD.finditer(text, start, end) if not _is_possessive(text, m)]
    for n, match in enumerate(matches):
        if not _is_kept(text, matches, n):
            joined = bool(found) and re.fullmatch(
                r"\s*[-\u2010-\u2013]\s*", text[found[-1].end : match.start()]
            )
            unit = found[-1].unit + (not joined) if found else 0
            found.append(_Word(*match.span(), match[0], unit))
    return found


def _suffix(text: str, start: int) -> re.Match[str] | None:
    """Return what follows a name: degrees, Jr., or the designation of a newborn."""
    found = _SUFFIX.search(text, start) or _CHILD_AFTER.search(text, start)
    # In capitals, DO may be a first name.
    return found or (None if text.isupper() else _SHORT_DEGREE.search(text, start))


def _is_possessive(text: str, match: re.Match[str]) -> bool:
    return match[0] in ("s", "S") and text[: match.start()].endswith(("'", "\u2019"))


def _is_kept(text: str, matches: Sequence[re.Match[str]], n: int) -> bool:
    """Return whether a word is a particle, or Jr. inside a name."""
    match, later = matches[n], matches[n + 1 :]
    word = match[0]
    if not later:
        return False
    if word in _GENERATIONS and WORD.search(text, 0, match.start()):
        return True
    # In Das, Ravi and Das R, it is the last name itself.
    if _COMMA.match(text, match.end()) or (n == 0 and all(len(w[0]) == 1 for w in later)):
        return False
    small = word.islower() and not text.islower()
    if word.lower() in _PARTICLES_INSIDE:
        return small or WORD.search(text, 0, match.start()) is not None
    return word.lower() in _PARTICLES or (small and word in _SMALL_PARTICLES)


def other_profession(text: str, draw: Draw, language: str = "en") -> str:
    """Return a profession other than that of the text."""
    names = spanish.PROFESSIONS if language == "es" else _PROFESSIONS
    name = draw.choose([name for name in names if name not in fold(text)])
    return like(text, name.capitalize() if text[:1].isupper() else name)
