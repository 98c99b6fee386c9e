"""Forms in worksheets: labels, each with its value in a cell to the right.

A column of labels is known by the identifiers that it names, one below the other, and
by the values beside them: digits beside ``MRN``, letters beside ``Doctor``. A single
pair of texts, such as ``Patient name`` and ``Visits``, is no form: both may be headings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain, count, groupby
from typing import Any, NamedTuple

from multideid.corpora.structured.xlsx_labels import (
    NO_HEADING,
    OF_LETTERS,
    Heading,
    digits_in,
    may_be_beside,
    name_in,
    text_of,
)

Place = tuple[int, int]
"""The row and the column of a cell."""

_FARTHEST = 3  # Columns from a label to its value; a label may be in merged cells.
_FEWEST_DIGITS = {"PHONE": 4, "FAX": 4, "SSN": 4, "ZIP": 4, "DATE": 4, "IPADDR": 4}
_MANY = 3  # Different identifiers, named one below the other, are labels.
_FEWEST_OF_NUMBER = 3  # Digits.
_SHARE = 5  # A column of labels has at least one name of an identifier in so many cells.

_SURE, _LIKELY, _UNKNOWN, _UNLIKELY = 2, 1, 0, -1


class _Pair(NamedTuple):
    """A text that names an identifier, what may be its value, and how likely that is."""

    label: Place
    name: Heading
    value: Place | None
    evidence: int


class _Run(NamedTuple):
    """Cells one below the other, and those among them that name identifiers."""

    places: list[Place]
    pairs: list[_Pair]

    @property
    def is_form(self) -> bool:
        """Whether the names are labels of the cells beside them."""
        likely = [pair for pair in self.pairs if pair.evidence > _UNKNOWN]
        unlikely = sum(pair.evidence == _UNLIKELY for pair in self.pairs)
        is_sure = any(pair.evidence == _SURE for pair in likely)
        differ = len({pair.name.kind for pair in likely}) > 1
        are_many = len(likely) >= min(_MANY, len(self.places))
        return len(likely) > unlikely and (is_sure or (differ and are_many))

    @property
    def is_list(self) -> bool:
        """Whether most cells name different identifiers, whatever is beside them."""
        kinds = {pair.name.kind for pair in self.pairs}
        return len(kinds) >= _MANY and 2 * len(self.pairs) >= len(self.places)

    @property
    def is_whole(self) -> bool:
        """Whether the other cells are labels too."""
        return _SHARE * len(self.pairs) >= len(self.places)


class Forms:
    """The forms of a sheet.

    Parameters
    ----------
    cells : sequence of Cell
        The cells of a sheet with content.

    Attributes
    ----------
    headings : dict of (int, int) to Heading
        The label of each cell in a form, by row and column; `NO_HEADING` for labels
        themselves, and for values whose label names no identifier.
    begins : dict of int to set of int
        Rows in which forms begin, and the columns of these: headings end there.
    """

    def __init__(self, cells: Sequence[Any]) -> None:
        self._grid = _Grid(cells)
        self.headings: dict[Place, Heading] = {}
        self.begins: dict[int, set[int]] = {}
        runs = [run for run in self._grid.runs() if run.is_form or run.is_list]
        values = {p.label: p for run in runs for p in run.pairs if run.is_form}
        values |= {pair.label: pair for pair in self._grid.beside(values)}
        labels = values.keys() | {pair.label for run in runs for pair in run.pairs}
        for run in runs:
            self._add(run)
        for pair in values.values():
            if pair.value is not None:
                self.headings[pair.value] = pair.name
        for run in (run for run in runs if run.is_form):
            self.headings.update(self._grid.further_values(run, labels))
        self.headings.update(dict.fromkeys(labels, NO_HEADING))

    def _add(self, run: _Run) -> None:
        if run.is_whole:
            beside = filter(None, map(self._grid.value_of, run.places))
            members = [*run.places, *beside]
            self.headings.update(dict.fromkeys(members, NO_HEADING))
            first = run.places[0][0]
            self.begins.setdefault(first, set()).update(column for _, column in members)


class _Grid:
    """The cells of a sheet by their places, and what some of them name."""

    def __init__(self, cells: Sequence[Any]) -> None:
        self._cells = {(cell.row, cell.column): cell for cell in cells}
        found = ((place, name_in(text_of(cell))) for place, cell in self._cells.items())
        self._names = {place: name for place, name in found if name is not None}
        self._of_headings = set(self._rows_of_headings())

    def runs(self) -> Iterator[_Run]:
        """Yield the cells of each column in which a form may be.

        Cells with empty ones around them are one run.
        """
        columns = {column for _, column in self._names}
        places = sorted((p for p in self._cells if p[1] in columns), key=lambda p: (p[1], p[0]))
        for _, of_column in groupby(places, key=lambda place: place[1]):
            parts = (p for p in self._cut(of_column) if p[0][0] not in self._of_headings)
            for is_single, some in groupby(parts, key=lambda part: len(part) == 1):
                for part in [list(chain.from_iterable(some))] if is_single else some:
                    yield _Run(part, list(self._pairs(part)))

    def _cut(self, column: Iterator[Place]) -> list[list[Place]]:
        """Return the cells of a column, cut at empty cells and at rows of headings."""
        parts: list[list[Place]] = []
        last = 0
        for place in column:
            row = place[0]
            if not parts or row != last + 1 or row in self._of_headings:
                parts.append([])
            parts[-1].append(place)
            last = row
        return parts

    def _pairs(self, places: Sequence[Place]) -> Iterator[_Pair]:
        for place, below in zip(places, [*places[1:], None], strict=True):
            if (name := self._names.get(place)) is not None:
                value = self.value_of(place)
                yield _Pair(place, name, value, self._evidence(name, value, below))

    def value_of(self, label: Place) -> Place | None:
        """Return the place of what may be the value of a label."""
        row, column = label
        for farther in range(1, _FARTHEST + 1):
            place = row, column + farther
            if place in self._cells:
                # Behind a gap, another label has values of its own.
                return None if farther > 1 and place in self._names else place
        return None

    def _evidence(self, name: Heading, value: Place | None, below: Place | None) -> int:
        """Return how likely a cell is the value of the label to its left."""
        if value is None or self._cells[value].data_type == "f":
            return _UNKNOWN
        other = self._names.get(value)
        if other is not None and other.label != name.label:
            return _UNLIKELY
        if name.name.endswith(":"):
            return _SURE
        digits = digits_in(self._cells[value])
        if name.label in OF_LETTERS:
            has_letters = any(map(str.isalpha, text_of(self._cells[value])))
            return _LIKELY if has_letters else _UNLIKELY
        if digits < _FEWEST_DIGITS.get(name.label, 1):
            return _UNLIKELY
        # Below a heading are digits too.
        may_be_heading = below not in self._names and below and digits_in(self._cells[below])
        return _UNKNOWN if may_be_heading else _SURE

    def _rows_of_headings(self) -> Iterator[int]:
        """Yield the rows of texts with several names, below which there are others."""
        for row, places in groupby(sorted(self._cells), key=lambda place: place[0]):
            of_row = list(places)
            names = [place for place in of_row if place in self._names]
            below = [self._names.get((row + 1, column)) for _, column in names]
            are_texts = all(_may_be_heading(self._cells[place]) for place in of_row)
            kinds = {self._names[place].kind for place in names}
            if len(kinds) > 1 and are_texts and not any(below):
                yield row

    def beside(self, known: Mapping[Place, _Pair]) -> Iterator[_Pair]:
        """Yield the other names in rows with labels, which are labels too."""
        rows = {row for (row, _), pair in known.items() if pair.evidence == _SURE}
        for place, name in self._names.items():
            value = self.value_of(place) if place[0] in rows and place not in known else None
            if value is not None and value not in self._names:
                yield _Pair(place, name, value, _LIKELY)

    def further_values(self, run: _Run, labels: Set[Place]) -> Iterator[tuple[Place, Heading]]:
        """Yield the values of other patients, one column for each, and their labels.

        What has digits for the first patient has some for the others.
        """
        firsts = [p for p in run.pairs if p.evidence == _SURE and p.name.label not in OF_LETTERS]
        start = max((pair.value[1] for pair in firsts if pair.value), default=0)
        for column in count(start + 1) if start else ():
            rows = {pair.label[0]: (pair.label[0], column) for pair in run.pairs}
            cells = [place for pair in firsts if (place := rows[pair.label[0]]) in self._cells]
            if not cells or not all(digits_in(self._cells[place]) for place in cells):
                return
            if not labels.isdisjoint(rows.values()):
                return
            yield from ((rows[pair.label[0]], pair.name) for pair in run.pairs)


def _may_be_heading(cell: Any) -> bool:
    """Return whether a cell may be a heading, and no number that is written as a text."""
    text = text_of(cell)
    is_number = digits_in(cell) >= _FEWEST_OF_NUMBER and not any(map(str.isalpha, text))
    return may_be_beside(cell) and (not is_number or not text)
