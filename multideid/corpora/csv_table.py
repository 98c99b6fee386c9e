"""CSV and TSV files with one row per document, streamed in batches of rows.

Cells are read as text only: ``NA`` and ``007`` stay as they are. One column may have
no heading, as the index that pandas writes; of several, each is called ``Unnamed: 0``
and so on, by its place. In a table of one column, an empty line is a row. See
`multideid.corpora.tabular` for the columns.
"""

from __future__ import annotations

import csv
import shutil
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from multideid.corpora.contract import Format
from multideid.corpora.output import Output
from multideid.corpora.reports import OnReport
from multideid.corpora.source import check_utf8, read_beginning, require_file, unreadable
from multideid.corpora.tabular import (
    COLUMN_OPTIONS,
    Columns,
    documents_from_frame,
    encodable,
    row_of_document,
)
from multideid.document import Document
from multideid.errors import CorpusError
from multideid.files import scratch_path

if TYPE_CHECKING:
    import pandas as pd
    from pandas.io.parsers import TextFileReader

_ROWS = 256
_CELLS = "not a table with as many cells in each row as in the header"


def read(path: Path, report: OnReport, **columns: str) -> Iterator[Document]:
    """Yield the documents of a CSV file, or of a TSV file by its suffix."""
    check_utf8(require_file(path))
    header = _checked_header(path)
    names, first = Columns(**columns), 1
    for frame in _frames(path, header):
        yield from documents_from_frame(frame, report, names, path, first)
        first += len(frame)


class _Header(NamedTuple):
    """The headings of a table, and the number of empty lines before them."""

    headings: list[str]
    blank: int

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.


def _checked_header(path: Path) -> _Header:
    """Return the header after a check of headings, and of the number of cells of each row.

    pandas renames headings that occur twice, and fills up rows.
    """
    with path.open(encoding="utf-8-sig", newline="") as file, _any_length():
        rows = csv.reader(file, delimiter=_separator(path))
        try:
            header = _header(rows)
            if same := _same(header.headings):
                # Headings are not shown: in a table without a header they are text.
                problem = f"columns {same[0]} and {same[1]} have the same heading; rename one"
                raise CorpusError(path, problem)
            if any(0 < len(row) < len(header.headings) for row in rows):
                raise CorpusError(path, _CELLS)
        except csv.Error:
            raise CorpusError(path, _CELLS) from None
    return header


def _same(headings: Sequence[str]) -> list[int]:
    """Return the numbers of the columns with the first heading that occurs twice, if any."""
    twice = next((name for name in headings if name and headings.count(name) > 1), None)
    return [number for number, name in enumerate(headings, start=1) if name and name == twice]


def _header(rows: Iterable[list[str]]) -> _Header:
    for blank, row in enumerate(rows):
        if "".join(row).strip() or len(row) > 1:
            return _Header(row, blank)
    return _Header([], 0)


@contextmanager
def _any_length() -> Iterator[None]:
    """Let cells be of any length, which the csv module limits for the whole process."""
    before = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _frames(path: Path, header: _Header) -> Iterator[pd.DataFrame]:
    import pandas as pd

    one = len(header.headings) == 1
    try:
        with pd.read_csv(
            path,
            sep=_separator(path),
            dtype=str,
            na_filter=False,
            index_col=False,
            chunksize=_ROWS,
            skip_blank_lines=not one,
            header=header.blank if one else 0,
        ) as reader:
            while (frame := _next_frame(reader)) is not None:
                yield _with_headings(path, frame, header.headings)
    except (pd.errors.ParserError, pd.errors.ParserWarning):
        raise CorpusError(path, _CELLS) from None
    except pd.errors.EmptyDataError:
        raise CorpusError(path, "has no header and no rows") from None
    except OSError as exc:
        raise unreadable(path, exc) from None


def _with_headings(path: Path, frame: pd.DataFrame, headings: list[str]) -> pd.DataFrame:
    """Return a table whose only column without a heading, to which pandas gives one, has none."""
    if len(frame.columns) != len(headings):
        raise CorpusError(path, _CELLS)
    return frame if headings.count("") > 1 else frame.set_axis(headings, axis="columns")


def _next_frame(reader: TextFileReader) -> pd.DataFrame | None:
    import pandas as pd

    # A row longer than the header is only a warning to pandas.
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        return next(reader, None)


def _separator(path: Path) -> str:
    return "\t" if path.suffix.lower() == ".tsv" else ","


def write(documents: Iterable[Document], output: Output, report: OnReport, **columns: str) -> None:
    """Write a CSV file with every cell in quotes, or TSV by the suffix.

    A column that first occurs in the ``meta`` of a later document is added at
    the end; earlier rows get an empty cell.
    """
    names = Columns(**columns)
    table = _Table(output.temporary, _separator(output.target), names.required)
    try:
        for document in encodable(documents, output):
            table.add(row_of_document(document, names, output))
    finally:
        table.close()


class _Table:
    """A file to which rows, and columns if necessary, are added."""

    def __init__(self, path: Path, separator: str, columns: Iterable[str]) -> None:
        self._path = path
        self._separator = separator
        self._names = list(columns)
        self._file = path.open("w", encoding="utf-8", newline="")
        self._write(self._names)

    def add(self, row: dict[str, Any]) -> None:
        if new := [name for name in row if name not in self._names]:
            self._widen(new)
        self._write([_cell(row.get(name)) for name in self._names])

    def close(self) -> None:
        self._file.close()

    def _write(self, cells: list[Any]) -> None:
        csv.writer(
            self._file, delimiter=self._separator, quoting=csv.QUOTE_ALL, lineterminator="\n"
        ).writerow(cells)

    def _widen(self, new: list[str]) -> None:
        """Rewrite the file with additional columns."""
        self._names += new
        self._file.close()
        with scratch_path(self._path) as narrow:
            shutil.copyfile(self._path, narrow)
            self._file = self._path.open("w", encoding="utf-8", newline="")
            self._write(self._names)
            self._file.flush()
            with narrow.open("rb") as file:
                empty = f'{self._separator}""'.encode() * len(new)
                for line in _lengthened(file, empty):
                    self._file.buffer.write(line)


def _cell(value: Any) -> Any:
    missing = value is None or value != value  # noqa: PLR0124 (only NaN differs from itself)
    return "" if missing else value


def _lengthened(file: BinaryIO, more: bytes) -> Iterator[bytes]:
    """Yield the lines of a file after its header, with `more` appended to each row."""
    number = quotes = 0
    for line in file:
        quotes += line.count(b'"')
        # After an odd number of quotes, the line end is inside a cell.
        ends = quotes % 2 == 0
        if number:
            yield line[:-1] + more + b"\n" if ends else line
        number += ends


def _detect(path: Path) -> bool:
    if not path.is_file():
        return False
    suffix = path.suffix.lower()
    if suffix in (".csv", ".tsv"):
        return True
    header = read_beginning(path).split("\n", 1)[0].rstrip("\r")
    cells = next(csv.reader([header]), []) if header and "\0" not in header else []
    return suffix != ".txt" and "text" in cells


FORMAT = Format(
    "csv",
    "CSV, or TSV by the suffix; columns id, text and spans (JSON)",
    read,
    write,
    folder=False,
    options=COLUMN_OPTIONS,
    detect=_detect,
    scores=True,
)
