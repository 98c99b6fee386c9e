"""Which documents are in English, by the share of their words that are common English words."""

from __future__ import annotations

import numpy as np

from multideid.arrays import BoolArray
from multideid.knowledge.lexicons import word_set
from multideid.text.table import TokenTable

_LEAST_SHARE = 0.35
"""Of 2,913 sample notes, many of them telegraphic, 1 in 100 has less; of 500 Spanish notes, the
most has 0.22."""


def english_documents(table: TokenTable) -> BoolArray:
    """Return which documents are in English, once per table.

    Parameters
    ----------
    table : TokenTable

    Returns
    -------
    bool array, shape (n_documents,)
        Whether at least 0.35 of the words of two letters and more are common English words, or
        there is no such word.
    """
    return table.cached("English documents", _english_documents)


def _english_documents(table: TokenTable) -> BoolArray:
    common = word_set("common_words")
    words = np.array([len(w) > 1 and w.isalpha() for w in table.vocabulary], dtype=np.bool_)
    known = words & np.array([w.lower() in common for w in table.vocabulary], dtype=np.bool_)
    n_words, n_known = (
        np.bincount(table.document[marked[table.type]], minlength=len(table.ids))
        for marked in (words, known)
    )
    found: BoolArray = n_known >= _LEAST_SHARE * n_words
    return found
