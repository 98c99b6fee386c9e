"""Annotated corpora in XML, given to `multideid deid`: i2b2 2006, i2b2 2014, MEDDOCAN.

What the annotations mark is PHI, whatever the model finds. Inline annotations
stay around the new text; standoff annotations, which quote the old text and count
its characters, are left out. Texts in other elements are read by the model; attributes stay,
unless they repeat PHI.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from multideid.corpora.assembly import agrees, keep_longest
from multideid.corpora.safe_xml import escape_text, without_comments
from multideid.corpora.structure import (
    Changes,
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
    kept,
)
from multideid.corpora.structured.slots import EscapeRule, Fixed, Slot, Source
from multideid.corpora.structured.xml_source import (
    ENTITIES,
    End,
    Start,
    Text,
    XmlSource,
    escape_quoted,
    text_slot,
)
from multideid.document import Span

RECORDS = ("RECORD", "DOCUMENT")
"""Elements of the 2006 format that hold a document."""

_RECORD = re.compile(rf"<(?:{'|'.join(RECORDS)})\s[^<>]*\bID\s*=")
_ELEMENT = re.compile(r"<([A-Za-z_][\w.-]*)[\s/>]")


def has_records(content: str) -> bool:
    """Return whether an element with a document's id precedes the first ``<TEXT>``."""
    return bool(_RECORD.search(content.split("<TEXT", 1)[0]))


def has_standoff(content: str) -> bool:
    """Return whether the second element is ``<TEXT>``, as in the 2014 format."""
    return not has_records(content) and _ELEMENT.findall(content)[1:2] == ["TEXT"]


def _beginning(content: Content) -> str:
    start = content.beginning
    return without_comments(start) if start.startswith("<") else ""


def _line_end(match: re.Match[str]) -> str:
    return ENTITIES.decode(match) if match[1] else "\n"


# XML readers turn every line end into a line feed, and the offsets of corpora count so.
_NORMALISED = EscapeRule(re.compile(rf"{ENTITIES.pattern.pattern}|\r\n?"), _line_end)
_LINE_ENDS = EscapeRule(re.compile(r"\r\n?"), lambda match: "\n")


@dataclass
class _Parts:
    """What a file or a record holds, as far as it was read."""

    texts: list[Text] = field(default_factory=list)
    others: list[Text] = field(default_factory=list)
    tags: list[dict[str, str]] = field(default_factory=list, repr=False)
    quoted: list[tuple[int, int]] = field(default_factory=list)
    attributes: list[tuple[int, int]] = field(default_factory=list)


