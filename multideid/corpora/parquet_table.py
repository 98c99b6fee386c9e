"""Parquet files with one row per document, read and written in batches.

See `multideid.corpora.tabular` for the columns.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.corpora.contract import Format
from multideid.corpora.output import Output
from multideid.corpora.parquet_batches import read_batches, require_pyarrow
from multideid.corpora.reports import OnReport
from multideid.corpora.source import read_beginning
from multideid.corpora.tabular import (
    COLUMN_OPTIONS,
    Columns,
    documents_from_frame,
    encodable,
    row_of_document,
)
from multideid.document import Document
from multideid.files import scratch_path

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

Row = dict[str, Any]

_ROWS = 4096
_CHARACTERS = 1 << 23


def read(path: Path, report: OnReport, **columns: str) -> Iterator[Document]:
    """Yield the documents of a Parquet file."""
    names, first = Columns(**columns), 1
    for batch in read_batches(path):
        # Keep integers as such in columns with missing values.
        frame = batch.to_pandas(ignore_metadata=True, integer_object_nulls=True)
        yield from documents_from_frame(frame, report, names, path, first)
        first += len(frame)


def write(documents: Iterable[Document], output: Output, report: OnReport, **columns: str) -> None:
    """Write a Parquet file.

    Raises
    ------
    CorpusError
        If a column in the documents' ``meta`` has values of different types.
    """
    require_pyarrow()
    names = Columns(**columns)
    table = _Table(output)
    try:
        for rows in _portions(encodable(documents, output), names, output):
            table.add(_to_arrow(rows, names, output))
    finally:
        table.close()


def _portions(documents: Iterable[Document], names: Columns, output: Output) -> Iterator[list[Row]]:
    rows: list[Row] = []
    size = 0
    for document in documents:
        rows.append(row_of_document(document, names, output))
        size += len(document.text)
        if size > _CHARACTERS or len(rows) == _ROWS:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows


def _to_arrow(rows: list[Row], names: Columns, output: Output) -> pa.Table:
    import pyarrow as pa

    present = dict.fromkeys([*names.required, *(name for row in rows for name in row)])
    arrays = {}
    for name in present:
        try:
            arrays[name] = pa.array([row.get(name) for row in rows], from_pandas=True)
        except (pa.ArrowException, OverflowError):
            # The original message may quote a value.
            raise _mixed(output, name) from None
    return pa.table(arrays)


def _mixed(output: Output, name: str) -> Exception:
    return output.error(f"column {name!r} has values of different types; choose another format")


class _Table:
    """A file to which tables are added, with new columns or wider types if necessary."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._writer: parquet.ParquetWriter | None = None

    def add(self, table: pa.Table) -> None:
        from pyarrow import parquet

        if self._writer is None:
            self._writer = parquet.ParquetWriter(self._output.temporary, table.schema)
        schema = self._common_schema(table.schema)
        if not schema.equals(self._writer.schema):
            self._rewrite(schema)
        self._writer.write_table(_fitted(table, schema))

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()

    def _common_schema(self, schema: pa.Schema) -> pa.Schema:
        import pyarrow as pa

        assert self._writer is not None
        try:
            return pa.unify_schemas([self._writer.schema, schema], promote_options="permissive")
        except pa.ArrowException:
            raise self._output.error(
                "a column has values of different types; choose another format"
            ) from None

    def _rewrite(self, schema: pa.Schema) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self.close()
        path = self._output.temporary
        with scratch_path(path) as narrow:
            shutil.copyfile(path, narrow)
            self._writer = parquet.ParquetWriter(path, schema)
            for batch in read_batches(narrow):
                self._writer.write_table(_fitted(pa.Table.from_batches([batch]), schema))


def _fitted(table: pa.Table, schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    columns = [
        table[field.name].cast(field.type)
        if field.name in table.column_names
        else pa.nulls(len(table), field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


def _detect(path: Path) -> bool:
    return path.is_file() and read_beginning(path).startswith("PAR1")


FORMAT = Format(
    "parquet",
    "Parquet; columns id, text and spans (JSON)",
    read,
    write,
    folder=False,
    options=COLUMN_OPTIONS,
    detect=_detect,
    scores=True,
)
