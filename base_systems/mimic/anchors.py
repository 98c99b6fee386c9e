"""Where in a batch of notes a pattern may begin, found by columns.

A regular expression tried at every character of a text takes most of its time
to find out that nothing is there. Each pattern has an anchor that tells, from
the classes of words nearby, the few places where it can match; tried there
alone, from left to right, it finds what it would find if tried everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from multideid.arrays import BoolArray, IntegerArray
from multideid.base_systems.mimic.classes import (
    NOTHING,
    WordClass,
    members,
    tested,
    union,
    words,
    written,
)
from multideid.base_systems.mimic.whole_words import whole_words
from multideid.text.table import TokenTable

Anchor = Callable[["Words"], IntegerArray]
"""Gives the places, as characters of the joined notes, where a pattern may begin."""

CAPITAL = tested(lambda word: word[0].isupper())
DIGITS = tested(str.isdecimal)
LINE_END = tested(str.isspace)
_BREAK = tested(lambda word: not word[-1].isalnum() and word[-1] != "_")
COMMA, COLON, DASH, DOT, SLASH = map(written, (",", ":", "-", ".", "/"))
PARTICLES = words("van von de del della di da dos du la le der den ter el al bin ibn san st")
INSIDE_NAMES = union(CAPITAL, PARTICLES, written(". - ' \u2019"))
"""The words and marks that may stand in a person's name."""
PARTED = words("")  # Only words that may be anything are in this one.

_MANY = 0.05  # The share of the words from which on looking at all is sooner than sorting some.


class Words:
    """The words of a batch of notes, for anchors to ask about.

    Parameters
    ----------
    table : TokenTable
    text : str
        The notes of the table, joined by one character.

    Attributes
    ----------
    base : int64 array, shape (n_documents + 1,)
        The place of each note's first character.
    columns : WholeWords
    """

    def __init__(self, table: TokenTable, text: str) -> None:
        self._table = table
        self.base = np.cumsum([0, *(len(text) + 1 for text in table.texts)])
        self.columns = whole_words(table, text, self.base)
        self.start, self.end = self.columns.start, self.columns.end
        # Behind the last word stands one that is in no class.
        self._combination = np.append(self.columns.combination[self.columns.kind], NOTHING)
        # Numbers of at most 16 bits are sorted in linear time.
        narrow = np.min_scalar_type(self._combination.max())
        order = np.argsort(self._combination[:-1].astype(narrow), kind="stable")
        self._order = order.astype(self.columns.token.dtype)
        self._bounds = [0, *np.cumsum(np.bincount(self._combination[:-1])).tolist()]
        self._rows: dict[WordClass, IntegerArray] = {}
        self._has: dict[WordClass, BoolArray] = {}
        self._starts: dict[WordClass, IntegerArray] = {}
        self._outside: dict[WordClass, IntegerArray] = {}

    def __len__(self) -> int:
        return len(self.start)

    def rows(self, word_class: WordClass) -> IntegerArray:
        """Return the rows of the words of a class, sorted."""
        if word_class not in self._rows:
            self._rows[word_class] = self._find_rows(word_class)
        return self._rows[word_class]

    def _find_rows(self, word_class: WordClass) -> IntegerArray:
        chosen = np.flatnonzero(members(word_class)[: len(self._bounds) - 1]).tolist()
        parts = [self._order[self._bounds[n] : self._bounds[n + 1]] for n in chosen]
        if sum(map(len, parts)) > _MANY * len(self):
            return np.flatnonzero(self.has(word_class)[:-1])
        return np.sort(np.concatenate([*parts, self._order[:0]]))

    def has(self, word_class: WordClass) -> BoolArray:
        """Tell which words are in a class, with one more at the end that is not."""
        if word_class not in self._has:
            self._has[word_class] = members(word_class)[self._combination]
        return self._has[word_class]

    def outside(self, word_class: WordClass) -> IntegerArray:
        """Return the rows of the words that are not in a class, and the one behind the last."""
        if word_class not in self._outside:
            self._outside[word_class] = np.flatnonzero(~self.has(word_class))
        return self._outside[word_class]

    def note_of(self, places: IntegerArray | list[int]) -> IntegerArray:
        """Return the numbers of the notes that some places are in."""
        return np.searchsorted(self.base, places, side="right") - 1

    @cached_property
    def _begins_word(self) -> BoolArray:
        """Tell before which words stands no letter or digit; patterns begin at no others."""
        broken, before = np.append(True, self.has(_BREAK)[:-1]), np.append(-1, self.end)
        return np.asarray(broken[:-1] | (self.start != before[:-1]))

    def near(
        self, rows: IntegerArray, wanted: WordClass | IntegerArray, reach: int
    ) -> IntegerArray:
        """Return those rows after which a wanted word starts within so many characters."""
        found = self._places(wanted) if isinstance(wanted, WordClass) else self.start[wanted]
        return rows[within(self.start[rows], found, reach)]

    def _places(self, word_class: WordClass) -> IntegerArray:
        if word_class not in self._starts:
            self._starts[word_class] = self.start[self.rows(word_class)]
        return self._starts[word_class]

    def behind(self, rows: IntegerArray, *wanted: WordClass) -> IntegerArray:
        """Return those rows whose next words are in the wanted classes, one after another."""
        for distance, word_class in enumerate(wanted, 1):
            rows = rows[members(word_class)[self._combination[rows + distance]]]
        return rows

    def preceding(self, rows: IntegerArray, reach: int) -> IntegerArray:
        """Return the rows of all words that start at most so many characters before some rows."""
        if not len(rows):
            return rows
        change = np.zeros(len(self) + 1, dtype=np.int64)
        np.add.at(change, np.searchsorted(self.start, self.start[rows] - reach), 1)
        np.add.at(change, rows + 1, -1)
        inside = np.cumsum(change[:-1]) > 0
        return np.flatnonzero(inside)

    def begins_line(self, rows: IntegerArray) -> BoolArray:
        """Tell which rows are first in their line."""
        return np.asarray(self._table.position[self.columns.token[rows]] == 0)

    def heads(self, rows: IntegerArray) -> IntegerArray:
        """Return the first words of the lines that some rows are in."""
        token = self.columns.token[rows]
        return np.searchsorted(self.columns.token, token - self._table.position[token])

    def line_starts(self, rows: IntegerArray) -> IntegerArray:
        """Return where the lines begin whose first words are among some rows."""
        first = rows[self.begins_line(rows)]
        base = self.base[self.note_of(self.start[first])]
        before = np.where(first > 0, self.end[first - 1], 0)
        return np.asarray(np.maximum(base, before))

    def starts(self, rows: IntegerArray) -> IntegerArray:
        """Return where patterns may begin at the words of some rows."""
        starts = self.start[rows[self._begins_word[rows]]]
        if not len(self.rows(PARTED)):
            return starts
        parted = np.intersect1d(rows, self.rows(PARTED)).tolist()
        inner = [place for row in parted for place in self._inner_starts(row)]
        return merged(starts, np.array(inner, dtype=np.int64))

    def _inner_starts(self, row: int) -> list[int]:
        """Return the places behind the marks inside a word, where patterns see a new word."""
        word, start = self.columns.vocabulary[self.columns.kind[row]], int(self.start[row])
        return [start + n for n, mark in enumerate(word, 1) if not mark.isalnum()]

    def together(self, word_class: WordClass, seeds: IntegerArray) -> IntegerArray:
        """Return the rows of all unbroken runs of words of a class that hold a seed."""
        outside = self.outside(word_class)
        after = np.searchsorted(outside, seeds[self.has(word_class)[seeds]])
        after = after[np.diff(after, prepend=-1) > 0]
        return ranges(np.append(-1, outside)[after] + 1, outside[after])


