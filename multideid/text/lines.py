"""Lines of a table, which are the sequences of chains; work is divided at their ends."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from multideid.arrays import LongArray
from multideid.text.table import TokenTable


def line_starts(tokens: TokenTable, first: int = 0, stop: int | None = None) -> LongArray:
    """Return the first row of every line that begins in rows ``first:stop``.

    Parameters
    ----------
    tokens : TokenTable
    first, stop : int, optional
        Default: all rows.

    Returns
    -------
    int64 array
        Row numbers, counted from `first`.
    """
    return np.flatnonzero(tokens.position[first:stop] == 0)


def line_blocks(tokens: TokenTable, size: int) -> Iterator[tuple[int, int]]:
    """Yield the row ranges of blocks of whole lines, of about `size` tokens or one line."""
    starts = line_starts(tokens)
    first = 0
    while first < len(tokens):
        after = int(np.searchsorted(starts, first + size, side="left"))
        stop = int(starts[after]) if after < len(starts) else len(tokens)
        yield first, stop
        first = stop


def lines_around(tokens: TokenTable, first: int, stop: int) -> tuple[int, int]:
    """Return the range of whole lines that contains rows ``first:stop`` of the table."""
    starts = line_starts(tokens)
    low = int(np.searchsorted(starts, max(first, 0), side="right")) - 1
    high = int(np.searchsorted(starts, min(stop, len(tokens)), side="left"))
    return int(starts[low]), int(starts[high]) if high < len(starts) else len(tokens)
