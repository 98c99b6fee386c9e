"""What is right, and what is taken for what, class by class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from multideid.eval.compare import Comparison
from multideid.eval.metrics.evaluation import Evaluation
from multideid.eval.metrics.scores import MacroScore, Score
from multideid.eval.metrics.token_metrics import NON_PHI
from multideid.eval.reports.html.blocks import Block, Folded, HeatMap, Section, Table, Text
from multideid.eval.reports.html.cells import (
    Comparisons,
    compact,
    main_system,
    named,
    score_row,
    span_f,
)
from multideid.eval.reports.text_cells import f_names, figure

_CONFUSION_LEAD = (
    "Each row is a gold class, with its tokens by the class they were given: the darker a cell, "
    "the larger its share of the row, on a square-root scale."
)


def class_section(comparisons: Comparisons) -> Section:
    """Show the scores of each class, at span and at token level."""
    lead = "A span counts when start, end and label are right; a token, when its class is."
    blocks: list[Block] = [Text(lead)]
    for corpus, comparison in comparisons.items():
        main = main_system(comparison)
        evaluation = comparison.evaluations[main]
        blocks.append(_span_table(evaluation, named(f"Spans, {main}", corpus, comparisons)))
        blocks.append(_token_table(evaluation, named(f"Tokens, {main}", corpus, comparisons)))
        if len(comparison.evaluations) > 1:
            blocks += _by_system(comparison, corpus, comparisons)
    return Section("classes", "Classes", tuple(blocks))


def _span_table(evaluation: Evaluation, caption: str) -> Table:
    spans = evaluation.spans
    overall: dict[str, Score | MacroScore] = {
        "micro": spans.strict.micro(),
        "macro": spans.strict.macro(),
        "relaxed: overlap, same label": spans.relaxed.micro(),
        "type-blind": spans.strict_type_blind.micro(),
        "type-blind, relaxed": spans.relaxed_type_blind.micro(),
    }
    return _score_table(caption, spans.strict.per_class(), overall, evaluation.signature.beta)


def _token_table(evaluation: Evaluation, caption: str) -> Table:
    tokens, ways = evaluation.tokens, len(evaluation.labels)
    classes = {**tokens.per_class(), NON_PHI: tokens.non_phi()}
    overall: dict[str, Score | MacroScore] = {
        "two-way (PHI or not)": tokens.two_way(),
        f"{ways}-way (PHI classes)": tokens.phi_classes(),
        f"{ways + 1}-way (with {NON_PHI})": tokens.all_classes(),
        "macro (PHI classes)": tokens.macro(),
    }
    return _score_table(caption, classes, overall, evaluation.signature.beta)


def _score_table(
    caption: str,
    classes: Mapping[str, Score],
    overall: Mapping[str, Score | MacroScore],
    beta: float,
) -> Table:
    header = ("class", "P", "R", *f_names(beta), "gold", "predicted", "correct")
    scores = [*classes.items(), *overall.items()]
    rows = tuple((name, *score_row(score, beta)) for name, score in scores)
    return Table(caption, header, rows, foot=len(overall))


def _by_system(comparison: Comparison, corpus: str, comparisons: Comparisons) -> Iterator[Table]:
    systems, f = comparison.evaluations, span_f(comparison)
    classes = {k: e.spans.strict.per_class() for k, e in systems.items()}
    identifiers = {k: e.hipaa.spans.per_class() for k, e in systems.items()}
    for scores, title in ((classes, "class"), (identifiers, "HIPAA identifier")):
        caption = named(f"{f} by {title} and system", corpus, comparisons)
        if next(iter(scores.values())):
            yield _f_table(scores, title, caption, comparison.signature.beta)


def _f_table(
    scores: Mapping[str, Mapping[str, Score]], title: str, caption: str, beta: float
) -> Table:
    rows = tuple(
        (label, f"{gold.gold:,}", *(figure(s[label].f(beta)) for s in scores.values()))
        for label, gold in next(iter(scores.values())).items()
    )
    return Table(caption, (title, "gold", *scores), rows, tuple(map(_best, rows)))


def _best(row: Sequence[str]) -> tuple[int, ...]:
    """Return the columns of systems, after label and count, that hold the highest figure."""
    best = max(map(float, row[2:]), default=0.0)
    return tuple(n for n, cell in enumerate(row) if n > 1 and float(cell) == best > 0)


def confusion_section(comparisons: Comparisons) -> Section:
    """Show what tokens of each gold class were taken for."""
    blocks: list[Block] = [Text(_CONFUSION_LEAD)]
    for corpus, comparison in comparisons.items():
        main = main_system(comparison)
        maps = {
            name: _confusion(evaluation, named(f"Confusion, {name}", corpus, comparisons))
            for name, evaluation in comparison.evaluations.items()
        }
        blocks.append(maps[main])
        blocks += [Folded(m.title, (m,)) for name, m in maps.items() if name != main]
    return Section("confusion", "Confusion", tuple(blocks))


def _confusion(evaluation: Evaluation, title: str) -> HeatMap:
    counts = evaluation.tokens.counts
    totals = counts.sum(axis=1, keepdims=True)
    names = (NON_PHI, *evaluation.labels)
    cells = [[compact(n) if n else "" for n in row] for row in counts.tolist()]
    # Square roots, for the mistakes are a small share of most rows.
    shares = np.sqrt(counts / np.maximum(totals, 1)).tolist()
    return HeatMap(title, names, names, shares, cells, "gold", "predicted")
