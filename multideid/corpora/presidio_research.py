"""The JSON of presidio-research, ``InputSample.to_json``.

::

    [{"full_text": "Dr. Lee", "masked": null, "spans": [{"entity_type": "PERSON",
      "entity_value": "Lee", "start_position": 4, "end_position": 7}],
      "template_id": null, "metadata": {"id": "7"}}]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from multideid.corpora.contract import Format
from multideid.corpora.json_items import (
    Item,
    listed,
    looks_like,
    meta_of,
    read_items,
    span_item,
    write_list,
)
from multideid.corpora.output import Output
from multideid.corpora.records import refuse_other_annotations
from multideid.corpora.reports import OnReport
from multideid.document import Document

_KNOWN = ("full_text", "masked", "spans", "template_id", "metadata", "sample_id", "tokens", "tags")


def read(path: Path, report: OnReport) -> Iterator[Document]:
    """Yield the documents of a file.

    Raises
    ------
    CorpusError
        If an item is malformed, or a value is not the text at its offsets.
    """
    return read_items(path, report, _record)


def _record(path: Path, where: str, item: Item) -> Item:
    refuse_other_annotations(path, where, item, _KNOWN)
    found = []
    for value in listed(path, where, item.get("spans"), "spans"):
        span = value if isinstance(value, dict) else {}
        values = [span.get(key) for key in ("start_position", "end_position", "entity_type")]
        found.append(span_item(path, where, values, span.get("entity_value")))
    metadata = item.get("metadata")
    meta = dict(metadata) if isinstance(metadata, dict) else {}
    number = meta.pop("id", item.get("sample_id"))
    return {"id": number, "text": item.get("full_text"), "spans": found, "meta": meta}


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
    return {
        "full_text": document.text,
        "masked": None,
        "spans": spans,
        "template_id": None,
        "metadata": {**meta_of(document), "id": document.id},
    }


FORMAT = Format(
    "presidio-research",
    "the JSON of presidio-research, InputSample.to_json",
    read,
    write,
    detect=looks_like(r'"full_text"\s*:'),
)
