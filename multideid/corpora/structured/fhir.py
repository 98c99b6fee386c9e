"""FHIR R4 resources in JSON: fields by their types, narratives and attachments as text.

A file holds a resource, a Bundle, or resources on lines (NDJSON). The types of
fields are told by their keys and by what is next to them, as FHIR names them
alike in all resources. The model reads every string of no known type. Codes
stay, and so do the display names of codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from multideid.corpora.contract import Format
from multideid.corpora.structure import (
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
    is_title,
    kept,
    may_repeat,
)
from multideid.corpora.structured.embedded import (
    TextPart,
    base64_values,
    html_values,
    markup_values,
)
from multideid.corpora.structured.fhir_fields import (
    Field,
    is_formal,
    is_kept,
    known_spans,
    patient_of,
)
from multideid.corpora.structured.fhir_numbers import number_value
from multideid.corpora.structured.json_source import (
    JSON_ESCAPES,
    JsonString,
    dotted,
    encoder,
    json_slot,
)
from multideid.corpora.structured.json_units import Unit, top_values, units
from multideid.corpora.structured.slots import Embedded, Source

_LONG_NUMBER = re.compile(r"\d{6,}")  # A shorter identifier may be a measurement, too.


def read(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield a record for each resource on a line, or the one of the file."""
    for unit in units(content, options):
        try:
            values = tuple(value for string in unit.strings for value in _values(unit, string))
        except LookupError:
            # Of two values with one key, the parsed value has the last.
            problem = "has a key twice in an object, which FHIR does not allow: correct it"
            raise content.error(problem, unit.name) from None
        yield unit.record(values, patient=patient_of(unit.value))


def _values(unit: Unit, string: JsonString) -> Iterator[Value]:
    text = JSON_ESCAPES.decoded(unit.source.text, string.start, string.end)[0]
    field = Field.at(unit.value, string.path, text, in_list=unit.in_list)
    if number := number_value(unit.source, string, field):
        yield number
    elif string.quoted:
        yield from _string(unit, string, field)
    elif _LONG_NUMBER.fullmatch(text):
        yield kept(json_slot(unit.source, string), dotted(string.path))


def _string(unit: Unit, string: JsonString, field: Field) -> Iterator[Value]:
    text, place = field.text, dotted(string.path)
    if field.key == "div":
        yield from _narrative(unit, string, text, place)
    elif field.is_data:
        yield from base64_values(unit.source, string.start, string.end, place)
    elif known := known_spans(field):
        yield Value((json_slot(unit.source, string),), known, free=False, place=place)
    elif not is_kept(field):
        part = TextPart(unit.source, string.start, string.end, text, encoder(unit.source.text))
        if found := html_values(part, place):
            yield from found
            return
        slot = json_slot(unit.source, string)
        yield Value((slot,), place=place, title=is_title(slot.text))
    elif may_repeat(text) and not is_formal(field):
        yield kept(json_slot(unit.source, string), place)


def _narrative(unit: Unit, string: JsonString, text: str, place: str) -> list[Value]:
    inner = Source(text)
    encode = encoder(unit.source.text)
    unit.source.parts.append(Embedded(string.start, string.end, inner, encode))
    return markup_values(inner, place)


def _recognise(content: Content) -> bool:
    if not content.beginning.startswith(("{", "[")):
        return False
    try:
        # A resource in any place is enough: as other JSON, all but its text would stay.
        return any(map(_is_resource, top_values(content)))
    except (ValueError, RecursionError):
        return False


def _is_resource(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("resourceType"), str)


FORMAT = Format(
    "fhir",
    "FHIR R4 resources in JSON or NDJSON; deid reads fields by their types, and narratives",
    structure=Structure(_recognise, read, (".json", ".ndjson")),
)
