"""What a report is made of: sections of plain blocks, each rendered one way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from multideid.errors import UsageError
from multideid.eval.metrics.mistakes import Mistake


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph.

    Parameters
    ----------
    text : str
    kind : {"lead", "note", "signature", "tables"}
        An introduction, a remark, the line that a figure goes with, or text
        laid out in columns.
    """

    text: str
    kind: str = "lead"


@dataclass(frozen=True, slots=True)
class Figures:
    """A few figures, set large.

    Parameters
    ----------
    items : tuple of (str, str, str)
        What it is, the figure, and a line of detail.
    """

    items: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the first column names the row, the others hold figures.

    Parameters
    ----------
    caption : str
    header : tuple of str
    rows : tuple of tuple of str
        Each as long as `header`.
    best : tuple of tuple of int
        For each row, the columns to be set off; empty for none at all.
    foot : int
        How many of the last rows are totals, set apart from the others.

    Raises
    ------
    UsageError
        If a row is not as long as the header.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    best: tuple[tuple[int, ...], ...] = ()
    foot: int = 0

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.header):
                raise UsageError(
                    f"a row of the table {self.caption!r} has {len(row)} cells; "
                    f"its header has {len(self.header)}"
                )


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Figures by row and column, each cell as dark as its share is large.

    Parameters
    ----------
    title : str
    rows, columns : tuple of str
    shares : sequence of sequence of float
        In 0 to 1: how dark each cell is.
    cells : sequence of sequence of str
        What is written in each cell.
    row_title, column_title : str
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    shares: Sequence[Sequence[float]]
    cells: Sequence[Sequence[str]]
    row_title: str = ""
    column_title: str = ""


class Point(NamedTuple):
    """A point of a line, with the interval of its `y` where one is known."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines, one a series, with the intervals around them as bands.

    Parameters
    ----------
    title : str
    x_title, y_title : str
    series : mapping of str to sequence of Point
        By name.
    log_x : bool
        Whether equal steps along x are equal ratios, as of training sizes.
    lines : bool
        Whether a series' points are joined, in their order.
    f_lines : bool
        Whether to draw lines of equal F-measure, for precision over recall.

    Raises
    ------
    UsageError
        If a logarithmic axis is to hold an x of 0 or less.
    """

    title: str
    x_title: str
    y_title: str
    series: Mapping[str, Sequence[Point]]
    log_x: bool = False
    lines: bool = True
    f_lines: bool = False

    def __post_init__(self) -> None:
        if self.log_x and any(point.x <= 0 for line in self.series.values() for point in line):
            raise UsageError(f"the chart {self.title!r} has an x of 0 or less on a log axis")


@dataclass(frozen=True, slots=True)
class Intervals:
    """Figures with their intervals, one a row.

    Parameters
    ----------
    title : str
    x_title : str
    rows : tuple of (str, float, float, float)
        Name, estimate, low and high.
    zero : bool
        Whether to mark 0, for differences.
    """

    title: str
    x_title: str
    rows: tuple[tuple[str, float, float, float], ...]
    zero: bool = False


@dataclass(frozen=True, slots=True)
class Folded:
    """Blocks that are shown when asked for."""

    title: str
    blocks: tuple[Block, ...]


Block = Text | Figures | Table | HeatMap | Chart | Intervals | Folded


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report with a title of its own.

    Parameters
    ----------
    id : str
        Unique in the report: where links to the section lead.
    title : str
    blocks : tuple of Block
        Without any, the section is left out.
    """

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """All that one page shows.

    Parameters
    ----------
    title : str
    sections : tuple of Section
    mistakes : mapping of str to sequence of Mistake
        By corpus, for the list of errors; left out where there is none.
    first : str or None
        The system whose mistakes are shown at first.
    """

    title: str
    sections: tuple[Section, ...]
    mistakes: Mapping[str, Sequence[Mistake]] = field(default_factory=dict, repr=False)
    first: str | None = None
