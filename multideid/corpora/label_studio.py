"""Label Studio's JSON of tasks with labels of text, and its JSON-MIN.

::

    [{"annotations": [{"result": [{"from_name": "label", "to_name": "text", "type": "labels",
      "value": {"start": 4, "end": 7, "text": "Lee", "labels": ["DOCTOR"]}}]}],
      "data": {"id": "7", "text": "Dr. Lee"}}]

    [{"id": 7, "text": "Dr. Lee", "label": [{"start": 4, "end": 7, "text": "Lee",
      "labels": ["DOCTOR"]}]}]

Both are read, the first is written. Relations are no spans; labels of images, choices and the
like are refused. A task with annotations of several people is refused unless the option
``annotator`` names one, and so is one that has predictions only.

Other fields of ``data``, the ``meta`` of a task, and other columns of JSON-MIN are kept in
``meta``. What has the name ``id`` or ``text`` there is written to the ``meta`` of the task.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

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
from multideid.errors import CorpusError

_OWN = ("id", "text")


def read(path: Path, report: OnReport, annotator: str | None = None) -> Iterator[Document]:
    """Yield the documents of a file.

    Parameters
    ----------
    path : Path
    report : callable
    annotator : str, optional
        ``completed_by`` of the annotations to read. Default: there must be one per task.

    Raises
    ------
    CorpusError
        If a task is malformed, has annotations of another kind, or of several people.
    """
    return read_items(path, report, partial(_record, annotator=annotator))


def _record(path: Path, where: str, item: Item, annotator: str | None) -> Item:
    data = item.get("data")
    if not isinstance(data, dict):
        # Somebody may have named the control otherwise, or this is a file of another tool.
        columns = other_fields(path, where, item, ("id", "text", "label"))
        found = listed(path, where, item.get("label"), "label")
        spans = [_span(path, where, value, item.get("text")) for value in found]
        return {"id": item.get("id"), "text": item.get("text"), "spans": spans, "meta": columns}
    fields = {key: value for key, value in data.items() if key not in _OWN}
    meta = joined_meta(path, where, item.get("meta"), fields)
    text = data.get("text")
    spans = [
        _span(path, where, result.get("value"), text)
        for result in _annotation(path, where, item, annotator)
        if _is_span(path, where, result)
    ]
    return {"id": data.get("id", item.get("id")), "text": text, "spans": spans, "meta": meta}


def _annotation(path: Path, where: str, item: Item, annotator: str | None) -> list[Any]:
    """Return the results of the only annotation of a task."""
    given = listed(path, where, item.get("annotations", item.get("completions")), "annotations")
    if not all(isinstance(a, dict) and (a.get("was_cancelled") or "result" in a) for a in given):
        raise CorpusError(path, "has an annotation of an unknown kind, without a result", where)
    found = [
        a for a in given if not a.get("was_cancelled") and annotator in (None, _completed_by(a))
    ]
    if len(found) > 1:
        raise CorpusError(path, f"has {len(found)} annotations; name one annotator", where)
    if given and not found:
        raise CorpusError(path, "was skipped, or annotated by others only; leave it out", where)
    if not found and item.get("predictions"):
        raise CorpusError(path, "has predictions only, which nobody has confirmed", where)
    return listed(path, where, found[0].get("result"), "result") if found else []


def _completed_by(annotation: Item) -> str:
    by = annotation.get("completed_by")
    return str(by.get("email", by.get("id"))) if isinstance(by, dict) else str(by)


def _is_span(path: Path, where: str, result: Any) -> bool:
    kind = result.get("type") if isinstance(result, dict) else None
    if kind == "relation":
        return False
    if kind != "labels":
        raise CorpusError(path, "has an annotation of an unknown kind, not labels of text", where)
    return True


def _span(path: Path, where: str, value: Any, text: object) -> Item:
    span = value if isinstance(value, dict) else {}
    labels = span.get("labels")
    label = labels[0] if isinstance(labels, list) and len(labels) == 1 else None
    item = span_item(path, where, [span.get("start"), span.get("end"), label], span.get("text"))
    return _by_characters(item, text) if isinstance(text, str) else item


def _by_characters(item: Item, text: str) -> Item:
    """Return a span in characters, if the text says that it counts UTF-16 as browsers do."""
    quote, start, end = item.get("quote"), item["start"], item["end"]
    if quote is None or text.isascii() or text[start:end] == quote:
        return item
    units = text.encode("utf-16-le", "surrogatepass")
    sides = [units[: 2 * place].decode("utf-16-le", "ignore") for place in (start, end)]
    begin, stop = map(len, sides)
    return {**item, "start": begin, "end": stop} if text[begin:stop] == quote else item


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write one file with a list of tasks."""
    write_list(documents, output, _item)


def _item(document: Document) -> Item:
    results = []
    for span in document.spans:
        value = {"start": span.start, "end": span.end, "text": document.span_text(span)}
        named = {"from_name": "label", "to_name": "text", "type": "labels"}
        results.append({**named, "value": {**value, "labels": [span.label]}})
    fields = {key: value for key, value in document.meta.items() if key not in _OWN}
    rest = {key: value for key, value in document.meta.items() if key in _OWN}
    data = {**fields, "id": document.id, "text": document.text}
    item = {"annotations": [{"result": results}], "data": data}
    return item | ({"meta": rest} if rest else {})


FORMAT = Format(
    "label-studio",
    "Label Studio's JSON of tasks with labels of text, and its JSON-MIN",
    read,
    write,
    options=("annotator",),
    detect=looks_like(
        r'"(?:annotations|predictions|completions)"\s*:\s*\[|"label"\s*:\s*\[\s*\{\s*"start"',
        without=r'"paragraphs"\s*:|"_input_hash"\s*:|"full_text"\s*:',
    ),
)
