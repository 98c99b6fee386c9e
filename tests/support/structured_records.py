"""Records of documents in office formats, and the parts of their files."""

from __future__ import annotations

import io
import zipfile

from multideid.corpora.structure import Content, ReadingOptions, Record
from multideid.corpora.structured.slots import Change
from multideid.deid.record_text import RecordText
from multideid.document import Span

NAME = "Joan Smith"


def record_of(module, data: bytes) -> Record:
    """Return the only record of a file, read by the module of its format."""
    content = Content(io.BytesIO(data), "file")
    assert module.FORMAT.structure.recognise(content)
    (record,) = module.FORMAT.structure.records(content, ReadingOptions())
    return record


def with_masked(record: Record, *phi: str, label: str = "X") -> bytes:
    """Return the document with its fields, and some texts that a model would find, masked."""
    fields = RecordText(record)
    found = [Span(i, i + len(p), label) for p in phi for i in _places(fields.text, p)]
    changes = [Change(s.start, s.end, f"[{s.label}]") for s in fields.spans(found, str)]
    return fields.rendered(changes)


def _places(text: str, part: str) -> list[int]:
    return [i for i in range(len(text)) if text.startswith(part, i)]


def texts_of(record: Record, *, free: bool = True) -> list[str]:
    """Return the texts that a model reads, or those that it does not."""
    return [value.text for value in record.values if value.free is free]


def with_parts(data: bytes, **parts: bytes) -> bytes:
    """Return a ZIP file with additional or other members."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, content in parts.items():
            new.writestr(name, content)
    return file.getvalue()


def members_of(data: bytes) -> dict[str, bytes]:
    """Return the members of a ZIP file by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
