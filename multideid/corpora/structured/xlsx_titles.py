"""Names of sheets: Excel allows 31 characters, not all of them, and no name twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING
from uuid import uuid4

from multideid.corpora.structured.slots import Change
from multideid.spans import splice

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_LONGEST = 31
_CHARACTERS = str.maketrans("[]:*?/\\", "()_____")
_RESERVED = "history"
_NEUTRAL = "Sheet"


class Titles:
    """The names of the sheets of a workbook.

    Parameters
    ----------
    workbook : Workbook
    """

    def __init__(self, workbook: Workbook) -> None:
        self._old = {sheet: sheet.title for sheet in workbook.worksheets}
        self._fitted: dict[Worksheet, str] = {}
        self._new: dict[Worksheet, str] = {}

    def fitted(self, sheet: Worksheet, changes: Sequence[Change]) -> Sequence[Change]:
        """Return changes of a sheet's name to one that Excel allows.

        Of a new text that is too long, the beginning is kept; a name that another sheet
        has gets a number.
        """
        if not changes:
            return changes
        old = self._old[sheet]
        others = (titles.items() for titles in (self._old, self._fitted))
        taken = {title.casefold() for known in others for other, title in known if other != sheet}
        for fitted in _possible(old, changes):
            self._fitted[sheet] = new = splice(old, fitted)
            if new.casefold() not in {_RESERVED, *taken}:
                break
        return fitted

    def write(self, sheet: Worksheet, title: str) -> None:
        """Give a sheet a name, which it has after `update`."""
        self._new[sheet] = title.translate(_CHARACTERS)

    def update(self) -> None:
        """Rename the sheets; a sheet may get the name that another had."""
        for sheet in self._new:
            sheet.title = uuid4().hex[:_LONGEST]
        for sheet, title in self._new.items():
            sheet.title = title or _NEUTRAL


def _possible(old: str, changes: Sequence[Change]) -> Iterator[Sequence[Change]]:
    """Yield changes of a name to one that is allowed, and then to such with a number."""
    clean = [change._replace(text=_clean(change.text)) for change in changes]
    if not splice(old, clean).strip():
        clean[0] = clean[0]._replace(text=_NEUTRAL)
    longest = max(_LONGEST, len(old))
    short = list(_shortened(clean, longest - len(old)))
    yield short
    place = max(range(len(short)), key=lambda n: len(short[n].text))
    start, end, text = short[place]
    room = len(text) + longest - len(splice(old, short))
    for number in count(2):
        suffix = f"_{number}" if room > 1 else str(number)
        numbered = Change(start, end, text[: max(0, room - len(suffix))] + suffix)
        yield [*short[:place], numbered, *short[place + 1 :]]


def _clean(text: str) -> str:
    # At its ends, a name must not have an apostrophe.
    return text.translate(_CHARACTERS).strip("'")


def _shortened(changes: Sequence[Change], spare: int) -> Iterator[Change]:
    """Yield changes that make a text longer by at most `spare` characters."""
    spare += sum(max(0, end - start - len(new)) for start, end, new in changes)
    for start, end, new in changes:
        length = min(len(new), end - start + spare)
        spare -= max(0, length - (end - start))
        yield Change(start, end, new[:length])
