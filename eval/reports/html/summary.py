"""The opening and the end of a report: the main figures, and what they were measured on."""

from __future__ import annotations

from multideid.eval.compare import Comparison
from multideid.eval.reports.html.blocks import Block, Figures, Intervals, Section, Table, Text
from multideid.eval.reports.html.cells import (
    Comparisons,
    best_columns,
    interval,
    main_system,
    named,
    span_f,
)
from multideid.eval.reports.text_cells import (
    LEAK_HEADER,
    f_cells,
    f_names,
    figure,
    leak_cells,
    score_cells,
)

_LEAKS = "PHI left standing, in letters and digits; direct identifiers apart"


def summary_section(comparisons: Comparisons) -> Section:
    """Show each system's main figures, with intervals."""
    blocks: list[Block] = []
    for corpus, comparison in comparisons.items():
        blocks.append(Figures(_headline(comparison, corpus, comparisons)))
        if len(comparison.evaluations) > 1:
            title = named(f"{span_f(comparison)} of each system", corpus, comparisons)
            blocks.append(_forest(comparison, title))
        blocks += [
            _spans_table(comparison, named("Spans, strict", corpus, comparisons)),
            _tokens_table(comparison, named("Tokens", corpus, comparisons)),
            _leaks_table(comparison, named(_LEAKS, corpus, comparisons)),
        ]
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


def _spans_table(comparison: Comparison, caption: str) -> Table:
    beta = comparison.signature.beta
    header = ("system", "P", "R", *f_names(beta), "95 % interval", "relaxed", "type-blind")
    rows = []
    for system, evaluation in comparison.evaluations.items():
        spans = evaluation.spans
        blind = (spans.relaxed, spans.strict_type_blind)
        rows.append(
            (
                system,
                *score_cells(spans.strict.micro(), beta),
                interval(comparison.intervals[system]),
                *(figure(counts.micro().f(beta)) for counts in blind),
            )
        )
    return Table(caption, header, tuple(rows), best_columns(header, rows))


def _tokens_table(comparison: Comparison, caption: str) -> Table:
    beta, ways = comparison.signature.beta, len(comparison.labels)
    header = ["system", "PHI P", "PHI R", *f_names(beta, "PHI "), *f_names(beta, f"{ways}-way ")]
    header += f_names(beta, "macro ")
    rows = []
    for system, evaluation in comparison.evaluations.items():
        tokens = evaluation.tokens
        overall = f_cells(tokens.phi_classes(), beta) + f_cells(tokens.macro(), beta)
        rows.append((system, *score_cells(tokens.two_way(), beta), *overall))
    return Table(caption, tuple(header), tuple(rows), best_columns(header, rows))


def _leaks_table(comparison: Comparison, caption: str) -> Table:
    header = ("system", *LEAK_HEADER, "direct: standing", *LEAK_HEADER[1:])
    rows = tuple(
        (system, *leak_cells(e.leak), *leak_cells(e.leaks.per_kind()["direct"]))
        for system, e in comparison.evaluations.items()
    )
    return Table(caption, header, rows)


def _notes(comparison: Comparison) -> tuple[str, ...]:
    # One system alone is not compared with any, which nobody needs to be told.
    alone = len(comparison.evaluations) == 1
    return tuple(n for n in comparison.notes if not (alone and "not compared" in n))


def signature_section(comparisons: Comparisons) -> Section:
    """Say what every figure was measured on, and how."""
    lines = tuple(Text(str(c.signature), "signature") for c in comparisons.values())
    return Section("signature", "Signature", lines)
