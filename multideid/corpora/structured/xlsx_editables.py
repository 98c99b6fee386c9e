"""Texts of a workbook that may be replaced, and where their new texts go."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from multideid.corpora.structure import Changes, Value, labelled
from multideid.corpora.structured.dates import iso_date
from multideid.corpora.structured.embedded import TextPart, html_values
from multideid.corpora.structured.slots import EscapeRule, Slot, Source
from multideid.corpora.structured.xlsx_writing import blanked, date_call, number_or_text, quoted

Values = Iterator[Value]
Write = Callable[[str], object]

_DAY = 10  # Characters of a date.
_QUOTES = EscapeRule(re.compile('""'), lambda match: '"')
_LITERAL = re.compile(r'"((?:[^"]|"")*)"')
_DATE_CALL = re.compile(r"\bDATE\((\d{4}),(\d{1,2}),(\d{1,2})\)", re.IGNORECASE)
_LONG_NUMBERS = re.compile(r"(?<![\w.$:!'\[])\d{5,15}(?![\w.:!'\]])")


class _Editable:
    """A text of a workbook, and where its new text goes.

    Parameters
    ----------
    text : str
    write : callable
        Takes the new text.
    """

    def __init__(self, text: str, write: Write) -> None:
        self.source = Source(text)
        self._write = write

    def change(self, changes: Changes) -> None:
        """Write the text, if it changes."""
        new = self.source.rendered(changes)
        if new != self.source.text:
            self._write(new)


class Editables:
    """The texts of a workbook that were read."""

    def __init__(self) -> None:
        self._editables: list[_Editable] = []

    def change(self, changes: Changes) -> None:
        """Write the texts that change."""
        for editable in self._editables:
            editable.change(changes)

    def source(self, text: str, write: Write) -> Source:
        """Return the source of a text; `write` takes its new text."""
        editable = _Editable(text, write)
        self._editables.append(editable)
        return editable.source

    def text(self, text: Any, write: Write, place: str, label: str = "") -> Values:
        """Yield a text, which is PHI as a whole if it has a label."""
        if isinstance(text, str) and text.strip():
            source = self.source(text, write)
            part = TextPart(source, 0, len(text), text)
            if not label and (found := html_values(part, place)):
                yield from found
                return
            slot = source.slot(0, len(text))
            yield labelled(slot, label, place) if label else Value((slot,), place=place)

    def attributes(self, owner: Any, names: str, place: str, label: str = "") -> Values:
        """Yield attributes of an object that are texts."""
        for name in names.split():
            write = partial(setattr, owner, name)
            yield from self.text(getattr(owner, name, None), write, place, label)

    def date(self, text: str, write: Write, place: str) -> Value:
        """Return a date, which may have a time of day behind it."""
        slot = self.source(text, write).slot(0, len(text))
        return Value((slot,), iso_date(text[:_DAY]), free=False, place=place)

    def formula(self, formula: Any, write: Write, place: str) -> Values:
        """Yield the texts in quotes in a formula, and its dates."""
        if not isinstance(formula, str):
            return
        source = self.source(formula, write)
        for match in _LITERAL.finditer(formula):
            slot = source.slot(*match.span(1), _QUOTES, quoted)
            yield Value((slot,), place=place)
        # Dates and numbers in quotes are texts, which were read.
        outside = _LITERAL.sub(blanked, formula)
        for match in _DATE_CALL.finditer(outside):
            yield date_call(source, match, place)
        for match in _LONG_NUMBERS.finditer(outside):
            slot = Slot(*match.span(), match[0], None, number_or_text)
            source.parts.append(slot)
            yield Value((slot,), place=place)