def ranges(first: IntegerArray, stop: IntegerArray) -> IntegerArray:
    """Return the numbers from each first one up to its stop, one range behind the other."""
    lengths = stop - first
    ends = np.cumsum(lengths)
    return np.repeat(first - ends + lengths, lengths) + np.arange(lengths.sum())


def merged(*parts: IntegerArray) -> IntegerArray:
    """Return the numbers of all parts, each of which is sorted; some may come twice."""
    filled = [part for part in parts if len(part)]
    return np.sort(np.concatenate(filled)) if len(filled) > 1 else (filled or parts)[0]


def within(places: IntegerArray, wanted: IntegerArray, reach: int) -> BoolArray:
    """Tell behind which places, at most so many characters away, a wanted one lies."""
    ahead = np.append(wanted, wanted.dtype.type(np.iinfo(wanted.dtype).max))
    distance = ahead[np.searchsorted(ahead, places, side="right")] - places
    return np.asarray(distance <= reach)


def at(first: WordClass, *then: WordClass) -> Anchor:
    """Anchor a pattern at words of a class, behind which stand words of others."""
    return lambda notes: notes.starts(notes.behind(notes.rows(first), *then))


def near(first: WordClass, wanted: WordClass, reach: int) -> Anchor:
    """Anchor a pattern at words of a class that have another behind them within reach."""
    return lambda notes: notes.starts(notes.near(notes.rows(first), wanted, reach))


def at_line(first: WordClass) -> Anchor:
    """Anchor a pattern at the start of lines whose first word is of a class."""
    return lambda notes: notes.line_starts(notes.rows(first))


def either(*anchors: Anchor) -> Anchor:
    """Anchor a pattern where any of some anchors do."""
    return lambda notes: merged(*(anchor(notes) for anchor in anchors))
