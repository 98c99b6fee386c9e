"""De-identifying one column of CSV, TSV and Parquet files, row by row."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from multideid.cli.csv_cells import Row, TableError, column_rows
from multideid.cli.deid_jobs import Job
from multideid.cli.deid_run import Run, written_whole
from multideid.document import Document
from multideid.errors import CorpusError

if TYPE_CHECKING:
    import pyarrow as pa


def redact_table(job: Job, column: str, run: Run) -> None:
    """De-identify a column of a table; the rest stays, in its order.

    A table that cannot be read fails closed: it is told of and not written,
    and none of its rows is processed, for it is read through first. A row on
    which the model fails is told of, and its cell is left empty.

    Parameters
    ----------
    job : Job
    column : str
    run : Run
    """
    redact = _redact_parquet if job.source.suffix.lower() == ".parquet" else _redact_csv
    try:
        redact(job, column, run)
    except TableError as error:
        run.failures.add(str(job.source), str(error))


def _redact_csv(job: Job, column: str, run: Run) -> None:
    delimiter = "\t" if job.source.suffix.lower() == ".tsv" else ","
    total = sum(row.cell is not None for row in _rows(job, delimiter, column))
    waiting: deque[Row] = deque()

    def contents() -> Iterator[str]:
        for row in _rows(job, delimiter, column):
            waiting.append(row)
            if row.content is not None:
                yield row.content

    with written_whole(job.target) as stage, stage.open("wb") as file:
        for content in _redact_cells(contents(), total, job, run):
            while waiting[0].cell is None:
                file.write(waiting.popleft().text.encode("utf-8"))
            file.write(waiting.popleft().exchanged(content, delimiter).encode("utf-8"))
        for row in waiting:
            file.write(row.text.encode("utf-8"))


def _rows(job: Job, delimiter: str, column: str) -> Iterator[Row]:
    from multideid.corpora.source import text_chunks

    with _unreadable_is_told():
        yield from column_rows(text_chunks(job.source), delimiter, column)


@contextmanager
def _unreadable_is_told() -> Iterator[None]:
    """Let a file that cannot be read fail as a table, and not end the run."""
    try:
        yield
    except CorpusError as error:
        raise TableError(error.problem) from None


def _redact_cells(cells: Iterable[str | None], total: int, job: Job, run: Run) -> Iterator[str]:
    """Yield what each cell is to say, in order: nothing where the model fails."""
    has_text: deque[bool] = deque()

    def documents() -> Iterator[Document]:
        for number, cell in enumerate(cells, start=1):
            has_text.append(bool(cell))
            if cell:
                yield Document(f"{job.source} row {number}", cell)

    done = 0
    for _, redacted in run.redact_each(documents()):
        while not has_text.popleft():
            done += 1
            yield ""
        done += 1
        run.advance(done, total, job.source.name)
        yield redacted or ""
    yield from ("" for _ in has_text)


def _redact_parquet(job: Job, column: str, run: Run) -> None:
    from pyarrow import parquet

    from multideid.corpora.parquet_batches import count_rows, read_schema, row_groups

    with _unreadable_is_told():
        schema = read_schema(job.source)
        place = _string_column(schema, column)
        total = count_rows(job.source)
    changed = _redacted_batches(job, place, total, run)
    with written_whole(job.target) as stage, parquet.ParquetWriter(stage, schema) as writer:
        for table in row_groups(changed):
            writer.write_table(table)


def _redacted_batches(job: Job, place: int, total: int, run: Run) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    from multideid.corpora.parquet_batches import read_batches

    waiting: deque[tuple[pa.RecordBatch, list[str | None]]] = deque()

    def values() -> Iterator[str | None]:
        with _unreadable_is_told():
            for batch in read_batches(job.source):
                waiting.append((batch, batch.column(place).to_pylist()))
                yield from waiting[-1][1]

    texts = _redact_cells(values(), total, job, run)
    for first in texts:
        batch, old = waiting.popleft()
        new = [first, *islice(texts, batch.num_rows - 1)]
        kept = [None if o is None else n for o, n in zip(old, new, strict=True)]
        field = batch.schema.field(place)
        yield batch.set_column(place, field, pa.array(kept, pa.large_string()).cast(field.type))


def _string_column(schema: pa.Schema, column: str) -> int:
    import pyarrow as pa

    found = schema.get_all_field_indices(column)
    if len(found) != 1:
        problem = "no column" if not found else "more than one column"
        raise TableError(f"{problem} {column!r} among its {len(schema)}; name one with --column")
    kind = schema.field(found[0]).type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise TableError(f"column {column!r} does not hold text")
    return int(found[0])
