"""Headings of columns in worksheets, which may be in any row.

Titles stand above headings, and tables below other tables. A text that names an
identifier is a heading if it is the first text in its column, or if its row looks
like one of headings; the column is of that class until the next heading.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from multideid.corpora.identifier_names import heading_label, value_label

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_LONGEST = 100  # Characters; longer texts are notes, and in no row of headings.
_FEWEST = 2  # Names of identifiers in a row that surely make it one of headings.
_LONGEST_TITLE = 10  # Rows above the headings of a table.
_YEARS = range(1900, 2100)
_LOOK_AHEAD = 3  # Values.
_OF_LETTERS = frozenset("PATIENT DOCTOR NAME USERNAME HOSPITAL CITY STREET EMAIL".split())


class Heading(NamedTuple):
    """A heading: its text, and the PHI class that it names."""

    name: str
    label: str

    def label_of(self, value: object) -> str:
        """Return the class of a value below the heading; it depends on the value for ages."""
        return (self.name and value_label(self.name, str(value))) or ""


NO_HEADING = Heading("", "")
"""That of columns of other things, and of headings themselves."""


def headed_cells(sheet: Worksheet) -> Iterator[tuple[Any, Heading]]:
    """Yield each cell of a sheet, row by row, with the heading that it is below."""
    columns = _Columns(sheet)
    for row, cells in groupby(_cells(sheet), key=lambda cell: cell.row):
        line = list(cells)
        columns.enter(row, line)
        for cell in line:
            yield cell, columns.heading_of(cell.column)


def _cells(sheet: Worksheet) -> list[Any]:
    return [cell for _, cell in sorted(sheet._cells.items())]


class _Columns:
    """The columns of a sheet, and their headings at a row.

    Parameters
    ----------
    sheet : Worksheet
    """

    def __init__(self, sheet: Worksheet) -> None:
        self._cells: dict[int, list[Any]] = {}
        for cell in _cells(sheet):
            if cell.value is not None:
                self._cells.setdefault(cell.column, []).append(cell)
        self._headings: dict[int, Heading] = {}
        self._here: dict[int, Heading] = {}
        self._with_text: set[int] = set()
        self._block = self._last = 0

    def heading_of(self, column: int) -> Heading:
        """Return the heading of a column's cell in the row that was entered last."""
        return NO_HEADING if column in self._here else self._headings.get(column, NO_HEADING)

    def enter(self, row: int, cells: Sequence[Any]) -> None:
        """Go on to the next row."""
        self._headings.update(self._here)
        filled = [cell for cell in cells if cell.value is not None]
        texts = {cell.column: text for cell in filled if (text := _text_of(cell))}
        if filled and row != self._last + 1:
            self._block = row
        self._last = row if filled else self._last
        self._here = dict(self._found(row, filled, texts))
        self._with_text.update(texts)

    def _found(
        self, row: int, cells: Sequence[Any], texts: dict[int, str]
    ) -> Iterator[tuple[int, Heading]]:
        """Yield the headings in a row, by their columns."""
        named = {
            column: Heading(text, label)
            for column, text in texts.items()
            if len(text) <= _LONGEST and (label := heading_label(text))
        }
        may_be = {column for column, heading in named.items() if self._may_follow(column, heading)}
        is_row = all(map(_may_be_beside, cells))
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
        is_short = all(len(text) <= _LONGEST for text in texts.values())
        return is_short and not has_values and row - self._block <= _LONGEST_TITLE

    def _is_above_values(self, row: int, column: int, heading: Heading, is_sure: bool) -> bool:
        """Return whether what is below may be values, and not the next item of a form."""
        cells = self._cells[column]
        first = bisect_right(cells, row, key=lambda cell: cell.row)
        below = [_text_of(cell) or str(cell.value) for cell in cells[first : first + _LOOK_AHEAD]]
        if not below or heading_label(below[0]) not in (None, heading.label):
            return False
        has_digits = any(map(str.isdigit, "".join(below)))
        return is_sure or has_digits or heading.label in _OF_LETTERS


def _text_of(cell: Any) -> str:
    """Return the text of a cell, also of one in several styles; none for formulas."""
    value = cell.value
    if isinstance(value, list):
        return str(value).strip()
    is_text = isinstance(value, str) and cell.data_type not in ("f", "e")
    return value.strip() if is_text else ""


def _may_be_beside(cell: Any) -> bool:
    """Return whether a cell may be in a row of headings: texts, formulas and years may."""
    if isinstance(cell.value, int) and not isinstance(cell.value, bool):
        return cell.value in _YEARS
    return isinstance(cell.value, str | list) or cell.data_type == "f"
