"""Comparisons as plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from multideid.eval.compare import Comparison
from multideid.eval.metrics.evaluation import Evaluation
from multideid.eval.metrics.scores import Score
from multideid.eval.reports.text_cells import (
    f_cells,
    f_names,
    figure,
    interval_cell,
    leak_cells,
    score_cells,
    section,
    signed_interval_cell,
)
from multideid.eval.statistics.significance import MARKS, mark_of_p, mark_of_z
from multideid.eval.statistics.z_table import ZRow
from multideid.tables import text_table

Row = Callable[[str, Evaluation], list[str]]


def format_comparison(comparison: Comparison) -> str:
    """Render all systems side by side, with notes and the signature below."""
    sections = [
        *_overall(comparison),
        _differences(comparison),
        *_by_class(comparison),
        *_z_tables(comparison),
        "\n".join(f"Note: {note}." for note in comparison.notes),
        str(comparison.signature),
    ]
    return "\n\n".join(filter(None, sections))


def _overall(comparison: Comparison) -> Iterator[str]:
    yield _spans(comparison)
    yield _tokens(comparison)
    yield _leaks(comparison)


def _spans(comparison: Comparison) -> str:
    beta = comparison.signature.beta
    header = ["", "P", "R", *f_names(beta), "95% interval", *f_names(beta, "macro ")]
    header += ["relaxed", "type-blind"]

    def row(name: str, evaluation: Evaluation) -> list[str]:
        spans = evaluation.spans
        return [
            *score_cells(spans.strict.micro(), beta),
            interval_cell(comparison.intervals[name]),
            *f_cells(spans.strict.macro(), beta),
            *(figure(s.micro().f(beta)) for s in (spans.relaxed, spans.strict_type_blind)),
        ]

    first = f_names(beta)[0]
    title = (
        "Overall, spans, strict\n"
        f"(interval of {first}: bootstrap over documents; relaxed, type-blind: {first})"
    )
    return section(title, _by_system(comparison, header, row))


def _tokens(comparison: Comparison) -> str:
    beta, ways = comparison.signature.beta, len(comparison.labels)
    header = ["", "PHI P", "PHI R", *f_names(beta, "PHI "), *f_names(beta, f"{ways}-way ")]
    header += [f_names(beta, f"{ways + 1}-way ")[0], *f_names(beta, "macro ")]

    def row(_: str, evaluation: Evaluation) -> list[str]:
        tokens = evaluation.tokens
        return [
            *score_cells(tokens.two_way(), beta),
            *f_cells(tokens.phi_classes(), beta),
            figure(tokens.all_classes().f(beta)),
            *f_cells(tokens.macro(), beta),
        ]

    title = f"Overall, tokens ({comparison.signature.tokenization})"
    return section(title, _by_system(comparison, header, row))


def _leaks(comparison: Comparison) -> str:
    header = ["", "standing", "of", "share", "documents"]
    header += ["direct: standing", "of", "share", "documents"]

    def row(_: str, evaluation: Evaluation) -> list[str]:
        direct = evaluation.leaks.per_kind()["direct"]
        return [*leak_cells(evaluation.leak), *leak_cells(direct)]

    title = "PHI left standing, in letters and digits; direct identifiers apart"
    return section(title, _by_system(comparison, header, row))


def _by_system(comparison: Comparison, header: list[str], row: Row) -> str:
    rows = [[name, *row(name, e)] for name, e in comparison.evaluations.items()]
    return text_table(header, rows)


def _differences(comparison: Comparison) -> str:
    if not comparison.differences:
        return ""
    first = f_names(comparison.signature.beta)[0]
    candidate = comparison.candidate
    header = ["", f"{candidate} less this", "95% interval", "p", ""]
    rows = []
    for other, difference in comparison.differences.items():
        p = comparison.p_values[other]
        cells = [f"{difference.estimate:+.4f}", signed_interval_cell(difference)]
        rows.append([other, *cells, f"{p:.4f}", mark_of_p(p).ljust(3)])
    title = (
        f"Spans, strict {first}, {candidate} against each other system\n"
        f"(interval: paired bootstrap; p: approximate randomization; {MARKS})"
    )
    return section(title, text_table(header, rows))


def _by_class(comparison: Comparison) -> Iterator[str]:
    beta, systems = comparison.signature.beta, comparison.evaluations
    first = f_names(beta)[0]
    yield section(
        f"Spans, strict {first} by class",
        _f_table({k: e.spans.strict.per_class() for k, e in systems.items()}, beta),
    )
    identifiers = {k: e.hipaa.spans.per_class() for k, e in systems.items()}
    if next(iter(identifiers.values())):
        title = f"Spans, strict {first} by HIPAA identifier"
        yield section(title, _f_table(identifiers, beta))
    yield section(f"Tokens, {first} by class", _token_f_table(comparison))
    yield section("PHI left standing by class, in letters and digits", _leak_table(comparison))


def _f_table(scores: Mapping[str, Mapping[str, Score]], beta: float) -> str:
    first = next(iter(scores.values()))
    rows = [
        [label, f"{gold.gold:,}", *(figure(s[label].f(beta)) for s in scores.values())]
        for label, gold in first.items()
    ]
    return text_table(["", "gold", *scores], rows)


def _token_f_table(comparison: Comparison) -> str:
    rows = [[c.label, f"{c.n:,}", *map(figure, c.f.values())] for c in comparison.classes]
    return text_table(["", "gold", *comparison.evaluations], rows)


def _leak_table(comparison: Comparison) -> str:
    leaks = {k: e.leaks.per_class() for k, e in comparison.evaluations.items()}
    rows = [
        [label, f"{gold.phi_characters:,}", *(f"{x[label].characters:,}" for x in leaks.values())]
        for label, gold in next(iter(leaks.values())).items()
    ]
    return text_table(["", "gold", *leaks], rows)


def _z_tables(comparison: Comparison) -> Iterator[str]:
    reference, candidate = comparison.reference, comparison.candidate
    if reference is None or len(comparison.evaluations) == 1:
        return
    rows = [[c.label, f"{c.n:,}", *map(_z, c.z.values())] for c in comparison.classes]
    title = f"Tokens, z of the difference from {reference} (positive: better; {MARKS})"
    yield section(title, text_table(["", "n", *comparison.classes[0].z], rows))
    if table := comparison.z_table():
        title = f"Tokens, {reference} and {candidate} (z positive: {candidate} is better; {MARKS})"
        yield section(title, format_z_table(table, f"{reference}", f"{candidate}"))


def _z(value: float) -> str:
    return f"{value:+.2f}{mark_of_z(value):<3}"


def format_z_table(rows: tuple[ZRow, ...], first: str, second: str) -> str:
    """Lay out a comparison as the thesis does: category, two F-measures, z.

    Parameters
    ----------
    rows : tuple of ZRow
    first, second : str
        What to call the two sides.
    """
    same_corpus = all(row.n[0] == row.n[1] for row in rows)
    counts = ["n"] if same_corpus else [f"n {first}", f"n {second}"]
    body = []
    for row in rows:
        n = [f"{x:,}" for x in row.n[: len(counts)]]
        f = [f"{x:.5f}" for x in row.f]
        body.append([row.label, *n, *f, f"{row.z:+.5f}{mark_of_z(row.z):<3}"])
    return text_table(["Category", *counts, first, second, "Z   "], body)
