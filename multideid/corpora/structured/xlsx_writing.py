"""New texts are written into cells and formulas of workbooks, as Excel has them."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime
from typing import Any

from multideid.corpora.structure import Value, labelled
from multideid.corpora.structured.slots import Slot, Source

NUMBER = re.compile(r"0|[1-9]\d{0,14}")
"""A text that a number can be, without loss."""

_MIDNIGHT = " 00:00:00"
_LONGEST = 32_767  # Characters of a cell.


def date_text(value: datetime | date) -> str:
    """Return the date and time of a cell as text, without a time at midnight."""
    text = value.isoformat(sep=" ") if isinstance(value, datetime) else str(value)
    return text.removesuffix(_MIDNIGHT)


def write_cell(cell: Any, text: str) -> None:
    """Write a text into a cell: as a date or number if it is one, and the cell had one."""
    from openpyxl.styles.numbers import is_date_format

    if isinstance(cell.value, int | float) and NUMBER.fullmatch(text):
        cell.value = int(text)
        return
    if is_date_format(cell.number_format):
        with suppress(ValueError):
            value = datetime.fromisoformat(text)
            # Other forms must come out as they are, so that they can be restored.
            if date_text(value) == text:
                cell.value = value
                return
    if len(text) > _LONGEST:
        raise ValueError("longer than a cell can be")
    cell.value = text
    cell.data_type = "s"  # Also if it begins as formulas do.


def write_formula(cell: Any, text: str) -> None:
    """Write the formula of a cell, which may be one for several cells."""
    if isinstance(cell.value, str):
        cell.value = text
    else:
        cell.value.text = text


def write_part(parts: list[Any], number: int, text: str) -> None:
    """Write a part of a text whose parts have styles of their own."""
    if isinstance(parts[number], str):
        parts[number] = text
    else:
        parts[number].text = text


def encoded_link(text: str) -> str:
    """Return a text as a part of an address."""
    return text.replace("[", "%5B").replace("]", "%5D").replace(" ", "%20")


def blanked(match: re.Match[str]) -> str:
    """Return as many spaces."""
    return " " * len(match[0])


def date_call(source: Source, match: re.Match[str], place: str) -> Value:
    """Return the value of ``DATE(1961,6,15)`` in a formula: a date, which is PHI."""
    year, month, day = match.groups()
    slot = Slot(*match.span(), f"{year}-{month:0>2}-{day:0>2}", None, _date_or_text)
    source.parts.append(slot)
    return labelled(slot, "DATE", place)


def number_or_text(text: str) -> str:
    """Return a number, or another text in quotes, as a part of a formula."""
    return text if NUMBER.fullmatch(text) else f'"{quoted(text)}"'


def _date_or_text(text: str) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return f'"{quoted(text)}"'
    return f"DATE({day.year},{day.month},{day.day})"


def quoted(text: str) -> str:
    """Return a text as formulas have it in quotes."""
    return text.replace('"', '""')
