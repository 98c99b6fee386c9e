"""Tokens as pairs of a word, known or unknown, and a word feature."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from multideid.arrays import BoolArray, IntegerArray, LongArray
from multideid.base_systems.identifinder.features import OTHER, WORD_FEATURES, word_feature_codes
from multideid.text.table import TokenTable

N_FEATURES = len(WORD_FEATURES)
UNKNOWN, END, BEGIN, _FIRST_WORD = 0, 1, 2, 3
"""Special words: unknown, and the end and the beginning of a segment of one class."""


def pair(word: LongArray | int, feature: IntegerArray | int) -> LongArray:
    """Encode words and features as one number each."""
    return np.asarray(np.asarray(word, dtype=np.int64) * N_FEATURES + feature)


END_PAIR, BEGIN_PAIR = int(pair(END, OTHER)), int(pair(BEGIN, OTHER))


def word_of(pairs: LongArray) -> LongArray:
    """Return the words of encoded pairs."""
    return pairs // N_FEATURES


@dataclass(frozen=True, slots=True)
class WordIndex:
    """The words of the training text, numbered.

    Parameters
    ----------
    words : tuple of str
    """

    words: tuple[str, ...] = field(repr=False)
    _number: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        numbers = {word: n for n, word in enumerate(self.words, _FIRST_WORD)}
        object.__setattr__(self, "_number", numbers)

    def __len__(self) -> int:
        return len(self.words) + _FIRST_WORD

    @property
    def n_pairs(self) -> int:
        """Number of possible pairs."""
        return len(self) * N_FEATURES

    def pairs(self, table: TokenTable) -> LongArray:
        """Return every token's word and feature, encoded as one number."""
        number = self._number
        types = (number.get(word, UNKNOWN) for word in table.vocabulary)
        words = np.fromiter(types, dtype=np.int64, count=len(table.vocabulary))
        return pair(words[table.type], word_feature_codes(table))


def without_words(pairs: LongArray, unknown: BoolArray) -> LongArray:
    """Replace some words by the unknown word, and keep their features."""
    return np.where(unknown, pair(UNKNOWN, 0) + pairs % N_FEATURES, pairs)
