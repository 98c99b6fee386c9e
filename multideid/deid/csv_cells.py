"""Exchange the cells of one column of a CSV file and leave every other byte.

The usual readers and writers keep what the cells say, but not how they were
quoted or which line ends stood between the rows. No more of a file is held
than a row and a piece of what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

_LONGEST_ROW = 1 << 28  # In characters; only quotes without a partner make longer ones.
_BOM = "\ufeff"

Cells = list[tuple[int, int]]


class TableError(Exception):
    """What is wrong with a table, in words that hold none of its text."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it stands in the file, or what stands before and between rows.

    Parameters
    ----------
    text : str
        With the line end.
    cell : (int, int), optional
        Half-open offsets, in `text`, of the column's cell with its quotes.
        None for the header, blank lines and a byte order mark.
    patient : str, optional
        What the row's other cell says that was asked for.
    """

    text: str
    cell: tuple[int, int] | None = None
    patient: str | None = None

    @property
    def content(self) -> str | None:
        """What the cell says."""
        return None if self.cell is None else _content(self.text, self.cell)

    def exchanged(self, content: str, delimiter: str) -> str:
        """Return the row's text with another content in the cell.

        A cell whose content stays the same is left as it is.
        """
        if self.cell is None or content == self.content:
            return self.text
        start, end = self.cell
        had_quotes = self.text[start:end].startswith('"')
        return f"{self.text[:start]}{_quoted(content, delimiter, had_quotes)}{self.text[end:]}"


def column_rows(
    chunks: Iterable[str], delimiter: str, column: str, patient: str | None = None
) -> Iterator[Row]:
    """Yield the rows of a table; their texts, one after the other, are the file's.

    Parameters
    ----------
    chunks : iterable of str
        The file's text, piece by piece.
    delimiter : str
        One character.
    column : str
        As the header names it.
    patient : str, optional
        Another column, of which rows are to tell.

    Raises
    ------
    TableError
        If there is no such column or more than one, a row has more or fewer
        cells than the header, or quotes are not in pairs; names the row,
        counted from 1 below the header.
    """
    width = place = number = 0
    other: int | None = None
    for text, cells in _rows(chunks, delimiter):
        if not cells:
            yield Row(text)
        elif not width:
            names = [_content(text, cell) for cell in cells]
            width, place = len(cells), _place(names, column, "--column")
            other = None if patient is None else _place(names, patient, "--patient-field")
            yield Row(text)
        else:
            number += 1
            if len(cells) != width:
                raise TableError(f"row {number} has {len(cells)} cells, the header {width}")
            whose = None if other is None else _content(text, cells[other])
            yield Row(text, cells[place], whose)
    if not width:
        _place([], column, "--column")


def _content(text: str, cell: tuple[int, int]) -> str:
    raw = text[slice(*cell)]
    return raw[1:-1].replace('""', '"') if raw.startswith('"') else raw


def _place(names: Sequence[str], column: str, option: str) -> int:
    # The names are not listed: a table without a header has text for names.
    if column not in names:
        raise TableError(f"no column {column!r} among its {len(names)}; name one with {option}")
    if names.count(column) > 1:
        raise TableError(f"more than one column {column!r}")
    return names.index(column)


def _quoted(content: str, delimiter: str, had_quotes: bool) -> str:
    # An empty cell is quoted, for a row of it alone would be a blank line.
    if content and not had_quotes and not any(c in content for c in (delimiter, '"', "\r", "\n")):
        return content
    return '"' + content.replace('"', '""') + '"'


def _rows(chunks: Iterable[str], delimiter: str) -> Iterator[tuple[str, Cells]]:
    """Yield text and cells of each row; blank lines and a byte order mark have no cells."""
    source, find_cells = _Source(chunks), _cell_finder(delimiter)
    number = 0
    if source.text.startswith(_BOM):
        yield source.take(1), []
    while not source.at_end():
        try:
            found = find_cells(source.text, source.position, source.ended)
        except ValueError:
            where = f"row {number}" if number else "the header"
            raise TableError(f"quotes in {where} are not in pairs") from None
        if found is None:
            source.read_on()
            continue
        cells, end = found
        blank = len(cells) == 1 and cells[0][0] == cells[0][1]
        number += not blank
        first = source.position
        yield (
            source.take(end),
            [] if blank else [(low - first, high - first) for low, high in cells],
        )


class _Source:
    """What was read of a file and not yet taken."""

    def __init__(self, chunks: Iterable[str]) -> None:
        self._chunks = iter(chunks)
        self.text, self.position, self.ended = "", 0, False
        self.read_on()

    def at_end(self) -> bool:
        """Tell whether nothing is left; reads on if it must."""
        if self.position == len(self.text) and not self.ended:
            self.read_on()
        return self.position == len(self.text) and self.ended

    def read_on(self) -> None:
        """Read at least as much as is held, so that a long row is looked at few times."""
        pieces = [self.text[self.position :]]
        missing = max(1, len(pieces[0]))
        if missing > _LONGEST_ROW:
            raise TableError(f"a row is longer than {_LONGEST_ROW:,} characters")
        while missing > 0 and not self.ended:
            chunk = next(self._chunks, None)
            self.ended = chunk is None
            pieces.append(chunk or "")
            missing -= len(pieces[-1])
        self.text, self.position = "".join(pieces), 0

    def take(self, end: int) -> str:
        """Return the text up to an offset."""
        start, self.position = self.position, end
        return self.text[start:end]


def _cell_finder(delimiter: str) -> Callable[[str, int, bool], tuple[Cells, int] | None]:
    # Possessive, so that quotes without a partner cost no second look.
    d = re.escape(delimiter)
    cell = re.compile(rf'("[^"]*+(?:""[^"]*+)*+"|(?!")[^{d}\r\n]*+)({d}|\r\n|\n|\r|\Z)')
    open_cell = re.compile(r'"[^"]*+(?:""[^"]*+)*+\Z')

    def find(text: str, position: int, ended: bool) -> tuple[Cells, int] | None:
        """Return a row's cells and its end, or None if more must be read to know."""
        cells: Cells = []
        while True:
            match = cell.match(text, position)
            if match is None:
                if ended or not open_cell.match(text, position):
                    raise ValueError("quotes are not in pairs")
                return None
            position = match.end()
            # What follows may belong to a line end, or to quotes inside the cell.
            if position == len(text) and not ended:
                return None
            cells.append(match.span(1))
            if match[2] != delimiter:
                return cells, position

    return find
