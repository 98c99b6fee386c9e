"""Text as unfamiliar as text to come: the same documents, some of their words changed.

Notes repeat their phrases, so that a held-out fold holds few sentences whose
like the other folds lack. Systems that learned those phrases look better there
than they will be on another hospital's notes, and rules look worse beside
them. The stacker therefore also learns from scores of text whose words were
changed for every system that reads words from the table's columns: made
unknown, which leaves such systems silent, or exchanged for others, which leads
several of them to the same mistake.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from multideid.arrays import LongArray
from multideid.features.strings import capitalization
from multideid.text.table import TokenTable

_LONGEST_NUMBER = 9
_LETTERS = "bcdfghjklmnpqrstvwxz"


def word_dropout(tokens: TokenTable, share: float, seed: int) -> TokenTable:
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
    chosen = _chosen(tokens, share, rng)
    kinds, number = np.unique(tokens.type[chosen], return_inverse=True)
    unknown = [_replaced_word(tokens.vocabulary[kind], rng) for kind in kinds.tolist()]
    changed = tokens.type.copy()
    changed[chosen] = len(tokens.vocabulary) + number
    return replace(tokens, vocabulary=(*tokens.vocabulary, *unknown), type=changed, memo={})


def word_replacement(tokens: TokenTable, share: float, seed: int) -> TokenTable:
    """Return the table with a share of its words and numbers replaced by others of it.

    Each chosen word gives way to any word of the table that is capitalised
    alike, each chosen number to any number, rare ones as often as common ones.
    Texts and offsets stay. Parameters are those of `word_dropout`.
    """
    rng = np.random.default_rng(seed)
    chosen = _chosen(tokens, share, rng)
    present = np.unique(tokens.type[chosen])
    forms = np.array([capitalization(tokens.vocabulary[kind]) for kind in present.tolist()])
    form_of = forms[np.searchsorted(present, tokens.type[chosen])] if len(chosen) else forms
    changed = tokens.type.copy()
    for form in np.unique(forms):
        rows = chosen[form_of == form]
        changed[rows] = rng.choice(present[forms == form], size=len(rows))
    return replace(tokens, type=changed, memo={})


def _chosen(tokens: TokenTable, share: float, rng: np.random.Generator) -> LongArray:
    is_word = np.fromiter(map(str.isalnum, tokens.vocabulary), np.bool_, len(tokens.vocabulary))
    return np.flatnonzero(is_word[tokens.type] & (rng.random(len(tokens)) < share))


def _replaced_word(word: str, rng: np.random.Generator) -> str:
    if word.isdecimal():
        # A length known from one kind of number (a zip code) may be another's elsewhere.
        return "".join(map(str, rng.integers(10, size=rng.integers(1, _LONGEST_NUMBER + 1))))
    letters = rng.integers(len(_LETTERS), size=len(word)).tolist()
    pairs = zip(word, letters, strict=True)
    return "".join(_LETTERS[n].upper() if c.isupper() else _LETTERS[n] for c, n in pairs)


@dataclass(frozen=True, slots=True)
class Augmentation:
    """A way in which the stacker sees text as unfamiliar.

    Parameters
    ----------
    change : callable
        Takes a table, a share and a seed, and returns a table of the same tokens.
    share : float
        Of the words and numbers.
    weight : float
        What a token counts for beside one of the text as it is.
    """

    change: Callable[[TokenTable, float, int], TokenTable]
    share: float
    weight: float

    def __call__(self, tokens: TokenTable, seed: int) -> TokenTable:
        """Return the table with these words replaced."""
        return self.change(tokens, self.share, seed)


AUGMENTATIONS = (Augmentation(word_dropout, 0.6, 1.0), Augmentation(word_replacement, 0.6, 0.25))
"""Shares and weights were chosen on dev; docs/notebook/augmentation.md has the candidates."""
