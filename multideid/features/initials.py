"""The view of initials and acronyms: does the document spell the word out elsewhere?

"AO" may be the Ann Osei of the note's header, and "GRH" its Grand River Hospital.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray, IntArray, LongArray
from multideid.features.common import CAPITALS, LINE_NUMBER
from multideid.features.layout import DOCUMENT_CASE, LINES_TO_END
from multideid.features.templates import Template, each, joined
from multideid.features.views import Column, View
from multideid.features.word_classes import WORD_GROUP, is_name
from multideid.knowledge.lexicons import word_set
from multideid.text.table import TokenTable
from multideid.text.type_memo import TypeMemo

_SHORTEST, _LONGEST = 2, 4
_BASE = 27
_CAPITAL, _SKIPPED, _COMMA, _MAYBE_NAME, _NAME, _HOSPITAL = 1, 2, 4, 8, 16, 32
_INITIAL, _LETTERS = 8, 16  # The lowest bits of a word's initial and of its packed letters.
_CONNECTORS = frozenset("of the and for de la . &".split())
# Of `hospital_words`, those that are no part of headings such as "Past Medical History".
_CARE_NOUNS = frozenset(
    "hospital hosp infirmary clinic clinics center centre centers centres sanatorium sanitarium "
    "hospice institute pavilion".split()
)
_NAMES, _CARE, _OTHERS = 1, 2, 4
_GROUP = "initials"


def _letters(word: str) -> int:
    """Return the letters a to z of a lower-case word as one number, 0 if it has others."""
    if not (word.isascii() and word.isalpha()):
        return 0
    number = 0
    for letter in word:
        number = number * _BASE + ord(letter) - ord("a") + 1
    return number


def _initial(word: str) -> int:
    """Return the first letter of a word, without its accent, as a number, 0 if it is no a to z."""
    return _letters(unicodedata.normalize("NFKD", word[0])[0].lower())


def _describe(word: str) -> int:
    lower, initial = word.lower(), _initial(word)
    if lower in _CONNECTORS:
        return _SKIPPED
    flags = _CAPITAL * (word[0].isupper() and initial > 0) | _COMMA * (word == ",")
    ordinary, name = lower in word_set("common_words"), is_name(lower)
    flags |= _MAYBE_NAME * (name or len(word) == 1) | _NAME * (name and not ordinary)
    flags |= _HOSPITAL * (lower in _CARE_NOUNS)
    may_be_initials = word.isupper() or not (ordinary or lower in word_set("titles"))
    short = _SHORTEST <= len(word) <= _LONGEST
    letters = _letters(lower) if short and may_be_initials else 0
    return flags | initial << _INITIAL | letters << _LETTERS


_descriptions = TypeMemo(_describe, np.int64)


class _Words(NamedTuple):
    """The words of a table without connectors, as parallel arrays."""

    flags: LongArray
    initial: LongArray
    line: IntArray
    document: LongArray


def _words(table: TokenTable, described: LongArray) -> _Words:
    rows = np.flatnonzero(described & _SKIPPED == 0)
    kept = described[rows]
    initial = kept >> _INITIAL & (1 << _LETTERS - _INITIAL) - 1
    return _Words(kept, initial, table.line[rows], table.document[rows].astype(np.int64))


def _keys(document: LongArray, letters: LongArray) -> LongArray:
    return np.asarray(document * _BASE**_LONGEST + letters)


def _spelled_out(words: _Words, order: tuple[int, ...]) -> tuple[LongArray, LongArray, BoolArray]:
    """Return keys of the initials of capitalised words on a line, their flags, and which count.

    The words are those at the offsets of `order`; an offset left out must be a comma.
    """
    width = max(order) + 1
    size = max(len(words.flags) - width + 1, 0)
    every, some = np.full(size, -1, dtype=np.int64), np.zeros(size, dtype=np.int64)
    letters = np.zeros(size, dtype=np.int64)
    for offset in order:
        flags = words.flags[offset : offset + size]
        every, some = every & flags, some | flags
        letters = letters * _BASE + words.initial[offset : offset + size]
    spelled = (every & _CAPITAL > 0) & (words.line[:size] == words.line[width - 1 :][:size])
    for offset in set(range(width)) - set(order):
        spelled &= words.flags[offset : offset + size] & _COMMA > 0
    names = (every & _MAYBE_NAME > 0) & (some & _NAME > 0)
    kinds = np.where(some & _HOSPITAL > 0, _CARE, np.where(names, _NAMES, _OTHERS))
    return _keys(words.document[:size], letters), kinds, spelled


def _sources(words: _Words) -> Iterator[tuple[int, LongArray]]:
    """Yield a kind and the keys of initials of that kind, for each order of words."""
    for length in range(_SHORTEST, _LONGEST + 1):
        keys, kinds, spelled = _spelled_out(words, tuple(range(length)))
        # The initials of any two words are chance.
        for kind in (_NAMES, _CARE, _OTHERS)[: 3 if length > _SHORTEST else 2]:
            yield kind, keys[spelled & (kinds == kind)]
    for order in ((2, 0), (2, 3, 0)):
        keys, kinds, spelled = _spelled_out(words, order)
        yield _NAMES, keys[spelled & (kinds == _NAMES)]


def _initials(table: TokenTable) -> Column:
    """Return "n" for initials of names, "h" for those with a word of hospitals, "o" for others."""
    described = _descriptions(table.vocabulary)[table.type] if len(table) else _NOTHING
    letters = described >> _LETTERS
    candidates = np.flatnonzero(letters)
    keys = _keys(table.document[candidates].astype(np.int64), letters[candidates])
    found = np.zeros(len(candidates), dtype=np.int32)
    spelled: dict[int, list[LongArray]] = {}
    for kind, some in _sources(_words(table, described)):
        spelled.setdefault(kind, []).append(some)
    for kind, parts in spelled.items():
        found |= np.isin(keys, np.concatenate(parts)) * np.int32(kind)
    codes = np.zeros(len(table), dtype=np.int32)
    codes[candidates] = found
    return Column(codes, _KINDS)


_NOTHING = np.zeros(0, dtype=np.int64)
_KINDS = ("", "n", "h", "nh", "o", "no", "ho", "nho")
INITIALS = View("initials", _initials)


def initials_templates() -> list[Template]:
    """Return the templates of initials, with the form and place of the word."""
    return [
        *each(INITIALS, (-1, 0, 1), _GROUP),
        joined(_GROUP, (INITIALS, 0), (CAPITALS, 0)),
        joined(_GROUP, (INITIALS, 0), (CAPITALS, 0), (DOCUMENT_CASE, 0)),
        joined(_GROUP, (INITIALS, 0), (WORD_GROUP, 0), (CAPITALS, 0)),
        joined(_GROUP, (INITIALS, 0), (CAPITALS, 0), (LINES_TO_END, 0)),
        joined(_GROUP, (INITIALS, 0), (CAPITALS, 0), (LINE_NUMBER, 0)),
    ]
