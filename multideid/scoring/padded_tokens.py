"""Tokens in a row of cells, with blank ones between documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.scoring.jit import kernel
from multideid.text.table import TokenTable

_BLOCK = 65_536
BLANK = 0
"""The row that stands for a cell beyond a document's edge."""


@dataclass(frozen=True, slots=True)
class Tape:
    """Where each token stands, so that its neighbours need no look at documents' edges.

    Parameters
    ----------
    document : int32 array, shape (n_tokens,)
        The document of each token.
    tokens : int32 array, shape (n_cells,)
        The token of each cell, -1 for a blank one.
    reach : int
        Number of blank cells between documents; there are three times as many
        at both ends.
    """

    document: IntArray
    tokens: IntArray
    reach: int

    @classmethod
    def of(cls, table: TokenTable, reach: int) -> Self:
        """Lay out the tokens of a table."""
        tokens = np.full(len(table) + reach * (len(table.ids) + 6), -1, dtype=np.int32)
        tape = cls(table.document, tokens, reach)
        for first in range(0, len(table), _BLOCK):
            stop = min(first + _BLOCK, len(table))
            tokens[tape.cells(first, stop)] = np.arange(first, stop, dtype=np.int32)
        return tape

    def cells(self, first: int, stop: int) -> LongArray:
        """Return the cells of tokens ``first:stop``, int64, shape (stop - first,)."""
        blanks = np.int64(self.reach) * (self.document[first:stop] + np.int64(3))
        return np.arange(first, stop) + blanks


@kernel
def values_of_cells(
    tokens: IntArray, codes: IntArray, values: IntArray, blank: int, found: IntArray
) -> None:
    """Fill in the value of what each cell's token has.

    Parameters
    ----------
    tokens : int32 array
        The token of each cell, -1 for a blank one.
    codes : int32 array, shape (n_tokens,)
    values : int32 array
        The value of each code.
    blank : int
        The value of a blank cell.
    found : int32 array
        As long as `tokens`.
    """
    for n in range(len(tokens)):
        found[n] = values[codes[tokens[n]]] if tokens[n] >= 0 else blank
