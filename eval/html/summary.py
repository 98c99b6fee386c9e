"""The opening and the end of a report: the main figures, and what they were measured on."""

from __future__ import annotations

from multideid.eval.compare import Comparison
from multideid.eval.html.blocks import Block, Figures, Intervals, Section, Table, Text
from multideid.eval.html.cells import (
    Comparisons,
    best_columns,
    figure,
    interval,
    main_system,
    named,
    score_cells,
    span_f,
)


def summary_section(comparisons: Comparisons) -> Section:
    """Show each system's main figures, with intervals."""
    blocks: list[Block] = []
    for corpus, comparison in comparisons.items():
        blocks.append(Figures(_headline(comparison, corpus, comparisons)))
        if len(comparison.evaluations) > 1:
            title = named(f"{span_f(comparison)} of each system", corpus, comparisons)
            blocks.append(_forest(comparison, title))
        blocks.append(_overall_table(comparison, named("Every system", corpus, comparisons)))
        blocks += [Text(f"Note: {note}.", "note") for note in _notes(comparison)]
    return Section("summary", "Summary", tuple(blocks))


def _headline(
    comparison: Comparison, corpus: str, comparisons: Comparisons
) -> tuple[tuple[str, str, str], ...]:
    main = main_system(comparison)
    evaluation = comparison.evaluations[main]
    micro, leak = evaluation.spans.strict.micro(), evaluation.leak
    return (
        (
            named(f"{span_f(comparison)}, {main}", corpus, comparisons),
            figure(micro.f(comparison.signature.beta)),
            f"95 % interval {interval(comparison.intervals[main])}",
        ),
        ("Precision", figure(micro.precision), f"{micro.correct:,} of {micro.predicted:,} spans"),
        ("Recall", figure(micro.recall), f"{micro.correct:,} of {micro.gold:,} spans"),
        (
            "Documents with a leak",
            f"{leak.documents:,} of {leak.n_documents:,}",
            f"{leak.character_rate:.2%} of the letters and digits of PHI",
        ),
    )


def _forest(comparison: Comparison, title: str) -> Intervals:
    rows = [(k, i.estimate, i.low, i.high) for k, i in comparison.intervals.items()]
    return Intervals(title, f"{span_f(comparison)} with 95 % interval", tuple(rows))


def _overall_table(comparison: Comparison, caption: str) -> Table:
    beta, ways = comparison.signature.beta, len(comparison.labels)
    header = ["system", "span P", "span R", f"span F{beta:g}", "95 % interval"]
    header += ["PHI P", "PHI R", f"PHI F{beta:g}", f"{ways}-way F{beta:g}", "leaking documents"]
    rows = [_overall_row(comparison, k) for k in comparison.evaluations]
    best = best_columns(rows, (1, 2, 3, 5, 6, 7, 8)) if len(rows) > 1 else ()
    return Table(caption, tuple(header), tuple(rows), best)


def _overall_row(comparison: Comparison, system: str) -> tuple[str, ...]:
    evaluation, beta = comparison.evaluations[system], comparison.signature.beta
    strict, two_way = evaluation.spans.strict.micro(), evaluation.tokens.two_way()
    return (
        system,
        *score_cells(strict, beta)[:3],
        interval(comparison.intervals[system]),
        *score_cells(two_way, beta)[:3],
        figure(evaluation.tokens.phi_classes().f(beta)),
        f"{evaluation.leak.documents:,}",
    )


def _notes(comparison: Comparison) -> tuple[str, ...]:
    # One system alone is not compared with any, which nobody needs to be told.
    alone = len(comparison.evaluations) == 1
    return tuple(n for n in comparison.notes if not (alone and "not compared" in n))


def signature_section(comparisons: Comparisons) -> Section:
    """Say what every figure was measured on, and how."""
    lines = tuple(Text(str(c.signature), "signature") for c in comparisons.values())
    return Section("signature", "Signature", lines)
