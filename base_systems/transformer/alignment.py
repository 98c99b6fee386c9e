"""Our tokens as a text, and the network's subtokens that stand for them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray, LongArray
from multideid.text.table import TokenTable

NONE = -1


class Piece(NamedTuple):
    """The tokens of a document as a text.

    Parameters
    ----------
    rows : slice
        Of the token table.
    text : str
        The words, with one space where there was white space.
    start, end : int64 arrays, shape (n_tokens,)
        Character offsets of the tokens into `text`.
    """

    rows: slice
    text: str
    start: LongArray
    end: LongArray

    def __repr__(self) -> str:
        """Return the rows and the number of characters, without text."""
        return f"Piece({self.rows}, {len(self.text)} characters)"


def pieces(tokens: TokenTable) -> Iterator[Piece]:
    """Yield the documents that have tokens.

    The texts of the table are not used, since augmentation replaces words in the tokens alone.
    """
    words = [_encodable(word) for word in tokens.vocabulary]
    for first, stop in pairwise(tokens.first.tolist()):
        if first == stop:
            continue
        rows = slice(first, stop)
        written = [words[n] for n in tokens.type[rows].tolist()]
        space = tokens.space[rows].astype(np.int64)
        lengths = np.array([len(word) for word in written], dtype=np.int64)
        end = np.cumsum(lengths + space)
        parts = (" " * gap + word for gap, word in zip(space.tolist(), written, strict=True))
        yield Piece(rows, "".join(parts), end - lengths, end)


def leading(piece: Piece, bounds: LongArray) -> LongArray:
    """Return the first subtoken that overlaps each token, -1 for tokens that have none.

    Parameters
    ----------
    piece : Piece
    bounds : int64 array, shape (n_subtokens, 2)
        Half-open character offsets of the subtokens, in order.
    """
    if not len(bounds):
        return np.full(len(piece.start), NONE, dtype=np.int64)
    found = np.searchsorted(np.maximum.accumulate(bounds[:, 1]), piece.start, side="right")
    inside = found < len(bounds)
    inside &= bounds[np.minimum(found, len(bounds) - 1), 0] < piece.end
    return np.where(inside, found, NONE)


def shared(lead: LongArray) -> BoolArray:
    """Mark the tokens whose subtoken also stands for the token before them."""
    return np.asarray((lead != NONE) & (lead == np.concatenate([[NONE], lead[:-1]])))


def _encodable(word: str) -> str:
    """Replace halves of characters, which tokenizers refuse, by as many other characters."""
    return word.encode("utf-8", "replace").decode("utf-8")
