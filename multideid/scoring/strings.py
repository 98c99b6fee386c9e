"""What each distinct string adds to the scores around it, worked out once and kept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, repeat

import numpy as np

from multideid.arrays import DoubleArray, IntArray, LongArray
from multideid.features.templates import Bag, Conjunction
from multideid.features.views import SetColumn, SetView, View
from multideid.scoring.linear_part import Use
from multideid.scoring.quantized_weights import Weights, add_weights
from multideid.scoring.row_arena import NOTHING, Layout, Pool, places_of

_UNKNOWN = -1
_AT_ONCE = 1024
"""Strings of which the sums are in float64 for a while."""


class StringRows:
    """Rows of label scores, one for each string met so far.

    A row holds, for each offset at which some part has features of the string,
    the summed weights of those features. The first row is that of a blank cell.

    Parameters
    ----------
    uses : sequence of Use
        Templates that follow from one string at one offset.
    pool : Pool
        Where the rows are.

    Attributes
    ----------
    layout : Layout
        Of a row.
    places : int32 array, shape (n_rows or more,)
        Each row's place in the pool.
    codes : int32 array, shape (n_columns, n_rows or more)
        Values of views for each string, as numbered in training; -1 if unknown.
    greatest : float64 array, shape (length of a row,)
        The greatest absolute value of all rows in each place.
    """

    def __init__(self, uses: Sequence[Use], pool: Pool) -> None:
        self._uses = list(uses)
        self._pool = pool
        self._coded: list[tuple[View, dict[str, int]]] = []
        self._index: dict[str, int] = {}
        self.layout = Layout.of(self._uses)

    def __len__(self) -> int:
        return len(self._index)

    def column_of(self, view: View, vocabulary: dict[str, int]) -> int:
        """Return the row of `codes` with a view's values; ask before any string is added."""
        for n, (known, words) in enumerate(self._coded):
            if known == view and (words is vocabulary or words == vocabulary):
                return n
        self._coded.append((view, vocabulary))
        return len(self._coded) - 1

    def begin(self) -> None:
        """Begin with the row of a blank cell alone, as when the pool has forgotten the rest."""
        self._index.clear()
        self.places = np.zeros(0, dtype=np.int32)
        self.codes = np.zeros((len(self._coded), 0), dtype=np.int32)
        self.greatest = np.zeros(self.layout.length)
        self._make_room(0, 1)
        blank = np.zeros(1, dtype=np.int64)
        sums = np.zeros((1, self.layout.length))
        for use in self._uses:
            if isinstance(use.template, Conjunction):
                self._add_features(use, blank, use.features(blank), sums)
        self._keep(0, sums)

    def rows_of(self, strings: Sequence[str]) -> IntArray:
        """Return the row of each string."""
        index = self._index
        new = [s for s in strings if s not in index]
        if new:
            new = list(dict.fromkeys(new))
            for first in range(0, len(new), _AT_ONCE):
                self._add(new[first : first + _AT_ONCE])
        return np.fromiter(map(index.__getitem__, strings), dtype=np.int32, count=len(strings))

    def known(self, strings: Sequence[str]) -> IntArray:
        """Return the row of each string, -1 for one not met yet."""
        pairs = map(self._index.get, strings, repeat(_UNKNOWN))
        return np.fromiter(pairs, dtype=np.int32, count=len(strings))

    def filled_places_of(self, strings: Sequence[str]) -> IntArray:
        """Return the place of the row of each string, -1 for one without any weight."""
        rows_of_strings = self.rows_of(strings)
        places = self.places[rows_of_strings]
        rows = self._pool.scores[places[:, None] + np.arange(self.layout.length)]
        return np.where(rows.any(axis=1), places, np.int32(_UNKNOWN))

    def _add(self, strings: list[str]) -> None:
        first = len(self._index) + 1
        self._index.update((s, first + n) for n, s in enumerate(strings))
        self._make_room(first, first + len(strings))
        values = _Values(strings)
        sums = np.zeros((len(strings), self.layout.length))
        for use in self._uses:
            owner, features = values.features(use)
            self._add_features(use, owner, features, sums)
        self._keep(first, sums)
        for n, (view, vocabulary) in enumerate(self._coded):
            self.codes[n, first : first + len(strings)] = values.codes(view, vocabulary)

    def _make_room(self, used: int, size: int) -> None:
        if size > len(self.places):
            room = size + size // 4
            places = np.zeros(room, dtype=np.int32)
            codes = np.zeros((len(self._coded), room), dtype=np.int32)
            places[:used], codes[:, :used] = self.places[:used], self.codes[:, :used]
            self.places, self.codes = places, codes
        self.places[used:size] = self._pool.new_rows(size - used, self.layout.length)

    def _add_features(
        self, use: Use, owner: LongArray, features: LongArray, sums: DoubleArray
    ) -> None:
        begins = (owner * self.layout.length).astype(np.int32)
        for place in places_of(use):
            at = begins + np.int32(self.layout.at[place])
            add_weights(at, features, Weights.of(use.part.weights), sums.reshape(-1))

    def _keep(self, first: int, sums: DoubleArray) -> None:
        """Make sums the rows from `first` on."""
        greatest = np.maximum(sums.max(axis=0), -sums.min(axis=0))
        np.maximum(self.greatest, greatest, out=self.greatest)
        place = int(self.places[first])
        self._pool.scores[place : place + sums.size] = sums.reshape(-1)


