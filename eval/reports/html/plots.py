"""Plots, drawn with matplotlib: line charts, heat maps and intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import chain, cycle, product
from typing import TYPE_CHECKING

import numpy as np

from multideid.eval.reports.blocks import Chart, HeatMap, Intervals, Point
from multideid.eval.reports.html.svg import (
    HEAT,
    INK,
    MUTED,
    ON_HEAT,
    RULE,
    SERIES,
    drawing,
    label,
    new_axes,
    to_svg,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DASHES = ("-", "--", ":", "-.")
_MARKERS = "osD^vPX*"
_F_LINES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
_MOST_IN_ONE = len(SERIES)
_ACROSS = 3
_PANEL = (2.15, 1.35)
_DARK = 0.68
_CELL = 0.42
_LETTER = 0.095


def chart_svg(block: Chart, name: str) -> str:
    """Draw lines with their intervals: all in one plot, or one panel each if there are many."""
    with drawing():
        figure = _panels(block) if _needs_panels(block) else _one_plot(block)
        return to_svg(figure, name, block.title, _chart_in_words(block))


def _needs_panels(block: Chart) -> bool:
    return block.lines and len(block.series) > _MOST_IN_ONE


def _one_plot(block: Chart) -> Figure:
    figure, axes = new_axes(4.6, 3.2)
    styles = cycle(product(_DASHES, zip(SERIES, _MARKERS, strict=True)))
    for (series, points), (dash, (colour, marker)) in zip(block.series.items(), styles):  # noqa: B905
        look = {"linestyle": dash if block.lines else "none", "color": colour}
        _line(axes, label(series), points, marker, look)
    if block.f_lines:
        _f_lines(axes, _points(block))
    if block.log_x:
        _logarithmic(axes, block)
    _name_axes(axes, block)
    axes.grid(axis="both" if block.f_lines else "y")
    axes.set_axisbelow(True)
    _legend(figure, axes)
    return figure


def _panels(block: Chart) -> Figure:
    """Draw one line per panel, with the first series in each for comparison."""
    from matplotlib.figure import Figure

    rows = math.ceil(len(block.series) / _ACROSS)
    figure = Figure(figsize=(_ACROSS * _PANEL[0], rows * _PANEL[1]), layout="constrained")
    panels = figure.subplots(rows, _ACROSS, sharex=True, sharey=True, squeeze=False)
    compared, first = next(iter(block.series.items()))
    for axes, (series, points) in zip(panels.flat, block.series.items(), strict=False):
        _line(axes, "", first, "", {"linestyle": ":", "color": MUTED})
        _line(axes, "", points, "", {"linestyle": "-", "color": SERIES[0]})
        _set_panel(axes, series, block)
    lowest = panels.flat[: len(block.series)][-_ACROSS:]
    for axes in lowest:
        axes.tick_params(labelbottom=True)
    for axes in panels.flat[len(block.series) :]:
        axes.set_axis_off()
    figure.supxlabel(label(f"{block.x_title} (dotted: {compared})"), size=11)
    figure.supylabel(label(block.y_title), size=11)
    return figure


def _set_panel(axes: Axes, series: str, block: Chart) -> None:
    axes.set_title(label(series), size=7.5, loc="left")
    axes.tick_params(labelsize=8)
    axes.grid()
    if block.f_lines:
        axes.set_xlim(0, 1.02)
        axes.set_ylim(0, 1.04)
    if block.log_x:
        _logarithmic(axes, block)


def _points(block: Chart) -> list[Point]:
    return list(chain.from_iterable(block.series.values()))


def _name_axes(axes: Axes, block: Chart) -> None:
    axes.set_xlabel(label(block.x_title))
    axes.set_ylabel(label(block.y_title))


def _line(
    axes: Axes, name: str, points: Sequence[Point], marker: str, look: dict[str, str]
) -> None:
    x, y = [p.x for p in points], [p.y for p in points]
    many = len(points) > 25
    # matplotlib leaves names that begin with an underscore out of the legend.
    shown = f"\N{WORD JOINER}{name}" if name.startswith("_") else name
    size = 5.0 if len(points) > 1 else 7.5
    axes.plot(x, y, marker=None if many else marker, markersize=size, label=shown, **look)  # type: ignore[arg-type]
    banded = [p for p in points if p.low is not None and p.high is not None]
    if banded:
        low, high = [p.low for p in banded], [p.high for p in banded]
        colour = look["color"]
        axes.fill_between([p.x for p in banded], low, high, color=colour, alpha=0.16, linewidth=0)  # type: ignore[arg-type]


def _f_lines(axes: Axes, points: Sequence[Point]) -> None:
    """Draw contour lines of the F-measure, precision = f recall / (2 recall - f)."""
    left, bottom = _floor(point.x for point in points), _floor(point.y for point in points)
    beside = 1 + 0.03 * (1 - left)
    for f in _F_LINES:
        recall = np.linspace(f / (2 - f), 1, 60)
        axes.plot(recall, f * recall / (2 * recall - f), color=RULE, linewidth=0.8, zorder=0)
        end = f / (2 - f)
        if end > bottom:
            axes.text(beside, end, f"F {f:g}", color=MUTED, size=8, va="center")
    axes.set_xlim(left, 1 + 0.02 * (1 - left))
    axes.set_ylim(bottom, 1 + 0.02 * (1 - bottom))


def _floor(values: Iterable[float]) -> float:
    """Return the multiple of 0.1 at which an axis up to 1 begins."""
    return max(0.0, math.floor(min(values, default=0.0) * 10 - 0.5) / 10)


def _logarithmic(axes: Axes, block: Chart) -> None:
    from matplotlib.ticker import NullLocator

    axes.set_xscale("log", base=2)
    places = sorted({point.x for line in block.series.values() for point in line})
    axes.set_xticks(places, [f"{place:g}" for place in places])
    axes.xaxis.set_minor_locator(NullLocator())


def _legend(figure: Figure, axes: Axes) -> None:
    handles, names = axes.get_legend_handles_labels()
    if handles:
        widest = max(len(name) for name in names)
        columns = int(np.clip(50 // (widest + 6), 1, 5))
        figure.legend(
            handles, names, ncols=columns, loc="upper left", bbox_to_anchor=(0, -0.19),
            bbox_transform=axes.transAxes, handlelength=2.6, borderaxespad=0,
        )  # fmt: skip


def _chart_in_words(block: Chart) -> str:
    return f"{block.y_title} over {block.x_title}, for {', '.join(block.series)}."


def heat_map_svg(block: HeatMap, name: str) -> str:
    """Draw a heat map; cells with share 0 stay empty."""
    with drawing():
        widest = max((len(cell) for row in block.cells for cell in row), default=1)
        cell = max(_CELL, _LETTER * (widest + 1))
        figure, axes = new_axes(cell * max(1, len(block.columns)), _CELL * max(1, len(block.rows)))
        _grid_of_cells(axes, block)
        for y, x in np.argwhere(np.asarray(block.shares) > 0).tolist():
            _cell(axes, x, y, block.shares[y][x], block.cells[y][x])
        return to_svg(figure, name, block.title, _heat_map_in_words(block))


def _grid_of_cells(axes: Axes, block: HeatMap) -> None:
    axes.set_xlim(0, max(1, len(block.columns)))
    axes.set_ylim(max(1, len(block.rows)), 0)
    axes.set_xticks(np.arange(len(block.columns)) + 0.5, [label(c) for c in block.columns])
    axes.set_yticks(np.arange(len(block.rows)) + 0.5, [label(r) for r in block.rows])
    axes.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    long = max((len(column) for column in block.columns), default=0) * _LETTER > _CELL * 1.5
    axes.tick_params(axis="x", rotation=90 if long else 0)
    axes.xaxis.set_label_position("top")
    axes.set_xlabel(label(block.column_title), color=MUTED)
    axes.set_ylabel(label(block.row_title), color=MUTED)
    axes.spines[:].set_visible(False)
    for x in range(len(block.columns) + 1):
        axes.axvline(x, color=RULE, linewidth=0.6, zorder=0)
    for y in range(len(block.rows) + 1):
        axes.axhline(y, color=RULE, linewidth=0.6, zorder=0)


def _cell(axes: Axes, x: int, y: int, share: float, text: str) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((x, y), 1, 1, facecolor=HEAT, alpha=share, linewidth=0))
    ink = ON_HEAT if share > _DARK else INK
    axes.text(x + 0.5, y + 0.5, label(text), color=ink, ha="center", va="center_baseline", size=10)


def _heat_map_in_words(block: HeatMap) -> str:
    rows = f"{block.row_title or 'Rows'}: {', '.join(block.rows)}."
    columns = f"{block.column_title or 'Columns'}: {', '.join(block.columns)}."
    return f"{rows} {columns} The table below has the figures."


def intervals_svg(block: Intervals, name: str) -> str:
    """Draw each figure as a point on its interval, one per row."""
    with drawing():
        figure, axes = new_axes(3.5, 0.34 * len(block.rows) + 0.1)
        for y, (_, estimate, low, high) in enumerate(block.rows):
            axes.plot([low, high], [y, y], color=SERIES[0], linewidth=2.2, alpha=0.55)
            axes.plot([estimate], [y], "o", color=SERIES[0], markersize=6.5)
        if block.zero:
            axes.axvline(0, color=INK, linewidth=1)
        axes.set_ylim(len(block.rows) - 0.4, -0.6)
        axes.set_yticks(range(len(block.rows)), [label(row[0]) for row in block.rows])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(label(block.x_title))
        axes.grid(axis="x")
        axes.set_axisbelow(True)
        return to_svg(figure, name, block.title, _intervals_in_words(block))


def _intervals_in_words(block: Intervals) -> str:
    rows = (f"{name}: {e:.4f}, {low:.4f} to {high:.4f}" for name, e, low, high in block.rows)
    return f"{block.x_title}. {'; '.join(rows)}."
