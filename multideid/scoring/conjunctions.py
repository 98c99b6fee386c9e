"""Conjunctions and windows: one look-up for all templates that differ only by a shift."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from multideid.arrays import FloatingArray, IntArray, LongArray
from multideid.features.templates import Conjunction, Window
from multideid.features.views import View
from multideid.scoring.conjunction_sums import EntryTable, JoinedTables, KeyParts
from multideid.scoring.csr_weights import CsrWeights
from multideid.scoring.hash_table import HashTable
from multideid.scoring.jit import kernel
from multideid.scoring.linear_part import TemplateUse
from multideid.scoring.row_arena import blocks_of
from multideid.scoring.scatter_add import Block, WindowTable, subtract_repeats

ColumnOf = Callable[[View, dict[str, int]], int]
"""Returns the row of the codes that holds a view's values, as indices into a vocabulary."""


class ConjunctionTable:
    """Weights of conjunctions of the same views at the same distances, of all parts.

    Parameters
    ----------
    uses : sequence of TemplateUse
        Conjunctions that differ only by a shift or by their part.
    width : int
        Scores per cell, of all parts.
    column_of : callable
    dtype : dtype
        Type of scores.

    Attributes
    ----------
    parts : KeyParts
    keys : HashTable
    entries : EntryTable
    """

    def __init__(
        self,
        uses: Sequence[TemplateUse],
        width: int,
        column_of: ColumnOf,
        dtype: npt.DTypeLike,
    ) -> None:
        weighted = [_WeightedKeys.of(use) for use in uses]
        self.parts = _key_parts(uses[0], column_of)
        self.keys = HashTable.of(np.unique(np.concatenate([w.keys for w in weighted])))
        targets = [_target(use, width) for use in uses]
        self.entries = _entries(self.keys.keys, weighted, targets, dtype)

    def __len__(self) -> int:
        return len(self.keys.keys)


def joined_tables(tables: Sequence[ConjunctionTable]) -> JoinedTables | None:
    """Return the tables that have conjunctions in the same arrays, None if no table has any."""
    filled = [table for table in tables if len(table)]
    if not filled:
        return None
    columns = zip(*((table.parts, table.keys, table.entries) for table in filled), strict=True)
    return JoinedTables.of(*columns)


@dataclass(frozen=True, slots=True)
class _WeightedKeys:
    """The keys of a template with nonzero weights.

    Parameters
    ----------
    weights : CsrWeights
    keys, features, counts : int64 arrays, of equal length
        Packed values, rows of the weights, and numbers of weights.
    """

    weights: CsrWeights
    keys: LongArray
    features: LongArray
    counts: LongArray

    @classmethod
    def of(cls, use: TemplateUse) -> _WeightedKeys:
        first = int(use.part.extractor.first_[use.number])
        features = first + np.arange(len(use.keys))
        counts = np.diff(use.part.weights.indptr)[features].astype(np.int64)
        kept = counts > 0
        weights = CsrWeights.of(use.part.weights)
        return cls(weights, use.keys[kept], features[kept], counts[kept])


def _key_parts(use: TemplateUse, column_of: ColumnOf) -> KeyParts:
    assert isinstance(use.template, Conjunction)
    views, offsets = zip(*use.template.parts, strict=True)
    columns = [column_of(view, use.part.vocabulary(view)) for view in views]
    lowest = min(offsets)
    factors = [use.part.factor(view) for view in views]
    numbers = (columns, [offset - lowest for offset in offsets], factors)
    return KeyParts(*(np.array(n, dtype=np.int64) for n in numbers))


def _target(use: TemplateUse, width: int) -> int:
    """Return the first score of a template's labels, relative to the leftmost cell's scores."""
    ((begin, offset),) = blocks_of(use)
    return begin - offset * width


def _entries(
    keys: LongArray,
    templates: Sequence[_WeightedKeys],
    targets: Sequence[int],
    dtype: npt.DTypeLike,
) -> EntryTable:
    """Gather the weights of all templates by key."""
    rows = [np.searchsorted(keys, template.keys) for template in templates]
    counts = np.zeros(len(keys), dtype=np.int64)
    for template, r in zip(templates, rows, strict=True):
        counts[r] += template.counts
    begins = np.concatenate([[0], np.cumsum(counts)])
    table = EntryTable(begins, np.empty(begins[-1], np.int32), np.empty(begins[-1], dtype))
    cursor = begins[:-1].copy()
    for template, r, target in zip(templates, rows, targets, strict=True):
        _copy(cursor, r, template.features, target, template.weights, table)
    return table


@kernel
def _copy(  # noqa: PLR0913, PLR0917
    cursor: LongArray,
    rows: LongArray,
    features: LongArray,
    target: int,
    weights: CsrWeights,
    table: EntryTable,
) -> None:
    """Copy the weights of features to the cursors of their rows, and advance the cursors."""
    for n in range(len(rows)):
        for k in range(weights.begins[features[n]], weights.begins[features[n] + 1]):
            at = cursor[rows[n]]
            table.target[at] = target + weights.label[k]
            table.weight[at] = weights.weight[k]
            cursor[rows[n]] += 1


class RepeatedWindowValues:
    """Correction for values that occur at several offsets of a `Window` template.

    Rows of strings add a window's weights at each of its offsets; a value that
    occurs at several of them must count once.

    Parameters
    ----------
    use : TemplateUse
    column_of : callable
    dtype : dtype
        Type of scores.
    """

    def __init__(self, use: TemplateUse, column_of: ColumnOf, dtype: npt.DTypeLike) -> None:
        assert isinstance(use.template, Window)
        vocabulary = use.part.vocabulary(use.template.view)
        self.column = column_of(use.template.view, vocabulary)
        features = use.features(np.arange(len(vocabulary) + 1, dtype=np.int64))
        rows = np.zeros((len(features), use.part.n_labels), dtype)
        known = np.flatnonzero(features >= 0)
        rows[known] = use.part.weights[features[known]].toarray()
        offsets = np.array(use.template.offsets, dtype=np.int64)
        self._table = WindowTable(offsets, rows, use.begin)

    def subtract(self, codes: IntArray, block: Block, scores: FloatingArray) -> None:
        """Subtract the weights of repeated values around each cell of a block.

        Parameters
        ----------
        codes : int32 array
            Values of the cells, from the block's base on.
        block : Block
            The cells to correct.
        scores : float array
        """
        subtract_repeats(codes, self._table, block, scores)
