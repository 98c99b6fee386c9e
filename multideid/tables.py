"""Tables of results: rows of records, formatted column by column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

from multideid.errors import UsageError

Record = SimpleNamespace
"""One row of figures; its attributes have the names of the figures in JSON."""

_GAP = "  "
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table of records.

    Parameters
    ----------
    header : str
    value : str or callable
        The attribute of a record, such as ``"phi.f1"``, or a function of the record.
    format : str
        Format specification, such as ``".4f"``. None is shown as an empty cell.
    """

    header: str
    value: str | Callable[[Any], object]
    format: str = ""

    def cell(self, record: object) -> str:
        """Return the formatted value of a record."""
        get = attrgetter(self.value) if isinstance(self.value, str) else self.value
        value = get(record)
        return "" if value is None else format(value, self.format)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of formatted cells.

    Parameters
    ----------
    caption : str
    header : tuple of str
    rows : tuple of tuple of str
        Each as long as `header`.
    left : int
        Number of first columns, which name the row and are aligned to the left.
    foot : int
        Number of last rows that are totals, set apart from the others.
    marked : tuple of tuple of int
        For each row, the columns to emphasize; empty for none.

    Raises
    ------
    UsageError
        If a row is not as long as the header.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1
    foot: int = 0
    marked: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.header):
                raise UsageError(
                    f"a row of the table {self.caption!r} has {len(row)} cells; "
                    f"its header has {len(self.header)}"
                )

    @classmethod
    def of(
        cls, caption: str, columns: Sequence[Column], records: Iterable[object], left: int = 1
    ) -> Table:
        """Format records.

        Examples
        --------
        >>> columns = [Column("n", "real"), Column("half", lambda n: n / 2, ".2f")]
        >>> Table.of("Numbers", columns, [1, 2]).rows
        (('1', '0.50'), ('2', '1.00'))
        """
        rows = tuple(tuple(column.cell(record) for column in columns) for record in records)
        return cls(caption, tuple(column.header for column in columns), rows, left)

    def to_text(self) -> str:
        """Return the caption and the table as plain text."""
        body = [*self.rows]
        if self.foot:
            body.insert(len(body) - self.foot, ("",) * len(self.header))
        table = text_table(self.header, body, left=self.left)
        return f"{self.caption}\n\n{table}" if self.caption else table


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Format a table as plain text with aligned columns.

    A table wider than 100 characters is split into parts of about the same
    width, one below the other, each beginning with the first columns.

    Parameters
    ----------
    header : sequence of str
    rows : sequence of sequence of str
        Each as long as `header`.
    left : int
        Number of first columns, which are aligned to the left; the others are
        aligned to the right.

    Examples
    --------
    >>> print(text_table(["label", "F1"], [["DATE", "0.99"], ["AGE", "1.00"]]))
    label    F1
    DATE   0.99
    AGE    1.00
    """
    lines = [header, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    parts = []
    for columns in _columns_by_part(widths, left):
        chosen = [*range(left), *columns]
        parts.append("\n".join(_line(cells, widths, chosen, left) for cells in lines))
    return "\n\n".join(parts)


def _columns_by_part(widths: Sequence[int], left: int) -> list[list[int]]:
    """Distribute the columns after the first ones over few parts of even width."""
    fewest = len(_filled(widths, left, _WIDTH))
    tries = (_filled(widths, left, most) for most in range(_WIDTH))
    return next((parts for parts in tries if len(parts) == fewest), _filled(widths, left, _WIDTH))


def _filled(widths: Sequence[int], left: int, most: int) -> list[list[int]]:
    taken = first = sum(widths[:left]) + len(_GAP) * (left - 1)
    parts: list[list[int]] = [[]]
    for column in range(left, len(widths)):
        needed = len(_GAP) + widths[column]
        if parts[-1] and taken + needed > most:
            parts.append([])
            taken = first
        parts[-1].append(column)
        taken += needed
    return parts


def _line(cells: Sequence[str], widths: Sequence[int], chosen: Sequence[int], left: int) -> str:
    padded = [cells[n].ljust(widths[n]) if n < left else cells[n].rjust(widths[n]) for n in chosen]
    return _GAP.join(padded).rstrip()
