"""Texts as users have them (strings, documents, lists, columns) as documents, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from multideid.arguments import invalid, is_missing
from multideid.document import Document, Span, as_span
from multideid.errors import UsageError


class Column(Protocol):
    """A Series of pandas or polars; arrays of pyarrow have no types."""

    def to_list(self) -> list[Any]:
        """Return the values."""


Texts = str | Document | Column | Iterable[str | Document]
"""What de-identifiers take; in a column, missing values stay missing."""

_KINDS = (
    "a string, a Document, a list of them, or a column (a pandas or polars Series, or a pyarrow "
    "array)"
)
_TEXT = "text"
_TABLES = ("DataFrame", "LazyFrame", "Table")


@dataclass(frozen=True, slots=True)
class Notes:
    """The documents of an input, and how to give results in its form.

    Parameters
    ----------
    documents : list of Document
        Without the missing values of a column.
    of_documents, of_texts : callable
        Take one document, or one text, per document, in order, and return them as the input
        came: one for a string, a list, or a column with its index and missing values.
    """

    documents: list[Document]
    of_documents: Callable[[Sequence[Document]], Any]
    of_texts: Callable[[Sequence[str]], Any]


def read_notes(data: object) -> Notes:
    """Return the documents of an input.

    Parameters
    ----------
    data : str, Document, iterable of them, or column
        A Series of pandas or polars, or an array of pyarrow. It has strings, or documents,
        and missing values, which stay missing.

    Raises
    ------
    UsageError
        If it is something else, or holds something else; the message names the place
        and the type, and no text.
    """
    if isinstance(data, str):
        return Notes([Document(_TEXT, data)], _only, _only)
    if isinstance(data, Document):
        return Notes([data], _only, _only)
    match _library_type(data):
        case ("pandas", "Series"):
            return _pandas_notes(data)
        case ("polars", "Series"):
            return _polars_notes(data)
        case ("pyarrow", "Array" | "ChunkedArray"):
            return _arrow_notes(data)
    return Notes(list(documents_of(data)), list, list)


def _only(results: Sequence[Any]) -> Any:
    (result,) = results
    return result


def _library_type(data: object) -> tuple[str, str]:
    """Return the library and the name of a type, or of the column or table it is a kind of."""
    names = [(kind.__module__.partition(".")[0], kind.__name__) for kind in type(data).__mro__]
    tables = [name for name in names if name[1] in ("Series", *_TABLES, "Array", "ChunkedArray")]
    return (tables or names)[0]


def _pandas_notes(series: Any) -> Notes:
    missing = series.isna().tolist()
    pairs = zip(series.index, series.tolist(), missing, strict=True)
    documents = [_document(str(place), value, "row") for place, value, gone in pairs if not gone]

    def of_documents(results: Sequence[Any]) -> Any:
        import pandas as pd

        found = iter(results)
        # NaN, None and NA stay as they were.
        pairs = zip(series.tolist(), missing, strict=True)
        new = [old if gone else next(found) for old, gone in pairs]
        return pd.Series(new, series.index, dtype=object, name=series.name)

    def of_texts(texts: Sequence[str]) -> Any:
        import pandas as pd

        is_category = isinstance(series.dtype, pd.CategoricalDtype)
        return of_documents(texts).astype("category" if is_category else series.dtype)

    return Notes(documents, of_documents, of_texts)


def _polars_notes(series: Any) -> Notes:
    import polars as pl

    values = series.to_list()
    span = pl.Struct({"start": pl.Int64, "end": pl.Int64, "label": pl.String})

    def of_documents(documents: Sequence[Document]) -> Any:
        return pl.Series(series.name, _span_rows(values, documents), dtype=pl.List(span))

    def of_texts(texts: Sequence[str]) -> Any:
        return pl.Series(series.name, _in_rows(values, texts), dtype=pl.String)

    return Notes(_rows(values), of_documents, of_texts)


def _arrow_notes(column: Any) -> Notes:
    import pyarrow as pa

    values = column.to_pylist()
    span = pa.struct([("start", pa.int64()), ("end", pa.int64()), ("label", pa.string())])

    def of_documents(documents: Sequence[Document]) -> Any:
        return _like_arrow(column, pa.array(_span_rows(values, documents), pa.list_(span)))

    def of_texts(texts: Sequence[str]) -> Any:
        return _like_arrow(column, pa.array(_in_rows(values, texts), column.type))

    return Notes(_rows(values), of_documents, of_texts)


def _in_rows(values: Sequence[object], results: Sequence[Any]) -> list[Any]:
    """Return a result for each row, and None where a value is missing."""
    found = iter(results)
    return [None if value is None else next(found) for value in values]


def _span_rows(values: Sequence[object], documents: Sequence[Document]) -> list[Any]:
    """Return for each row the spans of its document, each as a dictionary."""
    return _in_rows(values, [[span._asdict() for span in d.spans] for d in documents])


def _like_arrow(column: Any, array: Any) -> Any:
    import pyarrow as pa

    return pa.chunked_array([array]) if isinstance(column, pa.ChunkedArray) else array


def _rows(values: Sequence[object]) -> list[Document]:
    return [_document(str(n), value, "row") for n, value in enumerate(values) if value is not None]


def _values(data: object) -> Iterable[object]:
    kind = type(data).__name__
    table = _library_type(data)[1]
    if table in _TABLES:
        raise UsageError(
            f"got a {table}: give its column of texts, such as frame['text'], or use "
            "multideid.deidentify_frame"
        )
    # An array of numpy without dimensions says that it can be iterated.
    is_single = isinstance(data, _NO_LISTS) or getattr(data, "ndim", 1) == 0
    if is_single or not isinstance(data, Iterable):
        advice = _ADVICE.get(kind, "")
        raise UsageError(f"notes must be {_KINDS}; got an object of type {kind}{advice}")
    return data


_NO_LISTS = (str, bytes, bytearray, memoryview, dict)
_ADVICE = {
    "str": ": put it into a list",
    "bytes": ": decode it, for instance with .decode('utf-8')",
    "PosixPath": ": read the file first, for instance with multideid.read_corpus",
    "WindowsPath": ": read the file first, for instance with multideid.read_corpus",
    "dict": ": give its values, as a list",
}


def documents_of(data: object) -> Iterator[Document]:
    """Yield the documents of an iterable of strings and documents, one at a time.

    Raises
    ------
    UsageError
        As `read_notes`.
    """
    for place, value in enumerate(_values(data)):
        yield _document(str(place), value, "element")


def batch_of(documents: object) -> list[Document]:
    """Return a list of documents, for methods that take nothing else.

    Raises
    ------
    UsageError
        If it is not a list, or has something else in it; the message holds no text.
    """
    if isinstance(documents, Document | str) or not isinstance(documents, Iterable):
        raise invalid("the documents", "a list of Documents", documents, is_private=True)
    found = list(documents)
    for place, value in enumerate(found):
        if not isinstance(value, Document):
            kind = type(value).__name__
            advice = "Document(id, text), or give texts to predict"
            raise UsageError(f"element {place} is of type {kind}; every one must be a {advice}")
    return found


def _document(place: str, value: object, unit: str) -> Document:
    if isinstance(value, Document):
        return value
    if isinstance(value, str):
        return Document(place, str(value))
    if is_missing(value):
        advice = "leave it out, or give a pandas or polars Series, in which it stays missing"
        raise UsageError(f"{unit} {place} is missing ({value!r}): {advice}")
    kind = type(value).__name__
    raise UsageError(f"{unit} {place} is of type {kind}; every one must be a string or a Document")


def annotated(data: object, y: object = None) -> list[Document]:
    """Return documents with gold spans.

    Parameters
    ----------
    data : str, Document, iterable of them, or Series
    y : iterable, or column, optional
        For each text its gold spans as ``(start, end, label)``, or as mappings with these keys,
        or a document with them; at a missing text, anything. Default: the documents have
        their spans.

    Raises
    ------
    UsageError
        If there are not as many in `y` as texts, or something is not a span.
    DocumentError
        If spans overlap or lie outside their text.
    """
    documents = read_notes(data).documents
    if y is None:
        return documents
    gold = _gold(y, _missing(data))
    if len(gold) != len(documents):
        raise UsageError(f"y has the spans of {len(gold)} texts; there are {len(documents)} texts")
    return [document.with_spans(spans) for document, spans in zip(documents, gold, strict=True)]


def _missing(data: Any) -> list[bool]:
    """Return which texts of a column are missing."""
    match _library_type(data):
        case ("pandas", "Series"):
            return list(data.isna())
        case ("polars", "Series") | ("pyarrow", _):
            return [value is None for value in _listed(data)]
    return []


def _gold(y: object, missing: Sequence[bool]) -> list[tuple[Span, ...]]:
    if not isinstance(y, Iterable) or isinstance(y, str):
        raise UsageError(f"y must hold the spans of each text; got {type(y).__name__}")
    values = list(enumerate(_listed(y)))
    if len(values) == len(missing):
        values = [pair for pair, gone in zip(values, missing, strict=True) if not gone]
    return [_spans(place, value) for place, value in values]


def _listed(values: Any) -> list[Any]:
    """Return values as Python's, which iteration over an array of pyarrow does not give."""
    is_arrow = _library_type(values)[0] == "pyarrow"
    return list(values.to_pylist() if is_arrow else values)


def _spans(place: int, value: object) -> tuple[Span, ...]:
    if isinstance(value, Document):
        return value.spans
    try:
        return tuple(as_span(_parts(span)) for span in value)  # type: ignore[attr-defined]
    except TypeError:
        kind = type(value).__name__
        problem = "it must hold (start, end, label) for each span of the text"
        raise UsageError(f"element {place} of y is of type {kind}; {problem}") from None


def _parts(span: object) -> object:
    """Return start, end and label of a span, a mapping in columns of polars and pyarrow."""
    return [span.get(key) for key in Span._fields] if isinstance(span, Mapping) else span
