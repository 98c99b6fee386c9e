"""Dictionaries and hand-made rules; training only maps their labels to those of the corpus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.base_systems.heuristic_dictionary.codes import CodedText
from multideid.base_systems.heuristic_dictionary.patterns import NATIVE_LABELS, RULES
from multideid.taggers.mapped import MappedTagger
from multideid.text.bio import TokenLabels, bio_names
from multideid.text.table import TokenTable

_NATIVE_NAMES = bio_names(NATIVE_LABELS)


class HeuristicDictionaryTagger(MappedTagger):
    """The heuristic system of Douglass (2005), as Sibanda and Uzuner (2006, 4.1) describe it.

    Each rule has a label of its own. Training maps it to a label of the corpus, and
    drops rules that are mostly wrong there.

    Attributes
    ----------
    labels_ : tuple of str
    mapping_ : LabelMapping
        Corpus label of each rule; rules without one are dropped.
    """

    name: ClassVar[str] = "heuristic-dictionary"
    summary: ClassVar[str] = "Dictionaries, indicators, near matches; English (Douglass 2005)."

    needs: ClassVar[Mapping[str, str]] = {"rapidfuzz": "fuzzy"}
    min_precision: ClassVar[float] = 0.5
    _file: ClassVar[str] = "heuristic-dictionary"

    def _native(self, tokens: TokenTable) -> TokenLabels:
        return find_phi(tokens)


def find_phi(tokens: TokenTable) -> TokenLabels:
    """Tag tokens with the labels of the rules.

    Returns
    -------
    TokenLabels
        With the BIO tags of `NATIVE_LABELS`.
    """
    text = CodedText.of(tokens)
    ids = np.zeros(len(tokens), dtype=np.int32)
    for number, rule in enumerate(RULES):
        spans = np.array(list(rule.spans(text.string)), dtype=np.int64).reshape(-1, 2)
        _paint(ids, text.row[spans[:, 0]], text.row[spans[:, 1] - 1] + 1, number)
    return TokenLabels(ids, _NATIVE_NAMES)


def _paint(
    ids: IntArray,
    start: LongArray,
    stop: LongArray,
    number: int,
) -> None:
    """Tag, in place, the spans without a tagged token."""
    taken = np.concatenate([[0], np.cumsum(ids > 0)])
    free = taken[stop] == taken[start]
    start, stop = start[free], stop[free]
    change = np.zeros(len(ids) + 1, dtype=np.int32)
    change[start] += 1
    # Spans of one rule may touch but do not overlap.
    np.subtract.at(change, stop, 1)
    ids[np.cumsum(change[:-1]) > 0] = 2 * number + 2
    ids[start] = 2 * number + 1
