"""Classes of words, which decide where a pattern may begin, and the vocabularies of patterns.

The classes of a word are computed once for each distinct word and cached. A class
may contain too many words but never too few: the patterns make the final decision.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import islice

import numpy as np

from multideid.arrays import BoolArray, IntArray, LongArray
from multideid.fork_locks import ForkLock
from multideid.text.phrases import normalise
from multideid.text.type_memo import TypeMemo

# ``(?i:...)`` also matches these characters as i, k and s.
_FOLDED = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")
_FIRST_WORD = re.compile(r"[^\W\d_]+|[0-9]+|.")


@dataclass(frozen=True, slots=True, eq=False)
class WordClass:
    """A set of words, defined by their strings; made by the functions below.

    Parameters
    ----------
    number : int
        Index among all classes.
    """

    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary(WordClass):
    """The words and phrases of a pattern and, as a word class, the first words of these.

    One object serves the pattern and its anchor, so that neither can lack a word
    of the other. In an f-string it is a group that matches any entry.

    Parameters
    ----------
    number : int
    pattern : str
        Group that matches any entry, longer entries first.
    first : str
        Group that matches the first word of any entry.
    """

    pattern: str
    first: str

    def __str__(self) -> str:
        return self.pattern


class _Definitions:
    """The definitions of all classes: folded words, exact words, tests, lists, and unions."""

    def __init__(self) -> None:
        self.count = 0
        self.folded: dict[str, list[int]] = defaultdict(list)
        self.exact: dict[str, list[int]] = defaultdict(list)
        self.tests: list[tuple[int, Callable[[str], object]]] = []
        self.number_tests: list[tuple[int, Callable[[str], object]]] = []
        self.lists: list[tuple[int, Callable[[], Collection[str]]]] = []
        self.unions: list[tuple[int, set[int]]] = []

    def new_number(self) -> int:
        self.count += 1
        return self.count - 1

    def of(self, word: str) -> tuple[int, ...]:
        """Return the numbers of the classes that contain a word."""
        # Patterns see several words where a combining mark splits one: it is in every class.
        if len(word) > 1 and not word.isalnum() and not word.isspace():
            return tuple(range(self.count))
        tests = self.tests + self.number_tests if word.isdecimal() else self.tests
        tested = [n for n, test in tests if test(word)]
        plain = normalise(word)
        listed = [n for n, load in self.lists if plain in load()]
        folded, exact = self.folded.get(fold(word), ()), self.exact.get(word, ())
        classes = [*tested, *listed, *folded, *exact]
        return (*classes, *(n for n, parts in self.unions if parts.intersection(classes)))


_DEFINITIONS = _Definitions()


def words(text: str) -> Vocabulary:
    """Return a vocabulary that ignores case.

    Parameters
    ----------
    text : str
        Entries, separated by white space, in lower case. An underscore means
        one blank, and an entry that ends in a dot is also matched without it.
    """
    return _vocabulary(text, "(?i:", _DEFINITIONS.folded)


def exact_words(text: str) -> Vocabulary:
    """Return a vocabulary of entries in the given case; see `words`."""
    return _vocabulary(text, "(?:", _DEFINITIONS.exact)


def _vocabulary(text: str, opening: str, definitions: dict[str, list[int]]) -> Vocabulary:
    number = _DEFINITIONS.new_number()
    entries = sorted(set(text.split()), key=lambda entry: (-len(entry), entry))
    first = sorted({_FIRST_WORD.findall(entry)[0] for entry in entries}, key=len, reverse=True)
    for word in first:
        definitions[word].append(number)
    groups = (map(_entry_pattern, entries), map(re.escape, first))
    return Vocabulary(number, *(f"{opening}{'|'.join(group)})" for group in groups))


def _entry_pattern(entry: str) -> str:
    abbreviation = len(entry) > 1 and entry.endswith(".")
    pattern = re.escape(entry.removesuffix(".") if abbreviation else entry).replace("_", r"[ \t]")
    return pattern + r"\b\.?" if abbreviation else pattern


def form(pattern: str) -> WordClass:
    """Return the class of the words that a pattern matches as a whole."""
    return tested(re.compile(pattern).fullmatch)


def number(pattern: str) -> WordClass:
    """Return the class of the digit strings that a pattern matches as a whole."""
    made = WordClass(_DEFINITIONS.new_number())
    _DEFINITIONS.number_tests.append((made.number, re.compile(pattern).fullmatch))
    return made


def listed(load: Callable[[], Collection[str]]) -> WordClass:
    """Return the class of the words with a normal form in a list, which is loaded when needed."""
    made = WordClass(_DEFINITIONS.new_number())
    _DEFINITIONS.lists.append((made.number, load))
    return made


def tested(test: Callable[[str], object]) -> WordClass:
    """Return the class of the words that pass a test."""
    made = WordClass(_DEFINITIONS.new_number())
    _DEFINITIONS.tests.append((made.number, test))
    return made


def union(*parts: WordClass) -> WordClass:
    """Return the union of several classes, none of which may be a union."""
    made = WordClass(_DEFINITIONS.new_number())
    _DEFINITIONS.unions.append((made.number, {part.number for part in parts}))
    return made


def fold(word: str) -> str:
    """Return a word in lower case, as regular expressions that ignore case see it.

    No other normal form will do: a class may not lack a word that a pattern matches.
    """
    return word.lower() if word.isascii() else word.translate(_FOLDED).lower()


class _Combinations(dict[tuple[int, ...], int]):
    """Maps each combination of classes to a number."""

    def __init__(self) -> None:
        super().__init__({(): NOTHING})
        self._members = np.zeros((0, 0), dtype=np.bool_)
        # Shared by all taggers, which may run in several threads.
        self._lock = ForkLock()

    def number(self, word: str) -> int:
        classes = _DEFINITIONS.of(word)
        with self._lock:
            return self.setdefault(classes, len(self))

    def members(self) -> BoolArray:
        """Return which combinations are in each class, shape (n_classes, n_combinations)."""
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
"""The combination of the words that are in no class."""

_COMBINATIONS = _Combinations()
_combination = TypeMemo(_COMBINATIONS.number, np.int32)


def combinations(vocabulary: Collection[str]) -> IntArray:
    """Return the combination of each word; words with the same number are in the same classes."""
    return _combination(vocabulary)


def members(word_class: WordClass) -> BoolArray:
    """Return whether the words of each combination are in a class."""
    return np.asarray(_COMBINATIONS.members()[word_class.number])


def filled_classes(present: LongArray) -> BoolArray:
    """Return which classes have a word of one of the combinations that are present."""
    return np.asarray(_COMBINATIONS.members()[:, present].any(axis=1))
