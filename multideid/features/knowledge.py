"""Views that bring knowledge from outside: part of speech and word lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multideid.features.views import Column, SetColumn, SetView, View
from multideid.text.lexicons import LEXICON_NAMES, match_phrases
from multideid.text.pos import pos_column
from multideid.text.table import TokenTable


def part_of_speech(tagger: str = "lexicon") -> View:
    """Return the view of each token's part of speech.

    Parameters
    ----------
    tagger : str
        As `multideid.text.pos.pos_column`.
    """
    return View(f"pos {tagger}", lambda table: Column(*pos_column(table, tagger)))


def word_lists(name: str, lists: Sequence[str] = LEXICON_NAMES) -> SetView:
    """Return the view of which word lists a token's word or phrase is in."""

    def compute(table: TokenTable) -> SetColumn:
        flags = np.stack([match_phrases(table, name) for name in lists], axis=1)
        patterns, rows = np.unique(flags, axis=0, return_inverse=True)
        counts = np.concatenate([[0], np.cumsum(patterns.sum(axis=1))]).astype(np.int64)
        indices = np.nonzero(patterns)[1].astype(np.int32)
        return SetColumn(rows.reshape(-1).astype(np.int32), counts, indices, list(lists))

    return SetView(name, compute)


WORD_LISTS = word_lists("word lists")
POS = part_of_speech()
