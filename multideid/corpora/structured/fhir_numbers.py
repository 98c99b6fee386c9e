"""Numbers in FHIR that are PHI: ages over 89, and coordinates of a place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from multideid.corpora.age_fields import speaks_of_age, unit_of_age
from multideid.corpora.structure import Value, labelled
from multideid.corpora.structured.age_values import Measure, age_value, is_age_text
from multideid.corpora.structured.fhir_fields import Field, Object, codings
from multideid.corpora.structured.json_source import (
    JsonString,
    dotted,
    json_slot,
    number_slot,
)
from multideid.corpora.structured.slots import Slot, Source

_COORDINATE = "LOCATION-OTHER"
_COORDINATES = re.compile(r"\b(?:latitude|longitude)\b", re.IGNORECASE)
_NUMBER = re.compile(r"value(?:Decimal|Integer(?:64)?|PositiveInt|UnsignedInt)")
_QUANTITY = re.compile(r"low|high|age|\w*(?:Age|Quantity|Count|Duration)")
_VALUE = re.compile(r"value[A-Z]\w*")
_AGE = re.compile(
    r"age|\w*Age|(?:abatement|age|born|deceased|occurrence|onset|performed)Range"
    r"|(?:abatement|age|deceased|onset)String"
)
# Ages that are of no person: those for which normal values and the like hold.
_OF_NOBODY = ("referenceRange", "qualifiedInterval", "useContext")
_DEEPEST = 3  # Keys: value, low, onsetRange.


def number_value(source: Source, string: JsonString, field: Field) -> Value | None:
    """Return the value of an age or coordinate; None of anything else.

    Numbers stay numbers if what replaces them is one, and are numbers again when they
    are restored.
    """
    place = dotted(string.path)
    if _is_coordinate(field):
        return labelled(_slot(source, string, field), _COORDINATE, place)
    unit = _age_unit(field)
    if unit is None:
        return None
    if _is_number(field):
        return age_value(_slot(source, string, field), unit, place)
    return labelled(json_slot(source, string), "AGE", place) if is_age_text(field.text) else None


def _slot(source: Source, string: JsonString, field: Field) -> Slot:
    return number_slot(source, string) if _is_number(field) else json_slot(source, string)


def _is_number(field: Field) -> bool:
    """Return whether the type of a field is a number, however it is written."""
    is_quantity = field.key == "value" and _QUANTITY.fullmatch(field.parent_key)
    is_position = "latitude" in field.parent or "longitude" in field.parent
    return bool(_NUMBER.fullmatch(field.key) or is_quantity or is_position)


def _is_coordinate(field: Field) -> bool:
    if field.key in ("latitude", "longitude", "altitude"):
        return field.key != "altitude" or "latitude" in field.parent
    measure = _measure(field) if _VALUE.fullmatch(field.key) else None
    return measure is not None and any(map(_COORDINATES.search, measure.names))


def _age_unit(field: Field) -> str | None:
    """Return the unit of an age; None if it is none."""
    keys = [field.key, *(key for key, _ in field.around)]
    if not set(keys).isdisjoint(_OF_NOBODY):
        return None
    named = (field.parent.get(key) for key in ("unit", "code")) if field.key == "value" else ()
    unit = " ".join(name for name in named if isinstance(name, str))
    if any(map(_AGE.fullmatch, keys[:_DEEPEST])):
        return unit_of_age(unit) or "years"
    measure = _measure(field)
    return measure.unit(unit) if measure else None


def _measure(field: Field) -> Measure | None:
    """Return what a value is of: that of the nearest extension, question or code around it."""
    keys = [field.key]
    in_extension = False
    for key, around in field.around:
        if key.lower().endswith("extension"):
            in_extension = True
            name = str(around.get("url", "")).rpartition("/")[2]
            if speaks_of_age(name) or _COORDINATES.search(name):
                return Measure((name,))
        elif in_extension:
            return None
        elif any(map(_VALUE.fullmatch, keys)) and (found := _measure_of(key, around)):
            return found
        if "resourceType" in around:
            return None
        keys.append(key)
    return None


def _measure_of(key: str, around: Object) -> Measure | None:
    names, codes = list(_names(around.get("code"))), list(_codes(around.get("code")))
    if isinstance(link := around.get("linkId"), str):
        names += [link, str(around.get("text", ""))]
        codes.append(link.rpartition("/")[2])
    if key == "parameter":
        names.append(str(around.get("name", "")))
    return Measure(tuple(names), tuple(codes)) if names or codes else None


def _names(concept: Any) -> Iterator[str]:
    text = concept.get("text") if isinstance(concept, dict) else None
    displays = (coding.get("display") for coding in codings(concept))
    yield from (name for name in (text, *displays) if isinstance(name, str))


def _codes(concept: Any) -> Iterator[str]:
    codes = (coding.get("code") for coding in codings(concept))
    yield from (code for code in codes if isinstance(code, str))
