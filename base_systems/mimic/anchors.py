"""Where in a batch of notes a pattern may begin, computed on columns of words.

A regular expression tried at every character spends most of its time where nothing
matches. The anchor of a pattern selects, by the classes of nearby words, the few
places where it can match. Trying these from left to right finds the same matches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray, IntArray, IntegerArray, LongArray
from multideid.base_systems.mimic.vocabulary import (
    NOTHING,
    WordClass,
    combinations,
    exact_words,
    filled_classes,
    members,
    number,
    tested,
    union,
    words,
)
from multideid.lazy import lazy
from multideid.text.numbering import distinct
from multideid.text.table import TokenTable

Anchor = Callable[["Words"], IntegerArray]
"""Returns the places, as characters of the joined notes, where a pattern may begin."""

CAPITAL = tested(lambda word: word[0].isupper())
DIGITS, DAY_NUMBER = tested(str.isdecimal), number("[0-9]{1,2}")
LINE_END = tested(str.isspace)
_LETTERS = tested(lambda word: word[0].isalpha())
_BREAK = tested(lambda word: not word[-1].isalnum() and word[-1] != "_")
COMMA, COLON, DASH, DOT, SLASH = map(exact_words, (",", ":", "-", ".", "/"))
_PARTICLES = "van von de del della di da dos du la le der den ter el al bin ibn san st."
PARTICLES = exact_words(f"{_PARTICLES} {_PARTICLES.title()} VAN VON DE DEL DI DA LA LE DER DEN")
"""Particles of family names, as in "van der Berg"."""
INSIDE_NAMES = union(CAPITAL, PARTICLES, exact_words(". - ' \u2019"))
"""Words and marks that may be part of a person's name."""
SPLIT = words("")
"""Words that patterns see as several, and which may therefore be anything."""

_SCAN_SHARE = 0.05  # Share of the words from which a scan of all is faster than sorting some.


class WholeWords(NamedTuple):
    """Words and marks; a word that the tokenizer splits at a capital (``Mc|Donald``) is one.

    Parameters
    ----------
    start, end : int32 or int64 arrays, shape (n_words,)
        Offsets in the joined notes, in the narrowest type that holds them.
    token : array of the same type, shape (n_words,)
        Row of each word's first token in the table.
    kind : int32 array, shape (n_words,)
        Index of each word in `vocabulary`.
    vocabulary : list of str
        Distinct words.
    combination : int32 array, shape (n_types,)
        The result of `combinations` for `vocabulary`.
    """

    start: IntegerArray
    end: IntegerArray
    token: IntegerArray
    kind: IntArray
    vocabulary: list[str]
    combination: IntArray

    def __repr__(self) -> str:
        """Return the numbers of words and of distinct ones, without text."""
        return f"WholeWords({len(self.start)} words, {len(self.vocabulary)} strings)"


def whole_words(table: TokenTable, text: str, base: LongArray) -> WholeWords:
    """Return the words of a table.

    Parameters
    ----------
    table : TokenTable
    text : str
        The notes of the table, joined by one character.
    base : int64 array, shape (n_documents + 1,)
        Offset of each note in `text`.
    """
    # For a long note these arrays take most of the memory: 32 bits if they suffice.
    size: type[np.integer] = np.int32 if len(text) <= np.iinfo(np.int32).max else np.int64
    offset = base.astype(size)[table.document]
    start, end = table.start + offset, table.end + offset
    combination = combinations(table.vocabulary)
    letters = members(_LETTERS)[combination][table.written]
    glued = np.append(False, letters[1:] & letters[:-1] & (start[1:] == end[:-1]))
    first = np.flatnonzero(~glued[: len(table)]).astype(size)
    last = np.append(first[1:], len(table))[: len(first)] - 1
    start, end, kind = start[first], end[last], table.written[first]
    many = np.flatnonzero(last > first)
    places = zip(start[many].tolist(), end[many].tolist(), strict=True)
    code, joined = distinct([text[low:high] for low, high in places])
    kind[many] = len(table.vocabulary) + code
    vocabulary = [*table.vocabulary, *joined]
    combination = np.append(combination, combinations(joined))
    return WholeWords(start, end, first, kind, vocabulary, combination)


