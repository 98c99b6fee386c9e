"""Phrases of a document and their repetitions."""

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
    """Labelled token spans.

    Parameters
    ----------
    first, length : int64 arrays, shape (n_phrases,)
        First row and number of tokens.
    label : int64 array, shape (n_phrases,)
        Indices of PHI labels, from 1.
    """

    def __init__(self, first: LongArray, length: LongArray, label: LongArray) -> None:
        self.first = first
        self.length = length
        self.label = label

    @classmethod
    def of_tags(cls, tags: IntArray, document: IntArray) -> Phrases:
        """Return the phrases of BIO tags."""
        first, last = map(np.flatnonzero, phrase_edges(tags, document))
        return cls(first, last + 1 - first, label_of(tags)[first].astype(np.int64))

    def __len__(self) -> int:
        return len(self.first)

    def where(self, chosen: BoolArray) -> Phrases:
        """Return the selected phrases."""
        return Phrases(self.first[chosen], self.length[chosen], self.label[chosen])

    def rows(self) -> LongArray:
        """Return the rows of all tokens, phrase by phrase."""
        before = np.cumsum(self.length) - self.length
        within = np.arange(int(self.length.sum())) - np.repeat(before, self.length)
        return np.asarray(np.repeat(self.first, self.length) + within)

    def n_words(self, tokens: TokenTable) -> LongArray:
        """Return the number of words, separated by white space as in the paper."""
        chunk = chunk_numbers(tokens)
        if not len(self):
            return np.zeros(0, dtype=np.int64)
        last = self.first + self.length - 1
        return np.asarray(chunk[last] - chunk[self.first] + 1, dtype=np.int64)


def repetitions(phrases: Phrases, words: IntArray, document: IntArray) -> Iterator[Phrases]:
    """Find all occurrences of the words of each document's phrases.

    Parameters
    ----------
    phrases : Phrases
        Phrases of more than 32 tokens are ignored.
    words : int32 array, shape (n_tokens,)
        Word index of each token.
    document : int32 array, shape (n_tokens,)

    Yields
    ------
    Phrases
        The occurrences of one length, shortest first, each with the majority label of
        the phrases with these words; ties go to the lower label.
    """
    phrases = phrases.where(phrases.length <= _LONGEST)
    n_words = int(words.max(initial=0)) + 1
    _, code = np.unique(document.astype(np.int64) * n_words + words, return_inverse=True)
    at = np.arange(len(words))
    for length in range(1, int(phrases.length.max(initial=0)) + 1):
        # Only prefixes of phrases that are long enough are candidates.
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
    """Return all occurrences of the phrases' codes, with the phrases' labels."""
    own = code[np.searchsorted(at, phrases.first)]
    width = int(phrases.label.max()) + 1
    size = (int(code.max()) + 1) * width
    votes = np.bincount(own * width + phrases.label, minlength=size).reshape(-1, width)
    named = (votes.sum(axis=1) > 0)[code]
    label = votes.argmax(axis=1)[code[named]]
    length = np.full(len(label), phrases.length[0])
    return Phrases(at[named], length, label)


def standardised(tags: IntArray, tokens: TokenTable) -> IntArray:
    """Give repetitions of a phrase of two or more words the phrase's tags.

    The longest of overlapping phrases wins. Repetitions are found within a document, so
    that the tags of a note do not depend on other notes.

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
