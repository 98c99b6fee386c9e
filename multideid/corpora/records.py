"""Convert documents to and from plain records, for JSON Lines and tables."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from multideid.corpora.assembly import Assembler
from multideid.document import Document, Evidence, Span
from multideid.errors import CorpusError
from multideid.evidence import evidence_of

_DECIMALS = 4
_KEYS = ("id", "text", "spans", "meta")


def document_of_record(
    assembler: Assembler, where: str, default_id: str, record: Mapping[str, Any]
) -> Document:
    """Build a document from ``{"id", "text", "spans", "meta"}``.

    A span may have ``score`` and ``sources``, which become its evidence.

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
    found = _spans(path, where, record.get("spans"))
    document = assembler.build(document_id, text, [span for span, _ in found], meta)
    evidence = {span: one for span, one in found if one != Evidence()}
    return replace(document, evidence=evidence)


def other_fields(
    path: Path, where: str, record: Mapping[str, Any], known: Collection[str] = _KEYS
) -> dict[str, Any]:
    """Return the fields of a record that a format has no place for, and that go to ``meta``.

    Parameters
    ----------
    path : Path
    where : str
        The position of the record, for errors.
    record : mapping
    known : collection of str
        The fields that are read as something else.

    Raises
    ------
    CorpusError
        If one of them holds annotations.
    """
    fields = {key: value for key, value in record.items() if key not in known}
    for key, value in fields.items():
        if _are_annotations(value):
            problem = f"has annotations of an unknown kind under {key!r}; write them as spans"
            raise CorpusError(path, problem, where)
    return fields


def joined_meta(path: Path, where: str, meta: object, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ``meta`` of a record, which may be None, together with its other fields.

    Raises
    ------
    CorpusError
        If ``meta`` is not an object, or has one of the fields with another value.
    """
    if not isinstance(meta, Mapping | None):
        raise CorpusError(path, "meta is not an object", where)
    own = dict(meta or {})
    for name, value in fields.items():
        if own.setdefault(name, value) != value:
            problem = f"has two values of {name!r}, one in its meta; rename or remove one"
            raise CorpusError(path, problem, where)
    return own


def _are_annotations(value: object) -> bool:
    """Return whether a value is a list of things with two whole numbers or more, as offsets are."""
    if not isinstance(value, list) or not value:
        return False
    parts = [list(v.values()) if isinstance(v, Mapping) else v for v in value]
    return all(isinstance(p, list) and sum(type(n) is int for n in p) > 1 for p in parts)


def _document_id(path: Path, where: str, value: object, default: str) -> str:
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise CorpusError(path, "id is not a string or whole number, or is empty", where)
    return str(value)


def _spans(path: Path, where: str, value: object) -> list[tuple[Span, Evidence]]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise CorpusError(path, "spans is not a list", where)
    return [_span(path, where, n, item) for n, item in enumerate(value, start=1)]


def _span(path: Path, where: str, number: int, value: object) -> tuple[Span, Evidence]:
    item = value if isinstance(value, Mapping) else {}
    start, end, label = item.get("start"), item.get("end"), item.get("label")
    if type(start) is not int or type(end) is not int or not isinstance(label, str):
        problem = f"span {number} is not an object with whole start and end and a label"
        raise CorpusError(path, problem, where)
    return Span(start, end, label), _evidence(path, where, number, item)


def _evidence(path: Path, where: str, number: int, item: Mapping[str, Any]) -> Evidence:
    score, sources = item.get("score"), item.get("sources", [])
    if score is not None and (type(score) not in (int, float) or not 0 <= score <= 1):
        raise CorpusError(path, f"the score of span {number} is not a number from 0 to 1", where)
    if not isinstance(sources, list) or not all(isinstance(name, str) for name in sources):
        raise CorpusError(path, f"the sources of span {number} are not a list of names", where)
    return Evidence(score, tuple(sources))


def record_of_document(document: Document) -> dict[str, Any]:
    """Return the record of a document; ``meta`` is left out if empty."""
    record = {
        "id": document.id,
        "text": document.text,
        "spans": [_span_record(span, evidence_of(document, span)) for span in document.spans],
    }
    return record | ({"meta": dict(document.meta)} if document.meta else {})


def _span_record(span: Span, evidence: Evidence) -> dict[str, Any]:
    record: dict[str, Any] = span._asdict()
    if evidence.score is not None:
        record["score"] = round(evidence.score, _DECIMALS)
    return record | ({"sources": list(evidence.sources)} if evidence.sources else {})


def to_json(value: object) -> str:
    """Return `value` as JSON on one line; other types are converted to strings."""
    return json.dumps(value, ensure_ascii=False, default=str)
