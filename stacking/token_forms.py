"""What tokens look like: columns for the boosted trees of the odds of PHI."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import BoolArray, FloatArray, LongArray, UByteArray
from multideid.knowledge.word_classes import CLASSES, bundled_word_classes
from multideid.stacking.forms import FORMS, LOWER, NO_TOKEN, TITLE, UPPER
from multideid.text.table import TokenTable
from multideid.text.type_memo import TypeMemo

_LONGEST = 20
_LAST_POSITION = 12
N_COLUMNS = 3 + len(CLASSES) + 5
"""Forms of the token and both neighbours, classes, and the five values of `_layout`."""


def _classes(token: str) -> int:
    return bundled_word_classes().bits(token.lower())


_word_classes = TypeMemo(_classes, np.uint8)
_lengths = TypeMemo(lambda token: min(len(token), _LONGEST), np.uint8)


class TokenForms(NamedTuple):
    """The forms of the tokens of a table.

    Parameters
    ----------
    tokens : TokenTable
    forms, classes, lengths : uint8 arrays, shape (n_types,)
        Form, bits of word classes and number of characters of each string.
    lower : float32 array, shape (n_documents,)
        Share of the words of each document that are in lower case.
    """

    tokens: TokenTable
    forms: UByteArray
    classes: UByteArray
    lengths: UByteArray
    lower: FloatArray

    @classmethod
    def of(cls, tokens: TokenTable) -> Self:
        """Look up the strings of a table."""
        words = tokens.vocabulary
        forms = FORMS(words).astype(np.uint8)
        lower = _shares_of_lower_case(tokens, forms)
        return cls(tokens, forms, _word_classes(words), _lengths(words), lower)

    def columns(self, rows: LongArray) -> FloatArray:
        """Return the columns of some tokens.

        Parameters
        ----------
        rows : int64 array, shape (n_rows,)

        Returns
        -------
        float32 array, shape (n_rows, N_COLUMNS)
        """
        types = self.tokens.type[rows]
        bits = np.unpackbits(self.classes[types][:, None], axis=1, bitorder="little")
        forms = [self.forms[types], *(self._neighbours(rows, offset) for offset in (-1, 1))]
        parts = [*forms, *bits.T, self.lengths[types], *self._layout(rows)]
        return np.stack(parts, axis=1).astype(np.float32)

    def _neighbours(self, rows: LongArray, offset: int) -> UByteArray:
        """Return the forms of the tokens at an offset, in the same document."""
        tokens = self.tokens
        there = np.clip(rows + offset, 0, len(tokens) - 1)
        inside = (there != rows) & (tokens.document[there] == tokens.document[rows])
        return np.where(inside, self.forms[tokens.type[there]], np.uint8(NO_TOKEN))

    def _layout(self, rows: LongArray) -> list[FloatArray | BoolArray]:
        """Return place in the line, share of lower case, space before, end of line."""
        tokens = self.tokens
        following = np.minimum(rows + 1, len(tokens) - 1)
        last = (following == rows) | (tokens.line[following] != tokens.line[rows])
        position = np.minimum(tokens.position[rows], _LAST_POSITION).astype(np.float32)
        return [position, self.lower[tokens.document[rows]], tokens.space[rows], last]


def _shares_of_lower_case(tokens: TokenTable, forms: UByteArray) -> FloatArray:
    own = forms[tokens.type]
    words = np.isin(own, (UPPER, TITLE, LOWER))
    counts = (
        np.bincount(tokens.document[own == LOWER], minlength=len(tokens.ids)),
        np.bincount(tokens.document[words], minlength=len(tokens.ids)),
    )
    return (counts[0] / np.maximum(counts[1], 1)).astype(np.float32)
