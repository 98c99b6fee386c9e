"""Prodigy's JSONL of tasks with spans, as ``prodigy db-out`` writes it.

::

    {"text": "Dr. Lee", "spans": [{"start": 4, "end": 7, "label": "DOCTOR"}],
     "_input_hash": 1, "_task_hash": 2, "answer": "accept"}

Tasks that were rejected or ignored are refused: nobody says what is in them. Relations are
no spans; choices and labels of whole texts are refused. Other fields are kept in ``meta``,
except the hashes, which a change of spans makes wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

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

_OTHER_KINDS = ("label", "accept", "audio_spans", "arcs")
_NOT_KEPT = ("answer", "tokens", "relations", "options", "_input_hash", "_task_hash")
_KNOWN = ("id", "text", "spans", "meta", *_OTHER_KINDS, *_NOT_KEPT)


def read(path: Path, report: OnReport) -> Iterator[Document]:
    """Yield the documents of a file.

    Raises
    ------
    CorpusError
        If a line is malformed, was not accepted, or has annotations of another kind.
    """
    return read_items(path, report, _record)


def _record(path: Path, where: str, item: Item) -> Item:
    answer = item.get("answer", "accept")
    if answer != "accept":
        raise CorpusError(path, "was rejected or ignored; leave such tasks out", where)
    for key in _OTHER_KINDS:
        if item.get(key):
            raise CorpusError(path, f"has annotations of an unknown kind under {key!r}", where)
    fields = other_fields(path, where, item, _KNOWN)
    found = []
    for value in listed(path, where, item.get("spans"), "spans"):
        span = value if isinstance(value, dict) else {}
        values = [span.get(key) for key in ("start", "end", "label")]
        found.append(span_item(path, where, values, span.get("text")))
    meta = joined_meta(path, where, item.get("meta"), fields)
    return {"id": item.get("id"), "text": item.get("text"), "spans": found, "meta": meta}


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write one file with one line per document."""
    write_lines(documents, output, _item)


def _item(document: Document) -> Item:
    spans = [{**span._asdict(), "text": document.span_text(span)} for span in document.spans]
    item = {"answer": "accept", "id": document.id, "text": document.text, "spans": spans}
    meta = dict(document.meta)
    return item | ({"meta": meta} if meta else {})


FORMAT = Format(
    "prodigy",
    "Prodigy's JSONL of tasks with spans",
    read,
    write,
    detect=looks_like(r'"_input_hash"\s*:|"answer"\s*:\s*"(?:accept|reject|ignore)"'),
)
