"""Sums of the embeddings of each token's features, from rows of distinct strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from multideid.arrays import DoubleArray, FloatArray, LongArray
from multideid.features.extractor import FeatureExtractor
from multideid.features.templates import Bag, Template
from multideid.features.views import Column, SetColumn, SetView, View
from multideid.fork_locks import ForkLock
from multideid.text.table import TokenTable

_Key = str | tuple[str, ...]
_UNKNOWN = -1
_MOST_ROWS = 20_000
_BATCH = 1024
"""Strings whose float64 sums are in memory at once."""


class EmbeddingSums:
    """Sums of embeddings; those of the features of one string are added only once.

    A row is summed in float64 and rounded once, and rows are added in a fixed order, so that
    a token's sum does not depend on the batch. Threads take turns.

    Parameters
    ----------
    extractor : FeatureExtractor
        Fitted, with templates of one view of the token itself.
    embeddings : float32 array, shape (n_features, width)
    """

    def __init__(self, extractor: FeatureExtractor, embeddings: FloatArray) -> None:
        self._width = embeddings.shape[1]
        groups: dict[View | SetView, list[_Features]] = {}
        for number, template in enumerate(extractor.templates):
            source = _source(template)
            groups.setdefault(source, []).append(_Features(extractor, number, template))
        self._rows = {source: _Rows(group, embeddings) for source, group in groups.items()}
        self._lock = ForkLock()

    def of(self, table: TokenTable) -> FloatArray:
        """Return the sum of each token, shape (n_tokens, width)."""
        sums = np.zeros((len(table), self._width), dtype=np.float32)
        if not len(table):
            return sums
        for source, rows in self._rows.items():
            column = source.column(table)
            with self._lock:
                sums += rows.of_tokens(column)
        return sums


def _source(template: Template) -> View | SetView:
    """Return the view whose string, or set of strings, determines a template's features."""
    (view,) = template.views
    assert template.offsets == (0,)
    return view if view.source is None else view.source


class _Features:
    """The features that a template makes of a string, or of a set of strings.

    Parameters
    ----------
    extractor : FeatureExtractor
    number : int
        Index of the template.
    template : Template
    """

    def __init__(self, extractor: FeatureExtractor, number: int, template: Template) -> None:
        (view,) = template.views
        self._is_set = isinstance(template, Bag)
        self._function: Callable[[Any], Any] = view.function
        if self._is_set and view.source is None:
            self._function = _itself
        self._index_of = extractor.vocabularies_[view.name]
        keys = extractor.keys_[number]
        # An unknown value has the index -1, which finds the last element.
        self._feature = np.full(len(self._index_of) + 2, _UNKNOWN, dtype=np.int64)
        self._feature[keys] = extractor.first_[number] + np.arange(len(keys))

    def of(self, strings: Sequence[_Key]) -> tuple[LongArray, LongArray]:
        """Return the index of each feature's string, and the feature, -1 for none."""
        values = map(self._function, strings)
        if not self._is_set:
            return np.arange(len(strings)), self._of_values(list(values))
        sets = [set(members) for members in values]
        owner = np.repeat(np.arange(len(sets)), [len(members) for members in sets])
        return owner, self._of_values([value for members in sets for value in members])

    def _of_values(self, values: Sequence[str]) -> LongArray:
        pairs = map(self._index_of.get, values, repeat(_UNKNOWN))
        return self._feature[np.fromiter(pairs, dtype=np.int64, count=len(values))]


class _Rows:
    """The sums of the embeddings of the strings or sets seen so far."""

    def __init__(self, features: Sequence[_Features], embeddings: FloatArray) -> None:
        self._features, self._embeddings = features, embeddings
        self._number: dict[_Key, int] = {}
        self._rows: FloatArray = np.zeros((0, embeddings.shape[1]), dtype=np.float32)

    def of_tokens(self, column: Column | SetColumn) -> FloatArray:
        """Return the row of each token, shape (n_tokens, width)."""
        codes = column.rows if isinstance(column, SetColumn) else column.codes
        used = np.flatnonzero(np.bincount(codes))
        if len(self._number) > _MOST_ROWS:
            self._clear()
        number = np.empty(int(used[-1]) + 1, dtype=np.int64)
        number[used] = self._numbers(_keys(column, used))
        return self._rows.take(number.take(codes), axis=0)

    def _numbers(self, keys: list[_Key]) -> LongArray:
        numbers = self._known(keys)
        if numbers.min() == _UNKNOWN:
            # A column may have a name twice: chunks without their punctuation are alike.
            new = list(dict.fromkeys(keys[n] for n in np.flatnonzero(numbers == _UNKNOWN).tolist()))
            for first in range(0, len(new), _BATCH):
                self._add(new[first : first + _BATCH])
            numbers = self._known(keys)
        return numbers

    def _known(self, keys: list[_Key]) -> LongArray:
        numbers = map(self._number.get, keys, repeat(_UNKNOWN))
        return np.fromiter(numbers, dtype=np.int64, count=len(keys))

    def _add(self, new: list[_Key]) -> None:
        first = len(self._number)
        if first + len(new) > len(self._rows):
            more = np.empty((first + 2 * len(new), self._rows.shape[1]), dtype=np.float32)
            more[:first] = self._rows[:first]
            self._rows = more
        self._rows[first : first + len(new)] = self._sums(new)
        self._number.update(zip(new, range(first, first + len(new)), strict=True))

    def _sums(self, keys: list[_Key]) -> DoubleArray:
        found = [features.of(keys) for features in self._features]
        owner = np.concatenate([part for part, _ in found])
        feature = np.concatenate([part for _, part in found])
        known = feature != _UNKNOWN
        order = np.argsort(owner[known], kind="stable")
        owner, feature = owner[known][order], feature[known][order]
        sums = np.zeros((len(keys), self._rows.shape[1]))
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        if len(starts):
            # Sums in float64 are exact: embeddings have 8 bits, at scales that hardly differ.
            rows = self._embeddings[feature].astype(np.float64)
            sums[owner[starts]] = np.add.reduceat(rows, starts, axis=0)
        return sums

    def _clear(self) -> None:
        self._number.clear()
        self._rows = np.zeros((0, self._embeddings.shape[1]), dtype=np.float32)


def _keys(column: Column | SetColumn, used: LongArray) -> list[_Key]:
    """Return the strings of some codes, or the sets of some rows."""
    names = column.names
    if isinstance(column, Column):
        return [names[n] for n in used.tolist()]
    members, bounds = column.indices.tolist(), column.indptr.tolist()
    return [
        tuple(sorted(names[m] for m in members[bounds[n] : bounds[n + 1]])) for n in used.tolist()
    ]


def _itself(values: tuple[str, ...]) -> tuple[str, ...]:
    return values
