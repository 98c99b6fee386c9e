"""De-identifying one column of CSV, TSV and Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from multideid.cli.csv_cells import TableError, cell_text, column_cells, exchange
from multideid.cli.deid_jobs import Job
from multideid.cli.deid_notes import split_mark
from multideid.cli.deid_run import Run, written_whole
from multideid.corpora.source import read_text
from multideid.document import Document
from multideid.errors import CorpusError

if TYPE_CHECKING:
    import pyarrow as pa


def redact_table(job: Job, column: str, run: Run) -> None:
    """De-identify a column of a table; the rest stays, in its order.

    A table that cannot be read fails closed: it is told of and not written. A
    row on which the model fails is told of, and its cell is left empty.

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
    mark, text = split_mark(_read(job.source))
    cells = column_cells(text, delimiter, column)
    contents = _redact_cells([cell_text(text, cell) for cell in cells], job, run)
    changed = exchange(text, cells, contents, delimiter)
    with written_whole(job.target) as stage:
        stage.write_bytes((mark + changed).encode("utf-8"))


def _read(path: Path) -> str:
    try:
        return read_text(path)
    except CorpusError as error:
        raise TableError(error.problem) from None


def _redact_cells(cells: Sequence[str], job: Job, run: Run) -> list[str]:
    """Return what the cells are to say: nothing where the model fails."""
    rows = {f"{job.source} row {n}": cell for n, cell in enumerate(cells, start=1)}
    redacted = dict.fromkeys(rows, "")
    documents = (Document(name, text) for name, text in rows.items() if text)
    for n, (name, text) in enumerate(run.redact_each(documents), start=1):
        redacted[name] = text
        run.advance(n, len(rows), job.source.name)
    return list(redacted.values())


def _redact_parquet(job: Job, column: str, run: Run) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    table = _load(job.source)
    place, values = _string_column(table, column)
    texts = _redact_cells([value or "" for value in values], job, run)
    kept = [None if old is None else new for old, new in zip(values, texts, strict=True)]
    field = table.schema.field(place)
    changed = table.set_column(place, field, pa.array(kept, pa.large_string()).cast(field.type))
    with written_whole(job.target) as stage:
        parquet.write_table(changed, stage)


def _load(path: Path) -> pa.Table:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            table = file.read()
        # Else bytes that are not UTF-8 would come up later, in an error that shows them.
        table.validate(full=True)
    except (OSError, ValueError, pa.ArrowException):
        raise TableError("not a readable Parquet file; it may be damaged or cut short") from None
    return table


def _string_column(table: pa.Table, column: str) -> tuple[int, list[str | None]]:
    import pyarrow as pa

    found = table.schema.get_all_field_indices(column)
    if len(found) != 1:
        problem = "no column" if not found else "more than one column"
        n = table.num_columns
        raise TableError(f"{problem} {column!r} among its {n}; name one with --column")
    values = table.column(found[0])
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise TableError(f"column {column!r} does not hold text")
    return found[0], values.to_pylist()
