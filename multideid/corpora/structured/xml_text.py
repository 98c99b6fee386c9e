"""XML of any vocabulary: the model reads all texts, attributes and comments.

Inline elements, which stand among text, do not break a line. Names of elements
and attributes, namespaces and the like stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    mixed = mixed_elements(xml.events(), xml.source.text)
    stack: list[tuple[int, bool]] = []  # Number of each open element, and whether it is inline.
    number = 0
    flow = Flow(xml.slot)
    for event in xml.events():
        if isinstance(event, Text):
            yield from _text(xml, event, flow)
            continue
        if isinstance(event, Start):
            parent = stack[-1][0] if stack else -1
            inline = parent in mixed and event.local not in BLOCKS
            stack.append((number, inline))
            number += 1
        else:
            inline = stack.pop()[1]
        if not inline:
            yield from flow.values()
        if isinstance(event, Start):
            attributes = list(attribute_values(xml.source, event))
            if attributes and inline:
                # An attribute in the middle of a line is read before the rest of it.
                yield from flow.values()
            yield from attributes
    yield from flow.values()


def _text(xml: XmlSource, event: Text, flow: Flow) -> Iterator[Value]:
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
    attributes = html_values(part, "", flow)
    if attributes is None:
        flow.text(event)
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
