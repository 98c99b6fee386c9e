"""Cells of worksheets: texts, dates, long numbers, formulas, comments and links."""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import partial
from typing import Any

from multideid.corpora.identifier_names import LONGEST_FIELD, may_be_field
from multideid.corpora.structure import Value
from multideid.corpora.structured.slots import EscapeRule
from multideid.corpora.structured.telecom import contact_spans
from multideid.corpora.structured.xlsx_editables import Editables, Values, Write
from multideid.corpora.structured.xlsx_writing import (
    date_text,
    encoded_link,
    write_cell,
    write_formula,
    write_part,
)
from multideid.document import Span

_LONG_NUMBER = 5  # Digits.
_LINK = EscapeRule(re.compile("%(5B|5D|20)"), lambda match: chr(int(match[1], 16)))


class Cells:
    """Reads cells.

    Parameters
    ----------
    editables : Editables
        Gets the texts.
    """

    def __init__(self, editables: Editables) -> None:
        self._editables = editables

    def values(self, cell: Any, label: str, place: str) -> Values:
        """Yield what a cell holds, which is PHI as a whole if it has a label."""
        yield from self._content(cell, label, place)
        if cell.comment is not None:
            yield from self._editables.attributes(cell.comment, "text", place)
            yield from self._editables.attributes(cell.comment, "author", place, "DOCTOR")
        if cell.hyperlink is not None:
            yield from self._editables.attributes(cell.hyperlink, "tooltip display", place)
            yield from self._link(cell.hyperlink, place)

    def _link(self, link: Any, place: str) -> Values:
        if isinstance(link.target, str) and link.target:
            source = self._editables.source(link.target, partial(setattr, link, "target"))
            slot = source.slot(0, len(link.target), _LINK, encoded_link)
            yield Value((slot,), contact_spans(slot.text, "URL"), free=False, place=place)

    def _content(self, cell: Any, label: str, place: str) -> Values:
        value, write = cell.value, partial(write_cell, cell)
        if isinstance(value, list):
            yield from self._rich_text(value, label, place)
        elif cell.data_type == "f":
            formula = getattr(value, "text", value)
            yield from self._editables.formula(formula, partial(write_formula, cell), place)
        elif isinstance(value, datetime | date):
            yield self._editables.date(date_text(value), write, place)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield from self._number(value, write, label, place)
        elif isinstance(value, str) and cell.data_type != "e":
            yield from self._editables.text(
                value, write, place, label if may_be_field(value) else ""
            )

    def _number(self, value: float, write: Write, label: str, place: str) -> Values:
        text = f"{value:.0f}" if float(value).is_integer() else str(value)
        if label or (text.isdigit() and len(text) >= _LONG_NUMBER):
            yield from self._editables.text(text, write, place, label)

    def _rich_text(self, parts: list[Any], label: str, place: str) -> Values:
        """Yield a text whose parts have styles of their own."""
        slots = []
        for n, part in enumerate(parts):
            text = part if isinstance(part, str) else part.text
            write = partial(write_part, parts, n)
            slots.append(self._editables.source(text, write).slot(0, len(text)))
        length = sum(len(slot.text) for slot in slots)
        known = (Span(0, length, label),) if label and 0 < length <= LONGEST_FIELD else ()
        yield Value(tuple(slots), known, free=not known, place=place)
