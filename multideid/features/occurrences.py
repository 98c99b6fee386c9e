"""Means over the other occurrences of a word in its document."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multideid.arrays import FloatArray, IntArray, IntegerArray
from multideid.csr import Csr
from multideid.features.views import LOWER
from multideid.text.table import TokenTable


class Occurrences(NamedTuple):
    """The occurrences of each word of each document, to average over the others.

    Parameters
    ----------
    members : float32 Csr, shape (n_words, n_tokens)
        1 for each occurrence.
    word : int32 array, shape (n_tokens,)
        Row of each token's word.
    others : float32 array, shape (n_tokens, 1)
        The number of other occurrences of the word, at least 1.
    """

    members: Csr
    word: IntArray
    others: FloatArray

    @classmethod
    def of(cls, word: IntegerArray) -> Occurrences:
        """Index the occurrences of numbered words; equal numbers are the same word."""
        order = np.argsort(word, kind="stable")
        starts = np.flatnonzero(np.diff(word[order], prepend=-1))
        counts = np.diff(starts, append=len(word))
        row = np.empty(len(word), dtype=np.int32)
        row[order] = np.repeat(np.arange(len(starts), dtype=np.int32), counts)
        others = np.maximum(counts - 1, 1).astype(np.float32)
        members = Csr.of_ones(order, np.append(starts, len(word)), len(word))
        return cls(members, row, others[row][:, None])

    @classmethod
    def in_documents(cls, table: TokenTable) -> Occurrences:
        """Index the occurrences of each word, in any letter case, within each document."""
        lower = LOWER.column(table)
        return cls.of(table.document.astype(np.int64) * len(lower.names) + lower.codes)

    def mean_of_others(self, values: FloatArray) -> FloatArray:
        """Return the mean of the rows of the word's other occurrences, 0 if there are none.

        Parameters
        ----------
        values : float32 array, shape (n_tokens, n_columns)

        Returns
        -------
        float32 array of the same shape
        """
        means = self.members.times(values)[self.word]
        means -= values
        means /= self.others
        return np.asarray(means)
