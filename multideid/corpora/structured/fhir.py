"""FHIR R4 resources in JSON: fields by their types, narratives and attachments as text.

A file holds a resource, a Bundle, or resources on lines (NDJSON). The types of
fields are told by their keys and by what is next to them, as FHIR names them
alike in all resources. The model reads every string of no known type. Codes
stay, and so do the display names of codes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from multideid.corpora.contract import Format
from multideid.corpora.structure import (
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
)
from multideid.corpora.structured.embedded import base64_values, markup_values
from multideid.corpora.structured.fhir_fields import Field, is_kept, known_spans, patient_of
from multideid.corpora.structured.json_source import (
    JSON_ESCAPES,
    JsonString,
    dotted,
    encoder,
    json_slot,
)
from multideid.corpora.structured.json_units import Unit, is_json_lines, units
from multideid.corpora.structured.slots import Embedded, Source
from multideid.document import Span

_WORD = re.compile(r"\w+(?:[\-.]\w+)*")
_LONG_NUMBER = 6  # Digits; a shorter identifier may be a measurement, too.


def read(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield a record for each resource on a line, or the one of the file."""
    for unit in units(content, options):
        values: list[Value] = []
        kept: list[JsonString] = []
        for string in unit.strings:
            found = list(_values(unit, string))
            values += found
            if not found:
                kept.append(string)
        values += _identifiers_again(unit, kept, values)
        yield unit.record(tuple(values), patient=patient_of(unit.value))


def _values(unit: Unit, string: JsonString) -> Iterator[Value]:
    if not string.quoted:
        return
    text = JSON_ESCAPES.decoded(unit.source.text, string.start, string.end)[0]
    field = Field.at(unit.value, string.path, text, in_list=unit.name.startswith("item"))
    place = dotted(string.path)
    if field.key == "div":
        yield from _narrative(unit, string, text, place)
    elif field.is_data:
        yield from base64_values(unit.source, string.start, string.end, place)
    elif known := known_spans(field):
        yield Value((json_slot(unit.source, string),), known, free=False, place=place)
    elif not is_kept(field):
        yield Value((json_slot(unit.source, string),), place=place)


def _identifiers_again(
    unit: Unit, kept: Sequence[JsonString], values: Sequence[Value]
) -> Iterator[Value]:
    """Yield numbers, codes and addresses that repeat an identifier of the resource."""
    known = {
        value.text[span.start : span.end]: span.label for value in values for span in value.known
    }
    known = {t: label for t, label in known.items() if sum(map(str.isdigit, t)) >= _LONG_NUMBER}
    for string in kept if known else ():
        words = _WORD.finditer(unit.source.text, string.start, string.end)
        if not any(word[0] in known for word in words):
            continue
        slot = json_slot(unit.source, string)
        spans = (
            Span(*word.span(), known[word[0]])
            for word in _WORD.finditer(slot.text)
            if word[0] in known
        )
        yield Value((slot,), tuple(spans), free=False, place=dotted(string.path))


def _narrative(unit: Unit, string: JsonString, text: str, place: str) -> list[Value]:
    inner = Source(text)
    encode = encoder(unit.source.text)
    unit.source.parts.append(Embedded(string.start, string.end, inner, encode))
    return markup_values(inner, place)


def _recognise(content: Content) -> bool:
    if not content.beginning.startswith(("{", "[")) or b'"resourceType"' not in content.head:
        return False
    content.file.seek(0)
    try:
        lines = is_json_lines(content)
        content.file.seek(0)
        data = content.file.readline() if lines else content.file.read()
        value = json.loads(data.decode(content.encoding or "utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and isinstance(first.get("resourceType"), str)


FORMAT = Format(
    "fhir",
    "FHIR R4 resources in JSON or NDJSON; deid reads fields by their types, and narratives",
    structure=Structure(_recognise, read, (".json", ".ndjson")),
)
