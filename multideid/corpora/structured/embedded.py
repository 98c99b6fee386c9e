"""Content inside a field: markup is read as text, and so are text and files in base64."""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import chain
from typing import NamedTuple

from multideid.corpora.structure import (
    Changes,
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
    withheld,
)
from multideid.corpora.structured.encodings import check_encoding
from multideid.corpora.structured.html_text import holds_html, html_events
from multideid.corpora.structured.phi_tags import is_tagged_text
from multideid.corpora.structured.reading import recognised_format
from multideid.corpora.structured.recognition import AS_TEXT
from multideid.corpora.structured.slots import Embedded, EmbeddedFile, Slot, Source
from multideid.corpora.structured.xml_attributes import attribute_values
from multideid.corpora.structured.xml_flow import Flow, add_narrative, narrative
from multideid.corpora.structured.xml_source import Event, Start, text_slot, xml_events
from multideid.errors import CorpusError, MultideidError, UsageError

_MARKUP = re.compile(r"\s*<[A-Za-z!?]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_NAME = "attachment"
"""What the file is called in errors."""
_NEEDS_PATHS = "json"
# What may be a file; others are not tried.
_FILE = re.compile(r'\s*(?:\{\\rtf|<[A-Za-z!?]|(?:MSH|FHS|BHS)[^\w\s]|\{\s*")')
_DECLARED = re.compile(r"""\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z][\w.\-]*)["']""")
_ENCODING = f"declares an encoding that is unknown or does not fit its text; {AS_TEXT}"
_AS_RTF = "multideid-rtf"
"""Writes characters as RTF does, as handler of errors of an encoding."""


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
            return _File(data, records).values(source, start, end, _to_base64, place)
        inner = Source(_text(data))
        source.parts.append(Embedded(start, end, inner, lambda new: _to_base64(new.encode())))
        return markup_values(inner, place)
    return [withheld(Value((source.slot(start, end),), place=place))]


class TextPart(NamedTuple):
    """A part of a source that holds text.

    Parameters
    ----------
    source : Source
        Gets the slots.
    start, end : int
        Offsets of the part in the source.
    text : str
        The part without escapes.
    encode : callable
        Returns a new text as the source has to hold it.
    """

    source: Source
    start: int
    end: int
    text: str
    encode: Callable[[str], str] = str

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.


def file_values(part: TextPart, place: str) -> list[Value] | None:
    """Return the values of a file, such as RTF or XML, that a part of a source holds as text.

    Parameters
    ----------
    part : TextPart
    place : str
        Place of the values.

    Returns
    -------
    list of Value or None
        None if the text is no file of a format that is read by its structure.

    Raises
    ------
    MultideidError
        If it is such a file, and cannot be read.
    """
    if not _FILE.match(part.text) or is_tagged_text(part.text):
        return None
    codec = _codec(part.text)
    try:
        data = part.text.encode(codec, _AS_RTF if codec == "ascii" else "strict")
        records = _file_records(data)
    except UnicodeError:
        # Its message has characters of the text.
        raise CorpusError(_NAME, _ENCODING) from None
    if records is None:
        return None

    def as_text(new: bytes) -> str:
        return part.encode(new.decode(codec))

    return _File(data, records).values(*part[:3], as_text, place)


def _codec(text: str) -> str:
    """Return an encoding of a file for which what it declares of itself is true."""
    if not text.lstrip().startswith("<"):
        return "ascii" if text.lstrip().startswith("{\\rtf") else "utf-8"
    declared = _DECLARED.match(text)
    try:
        return check_encoding(declared[1]) if declared else "utf-8"
    except UsageError:
        # Its message has the name, which is part of the text.
        raise CorpusError(_NAME, _ENCODING) from None


def _rtf_escapes(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    units = memoryview(error.object[error.start : error.end].encode("utf-16-le", "surrogatepass"))
    return "".join(f"\\u{unit}?" for unit in units.cast("h")), error.end


codecs.register_error(_AS_RTF, _rtf_escapes)


class _File(NamedTuple):
    data: bytes
    records: Sequence[Record]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.

    def values(
        self, source: Source, start: int, end: int, encode: Callable[[bytes], str], place: str
    ) -> list[Value]:
        """Return the values of the file, and make it a part of a source."""
        source.parts.append(EmbeddedFile(start, end, self.data, self.render, encode))
        values = (value for record in self.records for value in record.values)
        return [replace(v, place="/".join(filter(None, (place, v.place)))) for v in values]

    def render(self, changes: Changes) -> bytes:
        return b"".join(record.render(changes) for record in self.records)


def _file_records(data: bytes) -> list[Record] | None:
    """Return the records of a file; None if it is of no format that is written again.

    Raises
    ------
    MultideidError
        If it cannot be read.
    """
    content = Content(BytesIO(data), _NAME)
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


def file_or_withheld(part: TextPart, place: str) -> list[Value] | None:
    """Return the values of a file as `file_values` does; one that cannot be read is withheld."""
    try:
        return file_values(part, place)
    except MultideidError:
        slot = Slot(part.start, part.end, part.text, None, part.encode)
        part.source.parts.append(slot)
        return [withheld(Value((slot,), place=place))]


def html_values(part: TextPart, place: str, flow: Flow | None = None) -> list[Value] | None:
    """Return the values of HTML in a part of a source: its paragraphs and attributes.

    Parameters
    ----------
    part : TextPart
    place : str
        Place of the values.
    flow : Flow, optional
        Gets the texts, which go on what it has, instead of values; attributes are values.

    Returns
    -------
    list of Value or None
        None if the text holds neither elements of HTML nor characters by their names.
    """
    if not holds_html(part.text):
        return None
    inner = Source(part.text)
    part.source.parts.append(Embedded(part.start, part.end, inner, part.encode))
    if flow is None:
        # Without a value, there would be none for a text without characters.
        return _marked_up(inner, list(html_events(inner.text)), place) or [Value((), place=place)]
    events = list(html_events(inner.text))
    add_narrative(events, flow, partial(text_slot, inner))
    return _attributes(inner, events)


def markup_values(source: Source, place: str) -> list[Value]:
    """Return the values of a text: of well-formed markup or HTML, its paragraphs and attributes.

    All other text is one value.
    """
    if _MARKUP.match(source.text) and not is_tagged_text(source.text):
        events = list(xml_events(source.text))
        known = [event for event in events if event is not None]
        if len(known) == len(events):
            return _marked_up(source, known, place)
    if holds_html(source.text):
        return _marked_up(source, list(html_events(source.text)), place)
    return [Value((source.slot(0, len(source.text)),), place=place)]


def _marked_up(source: Source, events: Sequence[Event], place: str) -> list[Value]:
    values = narrative(events, Flow(partial(text_slot, source), place))
    return [*values, *_attributes(source, events)]


def _attributes(source: Source, events: Sequence[Event]) -> list[Value]:
    starts = (event for event in events if isinstance(event, Start))
    read = (attribute_values(source, start, layout=True) for start in starts)
    return list(chain.from_iterable(read))
