"""CSV at the level of bytes: the cells of some columns are replaced, the rest is kept.

The usual readers and writers keep the values, but neither quotes nor line ends.
Memory holds no more of a file than a row and a part of what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from multideid.deid.table_errors import TableError
from multideid.spans import splice

_LONGEST_ROW = 1 << 28  # In characters; only unbalanced quotes make longer ones.
_BOM = "\ufeff"

Cells = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the file, or text before and between rows.

    Parameters
    ----------
    text : str
        With the line end.
    cells : sequence of (int, int)
        Half-open offsets, in `text`, of the columns' cells with their quotes, in the
        order of the columns. Empty for the header, blank lines and a byte order mark.
    patient : str, optional
        Content of the patient's cell.
    """

    text: str = field(repr=False)
    cells: tuple[tuple[int, int], ...] = ()
    patient: str | None = field(default=None, repr=False)

    @property
    def contents(self) -> tuple[str, ...]:
        """The contents of the cells."""
        return tuple(_content(self.text, cell) for cell in self.cells)

    def with_contents(self, contents: Sequence[str], delimiter: str) -> str:
        """Return the row's text with other contents of the cells.

        A cell with the same content is returned unchanged.
        """
        cells = sorted(zip(self.cells, self.contents, contents, strict=True))
        changes = (
            (start, end, _quoted(new, delimiter, had_quotes=self.text[start:end].startswith('"')))
            for (start, end), old, new in cells
            if new != old
        )
        return splice(self.text, changes)


def column_rows(
    chunks: Iterable[str], delimiter: str, columns: Sequence[str], patient: str | None = None
) -> Iterator[Row]:
    """Yield the rows of a table; their texts, concatenated, are the file.

    Parameters
    ----------
    chunks : iterable of str
        The file's text in parts.
    delimiter : str
        One character.
    columns : sequence of str
        Names of the columns, as in the header.
    patient : str, optional
        Name of the patient column.

    Raises
    ------
    TableError
        If a column is missing or repeated, a row has more or fewer cells than
        the header, or quotes are unbalanced; names the row, counted from 1
        below the header.
    """
    width = number = 0
    places: list[int] = []
    other: int | None = None
    for text, cells in _rows(chunks, delimiter):
        if not cells:
            yield Row(text)
        elif not width:
            names = [_content(text, cell) for cell in cells]
            width, places = len(cells), [_place(names, column) for column in columns]
            other = None if patient is None else _place(names, patient)
            yield Row(text)
        else:
            number += 1
            if len(cells) != width:
                raise TableError(f"row {number} has {len(cells)} cells, the header {width}")
            found = None if other is None else _content(text, cells[other])
            yield Row(text, tuple(cells[place] for place in places), found)
    if not width:
        _place([], columns[0])


def column_samples(chunks: Iterable[str], delimiter: str, rows: int) -> dict[str, list[str]]:
    """Return the values of each column in the first rows of a table, by its name."""
    samples: dict[str, list[str]] = {}
    names: list[str] = []
    filled = ((text, cells) for text, cells in _rows(chunks, delimiter) if cells)
    for text, cells in islice(filled, rows + 1):
        contents = [_content(text, cell) for cell in cells]
        if names:
            for name, content in zip(names, contents, strict=False):
                samples[name].append(content)
        else:
            names = contents
            samples = {name: [] for name in names}
    return samples


def column_names(chunks: Iterable[str], delimiter: str) -> list[str]:
    """Return the names in the header of a table; none if it has no header.

    Raises
    ------
    TableError
        If quotes in it are unbalanced.
    """
    header = next(((text, cells) for text, cells in _rows(chunks, delimiter) if cells), None)
    return [] if header is None else [_content(header[0], cell) for cell in header[1]]


def header_row(chunks: Iterable[str], delimiter: str) -> tuple[str, Row]:
    """Return the text before the header of a table, and the header, whose cells are all of it.

    Raises
    ------
    TableError
        If there is none, or quotes in it are unbalanced.
    """
    before = ""
    for text, cells in _rows(chunks, delimiter):
        if cells:
            return before, Row(text, tuple(cells))
        before += text
    raise TableError("has no header")


