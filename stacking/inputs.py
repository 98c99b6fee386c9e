"""Texts as users have them (strings, documents, lists, columns) as documents, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from operator import index
from typing import Any, Protocol

from multideid.document import Document, Span
from multideid.errors import UsageError


class Column(Protocol):
    """A Series of pandas or polars."""

    def to_list(self) -> list[Any]:
        """Return the values."""


Texts = str | Document | Column | Iterable[str | Document]
"""What de-identifiers take; in a column, missing values stay missing."""

_KINDS = "a string, a Document, a list of them, or a column (a pandas or polars Series)"
_TEXT = "text"


@dataclass(frozen=True, slots=True)
class Notes:
    """The documents of an input, and how to give results in its form.

    Parameters
    ----------
    documents : list of Document
        Without the missing values of a column.
    arrange : callable
        Takes one result per document, in order, and returns them as the input came:
        one for a string, a list, or a column with its index and missing values.
    """

    documents: list[Document]
    arrange: Callable[[Sequence[Any]], Any]


def read_notes(data: object) -> Notes:
    """Return the documents of an input.

    Parameters
    ----------
    data : str, Document, iterable of them, pandas.Series or polars.Series
        A Series has strings, or documents, and missing values, which stay missing.

    Raises
    ------
    UsageError
        If it is something else, or holds something else; the message names the place
        and the type, and no text.
    """
    if isinstance(data, str):
        return Notes([Document(_TEXT, data)], _only)
    if isinstance(data, Document):
        return Notes([data], _only)
    match _library_type(data):
        case ("pandas", "Series"):
            return _pandas_notes(data)
        case ("polars", "Series"):
            return _polars_notes(data)
    return Notes(list(_documents(_values(data))), list)


def _only(results: Sequence[Any]) -> Any:
    (result,) = results
    return result


def _library_type(data: object) -> tuple[str, str]:
    """Return the library and the name of a type, or of the Series or DataFrame it is a kind of."""
    names = [(kind.__module__.partition(".")[0], kind.__name__) for kind in type(data).__mro__]
    tables = [name for name in names if name[1] in ("Series", "DataFrame")]
    return (tables or names)[0]


def _pandas_notes(series: Any) -> Notes:
    missing = series.isna().tolist()
    pairs = zip(series.index, series.tolist(), missing, strict=True)
    documents = [_document(str(place), value, "row") for place, value, gone in pairs if not gone]

    def arrange(results: Sequence[Any]) -> Any:
        import pandas as pd

        found = iter(results)
        # NaN, None and NA stay as they were.
        pairs = zip(series.tolist(), missing, strict=True)
        new = [old if gone else next(found) for old, gone in pairs]
        changed = pd.Series(new, series.index, dtype=object, name=series.name)
        if not all(isinstance(result, str) for result in results):
            return changed
        is_category = isinstance(series.dtype, pd.CategoricalDtype)
        return changed.astype("category" if is_category else series.dtype)

    return Notes(documents, arrange)


def _polars_notes(series: Any) -> Notes:
    values = series.to_list()
    rows = [(str(row), value) for row, value in enumerate(values) if value is not None]
    documents = [_document(row, value, "row") for row, value in rows]

    def arrange(results: Sequence[Any]) -> Any:
        import polars as pl

        found = iter(results)
        new = [None if value is None else next(found) for value in values]
        if all(isinstance(result, str) for result in results):
            return pl.Series(series.name, new, dtype=pl.String)
        span = pl.Struct({"start": pl.Int64, "end": pl.Int64, "label": pl.String})
        spans = [document and [s._asdict() for s in document.spans] for document in new]
        return pl.Series(series.name, spans, dtype=pl.List(span))

    return Notes(documents, arrange)


def _values(data: object) -> Iterable[object]:
    kind = type(data).__name__
    if _library_type(data)[1] == "DataFrame":
        raise UsageError(
            "got a DataFrame: give its column of texts, such as frame['text'], or use "
            "multideid.deidentify_frame"
        )
    if not isinstance(data, Iterable) or isinstance(data, bytes | bytearray | dict):
        advice = _ADVICE.get(kind, "")
        raise UsageError(f"notes must be {_KINDS}; got an object of type {kind}{advice}")
    return data


_ADVICE = {
    "bytes": ": decode it, for instance with .decode('utf-8')",
    "PosixPath": ": read the file first, for instance with multideid.read_corpus",
    "WindowsPath": ": read the file first, for instance with multideid.read_corpus",
    "dict": ": give its values, as a list",
}


def _documents(values: Iterable[object]) -> Iterator[Document]:
    for place, value in enumerate(values):
        yield _document(str(place), value, "element")


def _document(place: str, value: object, unit: str) -> Document:
    if isinstance(value, Document):
        return value
    if isinstance(value, str):
        return Document(place, str(value))
    if _is_missing(value):
        advice = "leave it out, or give a pandas or polars Series, in which it stays missing"
        raise UsageError(f"{unit} {place} is missing ({value!r}): {advice}")
    kind = type(value).__name__
    raise UsageError(f"{unit} {place} is of type {kind}; every one must be a string or a Document")


def _is_missing(value: object) -> bool:
    is_nan = isinstance(value, float) and isnan(value)
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def annotated(data: object, y: object = None) -> list[Document]:
    """Return documents with gold spans.

    Parameters
    ----------
    data : str, Document, iterable of them, or Series
    y : iterable, optional
        For each text its gold spans as ``(start, end, label)``, or a document with them.
        Default: the documents have their spans.

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
    gold = _gold(y)
    if len(gold) != len(documents):
        raise UsageError(f"y has the spans of {len(gold)} texts; there are {len(documents)} texts")
    return [document.with_spans(spans) for document, spans in zip(documents, gold, strict=True)]


def _gold(y: object) -> list[tuple[Span, ...]]:
    if not isinstance(y, Iterable) or isinstance(y, str):
        raise UsageError(f"y must hold the spans of each text; got {type(y).__name__}")
    return [_spans(place, value) for place, value in enumerate(y)]


def _spans(place: int, value: object) -> tuple[Span, ...]:
    if isinstance(value, Document):
        return value.spans
    try:
        return tuple(Span(index(start), index(end), str(label)) for start, end, label in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        kind = type(value).__name__
        problem = "it must hold (start, end, label) for each span of the text"
        raise UsageError(f"element {place} of y is of type {kind}; {problem}") from None
