"""XML of any vocabulary: the model reads all texts, attributes and comments.

Values of elements and attributes whose names are those of identifiers, such as
``mrn``, are PHI as a whole. Inline elements, which stand among text, do not break a
line. Names of elements and attributes, namespaces and the like stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from multideid.corpora.contract import Format
from multideid.corpora.safe_xml import DeclarationError
from multideid.corpora.structure import (
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
)
from multideid.corpora.structured.embedded import TextPart, file_or_withheld, html_values
from multideid.corpora.structured.recognition import AS_TEXT
from multideid.corpora.structured.xml_attributes import attribute_values
from multideid.corpora.structured.xml_elements import Element, elements
from multideid.corpora.structured.xml_fields import attribute_label, text_label
from multideid.corpora.structured.xml_flow import BLOCKS, Flow, mixed_elements
from multideid.corpora.structured.xml_source import Start, Text, XmlSource, text_of
from multideid.errors import CorpusError

# XML of structured messages, in which names and numbers stand alone in fields.
_OTHER_VOCABULARIES = {
    "http://hl7.org/fhir": "is FHIR in XML: convert it to JSON, which is read by its types",
    "urn:hl7-org:v2xml": "is HL7 v2 in XML: convert it to the form with bars, MSH|^~\\&",
    "urn:hl7-org:v3": "is an HL7 v3 message, of which CDA documents only are read",
}
_PROLOGUE = re.compile(r"(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>|\s)*", re.DOTALL)
# It is no XML, though its document type is outside the file, as that of XHTML is.
_HTML_4 = re.compile(r"<!DOCTYPE\s+html\s+PUBLIC\s+[\"']-//(?:W3C|IETF)//DTD HTML", re.IGNORECASE)
_ELEMENT = re.compile(r"<([A-Za-z_][\w.\-]*(?::[A-Za-z_][\w.\-]*)?)[\s/>]")


def root_name(content: Content) -> str:
    """Return the local name of the first element of a file; empty if it is no XML."""
    start = content.beginning
    if not start.startswith("<"):
        return ""
    prologue = _PROLOGUE.match(start)
    match = _ELEMENT.match(start, prologue.end() if prologue else 0)
    return match[1].rpartition(":")[2] if match else ""


def read(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield the file as one record.

    Raises
    ------
    CorpusError
        Also for messages of HL7 and FHIR, which have to be read by their types.
    """
    xml = XmlSource(content, options)
    _refuse_other_vocabularies(xml)
    yield Record(tuple(_values(xml)), xml.rendered)


def _refuse_other_vocabularies(xml: XmlSource) -> None:
    starts = (event for event in xml.events() if isinstance(event, Start))
    for start in starts:
        for name in start.attributes:
            remedy = name.startswith("xmlns") and _OTHER_VOCABULARIES.get(xml.value(start, name))
            if remedy:
                raise xml.error(f"{remedy}; {AS_TEXT}")


def _values(xml: XmlSource) -> Iterator[Value]:
    events = list(xml.events())
    mixed = mixed_elements(events, xml.source.text)
    all_elements = elements(events, xml.source)
    stack: list[_Open] = []
    number = 0
    flow = Flow(xml.slot)
    for event in events:
        if isinstance(event, Text):
            yield from _text(xml, event, flow, stack[-1].label if stack else None)
            continue
        if isinstance(event, Start):
            inline = bool(stack) and stack[-1].number in mixed and event.local not in BLOCKS
            element = all_elements[number]
            stack.append(_Open(number, inline, text_label(element)))
            number += 1
        else:
            inline = stack.pop().inline
        if not inline:
            yield from flow.values()
        if isinstance(event, Start):
            attributes = list(_attributes(xml, event, element))
            if attributes and inline:
                # An attribute in the middle of a line is read before the rest of it.
                yield from flow.values()
            yield from attributes
    yield from flow.values()


class _Open(NamedTuple):
    """An open element."""

    number: int
    inline: bool
    label: str | None


def _attributes(xml: XmlSource, start: Start, element: Element) -> Iterator[Value]:
    return attribute_values(xml.source, start, label=partial(attribute_label, element))


def _text(xml: XmlSource, event: Text, flow: Flow, label: str | None) -> Iterator[Value]:
    """Read a text, which may be RTF, HTML and the like."""
    if event.kind not in ("text", "cdata"):
        flow.text(event)
        return
    text, encode = text_of(xml.source, event)
    part = TextPart(xml.source, event.start, event.end, text, encode)
    found = file_or_withheld(part, "")
    if found is not None:
        yield from [*flow.values(), *found]
        return
    attributes = None if label else html_values(part, "", flow)
    if attributes is None:
        flow.text(event, label=label)
    elif attributes:
        yield from [*flow.values(), *attributes]


def _recognise(content: Content) -> bool:
    return bool(root_name(content)) and _is_xml(content)


def _is_xml(content: Content) -> bool:
    """Return whether a file is XML that can be read, or that is refused with a better reason."""
    try:
        XmlSource(content, ReadingOptions())
    except DeclarationError:
        return not _HTML_4.match(content.beginning)
    except CorpusError:
        return content.beginning.startswith("<?xml")
    return True


FORMAT = Format(
    "xml",
    "XML of any kind; deid reads texts, attributes and comments",
    structure=Structure(_recognise, read, (".xml",)),
)
