"""Text as unfamiliar as text to come: the same documents, some of their words unknown.

Notes repeat their phrases, so that a held-out fold holds few sentences whose
like the other folds lack. Systems that learned those phrases look better there
than they will be on another hospital's notes, and rules look worse beside
them. The stacker therefore also learns from scores of text in which words were
made unknown to every system that reads words from the table's columns.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from multideid.text.table import TokenTable

UNFAMILIAR_SHARE = 0.6
"""Share of the words made unknown, chosen on dev among 0.3 and 0.6."""

_LONGEST_NUMBER = 9
_LETTERS = "bcdfghjklmnpqrstvwxz"


def unfamiliar(tokens: TokenTable, share: float, seed: int) -> TokenTable:
    """Return the table with a share of its words and numbers replaced by unknown ones.

    Each chosen word gives way to a string without vowels of the same length and
    capitals, each chosen number to one of another length. Texts and offsets stay,
    so a system that reads texts, as rules do, sees no change.

    Parameters
    ----------
    tokens : TokenTable
    share : float
        Chance that a word or number is replaced, each by itself.
    seed : int
    """
    rng = np.random.default_rng(seed)
    is_word = np.fromiter(map(str.isalnum, tokens.vocabulary), np.bool_, len(tokens.vocabulary))
    chosen = np.flatnonzero(is_word[tokens.type] & (rng.random(len(tokens)) < share))
    kinds, number = np.unique(tokens.type[chosen], return_inverse=True)
    unknown = [_disguised(tokens.vocabulary[kind], rng) for kind in kinds.tolist()]
    changed = tokens.type.copy()
    changed[chosen] = len(tokens.vocabulary) + number
    return replace(tokens, vocabulary=(*tokens.vocabulary, *unknown), type=changed, memo={})


def _disguised(word: str, rng: np.random.Generator) -> str:
    if word.isdecimal():
        # A length known from one kind of number (a zip code) may be another's elsewhere.
        return "".join(map(str, rng.integers(10, size=rng.integers(1, _LONGEST_NUMBER + 1))))
    letters = rng.integers(len(_LETTERS), size=len(word)).tolist()
    pairs = zip(word, letters, strict=True)
    return "".join(_LETTERS[n].upper() if c.isupper() else _LETTERS[n] for c, n in pairs)
