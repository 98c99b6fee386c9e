"""Which labels of entities follow each other in a sentence, learned from gold tags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

import numpy as np

from multideid.arrays import BoolArray, DoubleArray, LongArray
from multideid.persistence.array_rules import ArrayRule
from multideid.persistence.files import ArrayRecord
from multideid.text.bio import TokenLabels

_DOUBT = 1.0
"""Pseudo-count of each pair, distributed as if labels were independent (smoothing)."""


@dataclass(frozen=True, slots=True)
class Relations(ArrayRecord):
    """How much rarer an entity is after another than overall, as logarithms.

    Both arrays are float64, at most 0, shape (n_labels, n_labels): the row is
    the label of an entity, the column that of the next in the sentence.

    Parameters
    ----------
    beside : float64 array
        For entities that touch.
    apart : float64 array
        For entities with other tokens between them.
    """

    rules: ClassVar[Mapping[str, ArrayRule]] = dict.fromkeys(
        ("beside", "apart"), ArrayRule("float64", ("n_labels", "n_labels"))
    )

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
            Factor of the logarithms; 0 disables relations.
        """
        pairs = _neighbours(labels, starts)
        share = np.bincount(pairs.label, minlength=len(labels.names) // 2) / max(
            len(pairs.label), 1
        )
        beside, apart = pairs.related & pairs.touching, pairs.related & ~pairs.touching
        return cls(*(strength * _rarity(pairs, which, share) for which in (beside, apart)))


class _Neighbours(NamedTuple):
    """All entities, each with the previous one."""

    label: LongArray
    before: LongArray
    related: BoolArray
    """Whether the previous entity is in the same sentence."""
    touching: BoolArray
    """Whether the previous entity ends at the previous token."""


def _neighbours(labels: TokenLabels, starts: LongArray) -> _Neighbours:
    first = np.flatnonzero(labels.ids % 2 == 1)
    label = labels.ids[first].astype(np.int64) // 2
    sentence = np.searchsorted(starts, first, side="right")
    related = np.diff(sentence, prepend=-1) == 0
    return _Neighbours(label, np.roll(label, 1), related, labels.ids[first - 1] > 0)


def _rarity(pairs: _Neighbours, which: BoolArray, share: DoubleArray) -> DoubleArray:
    """Return ``log(min(1, observed / expected))`` of each pair of labels."""
    n = len(share)
    cells = pairs.before[which] * n + pairs.label[which]
    counted = np.bincount(cells, minlength=n * n).reshape(n, n)
    expected = counted.sum(axis=1, keepdims=True) * share
    # Frequent pairs get no bonus, which would favour spurious entities.
    return np.asarray(np.minimum(np.log((counted + _DOUBT) / (expected + _DOUBT)), 0.0))
