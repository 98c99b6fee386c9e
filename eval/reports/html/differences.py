"""How systems differ, and whether a difference is more than chance."""

from __future__ import annotations

from collections.abc import Sequence

from multideid.eval.compare import Comparison
from multideid.eval.reports.html.blocks import Block, Chart, Intervals, Point, Section, Table, Text
from multideid.eval.reports.html.cells import (
    Comparisons,
    difference,
    main_system,
    named,
    signed,
    span_f,
    z_cell,
)
from multideid.eval.statistics.significance import MARKS, mark_of_p, mark_of_z
from multideid.eval.statistics.z_table import ZRow

_NOTE = (
    "Intervals: paired bootstrap over documents; p: approximate randomization; z: the "
    "two-proportion test of the thesis on F-measures, with the gold tokens of the class on both "
    f"sides, positive where better. {MARKS}."
)


def significance_section(comparisons: Comparisons) -> Section:
    """Show which differences are more than chance."""
    blocks: list[Block] = []
    for corpus, comparison in comparisons.items():
        if comparison.differences:
            blocks += _difference_blocks(comparison, corpus, comparisons)
        if comparison.reference is not None and len(comparison.evaluations) > 1:
            caption = f"Tokens, z of the difference from {comparison.reference}"
            blocks.append(_z_table(comparison, named(caption, corpus, comparisons)))
        if rows := comparison.z_table():
            caption = f"Tokens, {comparison.reference} and {comparison.candidate}"
            names = (f"{comparison.reference}", f"{comparison.candidate}")
            blocks.append(_thesis_table(rows, named(caption, corpus, comparisons), names))
    if blocks:
        blocks.append(Text(_NOTE, "note"))
    return Section("significance", "Significance", tuple(blocks))


def _difference_blocks(
    comparison: Comparison, corpus: str, comparisons: Comparisons
) -> tuple[Block, ...]:
    title = f"{span_f(comparison)}: {comparison.candidate} less each other system"
    title = named(title, corpus, comparisons)
    rows = tuple((k, i.estimate, i.low, i.high) for k, i in comparison.differences.items())
    x_title = "difference, 95 % interval, paired bootstrap"
    cells, sure = [], []
    for other, interval in comparison.differences.items():
        p = comparison.p_values[other]
        cells.append((other, *difference(interval), f"{p:.4f}{mark_of_p(p)}"))
        sure.append((1, 2, 3) if mark_of_p(p) else ())
    header = ("system", "difference", "95 % interval", "p")
    table = Table(f"{title}, in figures", header, tuple(cells), tuple(sure))
    return Intervals(title, x_title, rows, zero=True), table


def _z_table(comparison: Comparison, caption: str) -> Table:
    names = tuple(comparison.classes[0].z)
    rows = tuple(
        (row.label, f"{row.n:,}", *(z_cell(row.z[k]) for k in names)) for row in comparison.classes
    )
    sure = tuple(
        tuple(n for n, k in enumerate(names, start=2) if mark_of_z(row.z[k]))
        for row in comparison.classes
    )
    return Table(caption, ("class", "n", *names), rows, sure)


def _thesis_table(rows: Sequence[ZRow], caption: str, names: tuple[str, str]) -> Table:
    """Lay out two systems as the thesis's Table B.8."""
    cells = tuple(
        (r.label, f"{r.n[0]:,}", *(f"{f:.5f}" for f in r.f), signed(r.z, 5) + mark_of_z(r.z))
        for r in rows
    )
    sure = tuple((4,) if mark_of_z(row.z) else () for row in rows)
    return Table(caption, ("category", "n", *names, "z"), cells, sure)


def curve_section(comparisons: Comparisons, curves: Sequence[Chart] = ()) -> Section:
    """Show precision over recall: one point a system, and curves where there are any."""
    points = [
        _operating_points(c, named("Where each system stands", corpus, comparisons))
        for corpus, c in comparisons.items()
        if len(c.evaluations) > 1
    ]
    return Section("curves", "Precision and recall", (*points, *curves))


def _operating_points(comparison: Comparison, title: str) -> Chart:
    # The first series has the strongest colour.
    names = sorted(comparison.evaluations, key=lambda name: name != main_system(comparison))
    scores = {name: comparison.evaluations[name].spans.strict.micro() for name in names}
    series = {k: (Point(s.recall, s.precision),) for k, s in scores.items()}
    return Chart(
        title,
        "recall, strict spans",
        "precision, strict spans",
        series,
        lines=False,
        f_lines=True,
    )
