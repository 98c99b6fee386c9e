"""The contribution of more base systems to Multi, and their costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.differences import (
    CorpusScorer,
    Difference,
    Outcome,
    difference_columns,
)
from multideid.eval.experiments.fits import run_fits
from multideid.eval.experiments.plan import JobPlan, corpus_plans
from multideid.eval.experiments.registry import Option, Resamples, experiment
from multideid.eval.experiments.result import Result, Source, silent_notes
from multideid.eval.experiments.setup import Setup, check_params_used
from multideid.eval.experiments.system_costs import (
    cost_table,
    speed_fits,
    system_costs,
)
from multideid.eval.reports.cells import prf_columns
from multideid.eval.statistics.randomization import check_shuffles
from multideid.eval.statistics.significance import MARKS
from multideid.stacking.out_of_fold import check_systems
from multideid.tables import Column, Record, Table
from multideid.taggers.registry import BUILT_IN, describe_systems

ALONE, BASE, WITH, WITHOUT, ALL, ALL_WITHOUT = (
    "alone", "base", "with", "without", "all", "all without",
)  # fmt: skip


def _variant(row: Record) -> str:
    return row.system if row.change == ALONE else f"{row.change} {row.system}".strip()


_TABLES = {
    "Each system alone": (ALONE,),
    "Multi of the base set, with one system more, and with one less": (BASE, WITH, WITHOUT),
    "Multi of all systems, and with one less": (ALL, ALL_WITHOUT),
}
_TESTS = f"p: approximate randomization over documents; {MARKS}"
_COLUMNS = (
    Column("corpus", "corpus"),
    Column("systems", _variant),
    *prf_columns("PHI", "tokens"),
    Column("span F1", "spans.f1", ".4f"),
    Column("leaks", "leaking"),
    Column(
        "stacker s",
        lambda row: None if row.stacker_seconds is None else f"{row.stacker_seconds:.1f}",
    ),
    *difference_columns(BASE, "from_base"),
)


def _used(systems: Sequence[str], options: Mapping[str, Any]) -> Sequence[str]:
    add = options["add"]
    return (*systems, *(other_systems(systems)[0] if add is None else add))


@experiment("systems", topic="systems", example="--add snow,szarvas", uses=_used)
def systems(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    add: Annotated[
        Sequence[str] | None,
        Option(
            "Systems to add to --systems, with commas between. Default: all other built-in ones "
            "that are usable here.",
            "LIST",
        ),
    ] = None,
    n_resamples: Resamples = 10_000,
) -> Result:
    """Measure the contribution of more base systems to Multi, and their costs.

    Each system alone; Multi of --systems, with one more and with one less;
    Multi of all systems, and with one less; with p of every difference. The
    seconds of each system's fits and of the stacker, and the speed of scoring.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
        Its systems are the base set.
    add : sequence of str, optional
        Default: every other built-in one that is usable here.
    n_resamples : int
        Shuffles of the randomization test.

    Returns
    -------
    Result
        ``rows``: scores, number of documents with leaked PHI, seconds of the
        stacker, and the `Difference` from Multi of the base set and of all
        systems. ``costs``: see `system_costs`.

    Raises
    ------
    UsageError
        If a corpus, system or parameter is unusable, or there is no shuffle.
    """
    check_shuffles(n_resamples)
    added, left_out = other_systems(setup.systems) if add is None else (tuple(add), [])
    everything = replace(setup, systems=check_systems((*setup.systems, *added)))
    check_params_used(everything, whole=everything.systems)
    plans = corpus_plans(corpora, everything)
    run_fits((f for _, plan in plans for f in (*plan.fits(["multi"]), *speed_fits(plan))), setup)
    rows = [row for corpus, plan in plans for row in _Run(corpus, plan, setup, n_resamples).rows()]
    costs = [cost for corpus, plan in plans for cost in system_costs(corpus, plan)]
    names = (*everything.systems, "multi")
    return Result(
        "systems",
        {"base": setup.systems, "added": added, "rows": rows, "costs": costs},
        [*_tables(rows), cost_table(costs)],
        sources=tuple(Source.of(c, names, setup, n_resamples=n_resamples) for c, _ in plans),
        notes=(*(note for c, _ in plans for note in c.notes()), *left_out, *_notes(rows)),
    )


def _tables(rows: Sequence[Record]) -> Iterator[Table]:
    for title, changes in _TABLES.items():
        own = [row for row in rows if row.change in changes]
        more = difference_columns(ALL, "from_all") if ALL in changes else ()
        if own:
            yield Table.of(f"{title}\n({_TESTS})", (*_COLUMNS, *more), own, left=2)


def other_systems(base: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Return the usable built-in systems not in `base`, and notes on the unusable ones."""
    infos = [i for i in describe_systems() if i.name in BUILT_IN and i.name not in base]
    notes = [f"{i.name} is left out: {i.problem}" for i in infos if not i.usable]
    return tuple(i.name for i in infos if i.usable), notes