def _read_standoff(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield the document of a file in the 2014 format.

    Raises
    ------
    CorpusError
        If a tag is malformed, or not at the text that it quotes.
    """
    xml = XmlSource(content, options)
    parts = _standoff_parts(xml)
    pieces = _slots(xml.source, parts.texts, normalised=True)
    known = _known(xml, parts, "".join(slot.text for slot in pieces))
    if known is None:
        xml.source.parts.clear()
        pieces = _slots(xml.source, parts.texts, normalised=False)
        known = _known(xml, parts, "".join(slot.text for slot in pieces))
    if known is None:
        raise xml.error("a tag is not at its text: its offsets must count characters")
    xml.source.parts += [Fixed(start, end, "") for start, end in parts.quoted]
    values = [Value(tuple(pieces), known, place="TEXT"), *_other_values(xml.source, parts)]
    yield Record(tuple(values), xml.rendered)


def _standoff_parts(xml: XmlSource) -> _Parts:
    parts, stack = _Parts(), list[Start]()
    for event in xml.events():
        inside = stack[-1].local if stack else ""
        if isinstance(event, Start):
            if inside != "TAGS":
                parts.attributes += event.attributes.values()
            else:
                parts.tags.append({name: xml.value(event, name) for name in event.attributes})
            stack.append(event)
        elif isinstance(event, End):
            start = stack.pop()
            if start.local == "TAGS":
                parts.quoted.append((start.end, event.start))
        elif inside == "TEXT" and event.kind in ("text", "cdata"):
            parts.texts.append(event)
        elif "TAGS" not in (each.local for each in stack):
            parts.others.append(event)
    return parts


def _known(xml: XmlSource, parts: _Parts, text: str) -> tuple[Span, ...] | None:
    """Return the spans of the tags; None if one is not at the text that it quotes."""
    spans = []
    for tag in parts.tags:
        try:
            span = Span(int(tag["start"]), int(tag["end"]), tag["TYPE"])
        except (KeyError, ValueError):
            problem = "a tag lacks TYPE, or start and end as whole numbers"
            raise xml.error(problem) from None
        if not 0 <= span.start < span.end <= len(text):
            return None
        if not agrees(tag.get("text"), text[span.start : span.end]):
            return None
        spans.append(span)
    return keep_longest(spans)


def _slots(source: Source, texts: list[Text], normalised: bool, base: int = 0) -> list[Slot]:
    """Add the slots of texts, whose offsets begin at `base`."""
    slots = []
    for text in texts:
        start, end = text.start - base, text.end - base
        if text.kind != "text" or not normalised:
            slot = text_slot(source, Text(text.kind, start, end))
            if normalised:
                slot.text, slot.escapes = _LINE_ENDS.decoded(source.text, start, end)
        else:
            slot = source.slot(start, end, _NORMALISED, escape_text)
        slots.append(slot)
    return slots


def _other_values(source: Source, parts: _Parts, base: int = 0) -> Iterator[Value]:
    for low, high in parts.attributes:
        slot = source.slot(low - base, high - base, ENTITIES, escape_quoted)
        yield kept(slot, "attribute")
    for text in parts.others:
        start, end = text.start - base, text.end - base
        if source.text[start:end].strip():
            yield Value((text_slot(source, Text(text.kind, start, end)),))


def _read_inline(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield the documents of a file in the 2006 format."""
    xml = XmlSource(content, options)
    low, inline = 0, _Inline()
    for event in xml.events():
        if isinstance(event, Start):
            inline.begin(event, xml.value(event, "ID"), xml.value(event, "TYPE"))
        elif isinstance(event, End):
            if event.local in RECORDS:
                yield _record(xml, inline, low, event.start)
                low, inline = event.start, _Inline()
            else:
                inline.end(event)
        else:
            inline.text(event)
    yield _record(xml, inline, low, len(xml.source.text))


def _record(xml: XmlSource, inline: _Inline, low: int, high: int) -> Record:
    source = Source(xml.source.text[low:high])
    pieces = _slots(source, inline.parts.texts, normalised=True, base=low)
    values = list(_other_values(source, inline.parts, low))
    if pieces:
        values.insert(0, Value(tuple(pieces), tuple(inline.spans(pieces)), place="TEXT"))
    render = _renderer(xml, source, first=low == 0)
    return Record(tuple(values), render, f"record {inline.id}" if inline.id else "end")


def _renderer(xml: XmlSource, source: Source, first: bool) -> Callable[[Changes], bytes]:
    return lambda changes: xml.encoded(source.rendered(changes), first)


class _Inline:
    """A record with inline annotations, as far as it was read."""

    def __init__(self) -> None:
        self.id = ""
        self.parts = _Parts()
        self._in_text = False
        self._open: list[tuple[int, str]] = []
        self._phi: list[tuple[int, int, str]] = []  # Numbers of texts, and the label.

    def begin(self, event: Start, record_id: str, label: str) -> None:
        """Begin an element."""
        others = (place for name, place in event.attributes.items() if name != "TYPE")
        self.parts.attributes += others
        if event.local in RECORDS:
            self.id = record_id
        elif event.local == "TEXT":
            self._in_text = True
        elif self._in_text:
            self._open.append((len(self.parts.texts), label))

    def end(self, event: End) -> None:
        """End an element."""
        if event.local == "TEXT":
            self._in_text = False
        elif self._in_text and self._open:
            first, label = self._open.pop()
            if label:
                self._phi.append((first, len(self.parts.texts), label))

    def text(self, event: Text) -> None:
        """Add characters."""
        in_text = self._in_text and event.kind in ("text", "cdata")
        (self.parts.texts if in_text else self.parts.others).append(event)

    def spans(self, pieces: list[Slot]) -> tuple[Span, ...]:
        """Return what the annotations mark, in the text of the pieces."""
        starts = [0]
        for piece in pieces:
            starts.append(starts[-1] + len(piece.text))
        spans = [Span(starts[a], starts[b], label) for a, b, label in self._phi]
        return keep_longest([span for span in spans if span.start < span.end])


INLINE = Structure(lambda content: has_records(_beginning(content)), _read_inline, (".xml",))
STANDOFF = Structure(lambda content: has_standoff(_beginning(content)), _read_standoff, (".xml",))
