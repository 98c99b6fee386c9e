"""The parts of a report: sections of text, tables and plots.

`to_text` writes blocks as plain text, `multideid.eval.reports.html` as HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from multideid.errors import UsageError
from multideid.eval.metrics.mistakes import Mistake
from multideid.tables import Table


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph.

    Parameters
    ----------
    text : str
    kind : {"lead", "note", "signature"}
        Body text, a remark, or the conditions of the measurement.
    """

    text: str
    kind: str = "lead"


@dataclass(frozen=True, slots=True)
class Figures:
    """A few key figures, set large.

    Parameters
    ----------
    items : tuple of (str, str, str)
        Name, figure and a line of detail.
    """

    items: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Form:
    """Lines to fill in by hand, with room to write.

    Parameters
    ----------
    title : str
    lines : tuple of (str, tuple of str)
        What is asked, and the answers to choose from; none to write one.
    """

    title: str
    lines: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A matrix with a shade for each cell.

    Parameters
    ----------
    title : str
    rows, columns : tuple of str
    shares : sequence of sequence of float
        Shade of each cell, from 0 to 1.
    cells : sequence of sequence of str
        Text of each cell.
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
    """A point of a line, with the interval of `y` if there is one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """A line chart with intervals as bands.

    Parameters
    ----------
    title : str
    x_title, y_title : str
    series : mapping of str to sequence of Point
        By name.
    log_x : bool
        Whether the x axis is logarithmic.
    lines : bool
        Whether the points of a series are connected.
    f_lines : bool
        Whether to draw lines of equal F-measure, for precision-recall curves.

    Raises
    ------
    UsageError
        If an x of 0 or less is on a logarithmic axis.
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
    """Figures with their intervals, one per row.

    Parameters
    ----------
    title : str
    x_title : str
    rows : tuple of (str, float, float, float)
        Name, estimate, low and high.
    zero : bool
        Whether to mark 0, as for differences.
    """

    title: str
    x_title: str
    rows: tuple[tuple[str, float, float, float], ...]
    zero: bool = False


@dataclass(frozen=True, slots=True)
class Folded:
    """Blocks that are collapsed at first."""

    title: str
    blocks: tuple[Block, ...]


Block = Text | Figures | Form | Table | HeatMap | Chart | Intervals | Folded


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report with its own title.

    Parameters
    ----------
    id : str
        Unique in the report, the target of links.
    title : str
    blocks : tuple of Block
        The section is omitted if there are none.
    """

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The content of one page.

    Parameters
    ----------
    title : str
    sections : tuple of Section
    mistakes : mapping of str to sequence of Mistake
        By corpus, for the list of errors; omitted if there are none.
    first : str or None
        The system to show the mistakes of at first.
    """

    title: str
    sections: tuple[Section, ...]
    mistakes: Mapping[str, Sequence[Mistake]] = field(default_factory=dict, repr=False)
    first: str | None = None


def to_text(blocks: Iterable[Block]) -> str:
    """Write text and tables as plain text; plots are skipped."""
    parts = []
    for block in blocks:
        if isinstance(block, Table):
            parts.append(block.to_text())
        elif isinstance(block, Text):
            parts.append(f"Note: {block.text}." if block.kind == "note" else block.text)
    return "\n\n".join(parts)
