"""A table's strings and sets, ready to push their rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from multideid.features.evidence import Elsewhere
from multideid.features.views import SetView, Strings, shift
from multideid.learners.compiled.pushing import Block, push_elsewhere, push_rows
from multideid.learners.compiled.recurring import recurring
from multideid.learners.compiled.strings import StringRows
from multideid.learners.compiled.tape import rows_of_cells
from multideid.text.table import TokenTable

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]

_NOT_YET = -1


class StringSource:
    """One string for each token of a table, and the rows of those strings.

    Parameters
    ----------
    rows : StringRows
    strings : Strings
    table : TokenTable
    """

    def __init__(self, rows: StringRows, strings: Strings, table: TokenTable) -> None:
        column = strings.column(table)
        self._rows, self._codes, self._names = rows, column.codes, column.names
        self._row_of = np.zeros(0, dtype=np.int32)
        self._age = 0

    def prepare(self, first: int, stop: int) -> None:
        """Have the rows of the strings of tokens ``first:stop``."""
        self._rows.forget_if_full()
        if self._age != self._rows.age:
            self._age = self._rows.age
            self._row_of = self._rows.known(self._names)
            self._complete = not (self._row_of == _NOT_YET).any()
        if not self._complete:
            self._add(self._codes[first:stop])

    def _add(self, codes: IntArray) -> None:
        """Have the rows of strings that are met for the first time."""
        wanted = np.zeros(len(self._names), dtype=np.bool_)
        wanted[codes] = True
        new = np.flatnonzero(wanted & (self._row_of == _NOT_YET))
        self._row_of[new] = self._rows.rows_of([self._names[n] for n in new.tolist()])

    def rows_at(self, tokens: IntArray) -> IntArray:
        """Return the rows of the tokens in some cells, that of a blank one for -1."""
        found = np.empty(len(tokens), dtype=np.int32)
        rows_of_cells(tokens, self._codes, self._row_of, found)
        return found

    def push(self, rows: IntArray, block: Block, scores: FloatArray) -> None:
        """Add what `rows_at` found for the cells of a block."""
        if len(self._rows.table.target):
            push_rows(rows, self._rows.table, block, scores)

    def codes_at(self, column: int, rows: IntArray, found: IntArray) -> None:
        """Fill in a view's values for what `rows_at` found."""
        np.take(self._rows.codes[column], rows, out=found, mode="clip")


class SetSource:
    """One set of values for each token of a table, and the summed rows of those values.

    Parameters
    ----------
    rows : StringRows
        One for each value.
    view : SetView
        Of few different sets, such as those of word lists.
    table : TokenTable
    """

    def __init__(self, rows: StringRows, view: SetView, table: TokenTable) -> None:
        column = view.column(table)
        rows.forget_if_full()
        members = rows.rows_of(column.names)[column.indices]
        self._which = column.rows
        self._sets = rows.table._replace(rows=_sums(rows.table.rows, members, column.indptr))

    def push(self, tokens: IntArray, block: Block, scores: FloatArray) -> None:
        """Add the rows of the sets of the tokens in a block's cells, -1 for none."""
        which = np.where(tokens >= 0, self._which[tokens], np.int32(-1))
        push_rows(which, self._sets, block, scores)


def _sums(rows: FloatArray, members: IntArray, begins: npt.NDArray[np.int64]) -> FloatArray:
    """Return the sums of some rows, set by set."""
    ones = np.ones(len(members))
    sets = sparse.csr_matrix((ones, members, begins), shape=(len(begins) - 1, len(rows)))
    return np.asarray(sets @ rows)


class ElsewhereSource:
    """What stands beside the other occurrences of each token's word, and its rows."""

    def __init__(self, rows: StringRows, view: Elsewhere, table: TokenTable) -> None:
        column = view.what.column(table)
        rows.forget_if_full()
        row_of = rows.rows_of(column.names)
        row_of[~rows.table.rows[row_of].any(axis=1)] = -1
        beside = shift(row_of[column.codes], table.document, view.beside, -1)
        self._recurring = recurring(table, beside)
        self._table = rows.table

    def push(self, tokens: IntArray, block: Block, scores: FloatArray) -> None:
        """Add the rows for the tokens in a block's cells, -1 for none."""
        push_elsewhere(tokens, self._recurring, self._table, block, scores)


def set_source(rows: StringRows, view: SetView, table: TokenTable) -> SetSource | ElsewhereSource:
    """Return the sets of a view of a table."""
    if isinstance(view, Elsewhere):
        return ElsewhereSource(rows, view, table)
    return SetSource(rows, view, table)
