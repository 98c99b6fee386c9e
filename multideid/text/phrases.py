"""Matching of the phrases of word lists in a TokenTable."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from multideid.arrays import AnyArray, BoolArray, IntArray, LongArray, UIntArray
from multideid.text.forms import WORD, word_forms
from multideid.text.numbering import distinct
from multideid.text.table import TokenTable
from multideid.text.tokenizer import split_pieces
from multideid.text.type_memo import TypeMemo
from multideid.text.word_table import WordTable, smallest

_BITS = 32  # The lower bits of a word's number are its lists.


class PhraseSet:
    """The phrases of several lists, matched in one pass.

    Matching ignores case and white space, and phrases do not cross line ends.
    Tokens split at a capital inside a word (``Mc|Donald``) count as one word.

    Parameters
    ----------
    phrases : WordTable
        The phrases, normalized by `normalise`, with their lists as bits.
    words : WordTable
        Numbers, from 1, of the words in phrases of several words.
    trie : Trie
        The phrases of several words.
    """

    def __init__(self, phrases: WordTable, words: WordTable, trie: Trie) -> None:
        self.phrases = phrases
        self.words = words
        self.trie = trie
        self._number = TypeMemo(self._number_of, np.int64)

    @classmethod
    def build(cls, *lists: Iterable[str]) -> PhraseSet:
        """Make a phrase set from at most 32 lists; the same lists give the same arrays."""
        phrases = WordTable.of_lists(map(normalise, phrases) for phrases in lists)
        long = _phrases_of_words(phrases)
        words = {w: n for n, w in enumerate(sorted({w for p in long for w in p}), 1)}
        return cls(phrases, WordTable.of_numbers(words), Trie.build(long, words))

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, AnyArray]) -> PhraseSet:
        """Make the phrase set that `arrays` was called for."""
        phrases = WordTable(arrays["phrases"].tobytes(), arrays["phrase_lists"])
        trie = Trie(
            keys=arrays["keys"].astype(np.int64),
            nodes=arrays["nodes"].astype(np.int64),
            lists=arrays["lists"].astype(np.uint32),
            first=arrays["first"].astype(np.int64),
            second=arrays["second"],
        )
        numbers = np.arange(1, len(trie.first), dtype=np.uint32)
        return cls(phrases, WordTable(arrays["words"].tobytes(), numbers), trie)

    @classmethod
    def load(cls, path: Path) -> PhraseSet:
        """Read the phrase set that was packed as a file of `arrays`."""
        with np.load(path, allow_pickle=False) as packed:
            return cls.of_arrays(packed)

    def arrays(self) -> dict[str, AnyArray]:
        """Return everything as arrays of the smallest types, for a file."""
        phrases, lists = self.phrases.arrays()
        words, _ = self.words.arrays()
        trie = {name: smallest(part) for name, part in self.trie._asdict().items()}
        return {"phrases": phrases, "phrase_lists": lists, "words": words, **trie}

    def match(self, table: TokenTable) -> UIntArray:
        """Return the lists with a phrase that contains each token.

        Returns
        -------
        uint32 array, shape (n_tokens,)
            Bit ``k`` is set if the token is part of a phrase of list ``k``.
        """
        if not len(table):
            return np.zeros(0, dtype=np.uint32)
        # Several sets of phrases are matched with each table.
        first, length, texts, kind = table.cached("words of phrases", _units)
        numbers = self._number(texts)
        bits = numbers.astype(np.uint32)[kind]
        word = (numbers >> _BITS).astype(np.int32)[kind]
        self.trie.mark(bits, word, table.document[first])
        return np.repeat(bits, length)

    def _number_of(self, text: str) -> int:
        """Return the lists of a word in the lower bits, and its number above them."""
        word = normalise(text)
        return self.words.number(word) << _BITS | self.phrases.number(word)


class Trie(NamedTuple):
    """Phrases of two or more words, as a trie with words as edges.

    Parameters
    ----------
    keys : int64 array, sorted
        The edges: ``node * n_words + word``.
    nodes : int64 array
        The target of each edge.
    lists : uint32 array, shape (n_nodes,)
        The lists with a phrase that ends at a node, as bits.
    first : int64 array, shape (n_words,)
        The node after a phrase's first word, 0 if no phrase begins with it;
        word 0 is any other.
    second : bool array, shape (n_words,)
        Whether a word is the second of any phrase.
    """

    keys: LongArray
    nodes: LongArray
    lists: UIntArray
    first: LongArray
    second: BoolArray

    @classmethod
    def build(cls, phrases: dict[tuple[str, ...], int], words: dict[str, int]) -> Trie:
        """Make the trie from the bits of each phrase and the numbers of all words."""
        width = len(words) + 1
        edges: dict[int, int] = {}
        ends: dict[int, int] = {}
        second = np.zeros(width, dtype=np.bool_)
        for phrase, bits in phrases.items():
            node = 0
            second[words[phrase[1]]] = True
            for word in phrase:
                node = edges.setdefault(node * width + words[word], len(edges) + 1)
            ends[node] = bits
        lists = np.zeros(len(edges) + 1, dtype=np.uint32)
        lists[list(ends)] = list(ends.values())
        keys = np.fromiter(edges, dtype=np.int64, count=len(edges))
        nodes = np.fromiter(edges.values(), dtype=np.int64, count=len(edges))
        first = np.zeros(width, dtype=np.int64)
        first[keys[keys < width]] = nodes[keys < width]
        order = np.argsort(keys)
        return cls(keys[order], nodes[order], lists, first, second)

    def mark(self, bits: UIntArray, word: IntArray, document: IntArray) -> None:
        """Set the bits of the lists with a phrase that contains each word, in place.

        Parameters
        ----------
        bits : uint32 array, shape (n,)
        word : int32 array, shape (n,)
            Numbers of words, 0 for those in no phrase.
        document : int32 array, shape (n,)
        """
        start = np.flatnonzero((self.first[word[:-1]] > 0) & self.second[word[1:]])
        node = self.first[word[start]]
        length = 1
        while len(start):
            node, found = self._step(node, word[start + length])
            found &= document[start + length] == document[start]
            start, node, length = start[found], node[found], length + 1
            ends = self.lists[node] > 0
            for place in range(length):
                bits[start[ends] + place] |= self.lists[node[ends]]
            inside = start + length < len(word)
            start, node = start[inside], node[inside]

    def _step(self, node: LongArray, word: IntArray) -> tuple[LongArray, BoolArray]:
        key = node * len(self.first) + word
        place = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        return self.nodes[place], self.keys[place] == key


def normalise(word: str) -> str:
    """Return the form in which words are compared: composed, lower case, with their accents.

    Features of trained models and the packed lists depend on it, so that it must not change;
    other than `multideid.redact.spelling.fold`, it keeps accents and white space.
    """
    lower = word.lower()
    return lower if lower.isascii() else unicodedata.normalize("NFC", lower)


def _phrases_of_words(phrases: WordTable) -> dict[tuple[str, ...], int]:
    """Return the phrases of several words, in pieces, with the bits of their lists."""
    long: dict[tuple[str, ...], int] = {}
    for phrase, bits in phrases.items():
        pieces = _split(phrase)
        if len(pieces) > 1:
            long[pieces] = long.get(pieces, 0) | bits
    return long


def _split(phrase: str) -> tuple[str, ...]:
    # Words from a to z between blanks are pieces as they are; most phrases have no others.
    letters = phrase.replace(" ", "")
    if letters.isascii() and letters.isalpha() and letters.islower():
        return tuple(phrase.split())
    return tuple(piece for piece in split_pieces(normalise(phrase)) if not piece.isspace())


def _units(table: TokenTable) -> tuple[IntArray, IntArray, list[str], IntArray]:
    """Return the words, each of one or several joined tokens.

    Returns
    -------
    first, length : int32 arrays, shape (n_words,)
        Row of each word's first token, and its number of tokens.
    texts : list of str
        Distinct words.
    kind : int32 array, shape (n_words,)
        Indices into `texts`.
    """
    begins = ~_glued(table)
    first = np.flatnonzero(begins).astype(np.int32)
    kind = table.type[first]
    texts = list(table.vocabulary)
    length = np.diff(first, append=np.int32(len(table)))
    many = np.flatnonzero(length > 1)
    stretches = zip(first[many].tolist(), (first + length)[many].tolist(), strict=True)
    words = ["".join([texts[t] for t in table.type[low:high].tolist()]) for low, high in stretches]
    code, glued = distinct(words)
    kind[many] = len(texts) + code
    return first, length, texts + glued, kind


def _glued(table: TokenTable) -> BoolArray:
    """Mark the tokens that the tokenizer split from the previous one at a capital."""
    letters = (word_forms(table.vocabulary) & WORD)[table.type] > 0
    glued = np.zeros(len(table), dtype=np.bool_)
    glued[1:] = letters[1:] & letters[:-1] & (table.start[1:] == table.end[:-1])
    glued[1:] &= table.document[1:] == table.document[:-1]
    return glued
