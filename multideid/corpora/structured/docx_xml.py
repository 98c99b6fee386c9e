"""An XML part of a Word document: its texts, in paragraphs, rows and fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from multideid.corpora.structure import Value, is_title, kept, labelled
from multideid.corpora.structured.docx_attributes import NO_TIME, WORD, Attributes
from multideid.corpora.structured.docx_fields import (
    Controls,
    add_type_names,
    label_in_data,
    named_label,
    value_of,
)
from multideid.corpora.structured.docx_names import Names
from multideid.corpora.structured.slots import Fixed, Slot
from multideid.corpora.structured.xml_source import End, Start, Text, XmlSource

_BROKEN_BY = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_RUNS = ("t", "delText")
_PROPERTIES = {
    "creator": "DOCTOR",
    "lastModifiedBy": "DOCTOR",
    "Manager": "DOCTOR",
    "Company": "HOSPITAL",
}
_TIME_ELEMENTS = ("created", "modified", "lastPrinted", "filetime", "date")
# Elements of a kind that people do not write.
_PLAIN = frozenset(
    """
    Application AppVersion revision version language posOffset align pctWidth pctHeight
    formatCode f ptCount pctPosHOffset pctPosVOffset
    """.split()
)
_FIELD_CODES = ("instrText", "delInstrText")
_EMPTIED = ("fldData",)


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
        self._xml, self._name, self._names = xml, name, names
        self._codes: list[Text] = []  # Those of one field, which may lie in several runs.
        self._open: list[str] = []
        self._paragraphs: list[list[Slot | str]] = []
        self._rows: list[list[Slot | str]] = []
        self._controls = Controls(xml)
        self._attributes = Attributes(xml, name, names, media, self._controls)
        self._property = ""  # Its name.
        self._type: tuple[Start, Slot | None] | None = None  # Of the property.

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
                self._controls.end(event.local)
                self._end_type(event)
                yield from self._end(event.local)
        yield from self._code()

    def _start(self, event: Start) -> Iterator[Value]:
        parent = self._open[-2] if len(self._open) > 1 else ""
        if event.local == "fldChar":
            yield from self._code()
        self._controls.start(event, parent)
        if event.local == "p":
            self._paragraphs.append([])
        elif event.local == "tr":
            self._rows.append([])
        elif event.local == "property":
            self._property = value_of(self._xml, event, "name")
        elif parent == "property":
            self._type = event, None
        elif event.local in _BROKEN_BY and self._paragraphs and "pPr" not in self._open:
            self._paragraphs[-1].append(_BROKEN_BY[event.local])
        yield from self._attributes.values(event, parent)

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
            known = tuple(self._controls.spans(ended))
            value = Value(tuple(ended), known, place=self._name)
            yield replace(value, title=is_title(value.text))

    def _text(self, event: Text) -> Iterator[Value]:
        text = self._xml.source.text[event.start : event.end]
        element = self._open[-1] if self._open else ""
        if event.kind in ("comment", "pi"):
            yield Value((self._xml.slot(event),), place=self._place(event.kind))
        elif self._paragraphs and element in _RUNS:
            self._paragraphs[-1].append(slot := self._xml.slot(event))
            self._controls.add(slot)
        elif element in _FIELD_CODES:
            self._codes.append(event)
        elif element in _EMPTIED:
            self._xml.source.parts.append(Fixed(event.start, event.end, ""))
        elif element in _TIME_ELEMENTS:
            self._xml.source.parts.append(Fixed(event.start, event.end, NO_TIME))
        elif self._property and text.strip() and element != "bool":
            yield self._of_property(event, element)
        elif label := label_in_data(self._name, element, text):
            yield labelled(self._xml.slot(event), label, self._place(element))
        elif not WORD.match(text):
            return
        elif element in _PLAIN:
            yield kept(self._xml.slot(event), self._place(element))
        elif label := _PROPERTIES.get(element, ""):
            yield labelled(self._xml.slot(event), label, self._place(element))
        else:
            yield Value((self._xml.slot(event),), place=self._place(element))

    def _of_property(self, event: Text, element: str) -> Value:
        slot, place = self._xml.slot(event), self._place(element)
        if self._type is not None and self._type[0].local == element:
            self._type = self._type[0], slot
        label = named_label([self._property], slot.text)
        return labelled(slot, label, place) if label else Value((slot,), place=place)

    def _end_type(self, event: End) -> None:
        """Let the type of a property that ends follow its value."""
        if self._type is not None and self._type[0].name == event.name:
            start, slot = self._type
            self._type = None
            if slot is not None:
                add_type_names(self._xml, start, event, slot)

    def _code(self) -> Iterator[Value]:
        """Yield the code of a field, such as ``REF SMITH_JOHN``, whose names become neutral."""
        events, self._codes = self._codes, []
        joined = "".join(self._xml.source.text[e.start : e.end] for e in events)
        pieces = self._pieces(events, list(self._names.in_code(joined)))
        if any(isinstance(piece, Slot) and WORD.match(piece.text) for piece in pieces):
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

    def _place(self, inner: str) -> str:
        return f"{self._name}/{inner}"


def _has_text(code: str) -> bool:
    """Return whether people may have written text into the code of a field."""
    return '"' in code or "&quot;" in code or "@" in code
