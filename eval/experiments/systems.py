"""All systems: what each adds to Multi, what Multi misses without it, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from multideid.errors import UsageError
from multideid.eval.experiments.committees import ALL, ALL_WITHOUT, ALONE, BASE, committees
from multideid.eval.experiments.corpora import Corpus, check_corpora
from multideid.eval.experiments.data import Data
from multideid.eval.experiments.fits import Setup, finish
from multideid.eval.experiments.outcomes import Difference, Judge, Outcome
from multideid.eval.experiments.parts import check_parts
from multideid.eval.experiments.plans import Plan
from multideid.eval.experiments.results import Source, document_text, silence
from multideid.eval.experiments.system_costs import (
    SystemCost,
    cost_table,
    speed_fits,
    system_costs,
)
from multideid.eval.experiments.system_rows import SystemsRow, row_sections
from multideid.eval.reports.text_cells import section
from multideid.stacking.out_of_fold import check_systems
from multideid.taggers.registry import BUILT_IN, describe_systems


@dataclass(frozen=True, slots=True)
class Systems:
    """Systems alone, and Multi with more and with fewer of them.

    Parameters
    ----------
    base, added : tuple of str
        The systems of the base set, and those that are tried beside them.
    rows : tuple of SystemsRow
    costs : tuple of SystemCost
    sources : tuple of Source
    notes : tuple of str
    """

    base: tuple[str, ...]
    added: tuple[str, ...]
    rows: tuple[SystemsRow, ...]
    costs: tuple[SystemCost, ...]
    sources: tuple[Source, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "experiment": "systems",
            "base": list(self.base),
            "added": list(self.added),
            "rows": [row.to_dict() for row in self.rows],
            "costs": [cost.to_dict() for cost in self.costs],
            "sources": [source.to_dict() for source in self.sources],
            "notes": list(self.notes),
        }

    def to_text(self) -> str:
        """Return the tables, the notes and the signatures."""
        sections = [*row_sections(self.rows), section("Costs", cost_table(self.costs))]
        return document_text(sections, self.notes, self.sources)


def systems(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    add: Sequence[str] | None = None,
    n_resamples: int = 10_000,
) -> Systems:
    """Measure what more systems than the base set's add to Multi, and what they cost.

    Each system alone; Multi of the base set, with each further system, and
    without each of its own; Multi of all systems, and without each. The base
    systems are fitted once; only the stacker is fitted again.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
        Its systems are the base set.
    add : sequence of str, optional
        Systems beside the base set. Default: every other one of multideid's
        own that is usable here.
    n_resamples : int
        Shuffles of the randomization test.

    Raises
    ------
    UsageError
        If a corpus cannot be used, a system is unknown, not usable or named
        twice, a parameter is of another one, or there is no shuffle.
    """
    if n_resamples < 1:
        raise UsageError(f"the randomization test needs at least one shuffle, not {n_resamples}")
    added, told = other_systems(setup.systems) if add is None else (tuple(add), [])
    everything = replace(setup, systems=check_systems((*setup.systems, *added)))
    check_parts(everything, whole=everything.systems)
    plans = [(c, Plan.of(Data.of(c.train, c.test), everything)) for c in check_corpora(corpora)]
    finish((f for _, plan in plans for f in (*plan.fits(["multi"]), *speed_fits(plan))), setup)
    rows = [row for corpus, plan in plans for row in _Run(corpus, plan, setup, n_resamples).rows()]
    names = (*everything.systems, "multi")
    return Systems(
        base=setup.systems,
        added=added,
        rows=tuple(rows),
        costs=tuple(cost for corpus, plan in plans for cost in system_costs(corpus, plan)),
        sources=tuple(Source.of(c, names, setup, n_resamples=n_resamples) for c, _ in plans),
        notes=(*(note for c, _ in plans for note in c.notes()), *told, *_notes(rows)),
    )


class _Run:
    """The rows of one corpus."""

    def __init__(self, corpus: Corpus, plan: Plan, setup: Setup, n_resamples: int) -> None:
        self._corpus, self._plan, self._base = corpus, plan, setup.systems
        self._judge = Judge(corpus, setup.tokenization)
        self._draws = n_resamples, setup.seed
        self._known: dict[str, Outcome] = {}

    def rows(self) -> list[SystemsRow]:
        added = self._plan.setup.systems[len(self._base) :]
        multi = []
        for found in committees(self._plan, self._base, added):
            outcome = self._judge.outcome(found.predicted)
            if not found.system:
                self._known[found.change] = outcome
            multi.append(self._row(found.change, found.system, outcome, found.stacker_seconds))
        return [*self._alone(), *multi]

    def _alone(self) -> Iterator[SystemsRow]:
        for name in self._plan.setup.systems:
            predicted = self._plan.data.with_tags(self._plan.held, self._plan.tags(name))
            yield self._row(ALONE, name, self._judge.outcome(predicted), None)

    def _row(self, change: str, system: str, outcome: Outcome, seconds: float | None) -> SystemsRow:
        def less(other: str) -> Difference:
            return outcome.less(self._known[other], *self._draws)

        return SystemsRow(
            corpus=self._corpus.name,
            change=change,
            system=system,
            tokens=outcome.tokens,
            spans=outcome.spans,
            leaking=outcome.leaking,
            stacker_seconds=seconds,
            from_base=None if change == BASE else less(BASE),
            from_all=less(ALL) if change == ALL_WITHOUT else None,
        )


def other_systems(base: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Return multideid's own systems beside `base` that are usable here, and why others are not."""
    infos = [i for i in describe_systems() if i.name in BUILT_IN and i.name not in base]
    told = [f"{i.name} is left out: {i.problem}" for i in infos if not i.usable]
    return tuple(i.name for i in infos if i.usable), told


def _notes(rows: Sequence[SystemsRow]) -> Iterator[str]:
    yield "each p is of one comparison; of twenty, one is below 0.05 by chance alone"
    for row in rows:
        yield from silence(row.corpus, row.title, row.tokens)
