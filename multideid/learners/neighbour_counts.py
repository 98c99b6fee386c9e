"""Counts of the words of notes, and of the words next to them, a batch of notes at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
from scipy import sparse

from multideid.arrays import BoolArray, LongArray
from multideid.features.word_clusters import LONGEST_WORD, word_key
from multideid.text.batching import in_batches
from multideid.text.table import TokenTable

MOST_COUNTED = 1_000_000
"""Distinct words in memory; beyond, those of the fewest documents so far are forgotten."""

SIDES = (-2, -1, 1, 2)
"""Offsets of the neighbours that are counted."""

_BATCH = 500_000


def batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield texts in lists of at most about 500,000 characters."""
    return in_batches(texts, len, _BATCH)


class DocumentCounts:
    """The number of documents with each word."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.n_documents = 0

    def add(self, texts: list[str]) -> None:
        """Count the words of some documents."""
        table = TokenTable.from_texts(texts)
        keys = [word_key(word) for word in table.vocabulary]
        # Words that differ in case alone count once a document.
        number = {key: n for n, key in enumerate(dict.fromkeys(keys))}
        of_type = np.array([number[key] for key in keys], dtype=np.int64)
        names = list(number)
        pairs = np.unique(table.document * len(names) + of_type[table.type])
        found = np.bincount(pairs % len(names), minlength=len(names)) if names else ()
        self.counts.update(dict(zip(names, map(int, found), strict=True)))
        self.n_documents += len(texts)
        least = 1
        while len(self.counts) > MOST_COUNTED:
            least += 1
            self.counts = Counter({key: n for key, n in self.counts.items() if n >= least})

    def frequent(self, least: int, most: int, *, letters: bool) -> list[str]:
        """Return the words of at least `least` documents, the most frequent `most` of them.

        Parameters
        ----------
        least, most : int
        letters : bool
            Whether to take words of letters alone, and not numbers or marks.
        """
        found = [
            key
            for key, n in self.counts.items()
            if n >= least and len(key) <= LONGEST_WORD and (key.isalpha() or not letters)
        ]
        # Equal counts are ordered by the word, whatever the order of the notes.
        found.sort(key=lambda key: (-self.counts[key], key))
        return sorted(found[:most])


class NeighbourCounts:
    """How often each context word is at each of `SIDES` of each word.

    Parameters
    ----------
    words : sequence of str
        One row each.
    contexts : sequence of str
        One column each a side; a further one stands for the edge of a line.
    """

    def __init__(self, words: list[str], contexts: list[str]) -> None:
        self._row = {key: n for n, key in enumerate(words)}
        self._column = {key: n for n, key in enumerate(contexts)}
        self._width = len(contexts) + 1
        shape = len(words), self._width * len(SIDES)
        self.matrix = sparse.csr_matrix(shape, dtype=np.float64)

    def add(self, texts: list[str]) -> None:
        """Count the neighbours in some documents."""
        table = TokenTable.from_texts(texts)
        keys = [word_key(word) for word in table.vocabulary]
        rows = _gathered(self._row, keys)[table.type]
        columns = _gathered(self._column, keys)[table.type]
        here, there = [], []
        for side, offset in enumerate(SIDES):
            row, column = self._pairs(table, rows, columns, offset)
            here.append(row)
            there.append(column + side * self._width)
        row, column = np.concatenate(here), np.concatenate(there)
        counted = sparse.coo_matrix((np.ones(len(row)), (row, column)), self.matrix.shape)
        self.matrix = sparse.csr_matrix(self.matrix + counted.tocsr())

    def _pairs(
        self, table: TokenTable, rows: LongArray, columns: LongArray, offset: int
    ) -> tuple[LongArray, LongArray]:
        """Return the rows and columns of the known words that have a known neighbour."""
        place = np.arange(len(table)) + offset
        inside = (place >= 0) & (place < len(table))
        place = np.where(inside, place, 0)
        inside &= self._same_line(table, place)
        column = np.where(inside, columns[place], self._width - 1)
        known = (rows >= 0) & (column >= 0)
        return rows[known], column[known]

    def _same_line(self, table: TokenTable, place: LongArray) -> BoolArray:
        return np.asarray(table.line[place] == table.line)


def _gathered(number: dict[str, int], keys: list[str]) -> LongArray:
    """Return the number of each key, -1 for unknown ones."""
    return np.array([number.get(key, -1) for key in keys], dtype=np.int64)
