"""The JSON of presidio-research, ``InputSample.to_json``.

::

    [{"full_text": "Dr. Lee", "masked": null, "spans": [{"entity_type": "PERSON",
      "entity_value": "Lee", "start_position": 4, "end_position": 7}],
      "template_id": null, "metadata": {"id": "7"}}]

Where the ``meta`` of a document has an ``id`` or a ``meta`` of its own, all of it is written under
``meta`` of the metadata.
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
    write_list,
)
from multideid.corpora.output import Output
from multideid.corpora.records import joined_meta, other_fields
from multideid.corpora.reports import OnReport
from multideid.document import Document

_KNOWN = ("full_text", "masked", "spans", "metadata", "tokens", "tags")
_NUMBERS = ("template_id", "sample_id")
_NESTING = {"id", "meta"}


def read(path: Path, report: OnReport) -> Iterator[Document]:
    """Yield the documents of a file.

    Raises
    ------
    CorpusError
        If an item is malformed, or a value is not the text at its offsets.
    """
    return read_items(path, report, _record)


def _record(path: Path, where: str, item: Item) -> Item:
    fields = other_fields(path, where, item, _KNOWN)
    found = []
    for value in listed(path, where, item.get("spans"), "spans"):
        span = value if isinstance(value, dict) else {}
        values = [span.get(key) for key in ("start_position", "end_position", "entity_type")]
        found.append(span_item(path, where, values, span.get("entity_value")))
    meta = joined_meta(path, where, item.get("metadata"), {})
    number = meta.pop("id") if "id" in meta else fields.pop("sample_id", None)
    if meta.keys() == {"meta"} and isinstance(meta["meta"], dict):
        meta = meta["meta"]
    given = {k: v for k, v in fields.items() if k not in _NUMBERS or v is not None}
    record = {"id": number, "text": item.get("full_text"), "spans": found}
    return {**record, "meta": joined_meta(path, where, meta, given)}


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write one file with a list of samples."""
    write_list(documents, output, _item)


def _item(document: Document) -> Item:
    spans = [
        {
            "entity_type": span.label,
            "entity_value": document.span_text(span),
            "start_position": span.start,
            "end_position": span.end,
        }
        for span in document.spans
    ]
    meta = dict(document.meta)
    template = None if meta.get("template_id") is None else meta.pop("template_id")
    return {
        "full_text": document.text,
        "masked": None,
        "spans": spans,
        "template_id": template,
        "metadata": {**({"meta": meta} if _NESTING & meta.keys() else meta), "id": document.id},
    }


FORMAT = Format(
    "presidio-research",
    "the JSON of presidio-research, InputSample.to_json",
    read,
    write,
    detect=looks_like(r'"full_text"\s*:'),
)
