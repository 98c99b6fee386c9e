"""Rows of label scores of each distinct string and set, computed once and cached."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, repeat

import numpy as np

from multideid.arrays import DoubleArray, IntArray, LongArray
from multideid.features.templates import Bag, Conjunction
from multideid.features.views import SetColumn, SetView, View
from multideid.scoring.csr_weights import CsrWeights, add_weights
from multideid.scoring.linear_part import TemplateUse
from multideid.scoring.row_arena import ZERO_ROW, Layout, RowArena, blocks_of

_UNKNOWN = -1
_BATCH = 1024
"""Strings whose float64 sums are in memory at once."""


class StringRows:
    """Rows of label scores, one for each string seen so far.

    A row holds, for each part and offset, the sum of the weights of the
    features of the string. The first row is that of padding.

    Parameters
    ----------
    uses : sequence of TemplateUse
        Templates determined by one string at one offset.
    arena : RowArena
        Memory of the rows.

    Attributes
    ----------
    layout : Layout
        Layout of a row.
    offsets : int32 array, shape (n_rows or more,)
        Offset of each row in the arena.
    codes : int32 array, shape (n_columns, n_rows or more)
        Values of views for each string, as indices into the vocabularies; -1 if unknown.
    largest : float64 array, shape (length of a row,)
        Maximum absolute value of all rows.
    """

    def __init__(self, uses: Sequence[TemplateUse], arena: RowArena) -> None:
        self._uses = list(uses)
        self._arena = arena
        self._coded: list[tuple[View, dict[str, int]]] = []
        self._index: dict[str, int] = {}
        self.layout = Layout.of(self._uses)

    def __len__(self) -> int:
        return len(self._index)

    def column_of(self, view: View, vocabulary: dict[str, int]) -> int:
        """Return the row of `codes` for a view's values; call it before strings are added."""
        for n, (known, words) in enumerate(self._coded):
            if known == view and (words is vocabulary or words == vocabulary):
                return n
        self._coded.append((view, vocabulary))
        return len(self._coded) - 1

    def clear(self) -> None:
        """Drop all rows but that of padding, after the arena has been cleared."""
        self._index.clear()
        self.offsets = np.zeros(0, dtype=np.int32)
        self.codes = np.zeros((len(self._coded), 0), dtype=np.int32)
        self.largest = np.zeros(self.layout.length)
        self._grow(0, 1)
        padding = np.zeros(1, dtype=np.int64)
        sums = np.zeros((1, self.layout.length))
        for use in self._uses:
            if isinstance(use.template, Conjunction):
                self._add_features(use, padding, use.features(padding), sums)
        self._store(0, sums)

    def rows_of(self, strings: Sequence[str]) -> IntArray:
        """Return the row of each string."""
        index = self._index
        new = [s for s in strings if s not in index]
        if new:
            new = list(dict.fromkeys(new))
            for first in range(0, len(new), _BATCH):
                self._add(new[first : first + _BATCH])
        return np.fromiter(map(index.__getitem__, strings), dtype=np.int32, count=len(strings))

    def known(self, strings: Sequence[str]) -> IntArray:
        """Return the row of each string, -1 for new ones."""
        pairs = map(self._index.get, strings, repeat(_UNKNOWN))
        return np.fromiter(pairs, dtype=np.int32, count=len(strings))

    def nonzero_offsets_of(self, strings: Sequence[str]) -> IntArray:
        """Return the offset of the row of each string, -1 for a row of zeros."""
        rows_of_strings = self.rows_of(strings)
        offsets = self.offsets[rows_of_strings]
        rows = self._arena.scores[offsets[:, None] + np.arange(self.layout.length)]
        return np.where(rows.any(axis=1), offsets, np.int32(_UNKNOWN))

    def _add(self, strings: list[str]) -> None:
        first = len(self._index) + 1
        self._index.update((s, first + n) for n, s in enumerate(strings))
        self._grow(first, first + len(strings))
        values = _Values(strings)
        sums = np.zeros((len(strings), self.layout.length))
        for use in self._uses:
            owner, features = values.features(use)
            self._add_features(use, owner, features, sums)
        self._store(first, sums)
        for n, (view, vocabulary) in enumerate(self._coded):
            self.codes[n, first : first + len(strings)] = values.codes(view, vocabulary)

    def _grow(self, used: int, size: int) -> None:
        if size > len(self.offsets):
            capacity = size + size // 4
            offsets = np.zeros(capacity, dtype=np.int32)
            codes = np.zeros((len(self._coded), capacity), dtype=np.int32)
            offsets[:used], codes[:, :used] = self.offsets[:used], self.codes[:, :used]
            self.offsets, self.codes = offsets, codes
        self.offsets[used:size] = self._arena.new_rows(size - used, self.layout.length)

    def _add_features(
        self, use: TemplateUse, owner: LongArray, features: LongArray, sums: DoubleArray
    ) -> None:
        begins = (owner * self.layout.length).astype(np.int32)
        for block in blocks_of(use):
            at = begins + np.int32(self.layout.start[block])
            add_weights(at, features, CsrWeights.of(use.part.weights), sums.reshape(-1))

    def _store(self, first: int, sums: DoubleArray) -> None:
        """Store sums as the rows from `first` on."""
        largest = np.maximum(sums.max(axis=0), -sums.min(axis=0))
        np.maximum(self.largest, largest, out=self.largest)
        start = int(self.offsets[first])
        self._arena.scores[start : start + sums.size] = sums.reshape(-1)


