"""Augmentation: the stacker also learns from documents with some words replaced.

Notes repeat their phrases, so most sentences of a held-out fold resemble some
in the other folds. Systems that memorise phrases look better there than they
will be on another hospital's notes, and rules look worse in comparison.
Therefore the base systems also score text in which words are dropped (replaced
by unknown ones), which silences systems that know words, or replaced by other
words, which leads several of them to the same mistake. Only systems that read
words from the table's columns see the change.
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

    A chosen word is replaced by random consonants of the same length and
    capitalisation, a chosen number by one of random length. Texts and offsets
    stay the same, so systems that read texts, as rules do, see no change.

    Parameters
    ----------
    tokens : TokenTable
    share : float
        Probability that a word or number is replaced, independently of the others.
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
    """Return the table with a share of its words and numbers replaced by other ones.

    A chosen word is replaced by a word of the same capitalisation, a chosen
    number by another number, drawn uniformly from the distinct chosen ones.
    Texts and offsets stay the same. Parameters are those of `word_dropout`.
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
        # Elsewhere, numbers of a known length (that of a zip code) may be of another kind.
        return "".join(map(str, rng.integers(10, size=rng.integers(1, _LONGEST_NUMBER + 1))))
    letters = rng.integers(len(_LETTERS), size=len(word)).tolist()
    pairs = zip(word, letters, strict=True)
    return "".join(_LETTERS[n].upper() if c.isupper() else _LETTERS[n] for c, n in pairs)


@dataclass(frozen=True, slots=True)
class Augmentation:
    """A way to replace words, with its parameters.

    Parameters
    ----------
    change : callable
        Takes a table, a share and a seed, and returns a table of the same tokens.
    share : float
        Share of the words and numbers to replace.
    weight : float
        Sample weight of a token; tokens of the original text have weight 1.
    """

    change: Callable[[TokenTable, float, int], TokenTable]
    share: float
    weight: float

    def __call__(self, tokens: TokenTable, seed: int) -> TokenTable:
        """Return the augmented table."""
        return self.change(tokens, self.share, seed)


AUGMENTATIONS = (Augmentation(word_dropout, 0.6, 1.0), Augmentation(word_replacement, 0.6, 0.25))
"""Shares and weights were chosen on dev; docs/notebook/augmentation.md has the alternatives."""
