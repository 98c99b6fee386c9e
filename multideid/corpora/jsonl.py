"""JSON Lines: one object per line.

::

    {"id": "7", "text": "Dr. Lee", "spans": [{"start": 4, "end": 7, "label": "DOCTOR"}]}

``meta`` holds additional information; any other field is read as if it were in ``meta``.
A record without an id is identified by its line number. Files are UTF-8; only a line feed
ends a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from multideid.corpora.assembly import Assembler
from multideid.corpora.contract import Format
from multideid.corpora.output import Output
from multideid.corpora.records import (
    document_of_record,
    joined_meta,
    other_fields,
    record_of_document,
    to_json,
)
from multideid.corpora.reports import OnReport
from multideid.corpora.source import not_utf8, read_beginning, require_file, unreadable
from multideid.document import Document
from multideid.errors import CorpusError


def read(path: Path, report: OnReport) -> Iterator[Document]:
    """Yield the documents of a file.

    Raises
    ------
    CorpusError
        If a line is malformed; the message names the line.
    """
    yield from read_lines(path, _lines(require_file(path)), report)


def read_lines(path: Path, lines: Iterable[str], report: OnReport) -> Iterator[Document]:
    """Yield the documents of lines that come from the file `path`; otherwise as `read`."""
    assembler = Assembler(path, report)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            where = f"line {number}"
            record = _parse(path, where, line)
            fields = other_fields(path, where, record)
            meta = joined_meta(path, where, record.get("meta"), fields)
            yield document_of_record(assembler, where, str(number), {**record, "meta": meta})


def _lines(path: Path) -> Iterator[str]:
    offset, number = 0, 1
    try:
        with path.open("rb") as file:
            for line in file:
                yield line.decode("utf-8-sig" if offset == 0 else "utf-8")
                offset, number = offset + len(line), number + 1
    except UnicodeDecodeError as exc:
        raise not_utf8(path, offset + exc.start) from None
    except OSError as exc:
        raise unreadable(path, exc, f"line {number}") from None


def _parse(path: Path, where: str, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as exc:
        raise CorpusError(path, f"not valid JSON at column {exc.colno}", where) from None
    except (ValueError, RecursionError):
        raise CorpusError(path, "JSON with too long a number or too deep nesting", where) from None
    if not isinstance(value, dict):
        raise CorpusError(path, "not a JSON object", where)
    return value


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write one file with one line per document."""
    with output.temporary.open("wb") as file:
        for document in documents:
            line = to_json(record_of_document(document))
            output.encode(document.text, document.id)
            file.write(output.encode(f"{line}\n", document.id))


def _detect(path: Path) -> bool:
    return path.is_file() and read_beginning(path).lstrip().startswith("{")


FORMAT = Format(
    "jsonl",
    "JSON Lines; an object with id, text and spans on each line",
    read,
    write,
    folder=False,
    detect=_detect,
    scores=True,
)