class SetRows:
    """Rows of sets of values, each the sum of the rows of its values.

    Parameters
    ----------
    values : StringRows
        The rows of the values.
    arena : RowArena

    Attributes
    ----------
    largest : float64 array, shape (length of a row,)
        Maximum absolute value of all rows.
    """

    def __init__(self, values: StringRows, arena: RowArena) -> None:
        self.values = values
        self.layout = values.layout
        self._arena = arena
        self._offset_of: dict[tuple[int, ...], int] = {}
        self.largest = np.zeros(self.layout.length)

    def __len__(self) -> int:
        return len(self._offset_of)

    def clear(self) -> None:
        """Drop all sets and values."""
        self.values.clear()
        self._offset_of = {(): ZERO_ROW}
        self.largest[:] = 0

    def offsets_of(self, column: SetColumn) -> IntArray:
        """Return the offset of the row of each set of a column."""
        members = self.values.rows_of(column.names)[column.indices].tolist()
        bounds = column.indptr.tolist()
        sets = [tuple(members[a:b]) for a, b in pairwise(bounds)]
        self._add([s for s in dict.fromkeys(sets) if s not in self._offset_of])
        return np.fromiter(map(self._offset_of.__getitem__, sets), dtype=np.int32, count=len(sets))

    def _add(self, sets: list[tuple[int, ...]]) -> None:
        length = self.layout.length
        offsets = self._arena.new_rows(len(sets), length)
        for members, offset in zip(sets, offsets.tolist(), strict=True):
            rows = self.values.offsets[list(members)][:, None] + np.arange(length)
            sums = self._arena.scores[rows].sum(axis=0, dtype=np.float64)
            np.maximum(self.largest, np.abs(sums), out=self.largest)
            self._arena.scores[offset : offset + length] = sums
            self._offset_of[members] = offset


class _Values:
    """The values of views for some strings, computed once per view."""

    def __init__(self, strings: list[str]) -> None:
        self._strings = strings
        self._values: dict[View, list[str]] = {}
        self._sets: dict[SetView, tuple[LongArray, list[str]]] = {}
        self._codes: dict[tuple[View, int], IntArray] = {}

    def codes(self, view: View, vocabulary: dict[str, int]) -> IntArray:
        """Return the view's values as indices into the vocabulary."""
        key = (view, id(vocabulary))
        if key not in self._codes:
            if view not in self._values:
                self._values[view] = list(map(view.function, self._strings))
            self._codes[key] = _numbers(self._values[view], vocabulary)
        return self._codes[key]

    def features(self, use: TemplateUse) -> tuple[LongArray, LongArray]:
        """Return the index of each feature's string, and the features, -1 for none."""
        if isinstance(use.template, Bag):
            owner, members = self._members(use.template.view)
            packed = _numbers(members, use.part.vocabulary(use.template.view)).astype(np.int64)
        else:
            owner, packed = np.arange(len(self._strings)), self._packed(use)
        # Unknown values, packed as -1, have no feature: the extractor keeps no such key.
        return owner, use.features(packed)

    def _packed(self, use: TemplateUse) -> LongArray:
        packed = np.zeros(len(self._strings), dtype=np.int64)
        unknown = np.zeros(len(self._strings), dtype=np.bool_)
        for view in use.template.views:
            assert isinstance(view, View)
            codes = self.codes(view, use.part.vocabulary(view))
            packed = packed * use.part.factor(view) + codes
            unknown |= codes == _UNKNOWN
        packed[unknown] = _UNKNOWN
        return packed

    def _members(self, view: SetView) -> tuple[LongArray, list[str]]:
        if view not in self._sets:
            sets = [set(view.function(s)) for s in self._strings]
            sizes = np.fromiter(map(len, sets), dtype=np.int64, count=len(sets))
            owner = np.repeat(np.arange(len(sets)), sizes)
            self._sets[view] = (owner, [member for s in sets for member in s])
        return self._sets[view]


def _numbers(values: Sequence[str], vocabulary: dict[str, int]) -> IntArray:
    pairs = map(vocabulary.get, values, repeat(_UNKNOWN))
    return np.fromiter(pairs, dtype=np.int32, count=len(values))
