"""Reading of structured files in tests, with invented values only."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from multideid.corpora.registry import structured_formats
from multideid.corpora.structure import Content, ReadingOptions, Record, Structure
from multideid.corpora.structured.slots import Change
from multideid.deid.record_text import RecordText


@dataclass(frozen=True)
class Opened:
    """A file that was read."""

    format: str
    records: list[Record]
    data: bytes

    @property
    def known(self) -> list[tuple[str, str]]:
        """What the types of the fields say: text and label."""
        return [
            (value.text[span.start : span.end], span.label)
            for record in self.records
            for value in record.values
            for span in value.known
        ]

    @property
    def free(self) -> list[str]:
        """The texts that the model reads."""
        return [v.text for record in self.records for v in record.values if v.free]

    def masked(self) -> bytes:
        """Return the file with PHI masked, also where it occurs in free text."""
        return self.changed(lambda text, label: f"[{label}]")

    def changed(self, new: Callable[[str, str], str]) -> bytes:
        """Return the file with PHI replaced by what a function of text and label returns."""
        return b"".join(_changed(RecordText(record), new) for record in self.records)

    def unchanged(self) -> bytes:
        """Return the file as it is rendered without changes."""
        return b"".join(record.render({}) for record in self.records)


def _changed(fields: RecordText, new: Callable[[str, str], str]) -> bytes:
    spans = fields.spans([], str)
    changes = [Change(s.start, s.end, new(fields.text[s.start : s.end], s.label)) for s in spans]
    return fields.rendered(changes)


@pytest.fixture(scope="session")
def opened() -> Callable[..., Opened]:
    """Read a file in the format that is recognised from its content."""

    def read(data: bytes | str, **options: object) -> Opened:
        raw = data.encode() if isinstance(data, str) else data
        content = Content(io.BytesIO(raw), "file")
        chosen = ReadingOptions(**options)  # type: ignore[arg-type]
        for known in structured_formats():
            structure = known.structure
            if isinstance(structure, Structure) and structure.recognise(content):
                return Opened(known.name, list(structure.records(content, chosen)), raw)
        raise AssertionError("not recognised")

    return read
