"""CSV, TSV and Parquet tables through pandas: a row for each document.

The text column can be named; the id, spans and meta columns are optional.
Spans are JSON text, ``[{"start": 4, "end": 7, "label": "DOCTOR"}]``, and so is
meta. Other columns are kept in ``meta["columns"]`` and written again. Cells of
a CSV file are text and nothing else: ``NA`` and ``007`` stay as they are.
"""

from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.corpora.assembly import Assembler
from multideid.corpora.output import Output
from multideid.corpora.records import document_of_record, record_of_document, to_json
from multideid.corpora.reports import OnReport
from multideid.corpora.source import check_utf8, require_file, unreadable
from multideid.document import Document
from multideid.errors import CorpusError

if TYPE_CHECKING:
    import pandas as pd


_NOT_PARQUET = "not a readable Parquet file; it may be damaged or cut short"


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns that hold documents.

    Parameters
    ----------
    text_column, id_column, spans_column, meta_column : str
        All but the first may be missing from a table.
    """

    text_column: str = "text"
    id_column: str = "id"
    spans_column: str = "spans"
    meta_column: str = "meta"


def documents_from_frame(
    frame: pd.DataFrame, report: OnReport, columns: Columns | None = None, path: Path | None = None
) -> Iterator[Document]:
    """Yield the document of each row of a table.

    Parameters
    ----------
    frame : DataFrame
    report : callable
        Called with a `Report` for each oddity that was resolved.
    columns : Columns, optional
    path : Path, optional
        Where the table came from, for errors.

    Raises
    ------
    CorpusError
        If there is no text column, or a row is malformed; names the row,
        counted from 1 without the header.
    """
    names, source = columns or Columns(), path or Path("table")
    if names.text_column not in frame.columns:
        # The others are not listed: a table without a header has text for names.
        problem = f"has no column {names.text_column!r} among its {len(frame.columns)}; name it"
        raise CorpusError(source, f"{problem} with text_column")
    filled = frame.astype(object).where(frame.notna(), None)
    for number, row in enumerate(filled.to_dict("records"), start=1):
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
        record["meta"] = {**(record["meta"] or {}), "columns": rest}
    return record


def _from_json(path: Path, where: str, column: str, cell: object) -> object:
    if cell is None or cell == "":
        return None
    if not isinstance(cell, str):
        raise CorpusError(path, f"column {column!r} is not JSON text", where)
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        raise CorpusError(path, f"column {column!r} is not JSON", where) from None


def frame_from_documents(
    documents: Iterable[Document], columns: Columns | None = None
) -> pd.DataFrame:
    """Return a table with a row for each document.

    Returns
    -------
    DataFrame
        All columns of strings but those that came in ``meta["columns"]``; a
        meta column only if a document has any.
    """
    import pandas as pd

    names = columns or Columns()
    rows = [_row(document, names) for document in documents]
    required = [names.id_column, names.text_column, names.spans_column]
    other = dict.fromkeys(name for row in rows for name in row if name not in required)
    return pd.DataFrame(rows, columns=[*required, *other])


def _row(document: Document, names: Columns) -> dict[str, Any]:
    record = record_of_document(document)
    meta = record.get("meta", {})
    own = meta.pop("columns", {})
    row = {
        names.id_column: document.id,
        names.text_column: document.text,
        names.spans_column: to_json(record["spans"]),
    }
    kept = {names.meta_column: to_json(meta)} if meta else {}
    return {**(own if isinstance(own, Mapping) else {}), **row, **kept}


def read_csv(path: Path, report: OnReport, **columns: str) -> Iterator[Document]:
    """Yield the documents of a CSV file, or of a TSV file by its suffix."""
    check_utf8(require_file(path))
    yield from documents_from_frame(_load_csv(path), report, Columns(**columns), path)


def _load_csv(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        # A row longer than the header is only a warning to pandas.
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            return pd.read_csv(
                path, sep=_separator(path), dtype=str, na_filter=False, index_col=False
            )
    except (pd.errors.ParserError, pd.errors.ParserWarning):
        problem = "not a table with as many cells in each row as in the header"
        raise CorpusError(path, problem) from None
    except pd.errors.EmptyDataError:
        raise CorpusError(path, "has no header and no rows") from None
    except OSError as exc:
        raise unreadable(path, exc) from None


def _separator(path: Path) -> str:
    return "\t" if path.suffix.lower() == ".tsv" else ","


def read_parquet(path: Path, report: OnReport, **columns: str) -> Iterator[Document]:
    """Yield the documents of a Parquet file."""
    yield from documents_from_frame(_load_parquet(path), report, Columns(**columns), path)


def _load_parquet(path: Path) -> pd.DataFrame:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(require_file(path)) as file:
            table = file.read()
        # Else bytes that are not UTF-8 would come up later, in an error that shows them.
        table.validate(full=True)
        frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
        return frame
    except OSError as exc:
        if exc.errno is not None:
            raise unreadable(path, exc) from None
        raise CorpusError(path, _NOT_PARQUET) from None
    except (pa.ArrowException, ValueError):
        raise CorpusError(path, _NOT_PARQUET) from None


def write_csv(
    documents: Iterable[Document], output: Output, report: OnReport, **columns: str
) -> None:
    """Write a CSV file with every cell in quotes, or TSV by the suffix."""
    frame = _checked_frame(documents, output, columns)
    frame.to_csv(
        output.staged,
        sep=_separator(output.target),
        index=False,
        quoting=csv.QUOTE_ALL,
        lineterminator="\n",
        encoding="utf-8",
    )


def write_parquet(
    documents: Iterable[Document], output: Output, report: OnReport, **columns: str
) -> None:
    """Write a Parquet file."""
    frame = _checked_frame(documents, output, columns)
    frame.to_parquet(output.staged, engine="pyarrow", index=False)


def _checked_frame(
    documents: Iterable[Document], output: Output, columns: Mapping[str, str]
) -> pd.DataFrame:
    return frame_from_documents(_encodable(documents, output), Columns(**columns))


def _encodable(documents: Iterable[Document], output: Output) -> Iterator[Document]:
    for document in documents:
        output.encode(document.text, document.id)
        output.encode(to_json(record_of_document(document)), document.id)
        yield document
