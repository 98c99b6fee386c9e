"""Custom properties of workbooks: texts, numbers and dates that people name."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

from multideid.corpora.structured.xlsx_writing import NUMBER, date_text


def property_text(value: object) -> str:
    """Return the value of a property as text; empty for what is neither text, number nor date."""
    if isinstance(value, datetime):
        return date_text(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number or isinstance(value, str) else ""


def write_property(properties: list[Any], number: int, text: str) -> None:
    """Write a text into a property, which becomes one of texts if it is not of its type."""
    from openpyxl.packaging.custom import DateTimeProperty, IntProperty, StringProperty

    old = properties[number]
    if isinstance(old.value, str):
        old.value = text
        return
    if isinstance(old, IntProperty) and NUMBER.fullmatch(text):
        old.value = int(text)
        return
    if isinstance(old, DateTimeProperty):
        with suppress(ValueError):
            value = datetime.fromisoformat(text)
            if date_text(value) == text:
                old.value = value
                return
    properties[number] = StringProperty(name=old.name, value=text)


def rename_property(properties: list[Any], number: int, name: str) -> None:
    """Rename a property."""
    properties[number].name = name
