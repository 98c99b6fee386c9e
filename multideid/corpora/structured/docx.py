"""Word documents (.docx): paragraphs are read as text, and their runs keep their style.

All parts are read: the body, headers and footers, notes, comments, text boxes,
charts, properties and links. Names of authors are PHI; times of editing are
set to a constant, pictures to an empty one. A document with embedded objects or
macros is refused.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO

from multideid.corpora.contract import Format
from multideid.corpora.identifier_names import identifier_label
from multideid.corpora.structure import (
    Changes,
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
    labelled,
)
from multideid.corpora.structured.empty_image import empty_image
from multideid.corpora.structured.slots import EscapeRule, Fixed, Slot
from multideid.corpora.structured.telecom import contact_spans
from multideid.corpora.structured.xml_source import (
    ENTITIES,
    Start,
    Text,
    XmlSource,
    escape_quoted,
)
from multideid.corpora.structured.zip_files import has_member, zip_members

_BODY = "word/document.xml"
_XML = (".xml", ".rels", ".vml")
_IMAGES = tuple(
    ".png .jpg .jpeg .jfif .gif .bmp .dib .tif .tiff .emf .wmf .emz .wmz .svg .ico .wdp".split()
)
_FONTS = (".odttf", ".ttf", ".otf")
_SETTINGS = re.compile(r".*/printerSettings\d*\.bin")

_BROKEN_BY = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_RUNS = ("t", "delText")
_AUTHORS = ("author", "initials", "userId", "editor")
_TIMES = ("date", "dateUtc", "fullDate")
# Attributes that people write, by element.
_READ = {
    "docPr": "descr title name",
    "cNvPr": "descr title name",
    "shape": "alt title href",
    "imagedata": "title",
    "textpath": "string",
    "hyperlink": "tooltip docLocation",
    "hlinkClick": "tooltip",
    "fldSimple": "instr",
    "listItem": "displayText value",
    "property": "name",
    **dict.fromkeys("docVar alias tag attachedTemplate default result statusText".split(), "val"),
    **dict.fromkeys("helpText entryMacro exitMacro placeholder".split(), "val"),
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
_WORD = re.compile(r"(?!(?:true|false)\Z).*?(?:[^\W\d_]|\d{5}|\d[/.\-]\d)", re.DOTALL)
_PERCENT = re.compile(rf"{ENTITIES.pattern.pattern}|%(5B|5D|20)")


def _percent(match: re.Match[str]) -> str:
    return chr(int(match[2], 16)) if match[2] else ENTITIES.decode(match)


_LINKS = EscapeRule(_PERCENT, _percent)


def read(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield the document as one record.

    Raises
    ------
    CorpusError
        If the file is damaged, or holds objects, macros or parts that are not read.
    """
    parts = [_part(content, info, data) for info, data in zip_members(content)]
    values = tuple(value for part in sorted(parts, key=_order) for value in part.values)
    yield Record(values, lambda changes: _packed(parts, changes))


class _Part:
    """A file in the document.

    Parameters
    ----------
    info : ZipInfo
    values : list of Value
    render : callable
        Returns its bytes with changes.
    """

    def __init__(
        self, info: zipfile.ZipInfo, values: list[Value], render: Callable[[Changes], bytes]
    ) -> None:
        self.info, self.values, self.render = info, values, render


def _order(part: _Part) -> bool:
    """Put the body first."""
    return part.info.filename != _BODY


def _packed(parts: list[_Part], changes: Changes) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in parts:
            info = zipfile.ZipInfo(part.info.filename)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, part.render(changes))
    return file.getvalue()


def _part(content: Content, info: zipfile.ZipInfo, data: bytes) -> _Part:
    name = info.filename
    suffix = name[name.rfind(".") :].lower()
    if name == "[Content_Types].xml" or suffix in _FONTS:
        return _Part(info, [], lambda changes: data)
    if suffix in _XML:
        xml = XmlSource(Content(BytesIO(data), f"{content.name}/{name}"), ReadingOptions())
        return _Part(info, list(_XmlPart(xml, name).values()), xml.rendered)
    if suffix in _IMAGES:
        return _Part(info, [], lambda changes: empty_image(suffix))
    if _SETTINGS.fullmatch(name):
        return _Part(info, [], lambda changes: b"")
    raise content.error(f"holds {name}, which is not read: remove the object or macro from it")


class _XmlPart:
    """Reads one XML part, paragraph by paragraph; text boxes lie inside paragraphs."""

    def __init__(self, xml: XmlSource, name: str) -> None:
        self._xml, self._name = xml, name
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

    def _start(self, event: Start) -> Iterator[Value]:
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
            yield Value(tuple(ended), place=self._name)

    def _text(self, event: Text) -> Iterator[Value]:
        text = self._xml.source.text[event.start : event.end]
        element = self._open[-1] if self._open else ""
        if self._paragraphs and element in _RUNS:
            self._paragraphs[-1].append(self._xml.slot(event))
        elif not _is_written(element, text):
            return
        elif element in _TIME_ELEMENTS:
            self._xml.source.parts.append(Fixed(event.start, event.end, _NO_TIME))
        elif label := _PROPERTIES.get(element) or self._property:
            yield labelled(self._xml.slot(event), label, self._place(element))
        else:
            yield Value((self._xml.slot(event),), place=self._place(element))

    def _attributes(self, event: Start) -> Iterator[Value]:
        for name in event.attributes:
            local = name.rpartition(":")[2]
            place = self._place(f"{event.local}/@{local}")
            if not _WORD.match(self._xml.value(event, name)):
                continue
            if local in _TIMES:
                self._xml.source.parts.append(Fixed(*event.attributes[name], _NO_TIME))
            elif local in _AUTHORS:
                yield labelled(self._xml.attribute(event, name), "DOCTOR", place)
            elif name == "Target" and self._xml.value(event, "TargetMode") == "External":
                yield self._link(event, name, place)
            elif local in _READ.get(event.local, "").split():
                yield Value((self._xml.attribute(event, name),), place=place)

    def _link(self, event: Start, name: str, place: str) -> Value:
        slot = self._xml.source.slot(*event.attributes[name], _LINKS, _encoded_link)
        return Value((slot,), contact_spans(slot.text, "URL"), free=False, place=place)

    def _place(self, inner: str) -> str:
        return f"{self._name}/{inner}"


def _is_written(element: str, text: str) -> bool:
    """Return whether people may have written the text of an element."""
    if element in _FIELD_CODES and '"' not in text and "@" not in text:
        return False
    return element not in _PLAIN and bool(_WORD.match(text))


def _encoded_link(text: str) -> str:
    """Return a text as part of an address; Word takes a file with other addresses for damaged."""
    return escape_quoted(re.sub(r"[\s\[\]]", lambda c: f"%{min(ord(c[0]), 255):02X}", text))


def _recognise(content: Content) -> bool:
    return has_member(content, _BODY)


FORMAT = Format(
    "docx",
    "Word documents (.docx); deid reads paragraphs and keeps the style of their runs",
    structure=Structure(_recognise, read, (".docx",)),
)
