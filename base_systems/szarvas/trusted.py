"""Iterative learning: trusted phrases under the unambiguous headings of a note."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import numpy as np

from multideid.arrays import DoubleArray, FloatArray, IntArray, LongArray
from multideid.base_systems.szarvas.phrases import Phrases, repetitions
from multideid.features.common import LOWER
from multideid.persistence.array_rules import ArrayRule
from multideid.persistence.files import load_arrays, save_arrays
from multideid.persistence.strings import load_strings, save_strings
from multideid.text.table import TokenTable

N_COLUMNS = 3
_RULES = {"label": ArrayRule("int64", ("n_headings",), low=0, below="n_labels")}
_MOST_ENTROPY = 0.1
_FEWEST_PHRASES = 5
_SHORTEST_ACRONYM = 2
_SHORTEST_WORD = 3


@dataclass(frozen=True, slots=True)
class Headings:
    """Headings with phrases of one label only.

    Parameters
    ----------
    names : tuple of str
    label : int64 array, shape (n_headings,)
        Index of each label, from 1.
    """

    names: tuple[str, ...] = field(repr=False)
    label: LongArray = field(repr=False)

    @classmethod
    def learn(cls, tokens: TokenTable, phrases: Phrases) -> Self:
        """Find the headings whose cross-class entropy is below 0.1 bits.

        Parameters
        ----------
        tokens : TokenTable
        phrases : Phrases
            The gold phrases. Headings with fewer than five are ignored.
        """
        under = heading_of(tokens)[phrases.first]
        shape = (len(tokens.headings), int(phrases.label.max(initial=0)) + 1)
        counts = np.bincount(under * shape[1] + phrases.label, minlength=shape[0] * shape[1])
        counts = counts.reshape(shape)
        total = counts.sum(axis=1)
        chosen = np.flatnonzero((_entropy(counts) < _MOST_ENTROPY) & (total >= _FEWEST_PHRASES))
        names = tuple(tokens.headings[n] for n in chosen.tolist())
        return cls(names, counts[chosen].argmax(axis=1))

    def trusted(self, tokens: TokenTable, phrases: Phrases) -> Phrases:
        """Return the phrases under these headings that have the heading's label."""
        label = dict(zip(self.names, self.label.tolist(), strict=True))
        expected = np.array([label.get(name, 0) for name in tokens.headings], dtype=np.int64)
        return phrases.where(expected[heading_of(tokens)[phrases.first]] == phrases.label)

    def save(self, folder: Path) -> None:
        """Write names and labels."""
        save_strings(folder, "heading-names", self.names)
        save_arrays(folder, "headings", label=self.label)

    @classmethod
    def load(cls, folder: Path, n_labels: int) -> Self:
        """Read what `save` wrote."""
        names = load_strings(folder, "heading-names")
        sizes = {"n_headings": len(names), "n_labels": n_labels}
        return cls(names, load_arrays(folder, "headings", _RULES, **sizes)["label"])


def heading_of(tokens: TokenTable) -> LongArray:
    """Return the field label of each token, or else its section heading."""
    return np.where(tokens.field_label > 0, tokens.field_label, tokens.heading).astype(np.int64)


def _entropy(counts: LongArray) -> DoubleArray:
    """Return the entropy of each row of counts, in bits."""
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return np.asarray(-(share * np.log2(np.maximum(share, 1e-300))).sum(axis=1))


def trusted_columns(tokens: TokenTable, phrases: Phrases) -> FloatArray:
    """Return features for tokens that repeat a trusted phrase of their document.

    Parameters
    ----------
    tokens : TokenTable
    phrases : Phrases
        The trusted phrases.

    Returns
    -------
    float32 array, shape (n_tokens, N_COLUMNS)
        The label of the trusted phrase of which the token is part of a repetition, the
        acronym, or a word; else 0. Tokens of the trusted phrases themselves have 0,
        since they are the evidence.
    """
    found = np.zeros((len(tokens), N_COLUMNS), dtype=np.float32)
    lower = LOWER.column(tokens)
    words = lower.codes.astype(np.int32)
    for places in repetitions(phrases, words, tokens.document):
        found[places.rows(), 0] = np.repeat(places.label, places.length)
    found[:, 1] = _labels_of(tokens, *_acronyms(tokens, phrases))
    found[:, 2] = _labels_of(tokens, *_single_words(tokens, phrases))
    found[phrases.rows()] = 0
    return found


def _acronyms(tokens: TokenTable, phrases: Phrases) -> tuple[IntArray, list[str], LongArray]:
    """Return document, acronym and label of phrases of several capitalised words."""
    initials = [word[0] if word[0].isupper() else "" for word in tokens.vocabulary]
    kinds = tokens.type[phrases.rows()].tolist()
    ends = np.cumsum(phrases.length).tolist()
    starts = [0, *ends[:-1]] if ends else []
    names = [
        "".join([initials[k] for k in kinds[low:high]])
        for low, high in zip(starts, ends, strict=True)
    ]
    long = np.array([len(name) >= _SHORTEST_ACRONYM for name in names], dtype=np.bool_)
    kept = [name for name in names if len(name) >= _SHORTEST_ACRONYM]
    return tokens.document[phrases.first[long]], kept, phrases.label[long]


def _single_words(tokens: TokenTable, phrases: Phrases) -> tuple[IntArray, list[str], LongArray]:
    """Return document, string and label of every word of phrases of several words."""
    several = phrases.where(phrases.length > 1)
    rows, label = several.rows(), np.repeat(several.label, several.length)
    long = np.array([len(w) >= _SHORTEST_WORD and w[0].isupper() for w in tokens.vocabulary])
    chosen = long[tokens.type[rows]] if len(rows) else np.zeros(0, dtype=np.bool_)
    kinds = tokens.type[rows[chosen]].tolist()
    return tokens.document[rows[chosen]], [tokens.vocabulary[k] for k in kinds], label[chosen]


def _labels_of(
    tokens: TokenTable, document: IntArray, words: list[str], label: LongArray
) -> IntArray:
    """Return the label of each token that is one of its document's words, else 0."""
    number = {word: n for n, word in enumerate(tokens.vocabulary)}
    kind = np.array([number.get(word, -1) for word in words], dtype=np.int64)
    known = kind >= 0
    key = document[known].astype(np.int64) * len(number) + kind[known]
    keys, first = np.unique(key, return_index=True)
    if not len(keys):
        return np.zeros(len(tokens), dtype=np.int32)
    wanted = tokens.document.astype(np.int64) * len(number) + tokens.type
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, label[known][first][place], 0).astype(np.int32)
