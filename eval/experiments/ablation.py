"""Ablation of feature classes (Tafvizi 5.4), and pruning of Multi (Kim 2020)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.fits import Fit, result_of, run_fits
from multideid.eval.experiments.plan import JobPlan, corpus_plans
from multideid.eval.experiments.pruning import Pruning, pruning_tables
from multideid.eval.experiments.registry import experiment, systems_option
from multideid.eval.experiments.result import Record, Result, Source, silent_notes
from multideid.eval.experiments.setup import Setup, check_params
from multideid.eval.experiments.specs import MegaSpec, Spec, TaggerSpec
from multideid.eval.metrics.evaluation import evaluate
from multideid.eval.metrics.token_metrics import NON_PHI
from multideid.eval.reports.cells import prf_columns
from multideid.learners.feature_tagger import FeatureTagger
from multideid.stacking.mega import classes_of
from multideid.tables import Column, Table

EVERYTHING, ONLY, WITHOUT = "all", "only", "without"


def _variant(row: Record) -> str:
    return f"{row.change} {row.part}".strip()


_COLUMNS = (
    Column("corpus", "corpus"),
    Column("system", "system"),
    Column("parts", _variant),
    *prf_columns("PHI", "phi"),
    Column("PHI change", "difference", "+.4f"),
    *prf_columns(NON_PHI, "non_phi", f=False),
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
                rows += _rows(corpus, name, pruning.predictions(), setup)
                steps += pruning.steps()
            else:
                rows += _rows(corpus, name, _predictions(name, plan, own), setup)
    tables = [Table.of("Parts alone and left out", _COLUMNS, rows, left=3)]
    return Result(
        "ablation",
        {"rows": rows, "pruning": steps},
        [*tables, *pruning_tables(steps)],
        sources=tuple(Source.of(corpus, [*parts], setup) for corpus, _ in plans),
        notes=(*(n for corpus, _ in plans for n in corpus.notes()), *_notes(parts, rows)),
    )


Change = tuple[str, str]
Parts = Mapping[str, tuple[str, ...]]


def _parts(name: str, setup: Setup) -> tuple[str, ...]:
    if name == "multi":
        return setup.systems
    if name == "mega":
        return classes_of({system: setup.tagger(system) for system in setup.systems})
    tagger = setup.tagger(name)
    if not isinstance(tagger, FeatureTagger):
        raise UsageError(
            f"{name} has no feature classes to leave out; choose a system that learns, mega or "
            "multi"
        )
    return classes_of({name: tagger})


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
    return {
        change: Fit(_spec(name, chosen, plan.setup), plan.data, plan.train, plan.held)
        for change, chosen in choices.items()
    }


def _spec(name: str, chosen: tuple[str, ...] | None, setup: Setup) -> Spec:
    if name == "mega":
        return MegaSpec(setup.with_params(setup.systems), setup.seed, chosen)
    return TaggerSpec(setup.tagger(name), feature_classes=chosen)


def _predictions(
    name: str, plan: JobPlan, parts: tuple[str, ...]
) -> Iterator[tuple[Change, list[Document]]]:
    for change, fit in _variants(name, plan, parts).items():
        arrays = result_of(fit, plan.setup)
        tags = arrays["tags"] if name == "mega" else arrays["scores"].argmax(axis=1)
        yield change, plan.data.with_tags(plan.held, tags.astype("int32"))


def _rows(
    corpus: Corpus,
    system: str,
    predictions: Iterator[tuple[Change, list[Document]]],
    setup: Setup,
) -> Iterator[Record]:
    whole: float | None = None
    for (change, part), predicted in predictions:
        found = evaluate(corpus.test, predicted, tokenization=setup.tokenization)
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
