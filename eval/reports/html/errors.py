"""The section of errors: how many of what kind, and the list of them all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from multideid.eval.metrics.mistakes import KINDS, Mistake
from multideid.eval.reports.html.blocks import Table
from multideid.eval.reports.html.cells import named


def kinds_tables(mistakes: Mapping[str, Sequence[Mistake]]) -> tuple[Table, ...]:
    """Count the places where each system is wrong, by kind; one table a corpus."""
    return tuple(
        _kinds_table(own, named("Places where each system is wrong", corpus, mistakes))
        for corpus, own in mistakes.items()
        if own
    )


def _kinds_table(mistakes: Sequence[Mistake], caption: str) -> Table:
    counts = Counter((m.system, m.kind) for m in mistakes)
    leaks = Counter(m.system for m in mistakes if m.leaks)
    rows = []
    for system in dict.fromkeys(m.system for m in mistakes):
        kinds = [counts[system, kind] for kind in KINDS]
        rows.append((system, *(f"{n:,}" for n in (*kinds, sum(kinds), leaks[system]))))
    return Table(caption, ("system", *KINDS, "all", "leaving PHI"), tuple(rows))
