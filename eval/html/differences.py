"""How systems differ, and whether a difference is more than chance."""

from __future__ import annotations

from collections.abc import Sequence

from multideid.eval.compare import Comparison
from multideid.eval.html.blocks import Block, Chart, Intervals, Point, Section, Table, Text
from multideid.eval.html.cells import Comparisons, difference, named, span_f, z_cell
from multideid.eval.significance import SIGNIFICANT_Z

_NOTE = (
    "z: the two-proportion test of the thesis on F-measures, with the gold tokens of the class on "
    f"both sides. Bold: |z| > {SIGNIFICANT_Z}, or an interval without 0."
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
    cells = tuple((k, *difference(i)) for k, i in comparison.differences.items())
    sure = tuple((1, 2) if low > 0 or high < 0 else () for _, _, low, high in rows)
    table = Table(f"{title}, in figures", ("system", "difference", "95 % interval"), cells, sure)
    return Intervals(title, x_title, rows, zero=True), table


def _z_table(comparison: Comparison, caption: str) -> Table:
    names = tuple(comparison.classes[0].z)
    rows = tuple(
        (row.label, f"{row.n:,}", *(z_cell(row.z[k]) for k in names)) for row in comparison.classes
    )
    sure = tuple(
        tuple(n for n, k in enumerate(names, start=2) if abs(row.z[k]) > SIGNIFICANT_Z)
        for row in comparison.classes
    )
    return Table(caption, ("class", "n", *names), rows, sure)


def curve_section(comparisons: Comparisons, curves: Sequence[Chart] = ()) -> Section:
    """Show precision over recall: one point a system, and curves where there are any."""
    points = [
        _operating_points(c, named("Where each system stands", corpus, comparisons))
        for corpus, c in comparisons.items()
        if len(c.evaluations) > 1
    ]
    return Section("curves", "Precision and recall", (*points, *curves))


def _operating_points(comparison: Comparison, title: str) -> Chart:
    scores = {k: e.spans.strict.micro() for k, e in comparison.evaluations.items()}
    series = {k: (Point(s.recall, s.precision),) for k, s in scores.items()}
    return Chart(
        title,
        "recall, strict spans",
        "precision, strict spans",
        series,
        lines=False,
        f_lines=True,
    )
