"""Headings of columns in worksheets, which may be in any row.

Titles stand above headings, and tables below other tables. A text that names an
identifier is a heading if it is the first text in its column, or if its row looks
like one of headings; the column is of that class until the next heading or form.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from multideid.corpora.identifier_names import heading_label
from multideid.corpora.structured.xlsx_forms import Forms
from multideid.corpora.structured.xlsx_labels import (
    LONGEST,
    NO_HEADING,
    OF_LETTERS,
    Heading,
    may_be_beside,
    name_in,
    text_of,
)

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_FEWEST = 2  # Names of identifiers in a row that surely make it one of headings.
_LONGEST_TITLE = 10  # Rows above the headings of a table.
_LOOK_AHEAD = 3  # Values.


def headed_cells(sheet: Worksheet) -> Iterator[tuple[Any, Heading]]:
    """Yield each cell of a sheet, row by row, with the heading above or the label beside it."""
    cells = [cell for _, cell in sorted(sheet._cells.items())]
    filled = [cell for cell in cells if cell.value is not None]
    forms = Forms(filled)
    columns = _Columns([c for c in filled if (c.row, c.column) not in forms.headings])
    for row, of_row in groupby(cells, key=lambda cell: cell.row):
        columns.end(forms.begins.get(row, ()))
        columns.enter(row)
        for cell in of_row:
            label = forms.headings.get((row, cell.column))
            yield cell, columns.heading_of(cell.column) if label is None else label


class _Columns:
    """The columns of a sheet, and their headings at a row.

    Parameters
    ----------
    cells : sequence of Cell
        Those with content that are in no form, row by row.
    """

    def __init__(self, cells: Sequence[Any]) -> None:
        self._cells: dict[int, list[Any]] = {}
        for cell in cells:
            self._cells.setdefault(cell.column, []).append(cell)
        self._rows = {row: list(line) for row, line in groupby(cells, key=lambda c: c.row)}
        self._headings: dict[int, Heading] = {}
        self._here: dict[int, Heading] = {}
        self._with_text: set[int] = set()
        self._block = self._last = 0

    def heading_of(self, column: int) -> Heading:
        """Return the heading of a column's cell in the row that was entered last."""
        return NO_HEADING if column in self._here else self._headings.get(column, NO_HEADING)

    def end(self, columns: Iterable[int]) -> None:
        """End the headings of columns, in the row that is entered next."""
        for column in columns:
            self._headings.pop(column, None)
            self._here.pop(column, None)

    def enter(self, row: int) -> None:
        """Go on to the next row."""
        self._headings.update(self._here)
        filled = self._rows.get(row, [])
        texts = {cell.column: text for cell in filled if (text := text_of(cell))}
        if filled and row != self._last + 1:
            self._block = row
        self._last = row if filled else self._last
        self._here = dict(self._found(row, filled, texts))
        self._with_text.update(texts)

    def _found(
        self, row: int, cells: Sequence[Any], texts: dict[int, str]
    ) -> Iterator[tuple[int, Heading]]:
        """Yield the headings in a row, by their columns."""
        named = {column: name for column, text in texts.items() if (name := name_in(text))}
        may_be = {column for column, heading in named.items() if self._may_follow(column, heading)}
        is_row = all(map(may_be_beside, cells))
        is_sure = is_row and len(may_be) >= _FEWEST
        is_likely = is_row and self._is_likely(row, texts, may_be)
        for column, heading in named.items():
            is_known = column not in self._with_text or heading == self._headings.get(column)
            is_next = column in may_be and (is_sure or (is_likely and column not in self._headings))
            if is_known or (is_next and self._is_above_values(row, column, heading, is_sure)):
                yield column, heading

    def _may_follow(self, column: int, heading: Heading) -> bool:
        """Return whether a text may be a heading, and no value: Mercy Hospital is a hospital."""
        above = self._headings.get(column, NO_HEADING)
        return heading == above or heading.label != above.label

    def _is_likely(self, row: int, texts: dict[int, str], may_be: set[int]) -> bool:
        """Return whether a row with one name of an identifier is more likely one of headings."""
        has_values = any(column in self._headings for column in texts.keys() - may_be)
        is_short = all(len(text) <= LONGEST for text in texts.values())
        return is_short and not has_values and row - self._block <= _LONGEST_TITLE

    def _is_above_values(self, row: int, column: int, heading: Heading, is_sure: bool) -> bool:
        """Return whether what is below may be values, and not the next item of a form."""
        cells = self._cells[column]
        first = bisect_right(cells, row, key=lambda cell: cell.row)
        below = [text_of(cell) or str(cell.value) for cell in cells[first : first + _LOOK_AHEAD]]
        if not below or heading_label(below[0]) not in (None, heading.label):
            return False
        has_digits = any(map(str.isdigit, "".join(below)))
        return is_sure or has_digits or heading.label in OF_LETTERS
