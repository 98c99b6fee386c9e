"""XML as a source whose texts and attributes can be replaced, byte for byte otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from html.entities import html5
from pathlib import Path
from typing import NamedTuple

from multideid.corpora.safe_xml import XmlReader, escape_attribute, escape_text
from multideid.corpora.structure import Changes, Content, ReadingOptions
from multideid.corpora.structured.encodings import (
    Decoded,
    check_encoding,
    is_rather_utf8,
    mark_of,
)
from multideid.corpora.structured.slots import EscapeRule, Slot, Source
from multideid.errors import CorpusError, UsageError

_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z][\w.\-]*)["']""")
_NAME = r"[^\s/<>=\"'!?]+"
_ATTRIBUTE = re.compile(rf"""(?<!\s)\s++({_NAME})\s*+=\s*(?:"([^"<]*)"|'([^'<]*)')""")
_TOKEN = re.compile(
    rf"""<!--(?P<comment>.*?)-->
    |<!\[CDATA\[(?P<cdata>.*?)\]\]>
    |<\?(?P<pi>.*?)\?>
    |<!DOCTYPE(?P<doctype>[^\[>]*)>
    |</(?P<end>{_NAME})\s*>
    |<(?P<start>{_NAME})(?P<attributes>(?:\s+{_NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?P<empty>/?)>
    |(?P<text>[^<]+)""",
    re.DOTALL | re.VERBOSE,
)


def _character(match: re.Match[str]) -> str:
    name = match[1]
    if name[0] != "#":
        return html5.get(f"{name};", match[0])
    # What is no character would be dropped.
    return unescape(match[0]) or chr(int(name[2:], 16) if name[1] in "xX" else int(name[1:]))


# Well-formed XML has only five names; narratives may have those of HTML.
ENTITIES = EscapeRule(
    re.compile(r"&(#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,30});"), _character
)


class Start(NamedTuple):
    """The start of an element; `attributes` are the offsets of their values."""

    name: str
    attributes: dict[str, tuple[int, int]]
    start: int
    end: int
    empty: bool

    @property
    def local(self) -> str:
        """The name without its prefix."""
        return self.name.rpartition(":")[2]


class End(NamedTuple):
    """The end of an element, also of an empty one, and where its tag begins."""

    name: str
    start: int

    @property
    def local(self) -> str:
        """The name without its prefix."""
        return self.name.rpartition(":")[2]


class Text(NamedTuple):
    """Characters, by their offsets.

    Their kind is ``text``, ``cdata``, ``comment``, ``pi``, or ``stylesheet`` for the
    instruction that names one.
    """

    kind: str
    start: int
    end: int


Event = Start | End | Text


class XmlSource:
    """XML text that can be changed.

    Parameters
    ----------
    content : Content
    options : ReadingOptions

    Raises
    ------
    CorpusError
        If it is not well-formed, declares entities, or is in an unknown encoding.
    """

    def __init__(self, content: Content, options: ReadingOptions) -> None:
        data = content.read()
        _Checker(Path(content.name)).feed(data, final=True)
        self._decoded = _decoded(content, data, options)
        self.source = Source(self._decoded.text)
        self._content = content

    def events(self) -> Iterator[Event]:
        """Yield elements, texts, comments and processing instructions, in order.

        Raises
        ------
        CorpusError
            If a document type declares anything.
        """
        for event in xml_events(self.source.text):
            if event is None:
                problem = "has a document type with declarations, which is not read; remove it"
                raise self._content.error(problem)
            yield event

    def slot(self, text: Text) -> Slot:
        """Add the slot of a text."""
        return text_slot(self.source, text)

    def error(self, problem: str) -> CorpusError:
        """Return an error that names the file."""
        return self._content.error(problem)

    def attribute(self, start: Start, name: str) -> Slot:
        """Add the slot of an attribute's value."""
        return attribute_slot(self.source, start, name)

    def value(self, start: Start, name: str) -> str:
        """Return the value of an attribute; an empty string if it is missing."""
        return attribute_value(self.source, start, name)

    def rendered(self, changes: Changes) -> bytes:
        """Return the bytes of the file with changes."""
        return self.encoded(self.source.rendered(changes), first=True)

    def encoded(self, text: str, first: bool) -> bytes:
        """Return the bytes of a part of the file, which may be the first."""
        mark = self._decoded.mark if first else b""
        return mark + text.encode(self._decoded.encoding, "xmlcharrefreplace")


