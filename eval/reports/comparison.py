"""Tables of several systems side by side, on one corpus or several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from multideid.errors import UsageError
from multideid.eval.compare import Comparison
from multideid.eval.metrics.scores import Score
from multideid.eval.reports.blocks import Block, Text, to_text
from multideid.eval.reports.cells import (
    documents_column,
    f_betas,
    f_columns,
    interval_cell,
    leak_columns,
    p_cell,
    prf_columns,
    score_cell,
    signed_interval_cell,
    z_cell,
)
from multideid.eval.reports.thesis_table import thesis_table
from multideid.eval.statistics.significance import MARKS, mark_of_p, mark_of_z
from multideid.eval.statistics.z_table import token_classes
from multideid.tables import Column, Record, Table

_INTERVAL = Column("95% interval", lambda row: interval_cell(row.interval))


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


def _overall(comparison: Comparison, corpus: str = "") -> list[Record]:
    """Return the overall scores of each system."""
    return [
        Record(
            corpus=corpus,
            system=name,
            spans=found.spans.strict.micro(),
            interval=comparison.intervals[name],
            p=comparison.p_values.get(name),
            span_macro=found.spans.strict.macro(),
            relaxed=found.spans.relaxed.micro(),
            type_blind=found.spans.strict_type_blind.micro(),
            phi=found.tokens.two_way(),
            phi_classes=found.tokens.phi_classes(),
            all_classes=found.tokens.all_classes(),
            token_macro=found.tokens.macro(),
            leak=found.leak,
            direct=found.leaks.per_kind()["direct"],
        )
        for name, found in comparison.evaluations.items()
    ]


def _spans(comparison: Comparison) -> Table:
    beta, first = comparison.signature.beta, _first(comparison)
    columns = (
        *prf_columns("", "spans", f_betas(beta)),
        _INTERVAL,
        *f_columns("macro", "span_macro", f_betas(beta)),
        Column("relaxed", lambda row: row.relaxed.f(beta), ".4f"),
        Column("type-blind", lambda row: row.type_blind.f(beta), ".4f"),
    )
    caption = (
        "Overall, spans, strict\n"
        f"(interval of {first}: bootstrap over documents; relaxed, type-blind: {first})"
    )
    return _with_best(_by_system(caption, comparison, columns))


def _tokens(comparison: Comparison) -> Table:
    beta, ways = comparison.signature.beta, len(comparison.labels)
    columns = (
        *prf_columns("PHI", "phi", f_betas(beta)),
        *f_columns(f"{ways}-way", "phi_classes", f_betas(beta)),
        *f_columns(f"{ways + 1}-way", "all_classes", (beta,)),
        *f_columns("macro", "token_macro", f_betas(beta)),
    )
    caption = f"Overall, tokens ({comparison.signature.tokenization})"
    return _with_best(_by_system(caption, comparison, columns))


def _leaks(comparison: Comparison) -> Table:
    caption = "Leaked PHI, in letters and digits; direct identifiers separately"
    columns = (*leak_columns("", "leak"), *leak_columns("direct:", "direct"))
    return _by_system(caption, comparison, columns)


def _by_system(caption: str, comparison: Comparison, columns: Sequence[Column]) -> Table:
    return Table.of(caption, (Column("system", "system"), *columns), _overall(comparison))


def _with_best(table: Table) -> Table:
    """Mark, in each row, the columns of scores in which it is the best of several."""
    if len(table.rows) < 2:
        return table
    columns = [n for n, name in enumerate(table.header) if n and "interval" not in name]
    best = {n: max(float(row[n]) for row in table.rows) for n in columns}
    marked = (tuple(n for n in columns if float(row[n]) == best[n] > 0) for row in table.rows)
    return replace(table, marked=tuple(marked))


def _first(comparison: Comparison) -> str:
    """Return the name of the chosen F-measure."""
    return f"F{comparison.signature.beta:g}"


def difference_tables(comparison: Comparison) -> Iterator[Table]:
    """Yield the candidate against every other system, with intervals and p values."""
    if not comparison.differences:
        return
    first, candidate = _first(comparison), comparison.candidate
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
    first, systems = _first(comparison), comparison.evaluations
    beta = comparison.signature.beta
    classes = {k: e.spans.strict.per_class() for k, e in systems.items()}
    yield _f_table(f"Spans, strict {first} by class", "class", classes, beta)
    identifiers = {k: e.hipaa.spans.per_class() for k, e in systems.items()}
    if next(iter(identifiers.values())):
        caption = f"Spans, strict {first} by HIPAA identifier"
        yield _f_table(caption, "identifier", identifiers, beta)
    classes = {k: token_classes(e) for k, e in systems.items()}
    yield _f_table(f"Tokens, {first} by class", "class", classes, beta)
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


def _corpora_table(comparisons: Mapping[str, Comparison]) -> Table:
    first = next(iter(comparisons.values()))
    betas = f_betas(first.signature.beta)
    columns = (
        Column("corpus", "corpus"),
        Column("system", "system"),
        *f_columns("span", "spans", betas),
        _INTERVAL,
        Column("p", lambda row: None if row.p is None else p_cell(row.p)),
        *prf_columns("PHI", "phi", betas),
        documents_column("leaks", "leak"),
    )
    caption = (
        "Overall, spans strict, tokens PHI or not\n"
        f"(p: approximate randomization, {first.candidate} against this system; {MARKS};\n"
        "leaks: documents with leaked PHI)"
    )
    tables = [
        Table.of(caption, columns, _overall(c, name), left=2) for name, c in comparisons.items()
    ]
    blank = ("",) * len(columns)
    # An empty row between two corpora.
    rows = [row for table in tables for row in (blank, *table.rows)][1:]
    return replace(tables[0], rows=tuple(rows))