class Words:
    """The words of a batch of notes, as anchors query them.

    Parameters
    ----------
    table : TokenTable
    text : str
        The notes of the table, joined by one character.

    Attributes
    ----------
    base : int64 array, shape (n_documents + 1,)
        Offset of each note's first character.
    columns : WholeWords
    """

    def __init__(self, table: TokenTable, text: str) -> None:
        self._table = table
        self.base = np.cumsum([0, *(len(text) + 1 for text in table.texts)])
        self.columns = whole_words(table, text, self.base)
        self.start, self.end = self.columns.start, self.columns.end
        # One word in no class is appended after the last word.
        self._combination = np.append(self.columns.combination[self.columns.kind], NOTHING)
        # Integers of at most 16 bits are sorted in linear time.
        narrow = np.min_scalar_type(self._combination.max())
        order = np.argsort(self._combination[:-1].astype(narrow), kind="stable")
        self._order = order.astype(self.columns.token.dtype)
        counts = np.bincount(self._combination[:-1])
        self._bounds = [0, *np.cumsum(counts).tolist()]
        self._filled = filled_classes(np.flatnonzero(counts))
        self._rows: dict[WordClass, IntegerArray] = {}
        self._has: dict[WordClass, BoolArray] = {}
        self._starts: dict[WordClass, IntegerArray] = {}
        self._outside: dict[WordClass, IntegerArray] = {}

    def __len__(self) -> int:
        return len(self.start)

    def rows(self, word_class: WordClass) -> IntegerArray:
        """Return the sorted rows of the words of a class."""
        if word_class not in self._rows:
            self._rows[word_class] = self._find_rows(word_class)
        return self._rows[word_class]

    def _find_rows(self, word_class: WordClass) -> IntegerArray:
        if not self._filled[word_class.number]:
            return self._order[:0]
        chosen = np.flatnonzero(members(word_class)[: len(self._bounds) - 1]).tolist()
        parts = [self._order[self._bounds[n] : self._bounds[n + 1]] for n in chosen]
        if sum(map(len, parts)) > _SCAN_SHARE * len(self):
            return np.flatnonzero(self.has(word_class)[:-1])
        return np.sort(np.concatenate([*parts, self._order[:0]]))

    def has(self, word_class: WordClass) -> BoolArray:
        """Return a mask of the words in a class, with one more False at the end."""
        if word_class not in self._has:
            self._has[word_class] = members(word_class)[self._combination]
        return self._has[word_class]

    def outside(self, word_class: WordClass) -> IntegerArray:
        """Return the rows of the words that are not in a class, and the row after the last."""
        if word_class not in self._outside:
            self._outside[word_class] = np.flatnonzero(~self.has(word_class))
        return self._outside[word_class]

    def note_of(self, places: IntegerArray | list[int]) -> IntegerArray:
        """Return the index of the note of each place."""
        return np.searchsorted(self.base, places, side="right") - 1

    @lazy
    def _begins_word(self) -> BoolArray:
        """Mask of the words without a letter or digit before them; patterns begin at no others."""
        broken, before = np.append(True, self.has(_BREAK)[:-1]), np.append(-1, self.end)
        return np.asarray(broken[:-1] | (self.start != before[:-1]))

    def near(
        self, rows: IntegerArray, target: WordClass | IntegerArray, reach: int
    ) -> IntegerArray:
        """Return the rows followed by a target word that starts within `reach` characters."""
        if not len(rows):
            return rows
        found = self._places(target) if isinstance(target, WordClass) else self.start[target]
        return rows[within(self.start[rows], found, reach)]

    def _places(self, word_class: WordClass) -> IntegerArray:
        if word_class not in self._starts:
            self._starts[word_class] = self.start[self.rows(word_class)]
        return self._starts[word_class]

    def followed_by(self, rows: IntegerArray, *classes: WordClass) -> IntegerArray:
        """Return the rows followed by words of the given classes, in this order."""
        for distance, word_class in enumerate(classes, 1):
            if not len(rows):
                break
            rows = rows[members(word_class)[self._combination[rows + distance]]]
        return rows

    def preceding(self, rows: IntegerArray, reach: int) -> IntegerArray:
        """Return the rows of all words that start at most `reach` characters before some rows."""
        if not len(rows):
            return rows
        change = np.zeros(len(self) + 1, dtype=np.int64)
        np.add.at(change, np.searchsorted(self.start, self.start[rows] - reach), 1)
        np.add.at(change, rows + 1, -1)
        inside = np.cumsum(change[:-1]) > 0
        return np.flatnonzero(inside)

    def begins_line(self, rows: IntegerArray) -> BoolArray:
        """Return a mask of the rows that are first in their line."""
        return np.asarray(self._table.position[self.columns.token[rows]] == 0)

    def heads(self, rows: IntegerArray) -> IntegerArray:
        """Return the first row of the line of each row."""
        token = self.columns.token[rows]
        return np.searchsorted(self.columns.token, token - self._table.position[token])

    def line_starts(self, rows: IntegerArray) -> IntegerArray:
        """Return the starts of the lines that have their first word in `rows`."""
        first = rows[self.begins_line(rows)] if len(rows) else rows
        if not len(first):
            return self.start[:0]
        base = self.base[self.note_of(self.start[first])]
        before = np.where(first > 0, self.end[first - 1], 0)
        return np.asarray(np.maximum(base, before))

    def starts(self, rows: IntegerArray) -> IntegerArray:
        """Return where patterns may begin in the words of some rows."""
        if not len(rows):
            return self.start[:0]
        starts = self.start[rows[self._begins_word[rows]]]
        if not len(self.rows(SPLIT)):
            return starts
        split = np.intersect1d(rows, self.rows(SPLIT)).tolist()
        inner = [place for row in split for place in self._inner_starts(row)]
        return merged(starts, np.array(inner, dtype=np.int64))

    def _inner_starts(self, row: int) -> list[int]:
        """Return the places after the marks in a word, where patterns see a new word."""
        word, start = self.columns.vocabulary[self.columns.kind[row]], int(self.start[row])
        return [start + n for n, mark in enumerate(word, 1) if not mark.isalnum()]

    def together(self, word_class: WordClass, seeds: IntegerArray) -> IntegerArray:
        """Return the rows of all unbroken runs of words of a class that contain a seed."""
        outside = self.outside(word_class)
        after = np.searchsorted(outside, seeds[self.has(word_class)[seeds]])
        after = after[np.diff(after, prepend=-1) > 0]
        return ranges(np.append(-1, outside)[after] + 1, outside[after])


