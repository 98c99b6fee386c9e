"""An XML part of a Word document: its texts, and the attributes that people write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from multideid.corpora.identifier_names import identifier_label
from multideid.corpora.structure import Value, is_title, kept, labelled
from multideid.corpora.structured.docx_names import Names, target_of
from multideid.corpora.structured.slots import EscapeRule, Fixed, Slot
from multideid.corpora.structured.telecom import contact_spans
from multideid.corpora.structured.xml_source import (
    ENTITIES,
    Start,
    Text,
    XmlSource,
    escape_quoted,
)

_BROKEN_BY = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_RUNS = ("t", "delText")
_AUTHORS = tuple(
    """
    author initials userId editor ed suggestedsigner suggestedsigner2 suggestedsigneremail
    """.split()
)
_TIMES = ("date", "dateUtc", "fullDate")
# Attributes that people write, wherever they are, and by element.
_READ_ANYWHERE = frozenset(
    "alt title descr href tooltip string displayText docLocation signinginstructions".split()
)
_READ = {
    "docPr": "name",
    "cNvPr": "name",
    "fldSimple": "instr",
    "listItem": "value",
    "property": "name",
    "docVar": "name val",
    "fieldMapData": "name mappedName",
    **dict.fromkeys("alias tag attachedTemplate default result statusText".split(), "val"),
    **dict.fromkeys("helpText entryMacro exitMacro placeholder name aliases".split(), "val"),
    **dict.fromkeys("lvlText listEntry description tblCaption tblDescription".split(), "val"),
    **dict.fromkeys("query connectString udl addressFieldName mappedName".split(), "val"),
}
_PROPERTIES = {
    "creator": "DOCTOR",
    "lastModifiedBy": "DOCTOR",
    "Manager": "DOCTOR",
    "Company": "HOSPITAL",
}
_TIME_ELEMENTS = ("created", "modified", "lastPrinted", "filetime", "date")
_NO_TIME = "1900-01-01T00:00:00Z"
# Elements of a kind that people do not write.
_PLAIN = frozenset(
    """
    Application AppVersion revision version language posOffset align pctWidth pctHeight
    formatCode f ptCount pctPosHOffset pctPosVOffset
    """.split()
)
_FIELD_CODES = ("instrText", "delInstrText")
_TAGS = ("smartTagPr", "customXmlPr")
_EMPTIED = ("fldData",)
# What says nothing: numbers of revisions, colours, GUIDs, words of the format, its addresses.
_MEANINGLESS = re.compile(
    r"[0-9A-Fa-f{}\-]*|[a-z]+\d?(?:[A-Z][a-z]+)*\d?|(?:http://|urn:)schemas[.\-].*"
)
_FORMAL = frozenset("rFonts font latin ea cs lang themeFontLang mathFont Default Override".split())
_FORMAL_ATTRIBUTES = ("Ignorable", "Requires", "Target", "PartName")
_WORD = re.compile(r"(?!(?:true|false)\Z).*?(?:[^\W\d_]|\d{5}|\d[/.\-]\d)", re.DOTALL)
_PERCENT = re.compile(rf"{ENTITIES.pattern.pattern}|%(5B|5D|20)")


def _percent(match: re.Match[str]) -> str:
    return chr(int(match[2], 16)) if match[2] else ENTITIES.decode(match)


_LINKS = EscapeRule(_PERCENT, _percent)


class XmlPart:
    """Reads one XML part, paragraph by paragraph; text boxes lie inside paragraphs.

    Parameters
    ----------
    xml : XmlSource
    name : str
        The name of the part.
    names : Names
        The names that become neutral.
    media : mapping of str to str
        The new names of pictures.
    """

    def __init__(self, xml: XmlSource, name: str, names: Names, media: Mapping[str, str]) -> None:
        self._xml, self._name, self._names, self._media = xml, name, names, media
        self._codes: list[Text] = []  # Those of one field, which may lie in several runs.
        self._open: list[str] = []
        self._paragraphs: list[list[Slot | str]] = []
        self._rows: list[list[Slot | str]] = []
        self._property = ""  # The PHI class that the name of a property says.

    def values(self) -> Iterator[Value]:
        """Yield the values of the part."""
        for event in self._xml.events():
            if isinstance(event, Text):
                yield from self._text(event)
            elif isinstance(event, Start):
                self._open.append(event.local)
                yield from self._start(event)
            else:
                self._open.pop()
                yield from self._end(event.local)
        yield from self._code()

    def _start(self, event: Start) -> Iterator[Value]:
        if event.local == "fldChar":
            yield from self._code()
        if event.local == "p":
            self._paragraphs.append([])
        elif event.local == "tr":
            self._rows.append([])
        elif event.local == "property":
            self._property = identifier_label(self._xml.value(event, "name") or "") or ""
        elif event.local in _BROKEN_BY and self._paragraphs and "pPr" not in self._open:
            self._paragraphs[-1].append(_BROKEN_BY[event.local])
        yield from self._attributes(event)

    def _end(self, element: str) -> Iterator[Value]:
        """Yield the paragraph or the row of a table that ends, whose cells are read as a line."""
        ended: list[Slot | str] = []
        if element == "property":
            self._property = ""
        elif element == "p":
            yield from self._code()
            ended = self._paragraphs.pop()
            if self._rows and "tr" in self._open:
                self._rows[-1] += [*ended, "\n"]
                ended = []
        elif element == "tc" and self._rows:
            row = self._rows[-1]
            row[-1:] = [*(row[-1:] if row[-1:] != ["\n"] else []), "\t"]
        elif element == "tr":
            ended = self._rows.pop()
        if any(isinstance(piece, Slot) for piece in ended):
            while isinstance(ended[-1], str):
                ended.pop()
            value = Value(tuple(ended), place=self._name)
            yield replace(value, title=is_title(value.text))

    def _text(self, event: Text) -> Iterator[Value]:
        text = self._xml.source.text[event.start : event.end]
        element = self._open[-1] if self._open else ""
        if event.kind in ("comment", "pi"):
            yield Value((self._xml.slot(event),), place=self._place(event.kind))
        elif self._paragraphs and element in _RUNS:
            self._paragraphs[-1].append(self._xml.slot(event))
        elif element in _FIELD_CODES:
            self._codes.append(event)
        elif element in _EMPTIED:
            self._xml.source.parts.append(Fixed(event.start, event.end, ""))
        elif element in _TIME_ELEMENTS:
            self._xml.source.parts.append(Fixed(event.start, event.end, _NO_TIME))
        elif not _WORD.match(text):
            return
        elif element in _PLAIN:
            yield kept(self._xml.slot(event), self._place(element))
        elif label := _PROPERTIES.get(element) or self._property:
            yield labelled(self._xml.slot(event), label, self._place(element))
        else:
            yield Value((self._xml.slot(event),), place=self._place(element))

    def _code(self) -> Iterator[Value]:
        """Yield the code of a field, such as ``REF SMITH_JOHN``, whose names become neutral."""
        events, self._codes = self._codes, []
        joined = "".join(self._xml.source.text[e.start : e.end] for e in events)
        pieces = self._pieces(events, list(self._names.in_code(joined)))
        if any(isinstance(piece, Slot) and _WORD.match(piece.text) for piece in pieces):
            yield Value(tuple(pieces), free=_has_text(joined), place=self._place("code"))

    def _pieces(
        self, events: Sequence[Text], names: Sequence[tuple[int, int, str]]
    ) -> list[Slot | str]:
        """Cut the code of a field at its names, which become neutral."""
        pieces: list[Slot | str] = []
        before = 0  # Characters of the code before the event.
        for event in events:
            shift, end = event.start - before, before + event.end - event.start
            place = before
            for low, high, new in names:
                cut, stop = max(low, before), min(high, end)
                if cut < stop:
                    # The name's first part becomes the new name, others vanish.
                    text = new if cut == low else ""
                    self._xml.source.parts.append(Fixed(cut + shift, stop + shift, text))
                    pieces += [self._xml.slot(Text(event.kind, place + shift, cut + shift)), " "]
                    place = stop
            pieces.append(self._xml.slot(Text(event.kind, place + shift, event.end)))
            before = end
        return pieces

    def _attributes(self, event: Start) -> Iterator[Value]:
        parent = self._open[-2] if len(self._open) > 1 else ""
        for name in event.attributes:
            local, value = name.rpartition(":")[2], self._xml.value(event, name)
            new = self._names.neutral(event, local, value, parent)
            if name in ("Target", "PartName"):
                new = target_of(value, self._media)
            if parent in _TAGS and local == "val":
                new = ""  # They repeat parts of what they tag, such as the year of a date.
            if local in _TIMES and _WORD.match(value):
                new = _NO_TIME
            if new is not None and new != value:
                self._xml.source.parts.append(Fixed(*event.attributes[name], new))
            elif new is not None:
                continue
            elif _WORD.match(value) and not name.startswith("xmlns"):
                yield from self._attribute(event, name)

    def _attribute(self, event: Start, name: str) -> Iterator[Value]:
        local, value = name.rpartition(":")[2], self._xml.value(event, name)
        place = self._place(f"{event.local}/@{local}")
        if name == "Target" and self._xml.value(event, "TargetMode") == "External":
            yield self._link(event, name, place)
        elif local in _AUTHORS:
            yield labelled(self._xml.attribute(event, name), "DOCTOR", place)
        elif self._is_read(event.local, local):
            yield Value((self._xml.attribute(event, name),), place=place, title=True)
        elif not (
            event.local in _FORMAL or local in _FORMAL_ATTRIBUTES or _MEANINGLESS.fullmatch(value)
        ):
            yield kept(self._xml.attribute(event, name), place)

    def _is_read(self, element: str, attribute: str) -> bool:
        return (
            attribute in _READ.get(element, "").split()
            or attribute in _READ_ANYWHERE
            or self._name.startswith("customXml/item")
        )

    def _link(self, event: Start, name: str, place: str) -> Value:
        slot = self._xml.source.slot(*event.attributes[name], _LINKS, _encoded_link)
        return Value((slot,), contact_spans(slot.text, "URL"), free=False, place=place)

    def _place(self, inner: str) -> str:
        return f"{self._name}/{inner}"


def _has_text(code: str) -> bool:
    """Return whether people may have written text into the code of a field."""
    return '"' in code or "&quot;" in code or "@" in code


def _encoded_link(text: str) -> str:
    """Return a text as part of an address; Word takes a file with other addresses for damaged."""
    return escape_quoted(re.sub(r"[\s\[\]]", lambda c: f"%{min(ord(c[0]), 255):02X}", text))
