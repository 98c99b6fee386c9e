"""Content inside a field: markup is read as text, and so are text and files in base64."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from itertools import chain

from multideid.corpora.structure import (
    Changes,
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
    labelled,
)
from multideid.corpora.structured.reading import recognised_format
from multideid.corpora.structured.slots import Embedded, EmbeddedFile, Source
from multideid.corpora.structured.xml_attributes import WITHHELD, attribute_values
from multideid.corpora.structured.xml_flow import Flow, narrative
from multideid.corpora.structured.xml_source import Start, text_slot, xml_events
from multideid.errors import MultideidError

_MARKUP = re.compile(r"\s*<[A-Za-z!?]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_NEEDS_PATHS = "json"


def base64_values(source: Source, start: int, end: int, place: str) -> list[Value]:
    """Return the values in a part of a source that holds base64.

    A file of a format that is read by its structure, such as RTF or CDA, is read so.
    Data that is neither such a file nor text in UTF-8, such as an image, is one value
    that is PHI as a whole, and so is a file that cannot be read.

    Parameters
    ----------
    source : Source
        Gets the slots.
    start, end : int
        Offsets of the part in the source.
    place : str
        Place of the values.
    """
    with suppress(MultideidError, ValueError):
        data = base64.b64decode("".join(source.text[start:end].split()), validate=True)
        records = _file_records(data)
        if records is not None:
            return _values_of_file(source, start, end, place, records)
        inner = Source(_text(data))
        source.parts.append(Embedded(start, end, inner, lambda new: _to_base64(new.encode())))
        return markup_values(inner, place)
    return [labelled(source.slot(start, end), WITHHELD, place)]


def _values_of_file(
    source: Source, start: int, end: int, place: str, records: Sequence[Record]
) -> list[Value]:
    def render(changes: Changes) -> bytes:
        return b"".join(record.render(changes) for record in records)

    source.parts.append(EmbeddedFile(start, end, render, _to_base64))
    inside = (value for record in records for value in record.values)
    return [replace(value, place="/".join(filter(None, (place, value.place)))) for value in inside]


def _file_records(data: bytes) -> list[Record] | None:
    """Return the records of a file; None if it is of no format that is written again.

    Raises
    ------
    MultideidError
        If it cannot be read.
    """
    content = Content(BytesIO(data), "attachment")
    known = recognised_format(content)
    if known is None or known.name == _NEEDS_PATHS:
        return None
    structure = known.structure
    if not isinstance(structure, Structure) or structure.writes_text:
        raise content.error(f"is of the format {known.name}")
    return list(structure.records(content, ReadingOptions()))


def _text(data: bytes) -> str:
    text = data.decode("utf-8")
    if _CONTROL.search(text):
        raise ValueError("not text")
    return text


def _to_base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def markup_values(source: Source, place: str) -> list[Value]:
    """Return the values of a text: of well-formed markup, its paragraphs and attributes.

    All other text is one value.
    """
    if _MARKUP.match(source.text):
        events = list(xml_events(source.text))
        known = [event for event in events if event is not None]
        if len(known) == len(events):
            values = narrative(known, Flow(lambda text: text_slot(source, text), place))
            starts = (event for event in known if isinstance(event, Start))
            read = (attribute_values(source, start, layout=True) for start in starts)
            return [*values, *chain.from_iterable(read)]
    return [Value((source.slot(0, len(source.text)),), place=place)]
