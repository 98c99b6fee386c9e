"""Fields of documents by name: those of `meta`, and the columns of the table a note comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from multideid.document import Document

COLUMNS = "columns"
"""Key of `Document.meta` for the other columns of a table."""


def field_of(document: Document, name: str) -> Any:
    """Return a field of a document, or else a column of its table; None if it has neither."""
    value = document.meta.get(name)
    return _columns(document).get(name) if value is None else value


def field_names(document: Document) -> list[str]:
    """Return the names of a document's fields and columns, sorted."""
    return sorted({*map(str, document.meta), *map(str, _columns(document))} - {COLUMNS})


def _columns(document: Document) -> Mapping[Any, Any]:
    columns = document.meta.get(COLUMNS)
    return columns if isinstance(columns, Mapping) else {}
