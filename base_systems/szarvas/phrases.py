"""Phrases of a document, and all the places where it repeats them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from multideid.arrays import BoolArray, IntArray, LongArray
from multideid.base_systems.szarvas.classes import label_of, phrase_edges
from multideid.features.chunks import chunk_numbers
from multideid.text.table import TokenTable

_SHORTEST_STANDARD = 2
_LONGEST = 32


class Phrases:
    """Some stretches of tokens, each with a label.

    Parameters
    ----------
    first, length : int64 arrays, shape (n_phrases,)
        First row and number of tokens of each.
    label : int64 array, shape (n_phrases,)
        Numbers of PHI labels, from 1.
    """

    def __init__(self, first: LongArray, length: LongArray, label: LongArray) -> None:
        self.first = first
        self.length = length
        self.label = label

    @classmethod
    def of_tags(cls, tags: IntArray, document: IntArray) -> Phrases:
        """Return the phrases that BIO tags spell out."""
        first, last = map(np.flatnonzero, phrase_edges(tags, document))
        return cls(first, last + 1 - first, label_of(tags)[first].astype(np.int64))

    def __len__(self) -> int:
        return len(self.first)

    def where(self, chosen: BoolArray) -> Phrases:
        """Return some of the phrases."""
        return Phrases(self.first[chosen], self.length[chosen], self.label[chosen])

    def rows(self) -> LongArray:
        """Return the rows of all tokens, phrase by phrase."""
        before = np.cumsum(self.length) - self.length
        within = np.arange(int(self.length.sum())) - np.repeat(before, self.length)
        return np.asarray(np.repeat(self.first, self.length) + within)

    def n_words(self, tokens: TokenTable) -> LongArray:
        """Return how many words each has, in the paper's sense: what white space parts."""
        chunk = chunk_numbers(tokens)
        if not len(self):
            return np.zeros(0, dtype=np.int64)
        last = self.first + self.length - 1
        return np.asarray(chunk[last] - chunk[self.first] + 1, dtype=np.int64)


def repetitions(phrases: Phrases, words: IntArray, document: IntArray) -> Iterator[Phrases]:
    """Find every place where a document has the words of one of its phrases.

    Parameters
    ----------
    phrases : Phrases
        Those of more than 32 tokens are passed over.
    words : int32 array, shape (n_tokens,)
        Number of each token's word.
    document : int32 array, shape (n_tokens,)

    Yields
    ------
    Phrases
        The places of one length, the shortest first, each with the label that
        most of the phrases with these words have; of equals, the lower.
    """
    phrases = phrases.where(phrases.length <= _LONGEST)
    n_words = int(words.max(initial=0)) + 1
    _, code = np.unique(document.astype(np.int64) * n_words + words, return_inverse=True)
    at = np.arange(len(words))
    for length in range(1, int(phrases.length.max(initial=0)) + 1):
        # Only what begins as some phrase that is long enough need be looked at.
        longer = phrases.where(phrases.length >= length)
        begun = np.zeros(int(code.max(initial=-1)) + 1, dtype=np.bool_)
        begun[code[np.searchsorted(at, longer.first)]] = True
        at, code = at[begun[code]], code[begun[code]]
        exact = phrases.where(phrases.length == length)
        if len(exact):
            yield _labelled(exact, at, code)
        after = np.minimum(at + length, len(words) - 1)
        inside = (after == at + length) & (document[after] == document[at])
        at, code = at[inside], code[inside]
        _, code = np.unique(code * n_words + words[at + length], return_inverse=True)


def _labelled(phrases: Phrases, at: LongArray, code: LongArray) -> Phrases:
    """Return all places of the codes that the phrases have, with the phrases' labels."""
    own = code[np.searchsorted(at, phrases.first)]
    width = int(phrases.label.max()) + 1
    size = (int(code.max()) + 1) * width
    votes = np.bincount(own * width + phrases.label, minlength=size).reshape(-1, width)
    named = (votes.sum(axis=1) > 0)[code]
    label = votes.argmax(axis=1)[code[named]]
    length = np.full(len(label), phrases.length[0])
    return Phrases(at[named], length, label)


def standardised(tags: IntArray, tokens: TokenTable) -> IntArray:
    """Give every repetition of a phrase of two or more words the phrase's tags.

    Of phrases that overlap, the longest prevails. Repetitions are looked for
    within a document, as one note is to be read the same way whatever else is
    read with it.

    Parameters
    ----------
    tags : int32 array, shape (n_tokens,)
        BIO tags.
    tokens : TokenTable

    Returns
    -------
    int32 array, shape (n_tokens,)
    """
    found = tags.copy()
    phrases = Phrases.of_tags(tags, tokens.document)
    phrases = phrases.where(phrases.n_words(tokens) >= _SHORTEST_STANDARD)
    for places in repetitions(phrases, tokens.type, tokens.document):
        found[places.rows()] = 2 * np.repeat(places.label, places.length)
        found[places.first] = 2 * places.label - 1
    return found
