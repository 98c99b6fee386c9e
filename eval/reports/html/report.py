"""Build the report of comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from multideid.errors import UsageError
from multideid.eval.compare import Comparison
from multideid.eval.metrics.evaluation import Evaluation
from multideid.eval.metrics.mistakes import Mistake
from multideid.eval.metrics.token_metrics import NON_PHI
from multideid.eval.reports.blocks import (
    Block,
    Chart,
    Figures,
    Folded,
    HeatMap,
    Intervals,
    Point,
    Report,
    Section,
    Text,
)
from multideid.eval.reports.cells import interval_cell, score_cell
from multideid.eval.reports.comparison import (
    class_tables,
    difference_tables,
    overall_tables,
    z_tables,
)
from multideid.eval.reports.evaluation import reliability_table, span_table, token_table
from multideid.eval.statistics.significance import MARKS
from multideid.tables import Table

if TYPE_CHECKING:
    import pandas as pd

Comparisons = Mapping[str, Comparison]
"""Comparisons by corpus."""

_Make = Callable[[Comparison], Iterable[Block]]

_SIGNIFICANCE = (
    "Intervals: paired bootstrap over documents; p: approximate randomization; z: the "
    "two-proportion test of the thesis on F-measures, with the gold tokens of the class on both "
    f"sides, positive where better. {MARKS}."
)
_CONFUSION = (
    "Rows are gold classes, columns predicted classes. A cell is the darker, the larger its share "
    "of the row, on a square-root scale."
)
_TRUST = (
    "The system's share of the stacker's evidence for a class where it is predicted; rows sum to "
    "one. A row is empty if there was no evidence for the class."
)
_SCORES = (
    "A score is the mean probability of a span's tokens to be PHI; inside PHI is the share of its "
    "tokens. Where scores hold, the line of a system is on that of the scores themselves; "
    "above it, there is more PHI than they say."
)


def comparison_report(  # noqa: PLR0913 (all but one by name)
    comparisons: Comparisons,
    *,
    trust: Mapping[str, pd.DataFrame] | None = None,
    mistakes: Mapping[str, Sequence[Mistake]] | None = None,
    curves: Sequence[Chart] = (),
    sections: Sequence[Section] = (),
    title: str | None = None,
) -> Report:
    """Build the report of comparisons.

    Parameters
    ----------
    comparisons : mapping of str to Comparison
        By corpus.
    trust : mapping of str to pandas.DataFrame, optional
        By corpus: Multi's ``trust_``, PHI class by system.
    mistakes : mapping of str to sequence of Mistake, optional
        By corpus, from `multideid.eval.metrics.mistakes.collect_mistakes`.
    curves : sequence of Chart
        Precision-recall curves.
    sections : sequence of Section
        Further sections, such as those of experiments.
    title : str, optional

    Returns
    -------
    Report

    Raises
    ------
    UsageError
        If there is no comparison.
    """
    if not comparisons:
        raise UsageError("a report needs at least one comparison")
    signatures = tuple(Text(str(c.signature), "signature") for c in comparisons.values())
    return Report(
        title or f"Evaluation on {', '.join(comparisons)}",
        (
            Section("summary", "Summary", _blocks(comparisons, _summary)),
            Section("classes", "Classes", _blocks(comparisons, _classes)),
            Section("confusion", "Confusion", _blocks(comparisons, _confusion, Text(_CONFUSION))),
            Section("trust", "Trust", tuple(_trust_maps(trust or {}))),
            Section(
                "curves", "Precision and recall", (*_blocks(comparisons, _systems_chart), *curves)
            ),
            Section("scores", "Scores", _blocks(comparisons, _reliability)),
            *sections,
            Section("significance", "Significance", _significance_section(comparisons)),
            Section("signature", "Signature", signatures),
        ),
        mistakes or {},
        _main_system(next(iter(comparisons.values()))),
    )


def _blocks(comparisons: Comparisons, make: _Make, *lead: Block) -> tuple[Block, ...]:
    """Return the blocks of all comparisons, with the corpus in titles if there are several."""
    several = len(comparisons) > 1
    blocks = list(lead)
    for corpus, comparison in comparisons.items():
        blocks += [_named(block, corpus) if several else block for block in make(comparison)]
    return tuple(blocks)


def _named(block: Block, corpus: str) -> Block:
    match block:
        case Table(caption=caption):
            first, newline, rest = caption.partition("\n")
            return replace(block, caption=f"{first}: {corpus}{newline}{rest}")
        case Figures(items=((name, figure, detail), *others)):
            return Figures(((f"{name}: {corpus}", figure, detail), *others))
        case Folded(title=title, blocks=blocks):
            return Folded(f"{title}: {corpus}", tuple(_named(b, corpus) for b in blocks))
        case HeatMap(title=title) | Chart(title=title) | Intervals(title=title):
            return replace(block, title=f"{title}: {corpus}")
    return block


def _main_system(comparison: Comparison) -> str:
    """Return the system that the report is about: the candidate, else the last."""
    return comparison.candidate or list(comparison.evaluations)[-1]


def _span_f(comparison: Comparison) -> str:
    return f"Strict span F{comparison.signature.beta:g}"


def _summary(comparison: Comparison) -> Iterator[Block]:
    yield Figures(_key_figures(comparison))
    alone = len(comparison.evaluations) == 1
    if not alone:
        rows = tuple((k, i.estimate, i.low, i.high) for k, i in comparison.intervals.items())
        f = _span_f(comparison)
        yield Intervals(f"{f} of each system", f"{f} with 95% interval", rows)
    yield from overall_tables(comparison)
    for note in comparison.notes:
        if not (alone and "not compared" in note):
            yield Text(note, "note")


def _key_figures(comparison: Comparison) -> tuple[tuple[str, str, str], ...]:
    main = _main_system(comparison)
    evaluation = comparison.evaluations[main]
    micro, leak = evaluation.spans.strict.micro(), evaluation.leak
    return (
        (
            f"{_span_f(comparison)}, {main}",
            score_cell(micro.f(comparison.signature.beta)),
            f"95% interval {interval_cell(comparison.intervals[main])}",
        ),
        (
            "Precision",
            score_cell(micro.precision),
            f"{micro.correct:,} of {micro.predicted:,} spans",
        ),
        ("Recall", score_cell(micro.recall), f"{micro.correct:,} of {micro.gold:,} spans"),
        (
            "Documents with a leak",
            f"{leak.documents:,} of {leak.n_documents:,}",
            f"{leak.character_rate:.2%} of the letters and digits of PHI",
        ),
    )


def _classes(comparison: Comparison) -> Iterator[Block]:
    main = _main_system(comparison)
    evaluation = comparison.evaluations[main]
    for kind, table in (("Spans", span_table(evaluation)), ("Tokens", token_table(evaluation))):
        yield replace(table, caption=f"{kind}, {main}")
    if len(comparison.evaluations) > 1:
        yield from class_tables(comparison)


def _confusion(comparison: Comparison) -> Iterator[Block]:
    main = _main_system(comparison)
    yield _confusion_map(main, comparison.evaluations[main])
    for name, evaluation in comparison.evaluations.items():
        if name != main:
            heat_map = _confusion_map(name, evaluation)
            yield Folded(heat_map.title, (heat_map,))


def _confusion_map(name: str, evaluation: Evaluation) -> HeatMap:
    counts = evaluation.tokens.counts
    totals = counts.sum(axis=1, keepdims=True)
    names = (NON_PHI, *evaluation.labels)
    cells = [[_compact(n) if n else "" for n in row] for row in counts.tolist()]
    # Errors are a small share of most rows; the square root makes them visible.
    shares = np.sqrt(counts / np.maximum(totals, 1)).tolist()
    return HeatMap(f"Confusion, {name}", names, names, shares, cells, "gold", "predicted")


def _compact(count: int) -> str:
    """Format a count in at most five characters, such as 999, 12k and 2.5M."""
    if count < 1_000:
        return str(count)
    if count < 999_500:
        return f"{count / 1e3:.1f}k" if count < 9_950 else f"{count / 1e3:.0f}k"
    return f"{count / 1e6:.1f}M"


def _trust_maps(trust: Mapping[str, pd.DataFrame]) -> Iterator[Block]:
    shown = {corpus: table for corpus, table in trust.items() if table.size}
    if shown:
        yield Text(_TRUST)
    for corpus, table in shown.items():
        heat_map = _trust_map(table)
        yield _named(heat_map, corpus) if len(trust) > 1 else heat_map


def _trust_map(table: pd.DataFrame) -> HeatMap:
    classes, systems = tuple(map(str, table.index)), tuple(map(str, table.columns))
    values = table.to_numpy().tolist()
    cells = [["" if math.isnan(share) else f"{share:.2f}" for share in row] for row in values]
    shares = table.clip(0, 1).fillna(0).to_numpy().tolist()
    return HeatMap("Trust", classes, systems, shares, cells, "class", "base system")


def _systems_chart(comparison: Comparison) -> Iterator[Block]:
    if len(comparison.evaluations) == 1:
        return
    # The first series has the strongest colour.
    main = _main_system(comparison)
    names = sorted(comparison.evaluations, key=lambda name: name != main)
    scores = {name: comparison.evaluations[name].spans.strict.micro() for name in names}
    series = {k: (Point(s.recall, s.precision),) for k, s in scores.items()}
    axes = "recall, strict spans", "precision, strict spans"
    yield Chart("Operating points", *axes, series, lines=False, f_lines=True)


def _reliability(comparison: Comparison) -> Iterator[Block]:
    """Yield a chart of the share of PHI over the score, and a table for each system with scores."""
    scored = {
        name: evaluation.reliability
        for name, evaluation in comparison.evaluations.items()
        if evaluation.reliability is not None
    }
    if not scored:
        return
    series: dict[str, Sequence[Point]] = {"score": (Point(0, 0), Point(1, 1))}
    for name, own in scored.items():
        series[name] = tuple(Point(row.score, row.inside) for row in own.bins)
    yield Text(_SCORES)
    yield Chart("Share of spans inside PHI, by score", "mean score", "inside PHI", series)
    for name, own in scored.items():
        table = reliability_table(own)
        yield table if len(scored) == 1 else replace(table, caption=f"{name}: {table.caption}")


def _significance_section(comparisons: Comparisons) -> tuple[Block, ...]:
    blocks = _blocks(comparisons, _significance)
    return (*blocks, Text(_SIGNIFICANCE)) if blocks else ()


def _significance(comparison: Comparison) -> Iterator[Block]:
    if comparison.differences:
        title = f"{_span_f(comparison)}: {comparison.candidate} minus each other system"
        rows = tuple((k, i.estimate, i.low, i.high) for k, i in comparison.differences.items())
        yield Intervals(title, "difference, 95% interval, paired bootstrap", rows, zero=True)
    yield from difference_tables(comparison)
    yield from z_tables(comparison)
