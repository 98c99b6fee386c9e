"""The probabilities of the model, with the back-off of Bikel, Schwartz and Weischedel (1999)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from multideid.arrays import DoubleArray, LongArray
from multideid.base_systems.identifinder.counts import CountTable, Level, interpolated
from multideid.base_systems.identifinder.symbols import BEGIN_PAIR, END_PAIR, N_FEATURES
from multideid.base_systems.identifinder.tallies import Tallies


class LanguageModels:
    """A bigram language model per class, and a model of the classes.

    Parameters
    ----------
    tallies : Tallies
    """

    def __init__(self, tallies: Tallies) -> None:
        self.tallies = tallies
        bigrams, n_pairs = tallies.bigrams, tallies.n_pairs
        self._following = _Context.of(bigrams, bigrams.keys // n_pairs)
        self._pairs = bigrams.grouped(bigrams.keys % n_pairs)
        self._words = self._pairs.grouped(self._pairs.keys // N_FEATURES)
        self._features = self._pairs.grouped(self._pairs.keys % N_FEATURES)
        self._total, self._distinct = bigrams.total(), self._pairs.kinds().total()
        self._before = _Context.of(tallies.first, tallies.first.keys // n_pairs)
        self._moves_by_class = tallies.moves.grouped(tallies.moves.keys // tallies.n_words)

    def next_word(self, previous: LongArray, pairs: LongArray) -> DoubleArray:
        """Return the probability of words inside each class, given the words before.

        Backs off from the bigram to the word with its feature, to the product
        of the two, to a constant.

        Parameters
        ----------
        previous, pairs : int64 arrays, shape (n,)

        Returns
        -------
        float64 array, shape (n, n_classes)
        """
        counts = self.tallies.bigrams.rows(previous * self.tallies.n_pairs + pairs)
        total, distinct = self._following.rows(previous)
        levels = [Level.of(counts, total, distinct), *self._of_word_alone(pairs, total)]
        return interpolated(levels, self._floor)

    def end(self, pairs: LongArray) -> DoubleArray:
        """Return the probability that a class ends after words, shape (n, n_classes)."""
        return self.next_word(pairs, np.full(len(pairs), END_PAIR))

    def first_word(self, pairs: LongArray) -> DoubleArray:
        """Return the probability of a class's first word, given the class before.

        Backs off from the class before to any class before, to the word with
        its feature, to the product of the two, to a constant.

        Returns
        -------
        float64 array, shape (n, n_classes + 1, n_classes)
            Rows are previous classes; the last is the start of a line.
        """
        before = np.arange(self.tallies.n_classes + 1)
        keys = before * self.tallies.n_pairs + pairs[:, None]
        counts = self.tallies.first.rows(keys.ravel()).reshape(*keys.shape, self.tallies.n_classes)
        total, distinct = self._before.rows(before)
        begin = np.full(1, BEGIN_PAIR)
        after_begin = self.tallies.bigrams.rows(BEGIN_PAIR * self.tallies.n_pairs + pairs)
        total_begin, distinct_begin = self._following.rows(begin)
        levels = [
            Level.of(counts, total, distinct),
            Level.of(after_begin[:, None], total_begin, distinct_begin, total),
            *(level.spread() for level in self._of_word_alone(pairs, total_begin)),
        ]
        return interpolated(levels, self._floor)

    def next_class(self, words: LongArray) -> DoubleArray:
        """Return the probability of the next class, given the last class and its last word.

        Backs off from both to the class alone, to nothing, to a constant.

        Returns
        -------
        float64 array, shape (n, n_classes + 1, n_classes + 1)
            Rows are previous classes, columns next ones; the last are the start and end
            of a line.
        """
        size = self.tallies.n_classes + 1
        keys = np.arange(size) * self.tallies.n_words + words[:, None]
        counts = self.tallies.moves.rows(keys.ravel()).reshape(*keys.shape, size)
        by_class = self._moves_by_class.rows(np.arange(size))
        levels = [_of_rows(counts), _of_rows(by_class), _of_rows(by_class.sum(axis=0)[None])]
        used = [level._replace(used=above.total) for above, level in pairwise(levels)]
        return interpolated([levels[0], *used], 1 / size)

    @property
    def _floor(self) -> float:
        return 1 / self.tallies.n_pairs

    def _of_word_alone(self, pairs: LongArray, used: DoubleArray) -> list[Level]:
        """Return the levels that are independent of the previous word.

        The second level has the same sample as the first, so that the paper's formula
        would give it no weight. It is therefore counted as a sample of its own.
        """
        size = np.maximum(self._total, 1.0)
        word = self._words.rows(pairs // N_FEATURES) / size
        feature = self._features.rows(pairs % N_FEATURES) / size
        return [
            Level.of(self._pairs.rows(pairs), self._total, self._distinct, used),
            Level(word * feature, self._total, self._distinct),
        ]


class _Context:
    """Numbers of tokens, and of distinct tokens, that follow each context."""

    def __init__(self, total: CountTable, distinct: CountTable) -> None:
        self._total = total
        self._distinct = distinct

    @classmethod
    def of(cls, table: CountTable, contexts: LongArray) -> _Context:
        """Group the rows of a table by the contexts in their keys."""
        return cls(table.grouped(contexts), table.kinds().grouped(contexts))

    def rows(self, contexts: LongArray) -> tuple[DoubleArray, DoubleArray]:
        """Return both numbers for each class, shape (len(contexts), n_classes)."""
        return self._total.rows(contexts), self._distinct.rows(contexts)


def _of_rows(counts: DoubleArray) -> Level:
    """Return the level with the columns as outcomes."""
    total = counts.sum(axis=-1, keepdims=True)
    return Level.of(counts, total, (counts > 0).sum(axis=-1, keepdims=True).astype(np.float64))
