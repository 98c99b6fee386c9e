"""CDA and C-CDA documents: the header by its types, narratives as text.

Names, addresses, identifiers, telecommunication addresses and times are PHI
wherever they stand; the elements around a name decide who is named. The model
reads all other text. Codes and their display names stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from multideid.corpora.contract import Format
from multideid.corpora.structure import (
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
    is_title,
    kept,
    labelled,
    may_repeat,
)
from multideid.corpora.structured.age_values import age_value, is_age_text
from multideid.corpora.structured.cda_ages import AgeElements
from multideid.corpora.structured.dates import compact_date, year
from multideid.corpora.structured.embedded import base64_values
from multideid.corpora.structured.telecom import contact_spans
from multideid.corpora.structured.xml_flow import Flow, inner_events, narrative
from multideid.corpora.structured.xml_source import Event, Start, Text, XmlSource
from multideid.corpora.structured.xml_text import root_name
from multideid.document import Span

_NAMED = {
    "PATIENT": "patient guardianPerson relatedPerson associatedPerson subject relatedSubject",
    "DOCTOR": "assignedPerson informationRecipient maintainingPerson",
    "HOSPITAL": "healthCareFacility location place",
    "": "manufacturedMaterial labeledDrug manufacturerOrganization playingEntity",
}
_WHO = {element: label for label, elements in _NAMED.items() for element in elements.split()}
_NOT_PHI_IN_NAMES = ("prefix", "validTime")
_ADDRESS = {
    "city": "CITY",
    "state": "STATE",
    "postalCode": "ZIP",
    "country": "COUNTRY",
    "county": "LOCATION-OTHER",
    "precinct": "LOCATION-OTHER",
    "censusTract": "LOCATION-OTHER",
}
_TIMES = re.compile(r"\w*[tT]ime|low|high|center|value")
_BOUNDS = ("low", "high", "center")
_SURE_TIMES = re.compile(r"\w*(?:[tT]ime|Period)")
_NUMBERS = {"2.16.840.1.113883.4.1": "SSN", "2.16.840.1.113883.4.6": "LICENSE"}
# Attributes that never hold an identifier: codes, flags, and the layout of tables.
_KEPT = re.compile(
    r"""(?:xmlns|xsi|xml)(?:[:].*)?|.*[cC]ode(?:System(?:Name|Version)?)?|.*Ind|root|extension|use
    |nullFlavor|unit|mediaType|representation|ID|IDREF|language|displayName|operator|partType
    |qualifier|styleCode|listType|border|width|v?align|colspan|rowspan|cell(?:spacing|padding)
    |priorityNumber|rel|rev|scope|headers|frame|rules|integrityCheckAlgorithm""",
    re.VERBOSE,
)
# Addresses that standards give, and codes of a few letters.
_STANDARD = re.compile(
    r"(?:2\.16\.840\.1\.113883|1\.3\.6\.1)(?:\.\d{1,4})*|urn:hl7-org:\w+|http://www\..*"
)
# Those of LOINC, SNOMED CT, ICD, RxNorm and so on, whose names nobody makes up.
_STANDARD_CODES = re.compile(r"2\.16\.840\.1\.113883\.(?:[156]|3\.26\.1|12)(?:\.\d+)+")
_QUANTITY = re.compile(r"[\d.,+\-eE%]*|true|false|#.*")


def read(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield the document as one record."""
    document = _Document(XmlSource(content, options))
    values = tuple(document.values())
    yield Record(values, document.xml.rendered, patient=document.patient)


