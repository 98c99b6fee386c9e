"""Classes of words, by which the places are found where a pattern may begin.

What classes a word is in is worked out once for each distinct word and kept. A
class may hold too many words, never too few: the patterns have the last word.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import islice
from threading import Lock

import numpy as np

from multideid.arrays import BoolArray, IntArray
from multideid.text.phrases import normalise
from multideid.text.type_memo import TypeMemo

# What ``(?i:...)`` takes for i, k and s besides those letters.
_FOLDED = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")


@dataclass(frozen=True, slots=True, eq=False)
class WordClass:
    """A set of words, told by their own strings; made by the functions below.

    Parameters
    ----------
    number : int
        Its number among all classes.
    """

    number: int


class _Definitions:
    """All classes: by listed words, by words just as written, by a test."""

    def __init__(self) -> None:
        self.count = 0
        self.folded: dict[str, list[int]] = defaultdict(list)
        self.written: dict[str, list[int]] = defaultdict(list)
        self.tests: list[tuple[int, Callable[[str], object]]] = []
        self.number_tests: list[tuple[int, Callable[[str], object]]] = []
        self.lists: list[tuple[int, Callable[[], Collection[str]]]] = []

        self.unions: list[tuple[int, set[int]]] = []

    def new(self) -> WordClass:
        self.count += 1
        return WordClass(self.count - 1)

    def of(self, word: str) -> tuple[int, ...]:
        """Return the numbers of the classes that a word is in."""
        # A word that a combining mark parts for the patterns may be anything.
        if len(word) > 1 and not word.isalnum() and not word.isspace():
            return tuple(range(self.count))
        tests = self.tests + self.number_tests if word.isdecimal() else self.tests
        tested = [n for n, test in tests if test(word)]
        plain = normalise(word)
        listed = [n for n, wanted in self.lists if plain in wanted()]
        folded, written = self.folded.get(fold(word), ()), self.written.get(word, ())
        classes = [*tested, *listed, *folded, *written]
        return (*classes, *(n for n, parts in self.unions if parts.intersection(classes)))


_DEFINITIONS = _Definitions()


def words(text: str) -> WordClass:
    """Return a class of the words in a text, whatever their case."""
    made = _DEFINITIONS.new()
    for word in set(text.split()):
        _DEFINITIONS.folded[word].append(made.number)
    return made


def written(text: str) -> WordClass:
    """Return a class of the words in a text, written just so."""
    made = _DEFINITIONS.new()
    for word in set(text.split()):
        _DEFINITIONS.written[word].append(made.number)
    return made


def form(pattern: str) -> WordClass:
    """Return the class of the words that a pattern matches as a whole."""
    return tested(re.compile(pattern).fullmatch)


def number(pattern: str) -> WordClass:
    """Return the class of the digit strings that a pattern matches as a whole."""
    made = _DEFINITIONS.new()
    _DEFINITIONS.number_tests.append((made.number, re.compile(pattern).fullmatch))
    return made


def listed(wanted: Callable[[], Collection[str]]) -> WordClass:
    """Return the class of the words whose normal form is in a list that is loaded when needed."""
    made = _DEFINITIONS.new()
    _DEFINITIONS.lists.append((made.number, wanted))
    return made


def tested(test: Callable[[str], object]) -> WordClass:
    """Return the class of the words that pass a test."""
    made = _DEFINITIONS.new()
    _DEFINITIONS.tests.append((made.number, test))
    return made


def union(*parts: WordClass) -> WordClass:
    """Return the class of the words that are in any of some classes, which are no unions."""
    made = _DEFINITIONS.new()
    _DEFINITIONS.unions.append((made.number, {part.number for part in parts}))
    return made


def fold(word: str) -> str:
    """Return a word in lower case, as regular expressions that ignore case see it."""
    return word.lower() if word.isascii() else word.translate(_FOLDED).lower()


class _Combinations(dict[tuple[int, ...], int]):
    """Numbers of the combinations of classes that words are in."""

    def __init__(self) -> None:
        super().__init__({(): NOTHING})
        self._members = np.zeros((0, 0), dtype=np.bool_)
        # One for all taggers, which may run in several threads.
        self._lock = Lock()

    def number(self, word: str) -> int:
        classes = _DEFINITIONS.of(word)
        with self._lock:
            return self.setdefault(classes, len(self))

    def members(self) -> BoolArray:
        """Tell of each class and number whether its words are in the class."""
        with self._lock:
            return self._grown_members()

    def _grown_members(self) -> BoolArray:
        known = self._members.shape[1]
        if known < len(self):
            new = np.zeros((_DEFINITIONS.count, len(self) - known), dtype=np.bool_)
            for n, classes in enumerate(islice(self, known, None)):
                new[list(classes), n] = True
            self._members = np.hstack([self._members.reshape(len(new), known), new])
        return self._members


NOTHING = 0
"""The number of the words that are in no class."""

_COMBINATIONS = _Combinations()
_combination = TypeMemo(_COMBINATIONS.number, np.int32)


def combinations(vocabulary: Collection[str]) -> IntArray:
    """Return a number for each word; words with the same number are in the same classes."""
    return _combination(vocabulary)


def members(word_class: WordClass) -> BoolArray:
    """Tell of each number that `combinations` gave whether its words are in a class."""
    return np.asarray(_COMBINATIONS.members()[word_class.number])
