"""Named values in Word documents: custom properties, content controls and form fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from multideid.corpora.identifier_names import may_be_field, value_label
from multideid.corpora.structured.slots import Change, Slot
from multideid.corpora.structured.xml_source import End, Start, XmlSource
from multideid.document import Span
from multideid.spans import splice

_NAMES_CONTROL = ("alias", "tag")
_OF_TEXT = ("lpwstr", "lpstr", "bstr", "filetime", "date")
_DATA = re.compile(r"customXml/item\d*\.xml")
_NUMBER = re.compile(r"-?\d{1,9}")


def named_label(names: Sequence[str], text: str) -> str:
    """Return the PHI class of a short text by the names that it has; empty if they say nothing."""
    if not may_be_field(text):
        return ""
    return next((label for name in names if (label := value_label(name, text))), "")


def label_in_data(part: str, name: str, text: str) -> str:
    """Return what the name of an element or attribute says of its text in XML data of a document.

    Parameters
    ----------
    part : str
        The name of the part; only data that people put into a document have names.
    name, text : str
    """
    return named_label([name], text) if _DATA.fullmatch(part) else ""


def value_of(xml: XmlSource, start: Start, attribute: str) -> str:
    """Return the value of an attribute, whatever its prefix."""
    found = (name for name in start.attributes if name.rpartition(":")[2] == attribute)
    return next((xml.value(start, name) for name in found), "")


@dataclass(slots=True)
class _Control:
    """A content control or a form field: its names, and whether texts in it are its value."""

    names: list[str] = field(default_factory=list)
    is_value: bool = False


class Controls:
    """The content controls and form fields around what is read, and the texts in them.

    Parameters
    ----------
    xml : XmlSource
    """

    def __init__(self, xml: XmlSource) -> None:
        self._xml = xml
        self._contents: list[_Control] = []
        self._fields: list[_Control] = []
        self._of: dict[Slot, _Control] = {}

    @property
    def field_names(self) -> Sequence[str]:
        """The names of the innermost form field."""
        return self._fields[-1].names if self._fields else ()

    def start(self, event: Start, parent: str) -> None:
        """Enter an element."""
        if event.local == "sdt":
            self._contents.append(_Control(is_value=True))
        elif event.local == "fldChar":
            self._field(value_of(self._xml, event, "fldCharType"))
        elif parent == "sdtPr" and self._contents:
            if event.local in _NAMES_CONTROL:
                self._contents[-1].names.append(value_of(self._xml, event, "val"))
            elif event.local == "showingPlcHdr":
                self._contents[-1].is_value = False
        elif (event.local, parent) == ("name", "ffData") and self._fields:
            self._fields[-1].names.append(value_of(self._xml, event, "val"))

    def end(self, element: str) -> None:
        """Leave an element."""
        if element == "sdt":
            self._contents.pop()

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(_Control())
        elif kind == "separate" and self._fields:
            self._fields[-1].is_value = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def add(self, slot: Slot) -> None:
        """Add a text, which is in the innermost control or field with a name."""
        around = (c for c in [*self._fields[::-1], *self._contents[::-1]] if c.names)
        control = next(around, None)
        if control is not None and control.is_value:
            self._of[slot] = control

    def spans(self, pieces: Sequence[Slot | str]) -> Iterator[Span]:
        """Yield the PHI in a paragraph that the names of controls and fields say."""
        control, start, text, place = None, 0, "", 0
        for piece in [*pieces, ""]:
            mine = self._of.get(piece) if isinstance(piece, Slot) else None
            if mine is not control:
                if control is not None and (label := named_label(control.names, text)):
                    yield Span(start, place, label)
                control, start, text = mine, place, ""
            new = piece.text if isinstance(piece, Slot) else piece
            text, place = text + new, place + len(new)


class TypeName:
    """The name of the type of a property in a tag, which becomes that of texts with the value.

    Parameters
    ----------
    start, end : int
        Half-open offsets in the source.
    name : str
        The new name.
    slot : Slot
        The value.
    """

    def __init__(self, start: int, end: int, name: str, slot: Slot) -> None:
        self.start, self.end, self._name, self._slot = start, end, name, slot

    def replaced(self, source: str, changes: Mapping[Slot, list[Change]]) -> str | None:
        """Return the new name; None if the value is still a number, or stays."""
        mine = changes.get(self._slot)
        if not mine or _NUMBER.fullmatch(splice(self._slot.text, mine)):
            return None
        return self._name


def add_type_names(xml: XmlSource, start: Start, end: End, slot: Slot) -> None:
    """Let a property of another type be of texts if its value becomes one."""
    if start.local in _OF_TEXT:
        return
    text = start.name[: -len(start.local)] + "lpwstr"
    for tag in (start.start + 1, end.start + 2):
        xml.source.parts.append(TypeName(tag, tag + len(start.name), text, slot))
