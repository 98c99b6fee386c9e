"""Ablation of feature classes (Tafvizi 5.4), and pruning of Multi (Kim 2020)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.fits import Fit, evaluation_of, run_fits
from multideid.eval.experiments.plan import JobPlan, corpus_plans
from multideid.eval.experiments.registry import experiment, systems_option
from multideid.eval.experiments.result import Result, Source, silent_notes
from multideid.eval.experiments.setup import Setup, check_params
from multideid.eval.experiments.specs import Spec, TaggerSpec
from multideid.eval.metrics.evaluation import Evaluation
from multideid.eval.metrics.token_metrics import NON_PHI
from multideid.eval.reports.cells import prf_columns
from multideid.learners.feature_tagger import FeatureTagger
from multideid.stacking.mega import feature_classes_of
from multideid.tables import Column, Record, Table

EVERYTHING, ONLY, WITHOUT = "all", "only", "without"


def _variant(row: Record) -> str:
    return f"{row.change} {row.part}".strip()


_COLUMNS = (
    Column("corpus", "corpus"),
    Column("system", "system"),
    Column("parts", _variant),
    *prf_columns("PHI", "phi"),
    Column("PHI change", "difference", "+.4f"),
    *prf_columns(NON_PHI, "non_phi", betas=()),
    Column("span F1", "spans.f1", ".4f"),
)


@experiment(
    "ablation",
    topic="systems",
    source="Tafvizi et al., 5.4 and Figures 2 to 5; Kim, Heider and Meystre 2020",
    example="--of mega,multi",
)
def ablation(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    systems: Annotated[Sequence[str], systems_option("base systems that learn, mega, multi")] = (
        "stat-deid",
        "multi",
    ),
) -> Result:
    """Measure the contribution of each feature class, and of each system of Multi.

    Each feature class alone and left out; Multi without each system, and with
    one system after another dropped: each time the one without which Multi is
    best out of fold. Base systems are fitted once; for Multi only the stacker is
    fitted again.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    systems : sequence of str
        Base systems with feature classes, ``"mega"`` or ``"multi"``.

    Returns
    -------
    Result
        ``rows``: scores with all parts, and with one part only or left out;
        ``difference`` is of F of PHI or not. ``pruning``: the steps of `Pruning`.

    Raises
    ------
    UsageError
        If a corpus is unusable, a system has no parts, or a parameter has no
        effect.
    """
    check_params(setup, systems)
    parts = {name: _parts(name, setup) for name in systems}
    plans = corpus_plans(corpora, setup)
    run_fits((f for _, plan in plans for name in parts for f in _fits(name, plan, parts)), setup)
    rows: list[Record] = []
    steps: list[Record] = []
    for corpus, plan in plans:
        for name, own in parts.items():
            if name == "multi":
                pruning = Pruning(corpus, plan)
                rows += _rows(corpus, name, pruning.evaluations())
                steps += pruning.steps()
            else:
                fits = _variants(name, plan, own).items()
                rows += _rows(corpus, name, ((k, evaluation_of(fit, setup)) for k, fit in fits))
    tables = [Table.of("Parts alone and left out", _COLUMNS, rows, left=3)]
    return Result(
        "ablation",
        {"rows": rows, "pruning": steps},
        [*tables, *_pruning_tables(steps)],
        sources=tuple(Source.of(corpus, [*parts], setup) for corpus, _ in plans),
        notes=(*(n for corpus, _ in plans for n in corpus.notes()), *_notes(parts, rows)),
    )


Change = tuple[str, str]
Indices = tuple[int, ...]
Parts = Mapping[str, tuple[str, ...]]


def _parts(name: str, setup: Setup) -> tuple[str, ...]:
    if name == "multi":
        return setup.systems
    if name == "mega":
        return feature_classes_of({system: setup.tagger(system) for system in setup.systems})
    tagger = setup.tagger(name)
    if not isinstance(tagger, FeatureTagger):
        raise UsageError(
            f"{name} has no feature classes to leave out; choose a system that learns, mega or "
            "multi"
        )
    return feature_classes_of({name: tagger})


def _fits(name: str, plan: JobPlan, parts: Parts) -> Iterator[Fit]:
    if name == "multi":
        yield from plan.fits(["multi"])
    else:
        yield from _variants(name, plan, parts[name]).values()


def _variants(name: str, plan: JobPlan, parts: tuple[str, ...]) -> dict[Change, Fit]:
    choices: dict[Change, tuple[str, ...] | None] = {(EVERYTHING, ""): None}
    if len(parts) > 1:
        choices |= {(ONLY, part): (part,) for part in parts}
        choices |= {(WITHOUT, part): tuple(p for p in parts if p != part) for part in parts}
    return {change: plan.fit(_spec(name, chosen, plan)) for change, chosen in choices.items()}


def _spec(name: str, chosen: tuple[str, ...] | None, plan: JobPlan) -> Spec:
    if name == "mega":
        return plan.mega_spec(plan.train, feature_classes=chosen)
    return TaggerSpec(plan.setup.tagger(name), feature_classes=chosen)


def _rows(
    corpus: Corpus, system: str, evaluations: Iterable[tuple[Change, Evaluation]]
) -> Iterator[Record]:
    whole: float | None = None
    for (change, part), found in evaluations:
        phi = found.tokens.two_way()
        whole = phi.f1 if whole is None else whole
        yield Record(
            corpus=corpus.name,
            system=system,
            change=change,
            part=part,
            phi=phi,
            non_phi=found.tokens.non_phi(),
            spans=found.spans.strict.micro(),
            difference=phi.f1 - whole,
        )


def _notes(parts: Parts, rows: Sequence[Record]) -> Iterator[str]:
    for name, own in parts.items():
        if len(own) == 1:
            yield f"{name} has one part, which cannot be left out"
    for row in rows:
        yield from silent_notes(row.corpus, f"{row.system}, {_variant(row)}", row.phi)


_STEPS = (
    Column("corpus", "corpus"),
    Column("dropped", "dropped"),
    Column("left", lambda step: "+".join(step.systems)),
    Column("span F1, out of fold", "out_of_fold", ".4f"),
    Column("chosen", lambda step: "yes" if step.is_chosen else ""),
    Column("PHI F1", "token_f", ".4f"),
    Column("span F1", "span_f", ".4f"),
)


def _pruning_tables(steps: Sequence[Record]) -> Iterator[Table]:
    """Yield a table of steps, if there are any."""
    if steps:
        yield Table.of("Multi, pruned by out-of-fold scores", _STEPS, steps, left=3)


class Pruning:
    """Multi of one corpus with all systems, without each, and with fewer and fewer.

    Parameters
    ----------
    corpus : Corpus
    plan : JobPlan
        With all of Multi's fits made.
    """

    def __init__(self, corpus: Corpus, plan: JobPlan) -> None:
        self._corpus, self._plan = corpus, plan
        self._names = plan.setup.systems
        # Progress is reported by ensembles instead.
        self._stack = replace(plan.stack(), progress=None)
        self._scored: dict[Indices, float] = {}

    def evaluations(self) -> Iterator[tuple[Change, Evaluation]]:
        """Evaluate Multi with all systems, and without each, on the test documents."""
        everything = tuple(range(len(self._names)))
        yield (EVERYTHING, ""), self._evaluated(everything)
        for system in everything if len(everything) > 1 else ():
            yield (WITHOUT, self._names[system]), self._evaluated(_less(everything, system))

    def steps(self) -> list[Record]:
        """Drop one system after another, each time the least useful one out of fold.

        Steps have ``out_of_fold``, strict span F on the training documents by
        stackers that did not learn from them, by which systems are dropped;
        ``token_f`` (PHI or not) and ``span_f`` on the test documents; and
        ``is_chosen`` for the best out of fold, the smallest among equals.
        """
        path: list[tuple[str, Indices]] = [("", tuple(range(len(self._names))))]
        while len(left := path[-1][1]) > 1:
            worst = max(left, key=lambda system: self._out_of_fold(_less(left, system)))
            path.append((self._names[worst], _less(left, worst)))
        best = max(path, key=lambda step: (self._out_of_fold(step[1]), -len(step[1])))
        return [self._step(dropped, left, left == best[1]) for dropped, left in path]

    def _step(self, dropped: str, left: Indices, is_chosen: bool) -> Record:
        found = self._evaluated(left)
        return Record(
            corpus=self._corpus.name,
            dropped=dropped,
            systems=tuple(self._names[n] for n in left),
            out_of_fold=self._out_of_fold(left),
            token_f=found.tokens.two_way().f1,
            span_f=found.spans.strict.micro().f1,
            is_chosen=is_chosen,
        )

    def _evaluated(self, systems: Indices) -> Evaluation:
        return self._plan.evaluated(self._stack.only(systems).tags())

    def _out_of_fold(self, systems: Indices) -> float:
        if systems not in self._scored:
            tags = self._stack.only(systems).tags_out_of_fold()
            plan = self._plan
            found = plan.data.evaluated(plan.train, tags, plan.setup.tokenization)
            self._scored[systems] = found.spans.strict.micro().f1
            self._report_progress()
        return self._scored[systems]

    def _report_progress(self) -> None:
        n = len(self._names)
        if self._plan.setup.progress:
            self._plan.setup.progress(len(self._scored), n * (n + 1) // 2, "stacker")


def _less(systems: Indices, system: int) -> Indices:
    return tuple(n for n in systems if n != system)
