"""Convert documents to and from plain records, for JSON Lines and tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from multideid.corpora.assembly import Assembler
from multideid.document import Document, Span
from multideid.errors import CorpusError


def document_of_record(
    assembler: Assembler, where: str, default_id: str, record: Mapping[str, Any]
) -> Document:
    """Build a document from ``{"id", "text", "spans", "meta"}``.

    Parameters
    ----------
    assembler : Assembler
        The assembler of the file.
    where : str
        The position of the record for errors, such as ``"line 3"``.
    default_id : str
        The id for a record without one.
    record : mapping
        ``id`` (string or number), ``spans`` and ``meta`` may be missing.

    Raises
    ------
    CorpusError
        If a value is missing or has the wrong type.
    """
    path = assembler.path
    text = record.get("text")
    if not isinstance(text, str):
        raise CorpusError(path, "has no text, or it is not a string", where)
    meta = record.get("meta")
    if not isinstance(meta, Mapping | None):
        raise CorpusError(path, "meta is not an object", where)
    document_id = _document_id(path, where, record.get("id"), default_id)
    spans = _spans(path, where, record.get("spans"))
    return assembler.build(document_id, text, spans, meta)


def _document_id(path: Path, where: str, value: object, default: str) -> str:
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise CorpusError(path, "id is not a string or whole number, or is empty", where)
    return str(value)


def _spans(path: Path, where: str, value: object) -> list[Span]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise CorpusError(path, "spans is not a list", where)
    return [_span(path, where, n, item) for n, item in enumerate(value, start=1)]


def _span(path: Path, where: str, number: int, value: object) -> Span:
    item = value if isinstance(value, Mapping) else {}
    start, end, label = item.get("start"), item.get("end"), item.get("label")
    if type(start) is not int or type(end) is not int or not isinstance(label, str):
        problem = f"span {number} is not an object with whole start and end and a label"
        raise CorpusError(path, problem, where)
    return Span(start, end, label)


def record_of_document(document: Document) -> dict[str, Any]:
    """Return the record of a document; ``meta`` is left out if empty."""
    record = {
        "id": document.id,
        "text": document.text,
        "spans": [span._asdict() for span in document.spans],
    }
    return record | ({"meta": dict(document.meta)} if document.meta else {})


def to_json(value: object) -> str:
    """Return `value` as JSON on one line; other types are converted to strings."""
    return json.dumps(value, ensure_ascii=False, default=str)
