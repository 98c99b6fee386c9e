"""Row offsets of the strings, sets and document-level context of a table's cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multideid.arrays import BoolArray, FloatingArray, IntArray, LongArray
from multideid.features.document_context import DocumentContext
from multideid.features.views import SetView, View
from multideid.scoring.padded_tokens import PADDING, gather_values
from multideid.scoring.row_arena import ZERO_ROW, RowArena
from multideid.scoring.scatter_add import Block, RowTable, scatter_context, word_groups
from multideid.scoring.strings import SetRows, StringRows
from multideid.text.table import TokenTable

_MISSING = _NONE = -1


class StringSource:
    """The rows of a view that has one string per token.

    Parameters
    ----------
    rows : StringRows
    view : View
    table : TokenTable
    """

    def __init__(self, rows: StringRows, view: View, table: TokenTable) -> None:
        column = view.column(table)
        self._rows, self._codes, self._names = rows, column.codes, column.names
        self._row_of = rows.known(self._names)
        self._update()

    def prepare(self, first: int, stop: int) -> None:
        """Make the missing rows of the strings of tokens ``first:stop``."""
        if not self._complete:
            new = np.flatnonzero(self._used(first, stop) & (self._row_of == _MISSING))
            self._row_of[new] = self._rows.rows_of([self._names[n] for n in new.tolist()])
            self._update()

    def _used(self, first: int, stop: int) -> BoolArray:
        used = np.zeros(len(self._names), dtype=np.bool_)
        used[self._codes[first:stop]] = True
        return used

    def _update(self) -> None:
        self._offset_of = self._rows.offsets[self._row_of]
        self._complete = self._row_of.min(initial=0) != _MISSING

    def fill_row_offsets(self, tokens: IntArray, found: IntArray) -> None:
        """Fill the row offsets of the tokens of some cells, -1 for padding."""
        gather_values(tokens, self._codes, self._offset_of, int(self._rows.offsets[0]), found)

    def rows_at(self, tokens: IntArray) -> IntArray:
        """Return the row numbers of the tokens of some cells, -1 for padding."""
        found = np.empty(len(tokens), dtype=np.int32)
        gather_values(tokens, self._codes, self._row_of, PADDING, found)
        return found

    def fill_codes(self, column: int, rows: IntArray, found: IntArray) -> None:
        """Fill a view's values for the rows that `rows_at` returned."""
        np.take(self._rows.codes[column], rows, out=found, mode="clip")


class SetSource:
    """The rows of a view that has one set of values per token.

    Parameters
    ----------
    rows : SetRows
    view : SetView
        With few distinct sets, such as those of word lists.
    table : TokenTable
    """

    def __init__(self, rows: SetRows, view: SetView, table: TokenTable) -> None:
        column = view.column(table)
        self._set_of, self._offset_of = column.rows, rows.offsets_of(column)

    def fill_row_offsets(self, tokens: IntArray, found: IntArray) -> None:
        """Fill the row offsets of the tokens of some cells, -1 for padding."""
        gather_values(tokens, self._set_of, self._offset_of, ZERO_ROW, found)


class ContextSource:
    """The rows of the neighbours of the other occurrences of each token's word.

    Parameters
    ----------
    rows : StringRows
    view : DocumentContext
    table : TokenTable
    width : int
        Scores per cell.
    """

    def __init__(
        self, rows: StringRows, view: DocumentContext, table: TokenTable, width: int
    ) -> None:
        self._rows, self._targets = rows, rows.layout.targets(width)
        column = view.view.column(table)
        self._words = word_groups(table)
        codes = _neighbours(column.codes, table.document, self._words.members, view.offset)
        self._member_rows = self._row_offsets(codes, column.names)

    def _row_offsets(self, codes: IntArray, names: Sequence[str]) -> IntArray:
        """Return the row offset of each code's name, -1 for rows of zeros."""
        # A code of -1 finds the last element.
        offset_of = np.full(len(names) + 1, _NONE, dtype=np.int32)
        used = np.flatnonzero(np.bincount(codes + 1, minlength=len(names) + 1)[1:])
        offset_of[used] = self._rows.nonzero_offsets_of([names[n] for n in used.tolist()])
        return offset_of[codes]

    def scatter(
        self, tokens: IntArray, arena: RowArena, block: Block, scores: FloatingArray
    ) -> None:
        """Add the rows for the tokens of a block's cells, -1 for none."""
        table = RowTable(arena.scores, *self._targets)
        scatter_context(tokens, self._words, self._member_rows, table, block, scores)


def _neighbours(codes: IntArray, document: IntArray, rows: LongArray, offset: int) -> IntArray:
    """Return the codes of the neighbours of some rows, -1 outside the document."""
    there = np.clip(rows + offset, 0, len(codes) - 1)
    inside = (there == rows + offset) & (document[there] == document[rows])
    return np.where(inside, codes[there], np.int32(_NONE))
