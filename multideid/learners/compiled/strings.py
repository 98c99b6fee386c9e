"""What each distinct string adds to the scores around it, worked out once and kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat

import numpy as np
import numpy.typing as npt

from multideid.features.templates import Bag, Conjunction
from multideid.features.views import SetView, View
from multideid.learners.compiled.pushing import RowTable
from multideid.learners.compiled.weights import Weights, add_weights
from multideid.learners.linear_part import Use, offsets_of

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]

_UNKNOWN = -1


class StringRows:
    """Rows of label scores, one for each string met so far.

    A row holds, for each offset at which some part has features of the string,
    the summed weights of those features. The first row is that of a blank cell.

    Parameters
    ----------
    uses : sequence of Use
        Templates that follow from one string at one offset.
    width : int
        Scores a cell, of all parts.
    most : int
        How many strings are kept from one call of `forget_if_full` to the next.

    Attributes
    ----------
    codes : int32 array, shape (n_columns, n_rows or more)
        Values of views for each string, as numbered in training; -1 if unknown.
    age : int
        How often all rows were forgotten.
    """

    def __init__(self, uses: Sequence[Use], width: int, most: int) -> None:
        self._uses = list(uses)
        self._most = most
        self._coded: list[tuple[View, dict[str, int]]] = []
        self._at, self._target, self._length = _places(self._uses, width)
        self.age = 0

    @property
    def table(self) -> RowTable:
        """The rows, which move when strings are added."""
        return RowTable(self._rows, self._target, self._length)

    def column_of(self, view: View, vocabulary: dict[str, int]) -> int:
        """Return the row of `codes` with a view's values; ask before any string is added."""
        for n, (known, words) in enumerate(self._coded):
            if known.name == view.name and (words is vocabulary or words == vocabulary):
                return n
        self._coded.append((view, vocabulary))
        return len(self._coded) - 1

    def forget_if_full(self) -> None:
        """Begin anew where too many strings are known."""
        if not self.age or len(self._index) > self._most:
            self._index: dict[str, int] = {}
            self._rows = np.zeros((1, int(self._length.sum())))
            self.codes = np.zeros((len(self._coded), 1), dtype=np.int32)
            self._add_blank()
            self.age += 1

    def rows_of(self, strings: Sequence[str]) -> IntArray:
        """Return the row of each string."""
        index = self._index
        new = [s for s in strings if s not in index]
        if new:
            self._add(list(dict.fromkeys(new)))
        return np.fromiter(map(index.__getitem__, strings), dtype=np.int32, count=len(strings))

    def known(self, strings: Sequence[str]) -> IntArray:
        """Return the row of each string, -1 for one not met yet."""
        pairs = map(self._index.get, strings, repeat(_UNKNOWN))
        return np.fromiter(pairs, dtype=np.int32, count=len(strings))

    def _add_blank(self) -> None:
        row = np.zeros(1, dtype=np.int64)
        for use in self._uses:
            if isinstance(use.template, Conjunction):
                self._add_features(use, row, use.features(row))

    def _add(self, strings: list[str]) -> None:
        first = len(self._index) + 1
        self._index.update((s, first + n) for n, s in enumerate(strings))
        self._make_room(first + len(strings))
        values = _Values(strings)
        for use in self._uses:
            owner, features = values.features(use)
            self._add_features(use, owner + first, features)
        for n, (view, vocabulary) in enumerate(self._coded):
            self.codes[n, first : first + len(strings)] = values.codes(view, vocabulary)

    def _make_room(self, size: int) -> None:
        used = len(self._rows)
        if size > used:
            room = size + size // 4
            rows = np.zeros((room, self._rows.shape[1]))
            codes = np.zeros((len(self._coded), room), dtype=np.int32)
            rows[:used], codes[:, :used] = self._rows, self.codes
            self._rows, self.codes = rows, codes

    def _add_features(self, use: Use, rows: LongArray, features: LongArray) -> None:
        at = self._at[use.begin, offsets_of(use.template)[0]]
        add_weights(rows, features, at, Weights.of(use.part.weights), self._rows)


def _places(
    uses: Iterable[Use], width: int
) -> tuple[dict[tuple[int, int], int], LongArray, LongArray]:
    """Give each part and offset its place in a row, neighbours side by side.

    Returns
    -------
    at : dict of (begin of the part, offset) to int
    target, length : int64 arrays
        As of `RowTable`.
    """
    lengths = {(use.begin, offsets_of(use.template)[0]): use.part.n_labels for use in uses}
    at: dict[tuple[int, int], int] = {}
    target: list[int] = []
    length: list[int] = []
    for begin, offset in sorted(lengths, key=lambda place: (-place[1], place[0])):
        at[begin, offset] = sum(length)
        here = begin - offset * width
        if target and target[-1] + length[-1] == here:
            length[-1] += lengths[begin, offset]
        else:
            target.append(here)
            length.append(lengths[begin, offset])
    return at, np.array(target, dtype=np.int64), np.array(length, dtype=np.int64)


class _Values:
    """The values of views for some strings, each view worked out once."""

    def __init__(self, strings: list[str]) -> None:
        self._strings = strings
        self._values: dict[str, list[str]] = {}
        self._sets: dict[str, tuple[LongArray, list[str]]] = {}
        self._codes: dict[tuple[str, int], IntArray] = {}

    def codes(self, view: View, vocabulary: dict[str, int]) -> IntArray:
        """Return the numbers that training gave the view's values."""
        key = (view.name, id(vocabulary))
        if key not in self._codes:
            if view.name not in self._values:
                self._values[view.name] = list(map(view.function, self._strings))
            self._codes[key] = _numbers(self._values[view.name], vocabulary)
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
        assert isinstance(use.template, Conjunction)
        for view, _ in use.template.parts:
            codes = self.codes(view, use.part.vocabulary(view))
            packed = packed * use.part.factor(view) + codes
            unknown |= codes == _UNKNOWN
        packed[unknown] = _UNKNOWN
        return packed

    def _members(self, view: SetView) -> tuple[LongArray, list[str]]:
        if view.name not in self._sets:
            sets = [set(view.function(s)) for s in self._strings]
            sizes = np.fromiter(map(len, sets), dtype=np.int64, count=len(sets))
            owner = np.repeat(np.arange(len(sets)), sizes)
            self._sets[view.name] = (owner, [member for s in sets for member in s])
        return self._sets[view.name]


def _numbers(values: Sequence[str], vocabulary: dict[str, int]) -> IntArray:
    pairs = map(vocabulary.get, values, repeat(_UNKNOWN))
    return np.fromiter(pairs, dtype=np.int32, count=len(values))