class SetRows:
    """Rows of sets of values, each the sum of its values' rows.

    Parameters
    ----------
    values : StringRows
        One row for each value.
    pool : Pool

    Attributes
    ----------
    greatest : float64 array, shape (length of a row,)
        The greatest absolute value of all rows in each place.
    """

    def __init__(self, values: StringRows, pool: Pool) -> None:
        self.values = values
        self.layout = values.layout
        self._pool = pool
        self._place_of: dict[tuple[int, ...], int] = {}
        self.greatest = np.zeros(self.layout.length)

    def __len__(self) -> int:
        return len(self._place_of)

    def begin(self) -> None:
        """Forget all sets and values."""
        self.values.begin()
        self._place_of = {(): NOTHING}
        self.greatest[:] = 0

    def places_of(self, column: SetColumn) -> IntArray:
        """Return the place of the row of each set of a column."""
        members = self.values.rows_of(column.names)[column.indices].tolist()
        bounds = column.indptr.tolist()
        sets = [tuple(members[a:b]) for a, b in pairwise(bounds)]
        self._add([s for s in dict.fromkeys(sets) if s not in self._place_of])
        return np.fromiter(map(self._place_of.__getitem__, sets), dtype=np.int32, count=len(sets))

    def _add(self, sets: list[tuple[int, ...]]) -> None:
        length = self.layout.length
        places = self._pool.new_rows(len(sets), length)
        for members, place in zip(sets, places.tolist(), strict=True):
            rows = self.values.places[list(members)][:, None] + np.arange(length)
            sums = self._pool.scores[rows].sum(axis=0, dtype=np.float64)
            np.maximum(self.greatest, np.abs(sums), out=self.greatest)
            self._pool.scores[place : place + length] = sums
            self._place_of[members] = place


class _Values:
    """The values of views for some strings, each view worked out once."""

    def __init__(self, strings: list[str]) -> None:
        self._strings = strings
        self._values: dict[View, list[str]] = {}
        self._sets: dict[SetView, tuple[LongArray, list[str]]] = {}
        self._codes: dict[tuple[View, int], IntArray] = {}

    def codes(self, view: View, vocabulary: dict[str, int]) -> IntArray:
        """Return the numbers that training gave the view's values."""
        key = (view, id(vocabulary))
        if key not in self._codes:
            if view not in self._values:
                self._values[view] = list(map(view.function, self._strings))
            self._codes[key] = _numbers(self._values[view], vocabulary)
        return self._codes[key]

    def features(self, use: Use) -> tuple[LongArray, LongArray]:
        """Return the index of each feature's string, and the features, -1 for none."""
        if isinstance(use.template, Bag):
            owner, members = self._members(use.template.view)
            packed = _numbers(members, use.part.vocabulary(use.template.view)).astype(np.int64)
        else:
            owner, packed = np.arange(len(self._strings)), self._packed(use)
        # Unknown values, packed as -1, have no feature: the extractor keeps no such key.
        return owner, use.features(packed)

    def _packed(self, use: Use) -> LongArray:
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
