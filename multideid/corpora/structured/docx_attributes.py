"""Attributes in Word documents: what people write into them, and what always goes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from multideid.corpora.structure import Value, kept, labelled
from multideid.corpora.structured.docx_fields import (
    Controls,
    label_in_data,
    named_label,
    value_of,
)
from multideid.corpora.structured.docx_names import Names, neutral_number, target_of
from multideid.corpora.structured.slots import EscapeRule, Fixed
from multideid.corpora.structured.telecom import contact_spans
from multideid.corpora.structured.xml_source import ENTITIES, Start, XmlSource, escape_quoted

NO_TIME = "1900-01-01T00:00:00Z"
"""In place of all times of editing."""

WORD = re.compile(r"(?!(?:true|false)\Z).*?(?:[^\W\d_]|\d{5}|\d[/.\-]\d)", re.DOTALL)
"""What may hold PHI: letters, a number, a date."""

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
    **dict.fromkeys("listEntry description tblCaption tblDescription".split(), "val"),
    **dict.fromkeys("addressFieldName mappedName".split(), "val"),
}
_TAGS = ("smartTagPr", "customXmlPr")
# Where the addresses of a mail merge come from: paths, names of tables, and their values.
_SOURCES = ("connectString", "query", "udl", "table", "uniqueTag")
_AROUND_SOURCES = ("mailMerge", "odso", "recipientData")
# What says nothing: numbers of revisions, colours, GUIDs, words of the format, its addresses.
_MEANINGLESS = re.compile(
    r"[0-9A-Fa-f{}\-]*|[a-z]+\d?(?:[A-Z][a-z]+)*\d?|(?:http://|urn:)schemas[.\-].*"
)
_FORMAL = frozenset("rFonts font latin ea cs lang themeFontLang mathFont Default Override".split())
_FORMAL_ATTRIBUTES = ("Ignorable", "Requires", "Target", "PartName")
_PERCENT = re.compile(rf"{ENTITIES.pattern.pattern}|%(5B|5D|20)")


def _percent(match: re.Match[str]) -> str:
    return chr(int(match[2], 16)) if match[2] else ENTITIES.decode(match)


_LINKS = EscapeRule(_PERCENT, _percent)


class Attributes:
    """Reads the attributes of an XML part.

    Parameters
    ----------
    xml : XmlSource
    part : str
        The name of the part.
    names : Names
        The names that become neutral.
    media : mapping of str to str
        The new names of pictures.
    controls : Controls
        The controls and fields around an element.
    """

    def __init__(
        self,
        xml: XmlSource,
        part: str,
        names: Names,
        media: Mapping[str, str],
        controls: Controls,
    ) -> None:
        self._xml, self._part, self._names, self._media = xml, part, names, media
        self._controls = controls

    def values(self, event: Start, parent: str) -> Iterator[Value]:
        """Yield the values of an element's attributes.

        Parameters
        ----------
        event : Start
        parent : str
            The local name of the element around it.
        """
        for name in event.attributes:
            local, value = name.rpartition(":")[2], self._xml.value(event, name)
            new = self._fixed(event, name, parent)
            if new is not None and new != value:
                self._xml.source.parts.append(Fixed(*event.attributes[name], new))
            elif new is not None or not value.strip() or name.startswith("xmlns"):
                continue
            elif (label := self._label_of(event, local, parent, value)) is not None:
                yield self._named(event, name, label)
            elif WORD.match(value):
                yield from self._attribute(event, name)

    def _named(self, event: Start, name: str, label: str) -> Value:
        slot, place = self._xml.attribute(event, name), self._place(event, name)
        return labelled(slot, label, place) if label else Value((slot,), place=place, title=True)

    def _fixed(self, event: Start, name: str, parent: str) -> str | None:
        """Return the text that an attribute always gets; None if it depends on what is found."""
        local, value = name.rpartition(":")[2], self._xml.value(event, name)
        if parent in _TAGS and local == "val":
            return ""  # They repeat parts of what they tag, such as the year of a date.
        if local in _TIMES and WORD.match(value):
            return NO_TIME
        if name in ("Target", "PartName"):
            return target_of(value, self._media)
        if event.local in _SOURCES and parent in _AROUND_SOURCES:
            return ""
        if event.local == "lvlText":
            return neutral_number(value)
        return self._names.neutral(event, local, value, parent)

    def _label_of(self, event: Start, local: str, parent: str, value: str) -> str | None:
        """Return the PHI class of an attribute by the name that its value has.

        It is empty if the name says nothing; None if the value has no name.
        """
        if (event.local, local) == ("docVar", "val"):
            return named_label([value_of(self._xml, event, "name")], value)
        if (event.local, local, parent) == ("default", "val", "textInput"):
            return named_label(self._controls.field_names, value)
        return None if local == "name" else label_in_data(self._part, local, value) or None

    def _attribute(self, event: Start, name: str) -> Iterator[Value]:
        local, value = name.rpartition(":")[2], self._xml.value(event, name)
        place = self._place(event, name)
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
            or self._part.startswith("customXml/item")
        )

    def _link(self, event: Start, name: str, place: str) -> Value:
        slot = self._xml.source.slot(*event.attributes[name], _LINKS, _encoded_link)
        return Value((slot,), contact_spans(slot.text, "URL"), free=False, place=place)

    def _place(self, event: Start, name: str) -> str:
        return f"{self._part}/{event.local}/@{name.rpartition(':')[2]}"


def _encoded_link(text: str) -> str:
    """Return a text as part of an address; Word takes a file with other addresses for damaged."""
    return escape_quoted(re.sub(r"[\s\[\]]", lambda c: f"%{min(ord(c[0]), 255):02X}", text))