class _Run:
    """The rows of one corpus."""

    def __init__(self, corpus: Corpus, plan: JobPlan, setup: Setup, n_resamples: int) -> None:
        self._corpus, self._plan, self._base = corpus, plan, setup.systems
        self._scorer = CorpusScorer(corpus, setup.tokenization)
        self._draws = n_resamples, setup.seed
        self._compared: dict[str, Outcome] = {}

    def rows(self) -> list[Record]:
        multi = [*self._multi()]
        return [*self._alone(), *multi]

    def _alone(self) -> Iterator[Record]:
        for name in self._plan.setup.systems:
            predicted = self._plan.data.with_tags(self._plan.held, self._plan.tags(name))
            yield self._row(ALONE, name, self._scorer.outcome(predicted), None)

    def _multi(self) -> Iterator[Record]:
        names, progress = self._plan.setup.systems, self._plan.setup.progress
        # Progress is reported by ensembles instead.
        whole = replace(self._plan.stack(), progress=None)
        chosen = _ensembles(self._base, names[len(self._base) :])
        for done, ((change, system), own) in enumerate(chosen.items(), 1):
            stack = whole.only([names.index(name) for name in own])
            predicted = self._plan.data.with_tags(self._plan.held, stack.tags())
            outcome = self._scorer.outcome(predicted)
            if not system:
                self._compared[change] = outcome
            if progress:
                progress(done, len(chosen), "stacker")
            yield self._row(change, system, outcome, stack.seconds())

    def _row(self, change: str, system: str, outcome: Outcome, seconds: float | None) -> Record:
        def minus(other: str) -> Difference:
            return outcome.minus(self._compared[other], *self._draws)

        return Record(
            corpus=self._corpus.name,
            change=change,
            system=system,
            tokens=outcome.tokens,
            spans=outcome.spans,
            leaking=outcome.leaking,
            stacker_seconds=seconds,
            from_base=None if change == BASE else minus(BASE),
            from_all=minus(ALL) if change == ALL_WITHOUT else None,
        )


def _ensembles(
    base: tuple[str, ...], added: tuple[str, ...]
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the members of every ensemble by change and system."""
    everything = (*base, *added)
    chosen = {(BASE, ""): base}
    chosen |= {(WITH, system): (*base, system) for system in added}
    chosen |= {(WITHOUT, system): rest for system, rest in _each_left_out(base)}
    if added:
        chosen[ALL, ""] = everything
        chosen |= {(ALL_WITHOUT, system): rest for system, rest in _each_left_out(everything)}
    return chosen


def _each_left_out(systems: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    if len(systems) == 1:
        return []
    return [(one, tuple(name for name in systems if name != one)) for one in systems]


def _notes(rows: Sequence[Record]) -> Iterator[str]:
    yield "each p is of a single comparison; of twenty, one is below 0.05 by chance"
    for row in rows:
        yield from silent_notes(row.corpus, _variant(row), row.tokens)
