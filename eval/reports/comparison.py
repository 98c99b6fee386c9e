"""Tables of several systems side by side, on one corpus or several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from multideid.errors import UsageError
from multideid.eval.compare import Comparison
from multideid.eval.metrics.evaluation import Evaluation
from multideid.eval.metrics.scores import Score
from multideid.eval.reports.blocks import Block, Text, to_text
from multideid.eval.reports.cells import (
    LEAK_HEADER,
    f_cells,
    f_names,
    interval_cell,
    leak_cells,
    p_cell,
    score_cell,
    score_cells,
    signed_interval_cell,
    z_cell,
)
from multideid.eval.statistics.significance import MARKS, mark_of_p, mark_of_z
from multideid.eval.statistics.z_table import ZRow
from multideid.tables import Table

Row = Callable[[str, Evaluation], Sequence[str]]


def format_comparison(comparison: Comparison) -> str:
    """Format all systems side by side as text, with notes and the signature below."""
    return to_text(_blocks(comparison))


def format_comparisons(comparisons: Mapping[str, Comparison]) -> str:
    """Format a table with one row per corpus and system, and each comparison below.

    Parameters
    ----------
    comparisons : mapping of str to Comparison
        By corpus, all with the same beta.

    Raises
    ------
    UsageError
        If there is none.
    """
    _check(comparisons)
    if len(comparisons) == 1:
        return format_comparison(next(iter(comparisons.values())))
    details = [
        f"{name}\n{'=' * len(name)}\n\n{format_comparison(comparison)}"
        for name, comparison in comparisons.items()
    ]
    return "\n\n\n".join([_corpora_table(comparisons).to_text(), *details])


def comparisons_to_dict(comparisons: Mapping[str, Comparison]) -> dict[str, Any]:
    """Return everything as plain JSON values; a single comparison as `Comparison.to_dict`.

    Parameters
    ----------
    comparisons : mapping of str to Comparison
        By corpus.

    Raises
    ------
    UsageError
        If there is none.
    """
    _check(comparisons)
    figures = {name: comparison.to_dict() for name, comparison in comparisons.items()}
    return {"corpora": figures} if len(figures) > 1 else next(iter(figures.values()))


def format_z_table(rows: Sequence[ZRow], first: str, second: str) -> str:
    """Format a comparison as the thesis does: category, two F-measures, z.

    Parameters
    ----------
    rows : sequence of ZRow
    first, second : str
        Names of the two sides.
    """
    return thesis_table(rows, first, second).to_text()


def _check(comparisons: Mapping[str, Comparison]) -> None:
    if not comparisons:
        raise UsageError("there is no comparison to show; compare on at least one corpus")


def _blocks(comparison: Comparison) -> Iterator[Block]:
    yield from overall_tables(comparison)
    yield from difference_tables(comparison)
    yield from class_tables(comparison)
    yield from z_tables(comparison)
    yield from (Text(note, "note") for note in comparison.notes)
    yield Text(str(comparison.signature), "signature")


def overall_tables(comparison: Comparison) -> list[Table]:
    """Return the overall scores of all systems: spans, tokens, leaks."""
    return [_spans(comparison), _tokens(comparison), _leaks(comparison)]


def _spans(comparison: Comparison) -> Table:
    beta = comparison.signature.beta
    header = ["P", "R", *f_names(beta), "95% interval", *f_names(beta, "macro ")]
    header += ["relaxed", "type-blind"]

    def row(name: str, evaluation: Evaluation) -> list[str]:
        spans = evaluation.spans
        return [
            *score_cells(spans.strict.micro(), beta),
            interval_cell(comparison.intervals[name]),
            *f_cells(spans.strict.macro(), beta),
            *(score_cell(s.micro().f(beta)) for s in (spans.relaxed, spans.strict_type_blind)),
        ]

    first = f_names(beta)[0]
    caption = (
        "Overall, spans, strict\n"
        f"(interval of {first}: bootstrap over documents; relaxed, type-blind: {first})"
    )
    return _by_system(caption, comparison, header, row, best=True)


def _tokens(comparison: Comparison) -> Table:
    beta, ways = comparison.signature.beta, len(comparison.labels)
    header = ["PHI P", "PHI R", *f_names(beta, "PHI "), *f_names(beta, f"{ways}-way ")]
    header += [f_names(beta, f"{ways + 1}-way ")[0], *f_names(beta, "macro ")]

    def row(_: str, evaluation: Evaluation) -> list[str]:
        tokens = evaluation.tokens
        return [
            *score_cells(tokens.two_way(), beta),
            *f_cells(tokens.phi_classes(), beta),
            score_cell(tokens.all_classes().f(beta)),
            *f_cells(tokens.macro(), beta),
        ]

    caption = f"Overall, tokens ({comparison.signature.tokenization})"
    return _by_system(caption, comparison, header, row, best=True)


def _leaks(comparison: Comparison) -> Table:
    header = [*LEAK_HEADER, f"direct: {LEAK_HEADER[0]}", *LEAK_HEADER[1:]]

    def row(_: str, evaluation: Evaluation) -> list[str]:
        direct = evaluation.leaks.per_kind()["direct"]
        return [*leak_cells(evaluation.leak), *leak_cells(direct)]

    caption = "Leaked PHI, in letters and digits; direct identifiers separately"
    return _by_system(caption, comparison, header, row)


def _by_system(
    caption: str, comparison: Comparison, header: Sequence[str], row: Row, *, best: bool = False
) -> Table:
    rows = tuple((name, *row(name, e)) for name, e in comparison.evaluations.items())
    names = ("system", *header)
    return Table(caption, names, rows, marked=_best_by_column(names, rows) if best else ())


def _best_by_column(
    header: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[tuple[int, ...], ...]:
    """Return, for each row, the columns of scores in which it is the best of several."""
    if len(rows) < 2:
        return ()
    columns = [n for n in range(1, len(header)) if "interval" not in header[n]]
    best = {n: max(float(row[n]) for row in rows) for n in columns}
    return tuple(tuple(n for n in columns if float(row[n]) == best[n] > 0) for row in rows)


def difference_tables(comparison: Comparison) -> Iterator[Table]:
    """Yield the candidate against every other system, with intervals and p values."""
    if not comparison.differences:
        return
    first, candidate = f_names(comparison.signature.beta)[0], comparison.candidate
    rows, marked = [], []
    for other, difference in comparison.differences.items():
        p = comparison.p_values[other]
        cells = f"{difference.estimate:+.4f}", signed_interval_cell(difference), p_cell(p)
        rows.append((other, *cells))
        marked.append((1, 2, 3) if mark_of_p(p) else ())
    caption = (
        f"Spans, strict {first}, {candidate} against each other system\n"
        f"(interval: paired bootstrap; p: approximate randomization; {MARKS})"
    )
    header = ("system", f"{candidate} minus system", "95% interval", "p   ")
    yield Table(caption, header, tuple(rows), marked=tuple(marked))


def class_tables(comparison: Comparison) -> Iterator[Table]:
    """Yield scores and leaks of all systems by class."""
    beta, systems = comparison.signature.beta, comparison.evaluations
    first = f_names(beta)[0]
    classes = {k: e.spans.strict.per_class() for k, e in systems.items()}
    yield _f_table(f"Spans, strict {first} by class", "class", classes, beta)
    identifiers = {k: e.hipaa.spans.per_class() for k, e in systems.items()}
    if next(iter(identifiers.values())):
        caption = f"Spans, strict {first} by HIPAA identifier"
        yield _f_table(caption, "identifier", identifiers, beta)
    rows = tuple((c.label, f"{c.n:,}", *map(score_cell, c.f.values())) for c in comparison.classes)
    caption = f"Tokens, {first} by class"
    yield Table(caption, ("class", "gold", *systems), rows, marked=_best_by_row(rows))
    yield _leaks_by_class(comparison)


def _f_table(
    caption: str, kind: str, scores: Mapping[str, Mapping[str, Score]], beta: float
) -> Table:
    rows = tuple(
        (label, f"{gold.gold:,}", *(score_cell(s[label].f(beta)) for s in scores.values()))
        for label, gold in next(iter(scores.values())).items()
    )
    return Table(caption, (kind, "gold", *scores), rows, marked=_best_by_row(rows))


def _best_by_row(rows: Sequence[Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    """Return, for each row of label, count and scores, the columns with the highest score."""
    return tuple(
        tuple(n for n in range(2, len(row)) if float(row[n]) == max(map(float, row[2:])) > 0)
        for row in rows
    )


def _leaks_by_class(comparison: Comparison) -> Table:
    leaks = {k: e.leaks.per_class() for k, e in comparison.evaluations.items()}
    rows = tuple(
        (label, f"{gold.phi_characters:,}", *(f"{x[label].characters:,}" for x in leaks.values()))
        for label, gold in next(iter(leaks.values())).items()
    )
    caption = "Leaked PHI by class, in letters and digits"
    return Table(caption, ("class", "gold", *leaks), rows)


def z_tables(comparison: Comparison) -> Iterator[Table]:
    """Yield z of every system against the reference, and the thesis's Table B.8."""
    reference, candidate = comparison.reference, comparison.candidate
    if reference is None or len(comparison.evaluations) == 1:
        return
    rows = comparison.classes
    yield Table(
        f"Tokens, z of the difference from {reference} (positive: better; {MARKS})",
        ("class", "n", *rows[0].z),
        tuple((c.label, f"{c.n:,}", *map(z_cell, c.z.values())) for c in rows),
        marked=tuple(
            tuple(n for n, z in enumerate(c.z.values(), start=2) if mark_of_z(z)) for c in rows
        ),
    )
    if table := comparison.z_table():
        caption = (
            f"Tokens, {reference} and {candidate} (z positive: {candidate} is better; {MARKS})"
        )
        yield thesis_table(table, f"{reference}", f"{candidate}", caption)


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


