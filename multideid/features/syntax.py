"""Syntactic bigrams from the links of the Link Grammar parser (thesis 3.3)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.features.views import SetColumn, SetView, index_sets
from multideid.knowledge.link_grammar import Linkage, parse
from multideid.text.table import TokenTable

Links = list[tuple[str, int]]
Bigrams = tuple[list[str], list[str]]

_GUESS = re.compile(r"\[[!?~&][^\]\n]{0,60}+\]")
_FINER_MARK = re.compile(r"(\.[a-z]+)-.*$")


def syntactic_bigrams(linkage: Linkage) -> list[Bigrams]:
    """Return the left and right syntactic bigrams of every word.

    A right bigram is a path of two links to the right: label, word, label,
    word. It has one link if the first word has no link to the right. A word
    has one bigram per path. Left bigrams are defined likewise (thesis 3.3).

    Labels and words are reduced to the output of the thesis's version of the
    parser: ``Ss`` for ``Ss*s``, ``was.v`` for ``was.v-d``.

    Parameters
    ----------
    linkage : Linkage

    Returns
    -------
    list of (list of str, list of str)
        Left and right bigrams, such as ``"Ss was.v Pvf admitted.v"``.
    """
    words = [_plain_word(word.text) for word in linkage.words]
    left: dict[int, Links] = defaultdict(list)
    right: dict[int, Links] = defaultdict(list)
    for link in linkage.links:
        label = link.label.partition("*")[0]
        right[link.left].append((label, link.right))
        left[link.right].append((label, link.left))
    return [
        (list(_paths(n, left, words)), list(_paths(n, right, words))) for n in range(len(words))
    ]


def _paths(word: int, links: dict[int, Links], words: list[str]) -> Iterator[str]:
    """Yield the bigrams of a word, given every word's links to one side."""
    for label, other in links.get(word, ()):
        first = f"{label} {words[other]}"
        following = links.get(other)
        if following is None:
            yield first
        else:
            yield from (f"{first} {second} {words[last]}" for second, last in following)


def _plain_word(text: str) -> str:
    return _FINER_MARK.sub(r"\1", _GUESS.sub("", text))


@dataclass(slots=True)
class _Sides:
    """The left and right bigrams of all parsed words; the first sets are empty.

    Parameters
    ----------
    left, right : list of list of str
        Entry ``n`` of both belongs to word ``n``.
    known : dict of str to (int, int32 array, int32 array)
        For each sentence, the number of its first word, and the offsets where
        its words begin and end; None for a sentence without a linkage.
    """

    left: list[list[str]] = field(default_factory=lambda: [[]])
    right: list[list[str]] = field(default_factory=lambda: [[]])
    known: dict[str, tuple[int, IntArray, IntArray] | None] = field(default_factory=dict)

    def numbers(self, sentence: str, starts: IntArray) -> IntArray | int:
        """Return the number of the word that contains each token of a sentence, or 0.

        Parameters
        ----------
        sentence : str
        starts : int32 array, shape (n_tokens,)
            Offsets of the tokens into the sentence.
        """
        if sentence not in self.known:
            self.known[sentence] = self._add(sentence)
        found = self.known[sentence]
        if found is None:
            return 0
        first, begins, ends = found
        word = np.searchsorted(ends, starts, side="right")
        inside = word < len(ends)
        word[~inside] = 0
        inside &= begins[word] <= starts
        return np.where(inside, first + word, 0)

    def _add(self, sentence: str) -> tuple[int, IntArray, IntArray] | None:
        linkage = parse(sentence)
        if linkage is None:
            return None
        first = len(self.left)
        for left, right in syntactic_bigrams(linkage):
            self.left.append(left)
            self.right.append(right)
        bounds = np.array([word[:2] for word in linkage.words], dtype=np.int32)
        return first, bounds[:, 0], bounds[:, 1]


def _columns(table: TokenTable) -> tuple[SetColumn, SetColumn]:
    """Return the left and right bigrams of every token; each sentence is parsed once."""
    sides = _Sides()
    rows = np.zeros(len(table), dtype=np.int32)
    for first, stop in _sentences(table):
        start = int(table.start[first])
        text = table.texts[table.document[first]][start : int(table.end[stop - 1])]
        # A line end belongs to its sentence but is not parsed.
        rows[first:stop] = sides.numbers(text.rstrip(), table.start[first:stop] - start)
    return SetColumn(rows, *index_sets(sides.left)), SetColumn(rows, *index_sets(sides.right))


def _sentences(table: TokenTable) -> Iterator[tuple[int, int]]:
    """Yield the half-open range of rows of every sentence within a document."""
    changed = np.diff(table.sentence, prepend=-1) != 0
    changed |= np.diff(table.document, prepend=-1) != 0
    begins: LongArray = np.flatnonzero(changed)
    yield from zip(begins.tolist(), np.append(begins[1:], len(table)).tolist(), strict=True)


def _side(table: TokenTable, number: int) -> SetColumn:
    return table.cached("syntactic bigrams", _columns)[number]


LEFT_BIGRAMS = SetView("left syntactic bigrams", lambda table: _side(table, 0))
RIGHT_BIGRAMS = SetView("right syntactic bigrams", lambda table: _side(table, 1))
