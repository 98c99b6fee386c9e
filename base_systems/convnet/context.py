"""What the network sees of a token's document: neighbours, other occurrences, line, document."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import BoolArray, FloatArray, IntArray, LongArray
from multideid.features.occurrences import Occurrences


class Regions(NamedTuple):
    """Lines or documents: consecutive rows, none of which is in two of them.

    Parameters
    ----------
    starts, sizes : int64 arrays, shape (n_regions,)
        First row and number of rows of each; the first begins at row 0.
    """

    starts: LongArray
    sizes: LongArray

    @classmethod
    def of(cls, begins: BoolArray) -> Self:
        """Return the regions that begin at the true rows, and at row 0.

        The part of a long document may begin within a line.
        """
        starts = np.union1d([0], np.flatnonzero(begins))
        return cls(starts, np.diff(starts, append=len(begins)))

    def sums(self, values: FloatArray) -> FloatArray:
        """Return the sums of the rows of each region, shape (n_regions, n_columns)."""
        return np.asarray(np.add.reduceat(values, self.starts, axis=0))

    def means(self, values: FloatArray) -> FloatArray:
        """Return the means of the rows of each region, shape (n_regions, n_columns)."""
        return self.sums(values) / self._divisors

    def gradient_of_means(self, gradient: FloatArray) -> FloatArray:
        """Return the gradient of the rows, from that of `means`."""
        return self.spread(gradient / self._divisors)

    def spread(self, values: FloatArray) -> FloatArray:
        """Return the row of its region for each token, shape (n_tokens, n_columns)."""
        return np.repeat(values, self.sizes, axis=0)

    @property
    def _divisors(self) -> FloatArray:
        return self.sizes[:, None].astype(np.float32)


class Context(NamedTuple):
    """The tokens of whole documents, as the layers group them.

    Parameters
    ----------
    document : int32 array, shape (n_tokens,)
        A number of each token's document; the tokens of a document are consecutive.
    occurrences : Occurrences
        Of each word in its document.
    lines, documents : Regions
    """

    document: IntArray
    occurrences: Occurrences
    lines: Regions
    documents: Regions

    @classmethod
    def of(cls, document: IntArray, word: IntArray, begins: BoolArray) -> Self:
        """Group tokens, at least one.

        Parameters
        ----------
        document, word : int32 arrays, shape (n_tokens,)
            `word` is a number for each distinct word.
        begins : bool array, shape (n_tokens,)
            Whether the token is the first of a line.
        """
        pairs = document.astype(np.int64) * (int(word.max()) + 1) + word
        first = np.diff(document, prepend=document[0]) != 0
        return cls(document, Occurrences.of(pairs), Regions.of(begins | first), Regions.of(first))
