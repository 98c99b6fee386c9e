"""Label consistency: document-level decisions of a first pass as features of a second.

Finkel, Grenager and Manning (2005) make the labels of a document agree by Gibbs
sampling. Krishnan and Manning (2006) get more from a second CRF whose features
are the majorities of what a first one found; these are theirs within a document.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.csr import Csr, bounds_of
from multideid.features.document_context import same_word_groups
from multideid.text.bio import tag_runs
from multideid.text.table import TokenTable

Phrase = tuple[int, ...]

_NONE = -1
_LONGEST_PART = 4


def n_consistency_features(n_tags: int) -> int:
    """Return the number of columns of `consistency_features`."""
    return 3 * (n_tags // 2) + 1


def consistency_features(table: TokenTable, decided: IntArray, n_tags: int) -> Csr:
    """Return the majority decisions of the first pass elsewhere in the document.

    Parameters
    ----------
    table : TokenTable
    decided : int32 array, shape (n_tokens,)
        The first pass's BIO tag of every token.
    n_tags : int

    Returns
    -------
    float32 Csr, shape (n_tokens, n_consistency_features(n_tags))
        One-hot features: the majority class, including "O", of the other tokens of the
        same word; the majority label of the other entities with the same words; and
        that of longer entities that contain these words.
    """
    n_labels = n_tags // 2
    same, wider = _of_entities(table, decided)
    blocks = [
        _ones(_of_tokens(table, (decided + 1) // 2, n_labels + 1), n_labels + 1),
        _ones(same, n_labels),
        _ones(wider, n_labels),
    ]
    return Csr.side_by_side(blocks)


def _ones(column: IntArray, width: int) -> Csr:
    """Return the one-hot matrix of a column; negative values are empty rows."""
    present = column != _NONE
    return Csr.of_ones(column[present], bounds_of(present), width)


def _of_tokens(table: TokenTable, classes: IntArray, n_classes: int) -> IntArray:
    """Return the majority class of the other occurrences of each token's word."""
    rows, group = same_word_groups(table)
    _, number = np.unique(group, return_inverse=True)
    cells = number * n_classes + classes[rows]
    n_groups = int(number.max(initial=-1)) + 1
    counts = np.bincount(cells, minlength=n_groups * n_classes).reshape(n_groups, n_classes)
    others = counts[number]
    others[np.arange(len(rows)), classes[rows]] -= 1
    found = np.full(len(table), _NONE, dtype=np.int32)
    found[rows] = others.argmax(axis=1)
    return found


class _Entities(NamedTuple):
    """The entities of a tag sequence, in order."""

    first: LongArray
    length: LongArray
    label: LongArray

    @classmethod
    def of(cls, table: TokenTable, decided: IntArray) -> Self:
        runs = tag_runs(table.document, decided)
        first, last, label = (column.astype(np.int64) for column in runs)
        return cls(first, last - first + 1, label)


def _of_entities(table: TokenTable, decided: IntArray) -> tuple[IntArray, IntArray]:
    """Return the majority labels of other entities of the same words, and of longer ones."""
    entities = _Entities.of(table, decided)
    majorities: list[tuple[int, int]] = []
    for phrases, labels in _by_document(table, entities):
        majorities += _majorities(phrases, labels)
    pairs = np.array(majorities, dtype=np.int32).reshape(len(majorities), 2)
    columns = np.full((2, len(table)), _NONE, dtype=np.int32)
    inside = np.flatnonzero(decided > 0)
    columns[:, inside] = np.repeat(pairs, entities.length, axis=0).T
    return columns[0], columns[1]


def _by_document(
    table: TokenTable, entities: _Entities
) -> Iterator[tuple[list[Phrase], list[int]]]:
    """Yield the words, as numbers, and the labels of each document's entities."""
    fold: dict[str, int] = {}
    lower = [fold.setdefault(word.lower(), len(fold)) for word in table.vocabulary]
    words = np.array(lower, dtype=np.int64)[table.type].tolist() if len(table) else []
    stop = entities.first + entities.length
    bounds = np.searchsorted(entities.first, table.first)
    for low, high in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        ranges = zip(entities.first[low:high].tolist(), stop[low:high].tolist(), strict=True)
        yield [tuple(words[a:b]) for a, b in ranges], entities.label[low:high].tolist()


def _majorities(phrases: Sequence[Phrase], labels: Sequence[int]) -> list[tuple[int, int]]:
    """Return the majority labels of other entities with the same words, and of longer ones."""
    same: dict[Phrase, Counter[int]] = defaultdict(Counter)
    wider: dict[Phrase, Counter[int]] = defaultdict(Counter)
    for phrase, label in zip(phrases, labels, strict=True):
        same[phrase][label] += 1
        for part in _parts(phrase):
            wider[part][label] += 1
    return [
        (_most(same[phrase] - Counter([label])), _most(wider.get(phrase)))
        for phrase, label in zip(phrases, labels, strict=True)
    ]


def _parts(phrase: Phrase) -> set[Phrase]:
    """Return the runs of a few words within a longer phrase."""
    lengths = range(1, min(len(phrase) - 1, _LONGEST_PART) + 1)
    return {phrase[i : i + n] for n in lengths for i in range(len(phrase) - n + 1)}


def _most(votes: Counter[int] | None) -> int:
    """Return the label with most votes, the first in a tie; -1 without votes."""
    return votes.most_common(1)[0][0] if votes else _NONE
