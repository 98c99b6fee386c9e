"""Tables: one column of a CSV, TSV or Parquet file is rewritten, row by row."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from multideid.corpora.identifier_names import identifier_columns, warn_of_identifiers
from multideid.deid.csv import Row, TableError, column_rows
from multideid.deid.files import FileJob
from multideid.deid.run import NAME, Run
from multideid.document import Document
from multideid.errors import CorpusError
from multideid.files import atomic_output, remove_stale
from multideid.site.patients import PATIENT

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Cell = tuple[str | None, Any]
"""The text of a cell, and the patient."""

FRAME = "data frame"
"""What a table that is in no file is called."""
_SAMPLE = 200  # Values of a column that are looked at.


class Columns(NamedTuple):
    """Names of columns.

    Parameters
    ----------
    text : str
    patient : str, optional
        Identifies the patient of a row.
    """

    text: str
    patient: str | None = None


def rewrite_table(job: FileJob, columns: Columns, run: Run) -> None:
    """Rewrite a column of a table file, by its suffix; a table that cannot be read has failed."""
    try:
        if job.source.suffix.lower() == ".parquet":
            rewrite_parquet(job, columns, run)
        else:
            rewrite_csv(job, columns, run)
    except TableError as error:
        run.failures.add(str(job.source), str(error))
        remove_stale(job.target)


def rewrite_csv(job: FileJob, columns: Columns, run: Run, delimiter: str | None = None) -> None:
    """Rewrite a column of a CSV file; the rest stays, byte for byte.

    The table is checked before any row is processed. The cell of a row that
    fails is left empty.

    Parameters
    ----------
    job : FileJob
    columns : Columns
    run : Run
    delimiter : str, optional
        Default: a tab if the suffix is ``.tsv``, else a comma.

    Raises
    ------
    TableError
        If the table cannot be read; nothing is written then.
    """
    if delimiter is None:
        delimiter = "\t" if job.source.suffix.lower() == ".tsv" else ","
    total = sum(row.cell is not None for row in _rows(job, delimiter, columns))
    if run.finds_phi:
        warn_of_kept_identifiers(_csv_sample(job, delimiter), [columns.text], job.source)
    waiting: deque[Row] = deque()

    def contents() -> Iterator[Cell]:
        for row in _rows(job, delimiter, columns):
            waiting.append(row)
            if row.content is not None:
                yield row.content, row.patient

    with atomic_output(job.target, private=run.private) as path, path.open("wb") as file:
        for content in rewrite_cells(contents(), total, _names(job), run):
            while waiting[0].cell is None:
                file.write(waiting.popleft().text.encode("utf-8"))
            file.write(waiting.popleft().with_content(content, delimiter).encode("utf-8"))
        for row in waiting:
            file.write(row.text.encode("utf-8"))


def _csv_sample(job: FileJob, delimiter: str) -> pd.DataFrame:
    import pandas as pd

    return pd.read_csv(
        job.source,
        sep=delimiter,
        dtype=str,
        nrows=_SAMPLE,
        encoding="utf-8",
        keep_default_na=False,
        on_bad_lines="skip",
    )


def rewrite_parquet(job: FileJob, columns: Columns, run: Run) -> None:
    """Rewrite a column of a Parquet file; parameters and errors as for `rewrite_csv`."""
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
        place = _string_column(schema, columns.text)
        patient = None if columns.patient is None else _only_column(schema, columns.patient)
        total = count_rows(job.source)
        if run.finds_phi:
            first = next(iter(read_batches(job.source)), None)
            if first is not None:
                warn_of_kept_identifiers(
                    first.slice(0, _SAMPLE).to_pandas(), [columns.text], job.source
                )
    changed = _changed_batches(job, place, patient, total, run)
    with (
        atomic_output(job.target, private=run.private) as path,
        parquet.ParquetWriter(path, schema) as writer,
    ):
        for table in row_groups(changed):
            writer.write_table(table)


def warn_of_kept_identifiers(
    frame: pd.DataFrame, rewritten: Iterable[str], name: object = FRAME
) -> None:
    """Warn of columns and indices that stay as they are, and look like identifiers.

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
    remedy = "leave them out, or name them as columns too" if name == FRAME else "leave them out"
    warn_of_identifiers(name, identifier_columns(values), remedy)


def _rows(job: FileJob, delimiter: str, columns: Columns) -> Iterator[Row]:
    from multideid.corpora.source import text_chunks

    with _as_table_error():
        yield from column_rows(text_chunks(job.source), delimiter, *columns)


@contextmanager
def _as_table_error() -> Iterator[None]:
    """Turn the error of an unreadable file into one of its table, which does not end the run."""
    try:
        yield
    except CorpusError as error:
        raise TableError(error.problem) from None


def _names(job: FileJob) -> tuple[str, str]:
    return str(job.source), Path(job.name).as_posix()


def rewrite_cells(
    cells: Iterable[Cell],
    total: int,
    names: tuple[str, str],
    run: Run,
    rows: Iterable[str] | None = None,
) -> Iterator[str]:
    """Yield the new text of each cell, in order; an empty one if the run fails.

    Parameters
    ----------
    cells : iterable of Cell
    total : int
        Number of cells, for progress.
    names : tuple of str
        Names of the table, in failures and in the vault.
    run : Run
    rows : iterable of str, optional
        Names of the rows. Default: their numbers, from 1.
    """
    path, name = names
    has_text: deque[bool] = deque()

    def documents() -> Iterator[Document]:
        labels = map(str, count(1)) if rows is None else rows
        for (text, patient), row in zip(cells, labels, strict=False):
            has_text.append(bool(text) or (text is not None and run.reads_empty))
            if has_text[-1]:
                meta = {NAME: f"{name} row {row}", PATIENT: patient}
                yield Document(f"{path} row {row}", text or "", meta=meta)

    done = 0
    run.advance(done, total, Path(path).name)
    for _, new in run.rewrite_each(documents()):
        while not has_text.popleft():
            done += 1
            yield ""
        done += 1
        run.advance(done, total, Path(path).name)
        yield "" if new is None else new.text
    yield from ("" for _ in has_text)


def _changed_batches(
    job: FileJob, place: int, patient: int | None, total: int, run: Run
) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    from multideid.corpora.parquet_batches import read_batches

    waiting: deque[tuple[pa.RecordBatch, list[str | None]]] = deque()

    def values() -> Iterator[Cell]:
        with _as_table_error():
            for batch in read_batches(job.source):
                waiting.append((batch, batch.column(place).to_pylist()))
                patients = None if patient is None else batch.column(patient).to_pylist()
                yield from zip(waiting[-1][1], patients or repeat(None), strict=False)

    texts = rewrite_cells(values(), total, _names(job), run)
    for first in texts:
        batch, old = waiting.popleft()
        new = [first, *islice(texts, batch.num_rows - 1)]
        kept = [None if o is None else n for o, n in zip(old, new, strict=True)]
        field = batch.schema.field(place)
        yield batch.set_column(place, field, pa.array(kept, pa.large_string()).cast(field.type))


def _string_column(schema: pa.Schema, column: str) -> int:
    import pyarrow as pa

    place = _only_column(schema, column)
    kind = schema.field(place).type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise TableError(f"column {column!r} does not hold text")
    return place


def _only_column(schema: pa.Schema, column: str) -> int:
    found = schema.get_all_field_indices(column)
    if len(found) != 1:
        problem = "no column" if not found else "more than one column"
        raise TableError(f"{problem} {column!r} among its {len(schema)}; name another")
    return int(found[0])
