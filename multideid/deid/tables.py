"""One column of CSV, TSV and Parquet files, written anew row by row."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from multideid.deid.csv_cells import Row, TableError, column_rows
from multideid.deid.jobs import Job
from multideid.deid.run import NAME, PATIENT, Run
from multideid.document import Document
from multideid.errors import CorpusError
from multideid.files import atomic_output

if TYPE_CHECKING:
    import pyarrow as pa

Cell = tuple[str | None, Any]
"""What a cell says, and whose it is."""


class Columns(NamedTuple):
    """The columns of a table that matter.

    Parameters
    ----------
    text : str
    patient : str, optional
        Tells whose text it is.
    """

    text: str
    patient: str | None = None


def rewrite_table(job: Job, columns: Columns, run: Run) -> None:
    """Write a column of a table anew; the rest stays, in its order.

    A table that cannot be read fails closed: it is told of and not written,
    and none of its rows is processed, for it is read through first. A row
    that the run fails on is told of, and its cell is left empty.

    Parameters
    ----------
    job : Job
    columns : Columns
    run : Run
    """
    rewrite = _rewrite_parquet if job.source.suffix.lower() == ".parquet" else _rewrite_csv
    try:
        rewrite(job, columns, run)
    except TableError as error:
        run.failures.add(str(job.source), str(error))


def _rewrite_csv(job: Job, columns: Columns, run: Run) -> None:
    delimiter = "\t" if job.source.suffix.lower() == ".tsv" else ","
    total = sum(row.cell is not None for row in _rows(job, delimiter, columns))
    waiting: deque[Row] = deque()

    def contents() -> Iterator[Cell]:
        for row in _rows(job, delimiter, columns):
            waiting.append(row)
            if row.content is not None:
                yield row.content, row.patient

    with atomic_output(job.target) as stage, stage.open("wb") as file:
        for content in _rewrite_cells(contents(), total, job, run):
            while waiting[0].cell is None:
                file.write(waiting.popleft().text.encode("utf-8"))
            file.write(waiting.popleft().exchanged(content, delimiter).encode("utf-8"))
        for row in waiting:
            file.write(row.text.encode("utf-8"))


def _rows(job: Job, delimiter: str, columns: Columns) -> Iterator[Row]:
    from multideid.corpora.source import text_chunks

    with _unreadable_is_told():
        yield from column_rows(text_chunks(job.source), delimiter, *columns)


@contextmanager
def _unreadable_is_told() -> Iterator[None]:
    """Let a file that cannot be read fail as a table, and not end the run."""
    try:
        yield
    except CorpusError as error:
        raise TableError(error.problem) from None


def _rewrite_cells(cells: Iterable[Cell], total: int, job: Job, run: Run) -> Iterator[str]:
    """Yield what each cell is to say, in order: nothing where the run fails."""
    has_text: deque[bool] = deque()

    def documents() -> Iterator[Document]:
        for number, (text, patient) in enumerate(cells, start=1):
            has_text.append(bool(text) or (text is not None and run.reads_empty))
            if has_text[-1]:
                meta = {NAME: f"{Path(job.name).as_posix()} row {number}", PATIENT: patient}
                yield Document(f"{job.source} row {number}", text or "", meta=meta)

    done = 0
    for _, new in run.rewrite_each(documents()):
        while not has_text.popleft():
            done += 1
            yield ""
        done += 1
        run.advance(done, total, job.source.name)
        yield new or ""
    yield from ("" for _ in has_text)


def _rewrite_parquet(job: Job, columns: Columns, run: Run) -> None:
    from pyarrow import parquet

    from multideid.corpora.parquet_batches import count_rows, read_schema, row_groups

    with _unreadable_is_told():
        schema = read_schema(job.source)
        place = _string_column(schema, columns.text)
        patient = None if columns.patient is None else _only_column(schema, columns.patient)
        total = count_rows(job.source)
    changed = _changed_batches(job, place, patient, total, run)
    with atomic_output(job.target) as stage, parquet.ParquetWriter(stage, schema) as writer:
        for table in row_groups(changed):
            writer.write_table(table)


def _changed_batches(
    job: Job, place: int, patient: int | None, total: int, run: Run
) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    from multideid.corpora.parquet_batches import read_batches

    waiting: deque[tuple[pa.RecordBatch, list[str | None]]] = deque()

    def values() -> Iterator[Cell]:
        with _unreadable_is_told():
            for batch in read_batches(job.source):
                waiting.append((batch, batch.column(place).to_pylist()))
                whose = None if patient is None else batch.column(patient).to_pylist()
                yield from zip(waiting[-1][1], whose or repeat(None), strict=False)

    texts = _rewrite_cells(values(), total, job, run)
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
        raise TableError(f"{problem} {column!r} among its {len(schema)}; name one of these")
    return int(found[0])
