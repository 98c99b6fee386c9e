"""Comparisons of two sides in the layout of the thesis's Tables B.1 to B.8."""

from __future__ import annotations

from collections.abc import Sequence

from multideid.eval.reports.cells import z_cell
from multideid.eval.statistics.significance import mark_of_z
from multideid.eval.statistics.z_table import ZRow
from multideid.tables import Table


def format_z_table(rows: Sequence[ZRow], first: str, second: str) -> str:
    """Format a comparison as the thesis does: category, two F-measures, z.

    Parameters
    ----------
    rows : sequence of ZRow
    first, second : str
        Names of the two sides.
    """
    return thesis_table(rows, first, second).to_text()


def thesis_table(rows: Sequence[ZRow], first: str, second: str, caption: str = "") -> Table:
    """Return a comparison in the layout of the thesis: category, two F-measures, z."""
    same_corpus = all(row.n[0] == row.n[1] for row in rows)
    counts = ("n",) if same_corpus else (f"n {first}", f"n {second}")
    header = ("Category", *counts, first, second, "Z   ")
    cells = tuple(
        (
            row.label,
            *(f"{n:,}" for n in row.n[: len(counts)]),
            *(f"{f:.5f}" for f in row.f),
            z_cell(row.z, 5),
        )
        for row in rows
    )
    marked = tuple((len(header) - 1,) if mark_of_z(row.z) else () for row in rows)
    return Table(caption, header, cells, marked=marked)