def _corpora_table(comparisons: Mapping[str, Comparison]) -> Table:
    first = next(iter(comparisons.values()))
    beta = first.signature.beta
    header = ("corpus", "system", *f_names(beta, "span "), "95% interval", "p", "PHI P", "PHI R")
    header += (*f_names(beta, "PHI "), "leaks")
    rows: list[tuple[str, ...]] = []
    for name, comparison in comparisons.items():
        rows += [("",) * len(header)] * bool(rows)
        rows += [(name, *_corpus_row(comparison, system)) for system in comparison.evaluations]
    caption = (
        "Overall, spans strict, tokens PHI or not\n"
        f"(p: approximate randomization, {first.candidate} against this system; {MARKS};\n"
        "leaks: documents with leaked PHI)"
    )
    return Table(caption, header, tuple(rows), left=2)


def _corpus_row(comparison: Comparison, system: str) -> list[str]:
    evaluation, beta = comparison.evaluations[system], comparison.signature.beta
    p = comparison.p_values.get(system)
    return [
        system,
        *f_cells(evaluation.spans.strict.micro(), beta),
        interval_cell(comparison.intervals[system]),
        "" if p is None else p_cell(p),
        *score_cells(evaluation.tokens.two_way(), beta),
        f"{evaluation.leak.documents:,}/{evaluation.leak.n_documents:,}",
    ]
