"""Documents as rows of tables, for CSV and Parquet files.

The names of the columns can be chosen; the id, spans and meta columns are
optional. Spans are JSON, ``[{"start": 4, "end": 7, "label": "DOCTOR"}]``, and so
is meta. Other columns are kept in ``meta["columns"]`` and written again; those with
the name of a column for documents are written to the meta column, under ``columns``.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.corpora.assembly import Assembler
from multideid.corpora.output import Output
from multideid.corpora.records import document_of_record, record_of_document, to_json
from multideid.corpora.reports import OnReport
from multideid.document import Document
from multideid.errors import CorpusError
from multideid.meta_fields import COLUMNS

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns for documents.

    Parameters
    ----------
    text_column, id_column, spans_column, meta_column : str
        All but the text column may be missing from a table.
    """

    text_column: str = "text"
    id_column: str = "id"
    spans_column: str = "spans"
    meta_column: str = "meta"

    @property
    def required(self) -> tuple[str, str, str]:
        """The columns of every table that is written, in order."""
        return self.id_column, self.text_column, self.spans_column


COLUMN_OPTIONS = tuple(part.name for part in fields(Columns))
"""The options of table formats."""


def documents_from_frame(
    frame: pd.DataFrame,
    report: OnReport,
    columns: Columns | None = None,
    path: Path | None = None,
    first: int = 1,
) -> Iterator[Document]:
    """Yield the document of each row of a table.

    Parameters
    ----------
    frame : DataFrame
    report : callable
        Called with a `Report` for each irregularity that was resolved.
    columns : Columns, optional
    path : Path, optional
        The file of the table, for errors.
    first : int, default 1
        The row number of the first row of the frame in the table.

    Raises
    ------
    CorpusError
        If there is no text column, or a row is malformed; rows are counted
        from 1, without the header.
    """
    names, source = columns or Columns(), path or Path("table")
    if names.text_column not in frame.columns:
        # Column names are not listed: without a header they would be text.
        problem = f"has no column {names.text_column!r} among its {len(frame.columns)}; name it"
        raise CorpusError(source, f"{problem} with text_column")
    filled = frame.astype(object).where(frame.notna(), None)
    for number, row in enumerate(filled.to_dict("records"), start=first):
        where = f"row {number}"
        record = _record(source, where, row, names)
        yield document_of_record(Assembler(source, report), where, str(number), record)


def _record(path: Path, where: str, row: dict[Hashable, Any], names: Columns) -> dict[str, Any]:
    rest = {str(name): value for name, value in row.items()}
    record = {
        "text": rest.pop(names.text_column),
        "id": rest.pop(names.id_column, None),
        "spans": _from_json(path, where, names.spans_column, rest.pop(names.spans_column, None)),
        "meta": _from_json(path, where, names.meta_column, rest.pop(names.meta_column, None)),
    }
    if rest and isinstance(record["meta"], Mapping | None):
        record["meta"] = _with_columns(path, where, record["meta"] or {}, rest)
    return record


def _with_columns(
    path: Path, where: str, meta: Mapping[str, Any], cells: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a row's meta with its other columns, apart from those that are in it already."""
    own = meta.get(COLUMNS, {})
    if not isinstance(own, Mapping):
        raise CorpusError(path, "'columns' of its meta is not an object; rename it", where)
    if twice := sorted(own.keys() & cells.keys()):
        problem = f"column {twice[0]!r} is also among the columns of its meta; rename one"
        raise CorpusError(path, problem, where)
    return {**meta, COLUMNS: {**own, **cells}}


def _from_json(path: Path, where: str, column: str, cell: object) -> object:
    if cell is None or cell == "":
        return None
    if not isinstance(cell, str):
        raise CorpusError(path, f"column {column!r} is not JSON text", where)
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        raise CorpusError(path, f"column {column!r} is not JSON", where) from None


def row_of_document(document: Document, names: Columns, output: Output) -> dict[str, Any]:
    """Return the cells of a document by column; the meta cell is left out if empty.

    Raises
    ------
    CorpusError
        If ``columns`` of its meta holds no columns.
    """
    record = record_of_document(document)
    row = {
        names.id_column: document.id,
        names.text_column: document.text,
        names.spans_column: to_json(record["spans"]),
    }
    columns, meta = _split_meta(document, {*row, names.meta_column}, output)
    return {**columns, **row, **({names.meta_column: to_json(meta)} if meta else {})}


def _split_meta(
    document: Document, taken: Collection[str], output: Output
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the columns of a document that have no taken name, and the rest of its meta."""
    meta = dict(document.meta)
    own = meta.pop(COLUMNS, {})
    if not isinstance(own, Mapping):
        problem = "'columns' of its meta, which is for other columns, is not an object; rename it"
        raise output.error(problem, document.id)
    kept = {name: value for name, value in own.items() if name in taken}
    if kept or (not own and COLUMNS in document.meta):
        meta[COLUMNS] = kept
    return {name: value for name, value in own.items() if name not in taken}, meta


def encodable(documents: Iterable[Document], output: Output) -> Iterator[Document]:
    """Yield documents after checking that they can be encoded in UTF-8.

    Raises
    ------
    CorpusError
        If one cannot; the message gives document and offset.
    """
    for document in documents:
        output.encode(document.text, document.id)
        output.encode(to_json(record_of_document(document)), document.id)
        yield document