def _content(text: str, cell: tuple[int, int]) -> str:
    raw = text[slice(*cell)]
    return raw[1:-1].replace('""', '"') if raw.startswith('"') else raw


def _place(names: Sequence[str], column: str) -> int:
    # The names are not listed: in a table without a header they are text.
    if column not in names:
        raise TableError(f"no column {column!r} among its {len(names)}; name another")
    if names.count(column) > 1:
        raise TableError(f"more than one column {column!r}")
    return names.index(column)


def _quoted(content: str, delimiter: str, had_quotes: bool) -> str:
    # An empty cell is quoted: a row with no other cell would be a blank line.
    if content and not had_quotes and not any(c in content for c in (delimiter, '"', "\r", "\n")):
        return content
    return '"' + content.replace('"', '""') + '"'


def _rows(chunks: Iterable[str], delimiter: str) -> Iterator[tuple[str, Cells]]:
    """Yield text and cells of each row; blank lines and a byte order mark have no cells."""
    buffer, find_cells = _Buffer(chunks), _cell_finder(delimiter)
    number = 0
    if buffer.text.startswith(_BOM):
        yield buffer.take(1), []
    while not buffer.at_end():
        try:
            found = find_cells(buffer.text, buffer.position, buffer.ended)
        except ValueError:
            where = f"row {number}" if number else "the header"
            raise TableError(f"quotes in {where} are unbalanced") from None
        if found is None:
            buffer.read_on()
            continue
        cells, end = found
        blank = len(cells) == 1 and cells[0][0] == cells[0][1]
        number += not blank
        first = buffer.position
        yield (
            buffer.take(end),
            [] if blank else [(low - first, high - first) for low, high in cells],
        )


class _Buffer:
    """Text that was read and not yet taken."""

    def __init__(self, chunks: Iterable[str]) -> None:
        self._chunks = iter(chunks)
        self.text, self.position, self.ended = "", 0, False
        self.read_on()

    def at_end(self) -> bool:
        """Return whether nothing is left; reads on if necessary."""
        if self.position == len(self.text) and not self.ended:
            self.read_on()
        return self.position == len(self.text) and self.ended

    def read_on(self) -> None:
        """At least double the buffer, so that a long row is scanned few times."""
        parts = [self.text[self.position :]]
        missing = max(1, len(parts[0]))
        if missing > _LONGEST_ROW:
            raise TableError(f"a row is longer than {_LONGEST_ROW:,} characters")
        while missing > 0 and not self.ended:
            chunk = next(self._chunks, None)
            self.ended = chunk is None
            parts.append(chunk or "")
            missing -= len(parts[-1])
        self.text, self.position = "".join(parts), 0

    def take(self, end: int) -> str:
        """Return the text up to an offset."""
        start, self.position = self.position, end
        return self.text[start:end]


def _cell_finder(delimiter: str) -> Callable[[str, int, bool], tuple[Cells, int] | None]:
    # Possessive, so that unbalanced quotes cause no backtracking.
    d = re.escape(delimiter)
    cell = re.compile(rf'("[^"]*+(?:""[^"]*+)*+"|(?!")[^{d}\r\n]*+)({d}|\r\n|\n|\r|\Z)')
    open_cell = re.compile(r'"[^"]*+(?:""[^"]*+)*+\Z')

    def find(text: str, position: int, ended: bool) -> tuple[Cells, int] | None:
        """Return a row's cells and end, or None if more must be read."""
        cells: Cells = []
        while True:
            match = cell.match(text, position)
            if match is None:
                if ended or not open_cell.match(text, position):
                    raise ValueError("unbalanced quotes")
                return None
            position = match.end()
            # The next character may belong to a line end, or to quotes in the cell.
            if position == len(text) and not ended:
                return None
            cells.append(match.span(1))
            if match[2] != delimiter:
                return cells, position

    return find
