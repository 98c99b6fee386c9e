"""Elements and attributes of XML whose names say that their values are identifiers.

The names are those of keys in JSON (`multideid.corpora.identifier_names`). XML is
read as a whole, and not under chosen keys only, so a name that may be that of
anything (``name``, ``id``) also depends on the element around it, and sentences
are left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from multideid.corpora.identifier_names import (
    LONGEST_FIELD,
    field_label,
    identifier_label,
    value_label,
)
from multideid.corpora.structured.xml_elements import Element, is_value, local_words
from multideid.corpora.structured.xml_people import owner, person_label, surrounding

_NAME = "NAME"
_NAMES = re.compile(r"(?:.*_)?names?")
_PART_OF_NAME = re.compile(r"given|first|middle|last|second|maiden|full|family")
_NAME_OF_PERSON = re.compile(
    r"(?:given|first|middle|last|family|maiden|full|sur|fore)_?name|(?:(?:primer|segundo)_)?apellidos?"
    r"|prenoms?|cognome|sobrenome|apelido|(?:vor|nach)_?name|(?:voor|achter)_?naam"
    r"|(?:for|efter|etter)_?na[vm]n"
)

# Attributes in which generic XML names a field: <field name="city">.
_NAMING = ("name", "key", "field", "column")
_UNITS = ("unit", "units", "uom")
_REFERENCE = re.compile(r"id|uuid|guid|key")
_FEWEST_DIGITS_OF_ID, _FEWEST_DIGITS_OF_DATE = 5, 3

_TRUTH = re.compile(r"true|false", re.IGNORECASE)
_MEANING = re.compile(r"[^\W_]")
_WORD = re.compile(r"[^\W\d_]+")
_PARTICLES = frozenset("of the and for at de la le van von der den du di da del el y e et".split())
_WORDS_OF_SENTENCE = 5


def text_label(element: Element) -> str | None:
    """Return the PHI class that all of the text of an element is of.

    Returns
    -------
    str or None
        None of sentences, of elements with others in them, and if no name says it.
    """
    return _of_element(element, "".join(element.texts)) if element.texts else None


def attribute_label(element: Element, name: str) -> str | None:
    """Return the PHI class that all of the value of an attribute is of, as `text_label`."""
    words, value = local_words(name), element.attributes[name]
    if is_value(words):
        return _of_element(element, value)
    return _label(words, element, value)


def _of_element(element: Element, value: str) -> str | None:
    field = element.named
    unit = " ".join(field.attributes.get(name, "") for name in _UNITS)
    labels = (_label(name, field.parent, value, unit) for name in _names(field))
    return next(filter(None, labels), None)


def _names(element: Element) -> Iterator[str]:
    """Yield what may name the value of an element: its name, and that of a field."""
    yield element.words
    yield from (local_words(value) for name, value in element.attributes.items() if name in _NAMING)


def _label(words: str, parent: Element | None, value: str, unit: str = "") -> str | None:
    """Return the label of a value by its name and the element around it."""
    text = " ".join(value.split())
    if not _may_be_identifier(text):
        return None
    if identifier_label(words) == _NAME:
        return person_label(owner(parent))
    around = surrounding(parent)
    label = _of_person(words, around, text) or value_label(words, text)
    if label == "AGE" and unit.strip():
        return value_label(words, f"{text} {unit}")
    return label or _together(words, around, text) or _by_form(words, around, text)


def _of_person(words: str, around: Element | None, text: str) -> str | None:
    """Return the label of a part of a person's name."""
    whose = person_label(owner(around))
    label = "DOCTOR" if whose == "DOCTOR" else "PATIENT"
    if _NAME_OF_PERSON.fullmatch(words):
        return label
    if around is None or not _PART_OF_NAME.fullmatch(words):
        return None
    if _NAMES.fullmatch(around.words):
        return label if whose else value_label(around.words, text)
    # Else it may be the family history.
    is_name = words != "family" or "given" in around.children
    return label if whose and is_name else None


def _together(words: str, around: Element | None, text: str) -> str | None:
    """Return the label that two names give together: <birth><date>, <patient id="">."""
    label = value_label(f"{around.words}_{words}", text) if around is not None else None
    return label if _has_form(label, text) else None


def _has_form(label: str | None, text: str) -> bool:
    """Return whether a value looks like one of its class, where two names together give it."""
    match label:
        case "IDNUM":
            return _digits_in(text) > 0 and " " not in text
        case "DATE":
            return _digits_in(text) >= _FEWEST_DIGITS_OF_DATE
    return True


def _digits_in(text: str) -> int:
    return sum(map(str.isdecimal, text))


def _by_form(words: str, around: Element | None, text: str) -> str | None:
    """Return the label of a value by its form; short ids of others than people are references."""
    label = field_label(words, text)
    if label != "IDNUM" or person_label(around):
        return label
    is_long = _digits_in(text) >= _FEWEST_DIGITS_OF_ID
    return label if is_long and not _REFERENCE.fullmatch(words) else None


def _may_be_identifier(text: str) -> bool:
    is_field = len(text) <= LONGEST_FIELD and bool(_MEANING.search(text))
    return is_field and not _TRUTH.fullmatch(text) and not _is_sentence(text)


def _is_sentence(text: str) -> bool:
    """Return whether most words of a text are none of names: they begin with small letters.

    A text all in small letters may be a name typed so.
    """
    words = _WORD.findall(text)
    if len(words) < _WORDS_OF_SENTENCE or text == text.lower():
        return False
    small = [word for word in words if word[0].islower() and word not in _PARTICLES]
    return 2 * len(small) > len(words)