def text_slot(source: Source, text: Text) -> Slot:
    """Add the slot of a text, comment or processing instruction to its source."""
    if text.kind == "text":
        return source.slot(text.start, text.end, ENTITIES, escape_text)
    return source.slot(text.start, text.end, None, _PLAIN[text.kind])


def text_of(source: Source, text: Text) -> tuple[str, Callable[[str], str]]:
    """Return a text without escapes, and what escapes a new one in its place."""
    if text.kind == "text":
        return ENTITIES.decoded(source.text, text.start, text.end)[0], escape_text
    return source.text[text.start : text.end], _PLAIN[text.kind]


def attribute_slot(source: Source, start: Start, name: str) -> Slot:
    """Add the slot of an attribute's value to its source."""
    return source.slot(*start.attributes[name], ENTITIES, escape_quoted)


def attribute_value(source: Source, start: Start, name: str) -> str:
    """Return the value of an attribute; an empty string if it is missing."""
    low, high = start.attributes.get(name, (0, 0))
    return ENTITIES.decoded(source.text, low, high)[0]


def escape_quoted(text: str) -> str:
    """Return a text as the value of an attribute in quotes of either kind."""
    return escape_attribute(text).replace("'", "&apos;")


_PLAIN: dict[str, Callable[[str], str]] = {
    "cdata": lambda text: text.replace("]]>", "]] >"),
    "comment": lambda text: text.replace("--", "- -"),
    "pi": lambda text: text.replace("?>", "? >"),
    "stylesheet": lambda text: text.replace("?>", "? >"),
}


def xml_events(text: str) -> Iterator[Event | None]:
    """Yield the events of well-formed XML; None for what has declarations."""
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            yield None
            return
        position = match.end()
        yield from _events(match)


def _events(match: re.Match[str]) -> Iterator[Event]:
    kind = match.lastgroup or ""
    if match["start"] is not None:
        start = _start(match)
        yield start
        if start.empty:
            yield End(start.name, start.end)
    elif match["end"] is not None:
        yield End(match["end"], match.start())
    elif kind == "pi" and match["pi"].startswith("xml "):
        return
    elif kind == "pi" and match["pi"].startswith("xml-stylesheet "):
        yield Text("stylesheet", *match.span(kind))
    elif kind != "doctype":
        yield Text(kind, *match.span(kind))


def _start(match: re.Match[str]) -> Start:
    attributes = {}
    for found in _ATTRIBUTE.finditer(match.string, *match.span("attributes")):
        attributes[found[1]] = found.span(2 if found[2] is not None else 3)
    return Start(match["start"], attributes, *match.span(), bool(match["empty"]))


class _Checker(XmlReader):
    """Checks that XML is well-formed and safe."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Accept an element."""

    def end(self, name: str) -> None:
        """Accept its end."""

    def data(self, text: str) -> None:
        """Accept text."""


def _decoded(content: Content, data: bytes, options: ReadingOptions) -> Decoded:
    mark, encoding = mark_of(data)
    declared = _DECLARED.match(data[len(mark) :])
    try:
        if declared and not mark:
            encoding = check_encoding(declared[1].decode("ascii"))
        elif mark and encoding != "utf-8":
            encoding += "-le" if mark[0] == 0xFF else "-be"
        text = data[len(mark) :].decode(encoding)
    except (UnicodeDecodeError, UsageError):
        problem = f"is not in its declared encoding, {encoding}, or that is unknown"
        raise content.error(problem) from None
    if declared and not mark and is_rather_utf8([data], encoding):
        raise content.error(f"is UTF-8, but declares {encoding}: correct its declaration")
    return Decoded(text, encoding, mark)
