"""Tables: columns of a CSV, TSV or Parquet file are rewritten, row by row."""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from multideid.deid.csv import Row, column_names, column_rows, column_samples, header_row
from multideid.deid.files import FileJob
from multideid.deid.neutral_headings import NeutralHeadings
from multideid.deid.parquet import rewrite_parquet
from multideid.deid.rows import Cells, rewrite_rows
from multideid.deid.run import Run
from multideid.deid.table_columns import SAMPLE, Columns, warn_of_kept_values
from multideid.deid.table_errors import TableError, as_table_error
from multideid.deid.table_text import TableText
from multideid.files import (
    UnusableNameError,
    atomic_output,
    read_meanwhile,
    remove_stale,
    scratch_path,
)

_DELIMITERS = (",", ";", "\t", "|")


def rewrite_table(job: FileJob, columns: Columns, run: Run) -> None:
    """Rewrite columns of a table file, by its suffix; a table that cannot be read has failed."""
    before = run.mark()
    try:
        if job.source.suffix.lower() == ".parquet":
            rewrite_parquet(job, columns, run)
        else:
            rewrite_csv(job, columns, run)
    except (TableError, UnusableNameError) as error:
        problem = str(error) if isinstance(error, TableError) else error.of_its_input
        run.failures.add(str(job.source), problem)
        run.return_to(before)
        remove_stale(job.target)


def rewrite_csv(job: FileJob, columns: Columns, run: Run, delimiter: str | None = None) -> None:
    """Rewrite columns of a CSV file; the rest stays, byte for byte.

    The table is checked before any row is processed. The cells of a row that
    fails are left empty.

    Parameters
    ----------
    job : FileJob
    columns : Columns
    run : Run
    delimiter : str, optional
        Default: a tab if the suffix is ``.tsv``, else a comma, or whichever of comma,
        semicolon, tab and bar the columns are found with.

    Raises
    ------
    TableError
        If the table cannot be read; nothing is written then.
    """
    with as_table_error():
        text = TableText(job.source, run.reading)
    mark = delimiter or _delimiter(job, text, columns)
    total = sum(bool(row.cells) for row in _rows(text, mark, columns))
    headings = _headings(job, text, mark, columns) if run.finds_phi else None
    waiting: deque[Row] = deque()

    def contents() -> Iterator[Cells]:
        for row in _rows(text, mark, columns):
            waiting.append(row)
            if row.cells:
                yield row.contents, row.patient

    rewritten = rewrite_rows(
        contents(),
        columns.text,
        run,
        total=total,
        names=job.names,
        headings=headings,
        encoding=text.encoding,
    )
    with atomic_output(job.target, private=run.private) as path:
        with path.open("wb") as file:
            for new in read_meanwhile(rewritten):
                while not waiting[0].cells:
                    file.write(waiting.popleft().text.encode(text.encoding))
                changed = waiting.popleft().with_contents(new, mark)
                file.write(changed.encode(text.encoding))
            for row in waiting:
                file.write(row.text.encode(text.encoding))
        if headings is not None:
            _rename(path, text, mark, headings.new_names())
            headings.warn(job.source)


def _headings(job: FileJob, text: TableText, delimiter: str, columns: Columns) -> NeutralHeadings:
    """Return the names of the columns; warns of those that are kept and look like identifiers."""
    with as_table_error():
        samples = column_samples(text.chunks(), delimiter, SAMPLE)
    kept = {name: sample for name, sample in samples.items() if name not in columns.text}
    warn_of_kept_values(kept, job.source, list(samples))
    return NeutralHeadings(samples, columns.names)


def _rename(path: Path, text: TableText, delimiter: str, names: Mapping[str, str]) -> None:
    """Give columns of a file that was written new names."""
    if not names:
        return
    before, header = header_row(text.chunks(), delimiter)
    new = header.with_contents([names.get(old, old) for old in header.contents], delimiter)
    start = [part.encode(text.encoding) for part in (before, header.text)]
    with scratch_path(path) as old:
        shutil.copyfile(path, old)
        with old.open("rb") as source, path.open("wb") as file:
            file.write(start[0] + new.encode(text.encoding))
            source.seek(sum(map(len, start)))
            shutil.copyfileobj(source, file)


def _delimiter(job: FileJob, text: TableText, columns: Columns) -> str:
    """Return the delimiter with which all columns are found; else that of the suffix."""
    usual = "\t" if job.source.suffix.lower() == ".tsv" else ","
    wanted = set(columns.names)
    for delimiter in dict.fromkeys((usual, *_DELIMITERS)):
        with suppress(TableError), as_table_error():
            if wanted <= set(column_names(text.chunks(), delimiter)):
                return delimiter
    return usual


def _rows(text: TableText, delimiter: str, columns: Columns) -> Iterator[Row]:
    with as_table_error():
        yield from column_rows(text.chunks(), delimiter, *columns)
