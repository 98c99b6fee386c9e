"""The lattice of a text: probabilities of staying in a class and of entering one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, LongArray
from multideid.base_systems.identifinder.model import LanguageModels
from multideid.base_systems.identifinder.symbols import END, UNKNOWN, word_of


class Lattice(NamedTuple):
    """Probabilities of all transitions between classes.

    The transition into class ``c`` from class ``b`` at token ``t`` is the product
    ``left[t, b] * moves[word_before[t], b, c] * first[pair[t], b, c]``; the last
    ``b`` is the start of a line.

    Parameters
    ----------
    stay : float64 array, shape (n_tokens, n_classes)
        Of the token, given that it continues the previous class; 0 at the start of a
        line.
    left : float64 array, shape (n_tokens, n_classes + 1)
        Of the end of a class before the token.
    moves : float64 array, shape (n_distinct_words, n_classes + 1, n_classes)
    first : float64 array, shape (n_distinct_pairs, n_classes + 1, n_classes)
    word_before, pair : int64 arrays, shape (n_tokens,)
        Rows of `moves` and `first`.
    leave : float64 array, shape (n_tokens, n_classes)
        Of the end of the line after the token.
    """

    stay: DoubleArray
    left: DoubleArray
    moves: DoubleArray
    first: DoubleArray
    word_before: LongArray
    pair: LongArray
    leave: DoubleArray


class Models:
    """The models of known and of unknown words.

    Parameters
    ----------
    known : LanguageModels
    unknown : LanguageModels
        Trained on each half of the training text, with words that the other half lacks
        as unknown. Used for unknown words.
    seen : bool array, shape (n_classes,)
        Whether training had an example of the class; others are never entered.
    """

    def __init__(self, known: LanguageModels, unknown: LanguageModels, seen: BoolArray) -> None:
        self.known = known
        self.unknown = unknown
        self.seen = seen

    def lattice(self, pairs: LongArray, line_begins: BoolArray) -> Lattice:
        """Return the lattice of whole lines, given their packed words and features."""
        distinct, place = np.unique(pairs, return_inverse=True)
        words, number = np.unique(np.append(word_of(pairs), END), return_inverse=True)
        moves = self._next_class(words)
        ends = self._end(distinct)[place]
        return Lattice(
            stay=self._stay(np.roll(pairs, 1), pairs) * ~line_begins[:, None],
            left=_left(ends, line_begins),
            moves=np.ascontiguousarray(moves[:, :, :-1]),
            first=self._first_word(distinct),
            word_before=np.where(line_begins, number[-1], np.roll(number[:-1], 1)),
            pair=place,
            leave=ends * moves[number[:-1], :-1, -1],
        )

    def _stay(self, previous: LongArray, pairs: LongArray) -> DoubleArray:
        n_pairs = self.known.tallies.n_pairs
        both, number = np.unique(previous * n_pairs + pairs, return_inverse=True)
        before, here = both // n_pairs, both % n_pairs
        unknown = (word_of(before) == UNKNOWN) | (word_of(here) == UNKNOWN)
        found = self._each(unknown, lambda model, rows: model.next_word(before[rows], here[rows]))
        return (found * self.seen)[number]

    def _end(self, pairs: LongArray) -> DoubleArray:
        unknown = word_of(pairs) == UNKNOWN
        return self._each(unknown, lambda model, rows: model.end(pairs[rows]))

    def _next_class(self, words: LongArray) -> DoubleArray:
        return self._each(words == UNKNOWN, lambda model, rows: model.next_class(words[rows]))

    def _first_word(self, pairs: LongArray) -> DoubleArray:
        unknown = word_of(pairs) == UNKNOWN
        found = self._each(unknown, lambda model, rows: model.first_word(pairs[rows])) * self.seen
        # Outside cannot be entered from outside.
        found[:, 0, 0] = 0
        return found

    def _each(
        self, unknown: BoolArray, ask: Callable[[LanguageModels, BoolArray], DoubleArray]
    ) -> DoubleArray:
        """Evaluate the model of known words for some rows, that of unknown words for the others."""
        known = ask(self.known, ~unknown)
        found = np.empty((len(unknown), *known.shape[1:]))
        found[~unknown] = known
        found[unknown] = ask(self.unknown, unknown)
        return found


def _left(ends: DoubleArray, line_begins: BoolArray) -> DoubleArray:
    """Shift the ends of classes to the next token; only the last column holds at line starts."""
    left = np.zeros((len(ends), ends.shape[1] + 1))
    left[1:, :-1] = ends[:-1]
    left[line_begins] = 0
    left[line_begins, -1] = 1
    return left
