"""Texts in worksheets that name identifiers: headings of columns, and labels in forms."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, NamedTuple

from multideid.corpora.identifier_names import heading_label, value_label

LONGEST = 100
"""Characters; longer texts are notes, and name nothing."""

OF_LETTERS = frozenset("PATIENT DOCTOR NAME USERNAME HOSPITAL CITY STREET EMAIL".split())
"""The PHI classes whose values need no digits."""

_DIGITS_OF_DATE = 8
_YEARS = range(1900, 2100)


class Heading(NamedTuple):
    """A heading or a label: its text, and the PHI class that it names."""

    name: str
    label: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.

    @property
    def kind(self) -> str:
        """What is named: names of patients have parts, with a heading each."""
        return self.name if self.label == "PATIENT" else self.label

    def label_of(self, value: object) -> str:
        """Return the class of a value; of ages, only those over 89 have one."""
        return (self.name and value_label(self.name, str(value))) or ""


NO_HEADING = Heading("", "")
"""That of other things, and of headings and labels themselves."""


def text_of(cell: Any) -> str:
    """Return the text of a cell, also of one in several styles; none for formulas."""
    value = cell.value
    if isinstance(value, list):
        return str(value).strip()
    is_text = isinstance(value, str) and cell.data_type not in ("f", "e")
    return value.strip() if is_text else ""


def name_in(text: str) -> Heading | None:
    """Return what a text names if it names an identifier."""
    label = heading_label(text) if 0 < len(text) <= LONGEST else None
    return None if label is None else Heading(text, label)


def digits_in(cell: Any) -> int:
    """Return the number of digits in a cell; none of formulas."""
    if isinstance(cell.value, datetime | date):
        return _DIGITS_OF_DATE
    is_number = isinstance(cell.value, int | float) and not isinstance(cell.value, bool)
    return sum(map(str.isdigit, str(cell.value) if is_number else text_of(cell)))


def may_be_beside(cell: Any) -> bool:
    """Return whether a cell may be in a row of headings: texts, formulas and years may."""
    if isinstance(cell.value, int) and not isinstance(cell.value, bool):
        return cell.value in _YEARS
    return isinstance(cell.value, str | list) or cell.data_type == "f"
