"""Heat maps, drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multideid.eval.reports.html.blocks import HeatMap
from multideid.eval.reports.html.svg import (
    HEAT,
    INK,
    MUTED,
    ON_HEAT,
    RULE,
    drawing,
    label,
    new_axes,
    to_svg,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DARK = 0.68
_CELL = 0.42
_LETTER = 0.095


def heat_map_svg(block: HeatMap, name: str) -> str:
    """Draw a heat map; cells of nothing stay empty."""
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
