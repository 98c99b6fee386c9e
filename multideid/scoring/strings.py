"""Rows of label scores of each distinct string and set, computed once and cached."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, repeat

import numpy as np

from multideid.arrays import DoubleArray, IntArray
from multideid.features.views import SetColumn, View
from multideid.scoring.linear_part import TemplateUse
from multideid.scoring.row_arena import ZERO_ROW, Layout, RowArena
from multideid.scoring.string_plan import StringPlan, StringValues
from multideid.scoring.string_sums import store_rows

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
        sums = np.zeros((1, self.layout.length))
        self._plan = StringPlan(self._uses, self.layout, self._coded)
        self._plan.add_padding(sums)
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
        values = StringValues(self._plan, strings)
        sums = np.zeros((len(strings), self.layout.length))
        values.add_to(sums)
        self._store(first, sums)
        for n, codes in enumerate(self.codes):
            codes[first : first + len(strings)] = values.codes(n)

    def _grow(self, used: int, size: int) -> None:
        if size > len(self.offsets):
            capacity = size + size // 4
            offsets = np.zeros(capacity, dtype=np.int32)
            codes = np.zeros((len(self._coded), capacity), dtype=np.int32)
            offsets[:used], codes[:, :used] = self.offsets[:used], self.codes[:, :used]
            self.offsets, self.codes = offsets, codes
        self.offsets[used:size] = self._arena.new_rows(size - used, self.layout.length)

    def _store(self, first: int, sums: DoubleArray) -> None:
        """Store sums as the rows from `first` on."""
        store_rows(sums, int(self.offsets[first]), self._arena.scores, self.largest)


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
