"""Ages in the numbers and texts of fields whose types or codes say that they are ages.

They are written as numbers where they can be: ``90+`` becomes 90, which then means 90 and
over. A number of months, weeks, days or hours is read together with its unit, so that it is
not taken for one of years.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from multideid.corpora.age_fields import is_age_code, is_over_89, speaks_of_age, unit_of_age
from multideid.corpora.structure import Value, is_title, kept, labelled
from multideid.corpora.structured.dates import year
from multideid.corpora.structured.slots import Slot

_LABEL = "AGE"
_YEARS = "years"
_OLDEST, _OVER = "90", "90+"
_NUMBER = re.compile(r"[+\-]?(?:\d+(?:\.\d*)?|\.\d+)(?P<exponent>[eE][+\-]?\d{1,2})?")
_AGE = re.compile(
    r"\W{0,3}\d{2,5}(?:[.,]\d+)?\W{0,3}(?:\d{2,5}\W{0,3})?(?:[a-z]+\W{0,2}){0,3}|P[\dYMWDTH.]+",
    re.IGNORECASE,
)


class Measure(NamedTuple):
    """What is measured: its names, such as those of a code, and the codes.

    Parameters
    ----------
    names : tuple of str
    codes : tuple of str
    """

    names: tuple[str, ...]
    codes: tuple[str, ...] = ()

    @property
    def is_age(self) -> bool:
        """Whether it is the age of a person."""
        return self.is_age_by_code or any(map(speaks_of_age, self.names))

    @property
    def is_age_by_code(self) -> bool:
        """Whether a code of a standard says so."""
        return any(map(is_age_code, self.codes))

    def unit(self, unit: str) -> str | None:
        """Return the unit of a value that has this unit in the data; None if it is no age.

        What has age in its name may be something else, such as a rate that is corrected for
        age. Its unit shows it; that of an age by its code is years, if it is not known.
        """
        if not self.is_age:
            return None
        name = next(filter(speaks_of_age, self.names), "")
        return unit_of_age(unit, name) or (_YEARS if self.is_age_by_code else None)


def age_value(slot: Slot, unit: str, place: str) -> Value:
    """Return the value of a number that is an age.

    It has a value at any age: when it is restored, its replacement may be one below 90.

    Parameters
    ----------
    slot : Slot
        Becomes one that reads and writes ages.
    unit : str
        As `unit_of_age` returns.
    place : str
    """
    _read_as_age(slot, unit)
    if is_over_89(unit, slot.text):
        return labelled(slot, _LABEL, place)
    if _NUMBER.fullmatch(slot.text.partition(" ")[0]):
        return kept(slot, place)
    return Value((slot,), place=place, title=is_title(slot.text))


def is_age_text(text: str) -> bool:
    """Return whether all of a text in the field of an age is one over 89, such as ``94 years``."""
    return bool(_AGE.fullmatch(text)) and not year(text) and is_over_89("age", text)


def _read_as_age(slot: Slot, unit: str) -> None:
    slot.encode = _writer(slot.encode, unit)
    text = _read(slot.text, unit)
    if text != slot.text:
        # Offsets in the new text are none in the source.
        slot.text, slot.escapes = text, None


def _read(raw: str, unit: str) -> str:
    number = _NUMBER.fullmatch(raw)
    if number is None:
        return raw
    plain = f"{float(raw):.15g}" if number["exponent"] else raw
    if unit != _YEARS:
        return f"{plain} {unit}"
    return _OVER if plain == _OLDEST else plain


def _writer(encode: Callable[[str], str], unit: str) -> Callable[[str], str]:
    def write(text: str) -> str:
        is_over = unit == _YEARS and text == _OVER
        return encode(_OLDEST if is_over else text.removesuffix(f" {unit}"))

    return write
