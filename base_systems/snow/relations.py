"""Which entities stand together in a sentence, learned from gold tags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, LongArray
from multideid.persistence import ArrayRecord
from multideid.text.bio import TokenLabels

_DOUBT = 1.0
"""Pairs added to every count, as if labels did not matter, so that rare ones say little."""


@dataclass(frozen=True, slots=True)
class Relations(ArrayRecord):
    """How much rarer an entity is behind another one than it is at large, as logarithms.

    Both arrays are float64, at most 0, shape (n_labels, n_labels): the row is
    the label of an entity, the column that of the next in the sentence.

    Parameters
    ----------
    beside : float64 array
        Where the next one begins with the next token.
    apart : float64 array
        Where other tokens stand between the two.
    """

    beside: DoubleArray
    apart: DoubleArray

    @classmethod
    def learn(cls, labels: TokenLabels, starts: LongArray, strength: float) -> Self:
        """Count the pairs of neighbouring entities.

        Parameters
        ----------
        labels : TokenLabels
            Gold tags.
        starts : int64 array
            First rows of the sentences.
        strength : float
            What the logarithms are multiplied by; 0 knows of no relation.
        """
        pairs = _neighbours(labels, starts)
        share = np.bincount(pairs.label, minlength=len(labels.names) // 2) / max(
            len(pairs.label), 1
        )
        beside, apart = pairs.related & pairs.touching, pairs.related & ~pairs.touching
        return cls(*(strength * _rarity(pairs, which, share) for which in (beside, apart)))


class _Neighbours(NamedTuple):
    """Every entity, and the one before it."""

    label: LongArray
    before: LongArray
    related: BoolArray
    """Whether the one before is in the same sentence."""
    touching: BoolArray
    """Whether it ends with the token before."""


def _neighbours(labels: TokenLabels, starts: LongArray) -> _Neighbours:
    first = np.flatnonzero(labels.ids % 2 == 1)
    label = labels.ids[first].astype(np.int64) // 2
    sentence = np.searchsorted(starts, first, side="right")
    related = np.diff(sentence, prepend=-1) == 0
    return _Neighbours(label, np.roll(label, 1), related, labels.ids[first - 1] > 0)


def _rarity(pairs: _Neighbours, which: BoolArray, share: DoubleArray) -> DoubleArray:
    """Return the logarithm of pairs counted over pairs to expect, where they are fewer."""
    n = len(share)
    cells = pairs.before[which] * n + pairs.label[which]
    counted = np.bincount(cells, minlength=n * n).reshape(n, n)
    expected = counted.sum(axis=1, keepdims=True) * share
    # Pairs that are commoner than that gain nothing: they would call for entities out of nowhere.
    return np.asarray(np.minimum(np.log((counted + _DOUBT) / (expected + _DOUBT)), 0.0))
