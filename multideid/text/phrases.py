"""Find the phrases of a word list in a TokenTable, by columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from multideid.text.table import TokenTable
from multideid.text.tokenizer import split_pieces

Int64Array = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_NO_WORD = -1


@dataclass(frozen=True, slots=True)
class PhraseSet:
    """Phrases of one or more words, ready to be matched.

    A phrase matches a stretch of tokens whatever their case, and whatever
    white space lies between them; it does not reach over a line end. Tokens
    that only a capital inside a word parted (``Mc|Donald``) count as one word.

    Parameters
    ----------
    single : frozenset of str
        The phrases of one word.
    words : dict of str to int
        Numbers of the words that occur in longer phrases.
    keys : int64 array, sorted
        Edges of the trie of longer phrases: ``node * len(words) + word``.
    nodes : int64 array
        The node that each edge leads to.
    terminal : bool array
        Whether a phrase ends at a node.
    """

    single: frozenset[str]
    words: dict[str, int]
    keys: Int64Array
    nodes: Int64Array
    terminal: BoolArray

    @classmethod
    def build(cls, phrases: Iterable[str]) -> PhraseSet:
        """Prepare phrases; their words are parted as the tokenizer does."""
        split = [_split(phrase) for phrase in phrases]
        long = [phrase for phrase in split if len(phrase) > 1]
        words = {word: n for n, word in enumerate(dict.fromkeys(w for p in long for w in p))}
        edges, terminal = _trie(long, words)
        keys = np.fromiter(edges, dtype=np.int64, count=len(edges))
        nodes = np.fromiter(edges.values(), dtype=np.int64, count=len(edges))
        order = np.argsort(keys)
        single = frozenset(p[0] for p in split if len(p) == 1)
        return cls(single, words, keys[order], nodes[order], terminal)

    def match(self, table: TokenTable) -> BoolArray:
        """Tell which tokens stand in a phrase.

        Returns
        -------
        bool array, shape (n_tokens,)
        """
        if not len(table):
            return np.zeros(0, dtype=np.bool_)
        unit = _unit_of_token(table)
        texts, kind = _unit_texts(table, unit)
        inside = _flags(texts, self.single)[kind]
        if self.words:
            document = table.document[np.flatnonzero(np.diff(unit, prepend=-1))]
            inside = inside | self._match_long(texts, kind, document)
        return np.asarray(inside[unit])

    def _match_long(
        self, texts: list[str], kind: Int64Array, document: npt.NDArray[np.int32]
    ) -> BoolArray:
        number = np.fromiter((self.words.get(t, _NO_WORD) for t in texts), np.int64, len(texts))
        word = np.append(number[kind], _NO_WORD)
        change = np.zeros(len(word) + 1, dtype=np.int64)
        start = np.arange(len(kind))
        node = np.zeros(len(kind), dtype=np.int64)
        length = 0
        while len(start):
            place = np.minimum(start + length, len(kind))
            node, found = self._step(node, word[place])
            found &= document[np.minimum(place, len(kind) - 1)] == document[start]
            start, node, length = start[found], node[found], length + 1
            ends = start[self.terminal[node]]
            np.add.at(change, ends, 1)
            np.add.at(change, ends + length, -1)
        return np.cumsum(change)[: len(kind)] > 0

    def _step(self, node: Int64Array, word: Int64Array) -> tuple[Int64Array, BoolArray]:
        key = node * len(self.words) + word
        place = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        return self.nodes[place], (self.keys[place] == key) & (word != _NO_WORD)


def normalise(word: str) -> str:
    """Return the form in which words are compared: composed, lower case."""
    return unicodedata.normalize("NFC", word.lower())


def _split(phrase: str) -> tuple[str, ...]:
    return tuple(piece for piece in split_pieces(normalise(phrase)) if not piece.isspace())


def _trie(
    phrases: list[tuple[str, ...]], words: dict[str, int]
) -> tuple[dict[int, int], BoolArray]:
    edges: dict[int, int] = {}
    ends = set()
    for phrase in phrases:
        node = 0
        for word in phrase:
            node = edges.setdefault(node * len(words) + words[word], len(edges) + 1)
        ends.add(node)
    terminal = np.zeros(len(edges) + 1, dtype=np.bool_)
    terminal[list(ends)] = True
    return edges, terminal


def _unit_of_token(table: TokenTable) -> Int64Array:
    """Number the words, each of which is one token or several glued ones."""
    letters = _vocabulary_flags(table)[table.type]
    glued = np.zeros(len(table), dtype=np.bool_)
    glued[1:] = letters[1:] & letters[:-1] & (table.start[1:] == table.end[:-1])
    glued[1:] &= table.document[1:] == table.document[:-1]
    return np.cumsum(~glued) - 1


def _vocabulary_flags(table: TokenTable) -> BoolArray:
    words = table.vocabulary
    return np.fromiter((w[0].isalpha() for w in words), np.bool_, count=len(words))


def _unit_texts(table: TokenTable, unit: Int64Array) -> tuple[list[str], Int64Array]:
    """Return distinct word strings, and the index among them of every word."""
    first = np.flatnonzero(np.diff(unit, prepend=-1))
    kind = table.type[first].astype(np.int64)
    texts = [normalise(word) for word in table.vocabulary]
    sizes = np.diff(np.append(first, len(unit)))
    index: dict[str, int] = {}
    for n in np.flatnonzero(sizes > 1).tolist():
        low = int(first[n])
        text = "".join(texts[t] for t in table.type[low : low + sizes[n]].tolist())
        kind[n] = len(texts) + index.setdefault(text, len(index))
    return texts + list(index), kind


def _flags(texts: list[str], wanted: frozenset[str]) -> BoolArray:
    return np.fromiter((t in wanted for t in texts), dtype=np.bool_, count=len(texts))
