"""Names of people, written anew in the form in which they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from multideid.redact.invented.name_pools import is_first_name, is_name
from multideid.redact.invented.name_words import WordBook
from multideid.redact.invented.numbers import same_shape
from multideid.redact.invented.vocabulary import WordKind
from multideid.redact.spelling import WORD, fold

_TITLES = re.compile(
    r"\W*(?:(?:dr|dra|drs|mrs?|ms|miss|mister|prof|professor|doctor|sra?|srta)\b[\s.]*)+"
    r"(?=[^\W\d_])",
    re.I,
)
_SUFFIX = re.compile(r"(?:,\s*|\s+)(?:M\.?D|Ph\.?D|R\.?N|[JS][Rr]|II|III|IV)\.?\W*$")
_PARTICLES = frozenset("de del dos das von der".split())
# Van and Di are first names too.
_PARTICLES_INSIDE = frozenset("la las los da di du van".split())
_SMALL_PARTICLES = frozenset("do den ter bin y e i".split())
_LONGEST_INITIALS = 3

Roles = list[WordKind | None]
"""What each word is; None for initials."""


class _Word(NamedTuple):
    """A word to replace; words that hyphens join are of one unit."""

    start: int
    end: int
    text: str
    unit: int


class Persons:
    """The people of one document.

    Parameters
    ----------
    texts : iterable of str
        All names of people as they stand there. Where first and last name
        stand together they tell what a name is that stands alone.
    book : WordBook
    language : {"en", "es"}
        In Spanish, people have two last names.
    """

    def __init__(self, texts: Iterable[str], book: WordBook, language: str = "en") -> None:
        self._book = book
        self._last_names = 2 if language == "es" else 1
        self._known: dict[str, WordKind] = {}
        self._texts = list(texts)
        for text in self._texts:
            self._learn(text)

    def word_kinds(self) -> dict[str, WordKind]:
        """Return what each word of the names is, FIRST or LAST, by the folded word."""
        found = dict(self._known)
        for text in self._texts:
            words = _words(text)
            for word, role in zip(words, self._roles(text, words), strict=True):
                if role is not None:
                    found.setdefault(fold(word.text), role)
        return found

    def renamed(self, text: str) -> str:
        """Return the name of the person who stands for this one, in the same form.

        Titles, particles, punctuation and the possessive stay; initials
        become those of the new name.
        """
        words = _words(text)
        pieces, done = [], 0
        for word, role in zip(words, self._roles(text, words), strict=True):
            pieces += [text[done : word.start], self._written(word.text, role)]
            done = word.end
        return self._without_digits("".join([*pieces, text[done:]]))

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
        comma = next((w.unit for w in long if text[w.end :].lstrip().startswith(",")), None)
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
        """Return how many of the units of a name without a comma are first names."""
        n = len(units) - self._last_names
        if self._last_names == 1 or n > 1:
            return n
        # Ana Peral, or Peral Olmo; M. Peral Olmo has an initial for a first name.
        if not words or words[0] not in long:
            return 0
        return int(n == 1 or is_first_name(fold(long[0].text)))

    def _role_alone(self, words: Sequence[_Word], long: Sequence[_Word]) -> WordKind:
        name = fold(long[0].text)
        if name in self._known:
            return self._known[name]
        # B. Alder, and Alder-Beech; but Martha.
        if words[0] not in long or len(long) > 1:
            return WordKind.LAST
        return WordKind.FIRST if is_first_name(name) else WordKind.LAST

    def _are_initials(self, word: _Word, words: Sequence[_Word]) -> bool:
        letters = len(word.text)
        if letters == 1:
            return True
        if len(words) > 1 or not word.text.isupper() or letters > _LONGEST_INITIALS:
            return False
        name = fold(word.text)
        return name not in self._known and (letters == 2 or not is_name(name))

    def _written(self, word: str, role: WordKind | None) -> str:
        if role is None:
            return "".join(self._book.letter(letter) for letter in word)
        if role is WordKind.FIRST:
            role = self._book.vocabulary.sex(fold(word))
        return self._book.word(role, word)

    def _without_digits(self, name: str) -> str:
        def exchanged(match: re.Match[str]) -> str:
            return same_shape(match[0], self._book.draw("digits of a name", match[0]))

        return re.sub(r"\d+", exchanged, name)


def _words(text: str) -> list[_Word]:
    """Return the words that make the name; titles, degrees and particles are none."""
    start = match.end() if (match := _TITLES.match(text)) else 0
    suffix = _SUFFIX.search(text, start)
    end = suffix.start() if suffix and WORD.search(text, start, suffix.start()) else len(text)
    found: list[_Word] = []
    matches = list(WORD.finditer(text, start, end))
    for n, match in enumerate(matches):
        if not _stays(text, match, is_last=n == len(matches) - 1):
            joined = bool(found) and re.fullmatch(
                r"\s*[-\u2010-\u2013]\s*", text[found[-1].end : match.start()]
            )
            unit = found[-1].unit + (not joined) if found else 0
            found.append(_Word(*match.span(), match[0], unit))
    return found


def _stays(text: str, match: re.Match[str], is_last: bool) -> bool:
    """Tell whether a word is a particle, or the s of a possessive."""
    word = match[0]
    if is_last:
        return word in ("s", "S") and text[match.start() - 1 : match.start()] in ("'", "\u2019")
    small = word.islower() and not text.islower()
    if word.lower() in _PARTICLES_INSIDE:
        return small or WORD.search(text, 0, match.start()) is not None
    return word.lower() in _PARTICLES or (small and word in _SMALL_PARTICLES)
