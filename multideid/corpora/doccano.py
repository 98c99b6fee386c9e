"""doccano's JSONL of sequence labelling.

::

    {"id": 7, "text": "Dr. Lee", "label": [[4, 7, "DOCTOR"]]}

    {"id": 7, "text": "Dr. Lee", "entities": [{"id": 1, "label": "DOCTOR", "start_offset": 4,
     "end_offset": 7}], "relations": [], "Comments": []}

Both are read, also with ``labels`` or ``data`` as in other versions; the first is written.
Relations and comments are no spans. Labels of whole texts are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from multideid.corpora.contract import Format
from multideid.corpora.json_items import (
    Item,
    listed,
    looks_like,
    read_items,
    span_item,
    write_lines,
)
from multideid.corpora.output import Output
from multideid.corpora.records import joined_meta, other_fields
from multideid.corpora.reports import OnReport
from multideid.document import Document
from multideid.errors import CorpusError

_SPANS = ("label", "labels", "entities")
_READ = ("id", "text", "data", "meta", *_SPANS, "relations", "Comments", "comments")


def read(path: Path, report: OnReport) -> Iterator[Document]:
    """Yield the documents of a file.

    Raises
    ------
    CorpusError
        If a line is malformed, or has annotations of another kind.
    """
    return read_items(path, report, _record)


def _record(path: Path, where: str, item: Item) -> Item:
    others = other_fields(path, where, item, _READ)
    given = [key for key in _SPANS if item.get(key)]
    if len(given) > 1:
        raise CorpusError(path, f"has both {given[0]} and {given[1]}; keep one", where)
    found = [a for key in _SPANS for a in listed(path, where, item.get(key), key)]
    return {
        "id": item.get("id"),
        "text": item.get("text", item.get("data")),
        "spans": [span_item(path, where, _values(value)) for value in found],
        "meta": joined_meta(path, where, item.get("meta") or None, others),
    }


def _values(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return [value.get(key) for key in ("start_offset", "end_offset", "label")]
    return value if isinstance(value, list) else []


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write one file with one line per document."""
    write_lines(documents, output, _item)


def _item(document: Document) -> Item:
    meta = dict(document.meta)
    label = [list(span) for span in document.spans]
    return {"id": document.id, "label": label, "text": document.text} | (
        {"meta": meta} if meta else {}
    )


FORMAT = Format(
    "doccano",
    "doccano's JSONL of sequence labelling, also with relations",
    read,
    write,
    detect=looks_like(
        r'"labels?"\s*:\s*\[\s*(?:\[\s*\d|\])|"start_offset"\s*:',
        without=r'"paragraphs"\s*:|"spans"\s*:|"ents"\s*:|"annotations"\s*:|"full_text"\s*:',
    ),
)
