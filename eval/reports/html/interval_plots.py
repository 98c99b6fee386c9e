"""Figures with their intervals, drawn with matplotlib."""

from __future__ import annotations

from multideid.eval.reports.html.blocks import Intervals
from multideid.eval.reports.html.svg import INK, SERIES, drawing, label, new_axes, to_svg


def intervals_svg(block: Intervals, name: str) -> str:
    """Draw each figure as a point on its interval, one a row."""
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
