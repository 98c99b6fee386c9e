"""One feature class alone, or all but one (Tafvizi 5.4); one system less (Kim 2020)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus, check_corpora
from multideid.eval.experiments.data import Data
from multideid.eval.experiments.fits import Fit, Setup, finish, result
from multideid.eval.experiments.parts import check_measured
from multideid.eval.experiments.plans import Plan
from multideid.eval.experiments.pruning import Pruning, PruningStep
from multideid.eval.experiments.recipes import BaseFit, MegaFit, Recipe
from multideid.eval.experiments.results import Source, document_text, silence
from multideid.eval.metrics.evaluation import evaluate
from multideid.eval.metrics.scores import Score
from multideid.eval.metrics.token_metrics import NON_PHI
from multideid.eval.reports.text_cells import figure, section
from multideid.learners.feature_tagger import FeatureTagger
from multideid.stacking.mega import classes_of
from multideid.tables import text_table

EVERYTHING, ONLY, WITHOUT = "all", "only", "without"


@dataclass(frozen=True, slots=True)
class AblationRow:
    """What a system is with some of its parts.

    Parameters
    ----------
    corpus, system : str
    change : {"all", "only", "without"}
    part : str
        The feature class, or of Multi the base system; "" with "all".
    phi, non_phi : Score
        At token level, PHI or not.
    spans : Score
        Strict.
    difference : float
        F of PHI or not, less that of the whole.
    """

    corpus: str
    system: str
    change: str
    part: str
    phi: Score
    non_phi: Score
    spans: Score
    difference: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "corpus": self.corpus,
            "system": self.system,
            "change": self.change,
            "part": self.part,
            "phi": self.phi.to_dict(),
            "non_phi": self.non_phi.to_dict(),
            "spans": self.spans.to_dict(),
            "difference": self.difference,
        }


@dataclass(frozen=True, slots=True)
class Ablation:
    """Systems with some of their parts.

    Parameters
    ----------
    rows : tuple of AblationRow
        The whole first, then its parts.
    pruning : tuple of PruningStep
        How systems were dropped from Multi, one after another.
    sources : tuple of Source
    notes : tuple of str
    """

    rows: tuple[AblationRow, ...]
    pruning: tuple[PruningStep, ...]
    sources: tuple[Source, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "experiment": "ablation",
            "rows": [row.to_dict() for row in self.rows],
            "pruning": [step.to_dict() for step in self.pruning],
            "sources": [source.to_dict() for source in self.sources],
            "notes": list(self.notes),
        }

    def to_text(self) -> str:
        """Return the tables, the notes and the signatures."""
        header = ["corpus", "system", "parts", *(f"PHI {x}" for x in ("P", "R", "F1", "change"))]
        header += [f"{NON_PHI} P", f"{NON_PHI} R", "span F1"]
        sections = [
            section(
                "Parts alone and left out", text_table(header, list(map(_row, self.rows)), left=3)
            )
        ]
        if self.pruning:
            header = ["corpus", "dropped", "left", "span F1, out of fold", "chosen"]
            header += ["PHI F1", "span F1"]
            table = text_table(header, [_step(step) for step in self.pruning], left=3)
            sections.append(section("Multi, pruned by what was seen out of fold", table))
        return document_text(sections, self.notes, self.sources)


def ablation(
    corpora: Sequence[Corpus], setup: Setup, *, systems: Sequence[str] = ("stat-deid", "multi")
) -> Ablation:
    """Measure systems with one part alone and with one part left out.

    The parts of a base system and of Mega are their feature classes; the parts
    of Multi are the base systems, of which one after another is dropped too:
    each time the one without which Multi is best out of fold. The base systems
    are fitted once; for Multi only the stacker is fitted again.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    systems : sequence of str
        Base systems with feature classes, ``"mega"`` or ``"multi"``.

    Raises
    ------
    UsageError
        If a corpus cannot be used, a system has no parts, or a parameter has
        no part in the figures.

    Notes
    -----
    Tafvizi et al., 5.4.1 and 5.4.2; Kim, Heider and Meystre 2020 for the
    pruning of an ensemble.
    """
    check_measured(setup, systems)
    parts = {name: _parts(name, setup) for name in systems}
    plans = [(c, Plan.of(Data.of(c.train, c.test), setup)) for c in check_corpora(corpora)]
    finish((fit for _, plan in plans for name in parts for fit in _fits(name, plan, parts)), setup)
    rows: list[AblationRow] = []
    steps: list[PruningStep] = []
    for corpus, plan in plans:
        for name, own in parts.items():
            if name == "multi":
                pruning = Pruning(corpus, plan)
                rows += _rows(corpus, name, pruning.predictions(), setup)
                steps += pruning.steps()
            else:
                rows += _rows(corpus, name, _predictions(name, plan, own), setup)
    return Ablation(
        rows=tuple(rows),
        pruning=tuple(steps),
        sources=tuple(Source.of(c, [*parts], setup) for c, _ in plans),
        notes=(
            *(note for c, _ in plans for note in c.notes()),
            *_notes(parts),
            *(note for row in rows for note in _silence(row)),
        ),
    )


Change = tuple[str, str]


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


def _fits(name: str, plan: Plan, parts: dict[str, tuple[str, ...]]) -> Iterator[Fit]:
    if name == "multi":
        yield from plan.fits(["multi"])
    else:
        yield from _changes(name, plan, parts[name]).values()


def _changes(name: str, plan: Plan, parts: tuple[str, ...]) -> dict[Change, Fit]:
    choices: dict[Change, tuple[str, ...] | None] = {(EVERYTHING, ""): None}
    if len(parts) > 1:
        choices |= {(ONLY, part): (part,) for part in parts}
        choices |= {(WITHOUT, part): tuple(p for p in parts if p != part) for part in parts}
    return {
        change: Fit(_recipe(name, chosen, plan.setup), plan.data, plan.train, plan.held)
        for change, chosen in choices.items()
    }


def _recipe(name: str, chosen: tuple[str, ...] | None, setup: Setup) -> Recipe:
    if name == "mega":
        return MegaFit(setup.with_params(setup.systems), setup.seed, chosen)
    return BaseFit(setup.tagger(name), feature_classes=chosen)


def _predictions(
    name: str, plan: Plan, parts: tuple[str, ...]
) -> Iterator[tuple[Change, list[Document]]]:
    for change, fit in _changes(name, plan, parts).items():
        arrays = result(fit, plan.setup)
        tags = arrays["tags"] if name == "mega" else arrays["scores"].argmax(axis=1)
        yield change, plan.data.with_tags(plan.held, tags.astype("int32"))


def _rows(
    corpus: Corpus,
    system: str,
    predictions: Iterator[tuple[Change, list[Document]]],
    setup: Setup,
) -> Iterator[AblationRow]:
    whole: float | None = None
    for (change, part), predicted in predictions:
        found = evaluate(corpus.test, predicted, tokenization=setup.tokenization)
        phi, spans = found.tokens.two_way(), found.spans.strict.micro()
        whole = phi.f1 if whole is None else whole
        scores = (phi, found.tokens.non_phi(), spans, phi.f1 - whole)
        yield AblationRow(corpus.name, system, change, part, *scores)


def _notes(parts: dict[str, tuple[str, ...]]) -> list[str]:
    return [f"{name} has one part, which cannot be left out" for name, own in parts.items()
            if len(own) == 1]  # fmt: skip


def _silence(row: AblationRow) -> Iterator[str]:
    return silence(row.corpus, f"{row.system}, {row.change} {row.part}".strip(), row.phi)


def _row(row: AblationRow) -> list[str]:
    cells = [row.corpus, row.system, f"{row.change} {row.part}".strip()]
    cells += [figure(x) for x in (row.phi.precision, row.phi.recall, row.phi.f1)]
    cells.append(f"{row.difference:+.4f}")
    return cells + [figure(x) for x in (row.non_phi.precision, row.non_phi.recall, row.spans.f1)]


def _step(step: PruningStep) -> list[str]:
    figures = [figure(x) for x in (step.token_f, step.span_f)]
    chosen = "yes" if step.is_chosen else ""
    left = "+".join(step.systems)
    return [step.corpus, step.dropped, left, figure(step.out_of_fold), chosen, *figures]
