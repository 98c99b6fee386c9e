"""Views of outside knowledge: part of speech and word lists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from multideid.arrays import IntArray, UIntArray
from multideid.features.views import Column, SetColumn, SetView, View
from multideid.knowledge.lexicons import LEXICON_NAMES, match_lists
from multideid.text.pos import pos_column
from multideid.text.table import TokenTable

PHI_LISTS = (
    "first_names_female",
    "first_names_male",
    "last_names",
    "cities",
    "countries",
    "us_states",
    "hospital_words",
    "months",
    "weekdays",
)
"""The word lists of names, places, hospitals and dates, as in section 2.1 of the thesis."""

_Sets = tuple[UIntArray, IntArray]


@cache
def part_of_speech(tagger: str = "lexicon") -> View:
    """Return the view of each token's part of speech.

    Parameters
    ----------
    tagger : str
        As `multideid.text.pos.pos_column`.
    """
    return View(f"pos {tagger}", lambda table: Column(*pos_column(table, tagger)))


def word_lists(name: str, lists: Sequence[str] = LEXICON_NAMES) -> SetView:
    """Return the view of the word lists that contain a token's word or phrase."""

    bits = [LEXICON_NAMES.index(name) for name in lists]

    def compute(table: TokenTable) -> SetColumn:
        patterns, rows = _sets_of_lists(table)
        flags = patterns[:, None] >> np.array(bits, dtype=np.uint32) & 1
        ends = np.append(0, np.cumsum(flags.sum(axis=1, dtype=np.int64)))
        return SetColumn(rows, ends, np.nonzero(flags)[1].astype(np.int32), list(lists))

    return SetView(name, compute)


def _sets_of_lists(table: TokenTable) -> _Sets:
    """Return the distinct sets of lists, as bits, and the row of each token's set."""
    return table.cached("sets of word lists", lambda table: _distinct_bits(match_lists(table)))


def _distinct_bits(bits: UIntArray) -> _Sets:
    """Return the distinct values of `bits`, and the row of each element's value."""
    seen = np.zeros(1 << len(LEXICON_NAMES), dtype=np.bool_)
    seen[bits] = True
    number = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    return np.flatnonzero(seen).astype(np.uint32), number[bits]


WORD_LISTS = word_lists("word lists")