def ranges(first: IntegerArray, stop: IntegerArray) -> IntegerArray:
    """Concatenate the half-open ranges from each `first` to its `stop`."""
    lengths = stop - first
    ends = np.cumsum(lengths)
    return np.repeat(first - ends + lengths, lengths) + np.arange(lengths.sum())


def merged(*parts: IntegerArray) -> IntegerArray:
    """Merge sorted arrays; duplicates are kept."""
    filled = [part for part in parts if len(part)]
    return np.sort(np.concatenate(filled)) if len(filled) > 1 else (filled or parts)[0]


def within(places: IntegerArray, targets: IntegerArray, reach: int) -> BoolArray:
    """Return a mask of the places with a target at most `reach` characters after them."""
    ahead = np.append(targets, targets.dtype.type(np.iinfo(targets.dtype).max))
    distance = ahead[np.searchsorted(ahead, places, side="right")] - places
    return np.asarray(distance <= reach)


def at(first: WordClass, *then: WordClass) -> Anchor:
    """Anchor a pattern at words of a class that are followed by words of other classes."""
    return lambda notes: notes.starts(notes.followed_by(notes.rows(first), *then))


def near(first: WordClass, target: WordClass, reach: int) -> Anchor:
    """Anchor a pattern at words of a class with a target at most `reach` characters after."""
    return lambda notes: notes.starts(notes.near(notes.rows(first), target, reach))


def at_line(first: WordClass) -> Anchor:
    """Anchor a pattern at the start of lines that begin with a word of a class."""
    return lambda notes: notes.line_starts(notes.rows(first))


def either(*anchors: Anchor) -> Anchor:
    """Anchor a pattern at the places of several anchors."""
    return lambda notes: merged(*(anchor(notes) for anchor in anchors))
