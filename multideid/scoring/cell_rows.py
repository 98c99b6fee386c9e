"""A table's strings and sets: the places of their rows for the cells of a tape."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multideid.arrays import FloatingArray, IntArray, LongArray
from multideid.features.document_context import DocumentContext
from multideid.features.views import SetView, View
from multideid.scoring.padded_tokens import BLANK, values_of_cells
from multideid.scoring.recurring import recurring
from multideid.scoring.row_arena import NOTHING, Pool
from multideid.scoring.scatter_add import Block, Recurring, RowTable, push_elsewhere
from multideid.scoring.strings import SetRows, StringRows
from multideid.text.table import TokenTable

_NOT_YET = _NONE = -1


class StringSource:
    """One string for each token of a table, and the rows of those strings.

    Parameters
    ----------
    rows : StringRows
    source : View
    table : TokenTable
    """

    def __init__(self, rows: StringRows, source: View, table: TokenTable) -> None:
        column = source.column(table)
        self._rows, self._codes, self._names = rows, column.codes, column.names
        self._row_of = rows.known(self._names)
        self._settle()

    def prepare(self, first: int, stop: int) -> None:
        """Have the rows of the strings of tokens ``first:stop``."""
        if not self._complete:
            wanted = np.zeros(len(self._names), dtype=np.bool_)
            wanted[self._codes[first:stop]] = True
            new = np.flatnonzero(wanted & (self._row_of == _NOT_YET))
            self._row_of[new] = self._rows.rows_of([self._names[n] for n in new.tolist()])
            self._settle()

    def _settle(self) -> None:
        self._place_of = self._rows.places[self._row_of]
        self._complete = not (self._row_of == _NOT_YET).any()

    def places_at(self, tokens: IntArray, found: IntArray) -> None:
        """Fill in the places of the rows of the tokens in some cells, -1 for a blank one."""
        values_of_cells(tokens, self._codes, self._place_of, int(self._rows.places[0]), found)

    def rows_at(self, tokens: IntArray) -> IntArray:
        """Return the rows of the tokens in some cells, that of a blank one for -1."""
        found = np.empty(len(tokens), dtype=np.int32)
        values_of_cells(tokens, self._codes, self._row_of, BLANK, found)
        return found

    def codes_at(self, column: int, rows: IntArray, found: IntArray) -> None:
        """Fill in a view's values for what `rows_at` found."""
        np.take(self._rows.codes[column], rows, out=found, mode="clip")


class SetSource:
    """One set of values for each token of a table, and the rows of those sets.

    Parameters
    ----------
    rows : SetRows
    view : SetView
        Of few different sets, such as those of word lists.
    table : TokenTable
    """

    def __init__(self, rows: SetRows, view: SetView, table: TokenTable) -> None:
        column = view.column(table)
        self._which, self._place_of = column.rows, rows.places_of(column)

    def places_at(self, tokens: IntArray, found: IntArray) -> None:
        """Fill in the places of the rows of the tokens in some cells, -1 for a blank one."""
        values_of_cells(tokens, self._which, self._place_of, NOTHING, found)


class ElsewhereSource:
    """What stands beside the other occurrences of each token's word, and its rows.

    Parameters
    ----------
    rows : StringRows
    view : DocumentContext
    table : TokenTable
    width : int
        Scores a cell.
    """

    def __init__(
        self, rows: StringRows, view: DocumentContext, table: TokenTable, width: int
    ) -> None:
        self._rows, self._targets = rows, rows.layout.targets(width)
        column = view.view.column(table)
        words = recurring(table)
        codes = _beside(column.codes, table.document, words.members, view.offset)
        self._recurring = Recurring(*words, self._places_of(codes, column.names))

    def _places_of(self, codes: IntArray, names: Sequence[str]) -> IntArray:
        """Return the place of the row of each code's name, -1 where that has no weight."""
        # The last one is found by a code of -1.
        place_of = np.full(len(names) + 1, _NONE, dtype=np.int32)
        used = np.flatnonzero(np.bincount(codes + 1, minlength=len(names) + 1)[1:])
        place_of[used] = self._rows.filled_places_of([names[n] for n in used.tolist()])
        return place_of[codes]

    def push(self, tokens: IntArray, pool: Pool, block: Block, scores: FloatingArray) -> None:
        """Add the rows for the tokens in a block's cells, -1 for none."""
        table = RowTable(pool.scores, *self._targets)
        push_elsewhere(tokens, self._recurring, table, block, scores)


def _beside(codes: IntArray, document: IntArray, rows: LongArray, offset: int) -> IntArray:
    """Return the codes of the neighbours of some rows, -1 beyond the document."""
    there = np.clip(rows + offset, 0, len(codes) - 1)
    inside = (there == rows + offset) & (document[there] == document[rows])
    return np.where(inside, codes[there], np.int32(_NONE))
