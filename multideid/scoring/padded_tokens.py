"""Tokens as a padded array, with padding between documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.scoring.jit import kernel
from multideid.text.table import TokenTable

_BLOCK = 65_536
PADDING = 0
"""The row of values of a padding cell."""


@dataclass(frozen=True, slots=True)
class PaddedTokens:
    """An array of cells with one token each, and padding between documents.

    With padding, neighbours can be looked up without checking for the edges of
    documents.

    Parameters
    ----------
    document : int32 array, shape (n_tokens,)
        The document of each token.
    tokens : int32 array, shape (n_cells,)
        The token of each cell, -1 for padding.
    reach : int
        Number of padding cells between documents; both ends have three times
        as many.
    """

    document: IntArray
    tokens: IntArray
    reach: int

    @classmethod
    def of(cls, table: TokenTable, reach: int) -> Self:
        """Pad the tokens of a table."""
        tokens = np.full(len(table) + reach * (len(table.ids) + 6), -1, dtype=np.int32)
        padded = cls(table.document, tokens, reach)
        for first in range(0, len(table), _BLOCK):
            stop = min(first + _BLOCK, len(table))
            tokens[padded.cells(first, stop)] = np.arange(first, stop, dtype=np.int32)
        return padded

    def cells(self, first: int, stop: int) -> LongArray:
        """Return the cells of tokens ``first:stop``, shape (stop - first,)."""
        n_padding = np.int64(self.reach) * (self.document[first:stop] + np.int64(3))
        return np.arange(first, stop) + n_padding


@kernel
def gather_values(
    tokens: IntArray, codes: IntArray, values: IntArray, padding: int, found: IntArray
) -> None:
    """Fill ``found[n] = values[codes[tokens[n]]]``.

    Parameters
    ----------
    tokens : int32 array, shape (n_cells,)
        The token of each cell, -1 for padding.
    codes : int32 array, shape (n_tokens,)
    values : int32 array
        The value of each code.
    padding : int
        The value of a padding cell.
    found : int32 array, shape (n_cells,)
    """
    for n in range(len(tokens)):
        found[n] = values[codes[tokens[n]]] if tokens[n] >= 0 else padding
