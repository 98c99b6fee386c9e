"""Tables: columns of a CSV, TSV or Parquet file are rewritten, row by row."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from multideid.corpora.identifier_names import warn_of_identifiers
from multideid.deid.csv import Row, TableError, column_names, column_rows
from multideid.deid.files import FileJob
from multideid.deid.rows import Cells, rewrite_rows
from multideid.deid.run import Run
from multideid.deid.table_text import TableText
from multideid.errors import CorpusError
from multideid.files import atomic_output, remove_stale

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

FRAME = "data frame"
"""What a table that is in no file is called."""
_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 200  # Values of a column that are looked at.


class Columns(NamedTuple):
    """Names of columns.

    Parameters
    ----------
    text : tuple of str
        To be rewritten.
    patient : str, optional
        Identifies the patient of a row.
    """

    text: tuple[str, ...]
    patient: str | None = None


def rewrite_table(job: FileJob, columns: Columns, run: Run) -> None:
    """Rewrite columns of a table file, by its suffix; a table that cannot be read has failed."""
    try:
        if job.source.suffix.lower() == ".parquet":
            rewrite_parquet(job, columns, run)
        else:
            rewrite_csv(job, columns, run)
    except TableError as error:
        run.failures.add(str(job.source), str(error))
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
    with _as_table_error():
        text = TableText(job.source, run.reading)
    mark = delimiter or _delimiter(job, text, columns)
    total = sum(bool(row.cells) for row in _rows(text, mark, columns))
    if run.finds_phi:
        warn_of_kept_identifiers(_csv_sample(job, text, mark), columns.text, job.source)
    waiting: deque[Row] = deque()

    def contents() -> Iterator[Cells]:
        for row in _rows(text, mark, columns):
            waiting.append(row)
            if row.cells:
                yield row.contents, row.patient

    rewritten = rewrite_rows(contents(), columns.text, run, total=total, names=_names(job))
    with atomic_output(job.target, private=run.private) as path, path.open("wb") as file:
        for number, new in enumerate(rewritten, start=1):
            while not waiting[0].cells:
                file.write(waiting.popleft().text.encode(text.encoding))
            row = waiting.popleft()
            try:
                file.write(row.with_contents(new, mark).encode(text.encoding))
            except UnicodeEncodeError:
                problem = f"its encoding, {text.encoding}, lacks a character of the new text"
                run.failures.add(f"{job.source} row {number}", problem)
                file.write(row.with_contents([""] * len(new), mark).encode(text.encoding))
        for row in waiting:
            file.write(row.text.encode(text.encoding))


def _delimiter(job: FileJob, text: TableText, columns: Columns) -> str:
    """Return the delimiter with which all columns are found; else that of the suffix."""
    usual = "\t" if job.source.suffix.lower() == ".tsv" else ","
    wanted = {*columns.text, *filter(None, [columns.patient])}
    for delimiter in dict.fromkeys((usual, *_DELIMITERS)):
        with suppress(TableError), _as_table_error():
            if wanted <= set(column_names(text.chunks(), delimiter)):
                return delimiter
    return usual


def _csv_sample(job: FileJob, text: TableText, delimiter: str) -> pd.DataFrame:
    import pandas as pd

    return pd.read_csv(
        job.source,
        sep=delimiter,
        dtype=str,
        nrows=_SAMPLE,
        encoding=text.encoding,
        keep_default_na=False,
        index_col=False,
        on_bad_lines="skip",
    )


def rewrite_parquet(job: FileJob, columns: Columns, run: Run) -> None:
    """Rewrite columns of a Parquet file; parameters and errors as for `rewrite_csv`."""
    from multideid.corpora.parquet_batches import (
        count_rows,
        read_batches,
        read_schema,
        require_pyarrow,
        row_groups,
    )

    require_pyarrow()
    from pyarrow import parquet

    with _as_table_error():
        schema = read_schema(job.source)
        places = [_string_column(schema, name) for name in columns.text]
        patient = None if columns.patient is None else _only_column(schema, columns.patient)
        total = count_rows(job.source)
        if run.finds_phi:
            first = next(iter(read_batches(job.source)), None)
            if first is not None:
                sample = first.slice(0, _SAMPLE).to_pandas()
                warn_of_kept_identifiers(sample, columns.text, job.source)
    contents = _ParquetRows(job, places, patient)
    rewritten = rewrite_rows(contents.rows(), columns.text, run, total=total, names=_names(job))
    changed = contents.changed(rewritten)
    with (
        atomic_output(job.target, private=run.private) as path,
        parquet.ParquetWriter(path, schema) as writer,
    ):
        for table in row_groups(changed):
            writer.write_table(table)


def warn_of_kept_identifiers(
    frame: pd.DataFrame, rewritten: Iterable[str], name: object = FRAME
) -> None:
    """Warn of columns and indices that stay as they are, and look like identifiers or notes.

    By their names or their values.
    """
    old, names = set(rewritten), list(frame.columns)
    kept = [name for name in names if name not in old and names.count(name) == 1]
    columns = {str(name): frame[name].dropna().head(_SAMPLE) for name in kept}
    levels = {
        "index" if level is None else str(level): frame.index.get_level_values(n).dropna()[:_SAMPLE]
        for n, level in enumerate(frame.index.names)
    }
    values = {name: list(map(str, sample)) for name, sample in {**levels, **columns}.items()}
    warn_of_identifiers(name, values, "leave them out, or name them as columns too")


def _rows(text: TableText, delimiter: str, columns: Columns) -> Iterator[Row]:
    with _as_table_error():
        yield from column_rows(text.chunks(), delimiter, *columns)


@contextmanager
def _as_table_error() -> Iterator[None]:
    """Turn the error of an unreadable file into one of its table, which does not end the run."""
    try:
        yield
    except CorpusError as error:
        where = f"{error.where}: " if error.where else ""
        raise TableError(f"{where}{error.problem}") from None


def _names(job: FileJob) -> tuple[str, str]:
    return str(job.source), Path(job.name).as_posix()


class _ParquetRows:
    """The rows of a Parquet file, whose columns are exchanged batch by batch.

    Parameters
    ----------
    job : FileJob
    places : sequence of int
        Numbers of the columns to exchange.
    patient : int, optional
        Number of the column of the patient.
    """

    def __init__(self, job: FileJob, places: Sequence[int], patient: int | None) -> None:
        self._job, self._places, self._patient = job, places, patient
        self._waiting: deque[tuple[pa.RecordBatch, list[tuple[str | None, ...]]]] = deque()

    def rows(self) -> Iterator[Cells]:
        """Yield the cells of each row."""
        from multideid.corpora.parquet_batches import read_batches

        with _as_table_error():
            for batch in read_batches(self._job.source):
                texts = [batch.column(place).to_pylist() for place in self._places]
                rows = list(zip(*texts, strict=True))
                self._waiting.append((batch, rows))
                of = None if self._patient is None else batch.column(self._patient).to_pylist()
                yield from zip(rows, of or repeat(None), strict=False)

    def changed(self, rewritten: Iterator[tuple[str, ...]]) -> Iterator[pa.RecordBatch]:
        """Yield the batches with new cells; missing values stay."""
        import pyarrow as pa

        for first in rewritten:
            batch, old = self._waiting.popleft()
            new = [first, *islice(rewritten, batch.num_rows - 1)]
            for n, place in enumerate(self._places):
                pairs = zip(old, new, strict=True)
                kept = [None if before[n] is None else after[n] for before, after in pairs]
                field = batch.schema.field(place)
                column = pa.array(kept, pa.large_string()).cast(field.type)
                batch = batch.set_column(place, field, column)
            yield batch


def _string_column(schema: pa.Schema, column: str) -> int:
    import pyarrow as pa

    place = _only_column(schema, column)
    kind = schema.field(place).type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        problem = f"column {column!r} does not hold text, but {kind}"
        raise TableError(f"{problem}: make it text first, or leave it out")
    return place


def _only_column(schema: pa.Schema, column: str) -> int:
    found = schema.get_all_field_indices(column)
    if len(found) != 1:
        problem = "no column" if not found else "more than one column"
        raise TableError(f"{problem} {column!r} among its {len(schema)}; name another")
    return int(found[0])
