"""Exchange the cells of one column of a CSV file and leave every other byte.

The usual readers and writers keep what the cells say, but not how they were
quoted or which line ends stood between the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


class TableError(Exception):
    """What is wrong with a table, in words that hold none of its text."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as it stands in the file: its quotes included.

    Parameters
    ----------
    start, end : int
        Half-open character offsets in the file's text.
    """

    start: int
    end: int


def column_cells(text: str, delimiter: str, column: str) -> list[Cell]:
    """Find the cells of a column, from the first row below the header on.

    Parameters
    ----------
    text : str
        The file's text, without a byte order mark.
    delimiter : str
        One character.
    column : str
        As the header names it.

    Raises
    ------
    TableError
        If there is no such column or more than one, a row has more or fewer
        cells than the header, or quotes are not in pairs; names the row,
        counted from 1 below the header.
    """
    rows = _rows(text, delimiter)
    header = next(rows, [])
    place = _place([cell_text(text, cell) for cell in header], column)
    found = []
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise TableError(f"row {number} has {len(row)} cells, the header {len(header)}")
        found.append(row[place])
    return found


def cell_text(text: str, cell: Cell) -> str:
    """Return what a cell says."""
    raw = text[cell.start : cell.end]
    return raw[1:-1].replace('""', '"') if raw.startswith('"') else raw


def exchange(text: str, cells: Sequence[Cell], contents: Sequence[str], delimiter: str) -> str:
    """Return the file's text with other contents in the cells.

    Cells whose content stays the same are left as they are.
    """
    pieces, done = [], 0
    for cell, content in zip(cells, contents, strict=True):
        if content != cell_text(text, cell):
            pieces += [text[done : cell.start], _quoted(content, delimiter)]
            done = cell.end
    return "".join([*pieces, text[done:]])


def _place(names: Sequence[str], column: str) -> int:
    # The names are not listed: a table without a header has text for names.
    if column not in names:
        raise TableError(f"no column {column!r} among its {len(names)}; name one with --column")
    if names.count(column) > 1:
        raise TableError(f"more than one column {column!r}")
    return names.index(column)


def _quoted(content: str, delimiter: str) -> str:
    # An empty cell is quoted, for a row of it alone would be a blank line.
    if content and not any(c in content for c in (delimiter, '"', "\r", "\n")):
        return content
    return '"' + content.replace('"', '""') + '"'


def _rows(text: str, delimiter: str) -> Iterator[list[Cell]]:
    """Yield the cells of each row; blank lines between rows are no rows."""
    # Possessive, so that quotes without a partner cost no second look.
    d = re.escape(delimiter)
    pattern = re.compile(rf'("[^"]*+(?:""[^"]*+)*+"|(?!")[^{d}\r\n]*+)({d}|\r\n|\n|\r|\Z)')
    row: list[Cell] = []
    position = number = 0
    while position < len(text) or row:
        match = pattern.match(text, position)
        if match is None:
            where = f"row {number}" if number else "the header"
            raise TableError(f"quotes in {where} are not in pairs")
        row.append(Cell(*match.span(1)))
        position = match.end()
        if match[2] != delimiter:
            if len(row) > 1 or row[0].start < row[0].end:
                yield row
                number += 1
            row = []