class _Document:
    """Reads a CDA document from its beginning to its end."""

    def __init__(self, xml: XmlSource) -> None:
        self.xml = xml
        self.patient: str | None = None
        self._open: list[str] = []
        self._value_type = ""
        self._ages = AgeElements()

    def values(self) -> Iterator[Value]:
        """Yield the values, in the order of the document."""
        events = self.xml.events()
        for event in events:
            if isinstance(event, Text):
                yield from self._text(event)
            elif isinstance(event, Start):
                self._open.append(event.local)
                self._ages.enter(event.local, partial(self.xml.value, event))
                if event.local == "value":
                    self._value_type = self.xml.value(event, "xsi:type")
                yield from self._attributes(event)
                yield from self._content(event, events)
            else:
                self._open.pop()
                self._ages.leave()

    def _content(self, start: Start, events: Iterator[Event]) -> Iterator[Value]:
        """Yield the values of an element whose content is not read part by part."""
        if self.xml.value(start, "representation") == "B64":
            for event in inner_events(events):
                if isinstance(event, Text):
                    yield from base64_values(self.xml.source, event.start, event.end, "B64")
        elif start.local == "text" and len(self._open) > 1 and self._open[-2] == "section":
            inside = list(inner_events(events))
            yield from narrative(inside, Flow(self.xml.slot, "section/text"))
            for event in inside:
                if isinstance(event, Start):
                    yield from self._attributes(event)
        else:
            return
        self._open.pop()
        self._ages.leave()

    def _text(self, event: Text) -> Iterator[Value]:
        if not self.xml.source.text[event.start : event.end].strip():
            return
        place = "/".join(self._open[-2:])
        slot = self.xml.slot(event)
        self._ages.read(slot.text)
        label = self._label(slot.text) if event.kind in ("text", "cdata") else ""
        if event.kind == "stylesheet":
            yield kept(slot, place)
        elif label:
            yield labelled(slot, label, place)
        else:
            yield Value((slot,), place=place, title=is_title(slot.text))

    def _label(self, text: str) -> str:
        """Return the label of text at the current place; empty for free text."""
        if self._ages.unit is not None and is_age_text(text):
            return "AGE"
        if "addr" in self._open[-2:]:
            return _ADDRESS.get(self._open[-1], "STREET")
        if "name" in self._open[-2:] and self._open[-1] not in _NOT_PHI_IN_NAMES:
            return self._who()
        return ""

    def _who(self) -> str:
        for element in reversed(self._open):
            if element in _WHO:
                return _WHO[element]
            if element.endswith("Organization"):
                return "HOSPITAL"
        return ""

    def _attributes(self, start: Start) -> Iterator[Value]:
        place = "/".join(self._open[-2:])
        for name in start.attributes:
            value = self.xml.value(start, name)
            if name == "value" and self._ages.unit is not None and value:
                slot = self.xml.attribute(start, name)
                yield age_value(slot, self._ages.unit, f"{place}/@{name}")
                continue
            known = self._known(start, name, value)
            if known:
                slot = self.xml.attribute(start, name)
                yield Value((slot,), known, free=False, place=f"{place}/@{name}")
            elif value and not self._is_kept(start, name, value) and not _QUANTITY.fullmatch(value):
                yield Value((self.xml.attribute(start, name),), (), True, f"{place}/@{name}", True)
            elif may_repeat(value) and not _STANDARD.fullmatch(value):
                yield kept(self.xml.attribute(start, name), f"{place}/@{name}")

    def _is_kept(self, start: Start, name: str, value: str) -> bool:
        """Return whether an attribute holds no text: a name of a local code may be one."""
        if name == "displayName":
            return bool(_STANDARD_CODES.fullmatch(self.xml.value(start, "codeSystem")))
        return bool(_KEPT.fullmatch(name)) and not _is_sentence(name, value)

    def _known(self, start: Start, name: str, value: str) -> tuple[Span, ...]:
        """Return the PHI in an attribute, from the type of its element."""
        if start.local == "telecom" and name == "value":
            return contact_spans(value)
        if _TIMES.fullmatch(start.local) and name == "value" and "unit" not in start.attributes:
            return compact_date(value) or (year(value) if self._is_time() else ())
        if start.local in ("id", "setId") and name == _identifier(start) and value:
            return (Span(0, len(value), self._id_label(start, value)),)
        return ()

    def _is_time(self) -> bool:
        """Return whether the element is surely a time, and not a number."""
        element = next((e for e in reversed(self._open) if e not in _BOUNDS), "")
        if element == "value":
            return self._value_type.endswith("TS")
        return bool(_SURE_TIMES.fullmatch(element))

    def _id_label(self, start: Start, value: str) -> str:
        if self._open[-2:-1] == ["patientRole"]:
            self.patient = self.patient or value
            return _NUMBERS.get(self.xml.value(start, "root"), "MEDICALRECORD")
        return _NUMBERS.get(self.xml.value(start, "root"), "IDNUM")


def _is_sentence(name: str, value: str) -> bool:
    """Return whether the value of what should be a code is several words."""
    return " " in value and (name.endswith("ode") or name in ("use", "unit", "extension"))


def _identifier(start: Start) -> str:
    """Return the attribute that identifies: the root, if there is no extension."""
    return "extension" if "extension" in start.attributes else "root"


def _recognise(content: Content) -> bool:
    return root_name(content) == "ClinicalDocument"


FORMAT = Format(
    "cda",
    "CDA and C-CDA documents; deid reads the header by its types, and narratives",
    structure=Structure(_recognise, read, (".xml",)),
)
