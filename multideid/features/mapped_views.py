"""Views of a table as indices of the values that training has seen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import IntArray, IntegerArray, LongArray
from multideid.csr import Csr
from multideid.features.packed_keys import factor_of
from multideid.features.templates import Bag, Conjunction, Window
from multideid.features.views import SetColumn, SetView, View, shift

if TYPE_CHECKING:
    from multideid.text.table import TokenTable

UNKNOWN = -1
"""Index of a value that training has not seen."""
EDGE = 0
"""Index of the value of neighbours outside the document."""


class MappedViews:
    """A table's views as indices into the vocabularies of training.

    Parameters
    ----------
    vocabularies : dict of str to dict
        For each view, the index of each value seen in training, from 1.
    table : TokenTable
    """

    def __init__(self, vocabularies: dict[str, dict[str, int]], table: TokenTable) -> None:
        self._vocabularies = vocabularies
        self._table = table
        self._columns: dict[str, IntArray] = {}
        self._sets: dict[str, tuple[IntArray, Csr]] = {}

    def values(self, view: View, offset: int) -> IntArray:
        """Return the value of each token's neighbour, `UNKNOWN` or `EDGE`."""
        if view.name not in self._columns:
            column = view.column(self._table)
            known = self._known(view.name, column.names)
            self._columns[view.name] = known[column.codes]
        return shift(self._columns[view.name], self._table.document, offset, EDGE)

    def conjunction(self, template: Conjunction) -> LongArray:
        """Pack the parts into one integer per token, `UNKNOWN` where a value is."""
        packed = np.zeros(len(self._table), dtype=np.int64)
        unknown = np.zeros(len(self._table), dtype=np.bool_)
        for view, offset in template.parts:
            values = self.values(view, offset)
            packed = packed * factor_of(self._vocabularies[view.name]) + values
            unknown |= values == UNKNOWN
        packed[unknown] = UNKNOWN
        return packed

    def window(self, template: Window) -> list[IntArray]:
        """Return one column per offset, with repeated values masked."""
        columns = [self.values(template.view, offset).copy() for offset in template.offsets]
        for n, column in enumerate(columns):
            for earlier in columns[:n]:
                column[column == earlier] = UNKNOWN
        return columns

    def bag(self, view: SetView) -> tuple[IntArray, Csr]:
        """Return each token's row, and a matrix with the indices of the values of each set."""
        if view.name not in self._sets:
            column = view.column(self._table)
            known = self._known(view.name, column.names)
            self._sets[view.name] = (column.rows, _known_sets(column, known))
        return self._sets[view.name]

    def bag_rows(self, template: Bag) -> IntArray:
        """Return the row of each token's neighbour, the last (empty) row outside the document."""
        rows, sets = self.bag(template.view)
        return shift(rows, self._table.document, template.offset, sets.shape[0] - 1)

    def _known(self, view: str, names: Sequence[str]) -> IntArray:
        known = map(self._vocabularies[view].get, names, repeat(UNKNOWN))
        return np.fromiter(known, dtype=np.int32, count=len(names))


def seen_values(view: View | SetView, table: TokenTable) -> dict[str, int]:
    """Return the index of each value of a view that occurs in a table, from 1."""
    column = view.column(table)
    if isinstance(column, SetColumn):
        used = np.zeros(len(column.indptr) - 1, dtype=np.bool_)
        used[column.rows] = True
        seen = np.unique(column.indices[np.repeat(used, np.diff(column.indptr))])
    else:
        seen = np.unique(column.codes)
    # Neighbours in a sorted vocabulary have much in common, so that it is stored in few bytes.
    return {value: n for n, value in enumerate(sorted(column.names[c] for c in seen.tolist()), 1)}


def _known_sets(column: SetColumn, known: IntArray) -> Csr:
    """Return the sets of known values; the last is empty, for neighbours outside the document."""
    indptr = np.append(column.indptr, len(column.indices))
    return known_only(known[column.indices], indptr, int(known.max(initial=0)) + 1)


def known_only(values: IntArray, indptr: IntegerArray, n_columns: int) -> Csr:
    """Return sets without their unknown values, as rows of a binary matrix."""
    keep = values != UNKNOWN
    kept_before = np.concatenate([[0], np.cumsum(keep)])
    return Csr.of_ones(values[keep], kept_before[indptr].astype(np.int32), n_columns)
