"""Frequencies of words in the other documents of the training corpus."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import numpy as np

from multideid.arrays import BoolArray, FloatArray, IntArray, LongArray
from multideid.features.common import LOWER
from multideid.persistence.array_rules import ArrayRule
from multideid.persistence.files import load_arrays, save_arrays
from multideid.persistence.strings import load_strings, save_strings
from multideid.text.forms import STARTER, WORD, word_forms
from multideid.text.table import TokenTable

_TOKENS, _OUTSIDE, _CAPITALS, _WITHIN, _CAPITALS_WITHIN, _DOCUMENTS = range(6)
N_COLUMNS = 4
_RULES = {"counts": ArrayRule("int64", ("n_words", 6), low=0)}


@dataclass(frozen=True, slots=True)
class Frequencies:
    """Case-insensitive counts of the words of the training corpus.

    Parameters
    ----------
    words : tuple of str
        Lower case.
    counts : int64 array, shape (n_words + 1, 6)
        The number of tokens; of those outside PHI, with a capital, not first in their
        sentence, and both of these; and of documents. The last row is for unknown
        words.
    """

    words: tuple[str, ...] = field(repr=False)
    counts: LongArray = field(repr=False)

    @classmethod
    def count(cls, tokens: TokenTable, outside: BoolArray) -> Self:
        """Count the words of the training corpus.

        Parameters
        ----------
        tokens : TokenTable
        outside : bool array, shape (n_tokens,)
            Mask of the tokens that are not PHI.
        """
        lower = LOWER.column(tokens)
        own, row = _by_document(tokens, lower.codes, outside)
        counts = np.zeros((len(lower.names) + 1, own.shape[1]), dtype=np.int64)
        first = np.unique(row, return_index=True)[1]
        np.add.at(counts, lower.codes[first], own)
        return cls(tuple(lower.names), counts)

    def columns(self, tokens: TokenTable, counted: BoolArray | None = None) -> FloatArray:
        """Return the frequency features of each token's word.

        Parameters
        ----------
        tokens : TokenTable
        counted : bool array, shape (n_tokens,), optional
            The mask given to `count`, if the tokens are the training corpus. The counts
            of a document are then excluded from its own features, so that they are like
            those of an unseen note.

        Returns
        -------
        float32 array, shape (n_tokens, N_COLUMNS)
            The number of documents, and the shares of tokens outside PHI, of tokens
            with a capital, and of tokens with a capital among those within sentences.
            -1 for shares of nothing.
        """
        lower = LOWER.column(tokens)
        known = {word: n for n, word in enumerate(self.words)}
        numbers = (known.get(word, len(self.words)) for word in lower.names)
        code = np.fromiter(numbers, dtype=np.int64, count=len(lower.names))[lower.codes]
        counts = self.counts[code]
        if counted is not None:
            own, row = _by_document(tokens, lower.codes, counted)
            counts = counts - own[row]
        return _shares(counts)

    def save(self, folder: Path) -> None:
        """Write words and counts."""
        save_strings(folder, "frequency-words", self.words)
        save_arrays(folder, "frequencies", counts=self.counts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        words = load_strings(folder, "frequency-words")
        counts = load_arrays(folder, "frequencies", _RULES, n_words=len(words) + 1)["counts"]
        return cls(words, counts)


def _shares(counts: LongArray) -> FloatArray:
    pairs = ((_OUTSIDE, _TOKENS), (_CAPITALS, _TOKENS), (_CAPITALS_WITHIN, _WITHIN))
    shares = [
        np.where(counts[:, whole] > 0, counts[:, part] / np.maximum(counts[:, whole], 1), -1)
        for part, whole in pairs
    ]
    return np.stack([counts[:, _DOCUMENTS], *shares], axis=1).astype(np.float32)


def _by_document(
    tokens: TokenTable, word: IntArray, outside: BoolArray
) -> tuple[LongArray, LongArray]:
    """Return the counts of each document's words, and each token's row among them."""
    key = tokens.document.astype(np.int64) * (int(word.max(initial=0)) + 1) + word
    _, row = np.unique(key, return_inverse=True)
    forms = word_forms(tokens.vocabulary)[tokens.type]
    capital = (forms & WORD > 0) & (forms & STARTER > 0)
    within = np.diff(tokens.sentence, prepend=-1) == 0
    size = int(row.max(initial=-1)) + 1
    flags = (np.ones(len(word)), outside, capital, within, capital & within)
    counted = [np.bincount(row, weights=flag, minlength=size) for flag in flags]
    return np.stack([*counted, np.ones(size)], axis=1).astype(np.int64), row
