"""Parquet files: columns are rewritten, row by row."""

from __future__ import annotations

import re
import shutil
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, repeat
from typing import TYPE_CHECKING

from multideid.corpora.parquet_batches import (
    count_rows,
    read_batches,
    read_schema,
    require_pyarrow,
    row_groups,
)
from multideid.deid.files import FileJob
from multideid.deid.neutral_headings import NeutralHeadings
from multideid.deid.parquet_metadata import (
    other_names,
    with_names,
    with_schema,
    without_metadata,
)
from multideid.deid.rows import Cells, rewrite_rows
from multideid.deid.run import Run
from multideid.deid.table_columns import SAMPLE, Columns, warn_of_kept_values
from multideid.deid.table_errors import TableError, as_table_error
from multideid.files import atomic_output, read_meanwhile, scratch_path

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

_UNNAMED_INDEX = re.compile(r"__index_level_\d+__")


def rewrite_parquet(job: FileJob, columns: Columns, run: Run) -> None:
    """Rewrite columns of a Parquet file; parameters and errors as for `rewrite_csv`.

    Where PHI is replaced, metadata is left out, as by `without_metadata`.
    """
    require_pyarrow()
    with as_table_error():
        schema = read_schema(job.source)
        places = [_string_column(schema, name) for name in columns.text]
        patient = None if columns.patient is None else _only_column(schema, columns.patient)
        total = count_rows(job.source)
        written = without_metadata(schema) if run.finds_phi else schema
        headings = _headings(job, written, columns) if run.finds_phi else None
    contents = _ParquetRows(job, places, patient)
    rewritten = rewrite_rows(
        contents.rows(), columns.text, run, total=total, names=job.names, headings=headings
    )
    with atomic_output(job.target, private=run.private) as path:
        _write(path, written, contents.changed(read_meanwhile(rewritten)))
        if headings is not None:
            _rename(path, headings.new_names())
            headings.warn(job.source)


def _write(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Write a file; the batches may raise what they like, the library a `TableError`."""
    from pyarrow import parquet

    with as_table_error():
        writer = parquet.ParquetWriter(path, schema)
    with writer:
        for table in row_groups(batches):
            with as_table_error():
                writer.write_table(with_schema(table, schema))


def _headings(job: FileJob, schema: pa.Schema, columns: Columns) -> NeutralHeadings:
    """Return all names; warns of columns that are kept and look like identifiers."""
    kept = _samples(job, schema.names, columns.text)
    warn_of_kept_values(kept, job.source, [_shown(name) for name in schema.names])
    return NeutralHeadings([*schema.names, *other_names(schema)], columns.names)


def _rename(path: Path, names: Mapping[str, str]) -> None:
    """Give columns and indices of a file that was written new names."""
    if not names:
        return
    with scratch_path(path) as old, as_table_error():
        shutil.copyfile(path, old)
        _write(path, with_names(read_schema(old), names), read_batches(old))


def _samples(job: FileJob, names: Sequence[str], rewritten: Sequence[str]) -> dict[str, list[str]]:
    """Return the first values of the columns that are not rewritten."""
    samples: dict[str, list[str]] = {}
    first = next(iter(read_batches(job.source)), None)
    for place, name in enumerate(names):
        if name not in rewritten:
            known = samples.setdefault(_shown(name), [])
            known += [] if first is None else _as_strings(first.column(place).slice(0, SAMPLE))
    return samples


def _shown(name: str) -> str:
    return "index" if _UNNAMED_INDEX.fullmatch(name) else name


def _as_strings(column: pa.Array) -> list[str]:
    # Python has no form of some values, such as times in an unknown time zone.
    with suppress(Exception):
        return [str(value) for value in column.to_pylist() if value is not None]
    return []


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
        with as_table_error():
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
                with as_table_error():
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
