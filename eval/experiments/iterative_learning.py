"""Szarvas's models with and without iterations, votes and standardisation (Table 1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple, cast

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.base_systems.szarvas.features import TRIGGERS
from multideid.base_systems.szarvas.model import PredictionOptions
from multideid.base_systems.szarvas.phrases import standardised
from multideid.base_systems.szarvas.tagger import SzarvasTagger
from multideid.document import Document
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.fits import Fit, result_of, run_fits, tags_of
from multideid.eval.experiments.plan import JobPlan, corpus_plans
from multideid.eval.experiments.registry import experiment
from multideid.eval.experiments.result import Result, Source
from multideid.eval.experiments.setup import Setup, check_params_used
from multideid.eval.experiments.specs import Spec, SystemSpec, TaggerSpec
from multideid.eval.experiments.store import Arrays
from multideid.eval.metrics.evaluation import evaluate
from multideid.eval.reports.cells import prf_columns
from multideid.tables import Column, Record, Table
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

BOOSTED, TREE = "szarvas", "tree"
VOTE = "vote"
_MODELS = ("baseline", "C4.5", *(f"ITR{n}_{kind}" for n in (1, 2) for kind in ("BEST", "VOTE")))
_COLUMNS = (
    Column("corpus", "corpus"),
    Column("model", "model"),
    Column("triggers", "triggers"),
    Column("documents", "documents"),
    Column("std.", lambda row: "yes" if row.standard else "no"),
    Column("all classes F1", "all_classes.f1", ".4f"),
    *prf_columns("PHI classes", "phi_classes"),
)


class Variant(NamedTuple):
    """A model of Table 1.

    Parameters
    ----------
    triggers : str
        One of `TRIGGERS`, or `VOTE`.
    iterations : int
        1 for ITR1, 2 for ITR2.
    """

    triggers: str
    iterations: int


VARIANTS = tuple(Variant(*pair) for pair in product((*TRIGGERS, VOTE), (1, 2)))


@dataclass(frozen=True, slots=True)
class VariantsSpec(SystemSpec):
    """The boosted trees, which return the tags of each of `VARIANTS`.

    Parameters
    ----------
    tagger : BaseTagger
        Not fitted.
    """

    def run(self, tokens: TokenTable, labels: TokenLabels, held: TokenTable) -> Arrays:
        """Return the tags of each variant, int32, by its number in `VARIANTS`."""
        fitted = cast("SzarvasTagger", copy(self.tagger).fit(tokens, labels))
        found = variant_tags(fitted, held)
        return {f"tags_{n}": tags for n, (_, tags) in enumerate(found)}


@experiment(
    "iterative-learning",
    topic="systems",
    source="Szarvas et al. 2007, Table 1",
    uses=lambda systems, options: (BOOSTED, TREE),
)
def iterative_learning(corpora: Sequence[Corpus], setup: Setup) -> Result:
    """Measure Szarvas's models: baselines, iterations, the vote, standardised phrases.

    Each by cross-validation on the training documents and on the test documents, as
    predicted and with standardised phrases. BEST is the trigger variant that is best by
    cross-validation. The baseline predicts no PHI.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup

    Returns
    -------
    Result
        ``rows``: ``all_classes`` ("9-way") and ``phi_classes`` ("8-way") of every model.

    Raises
    ------
    UsageError
        If a corpus is unusable, or a parameter is of another system.
    """
    check_params_used(setup, whole=(BOOSTED, TREE))
    grids = [_Grid(corpus, plan) for corpus, plan in corpus_plans(corpora, setup)]
    run_fits((fit for grid in grids for fit in grid.fits()), setup)
    rows = [row for grid in grids for row in grid.rows()]
    return Result(
        "iterative-learning",
        {"rows": rows},
        [Table.of("Szarvas's Table 1", _COLUMNS, rows, left=5)],
        sources=tuple(Source.of(grid.corpus, (BOOSTED, TREE), setup, folds=True) for grid in grids),
        notes=tuple(note for grid in grids for note in grid.corpus.notes()),
    )


class _Grid:
    """All models on one corpus."""

    def __init__(self, corpus: Corpus, plan: JobPlan) -> None:
        self.corpus, self._plan, self._setup = corpus, plan, plan.setup
        taggers = {name: plan.setup.tagger(name) for name in (BOOSTED, TREE)}
        self._specs: dict[str, Spec] = {
            BOOSTED: VariantsSpec(taggers[BOOSTED]), TREE: TaggerSpec(taggers[TREE])
        }  # fmt: skip
        self._parts = {
            f"{plan.setup.folds}-fold": plan.splits(), "test": [(plan.train, plan.held)]
        }  # fmt: skip

    def fits(self) -> Iterator[Fit]:
        """Yield the fits of both systems, on all parts."""
        for name in self._specs:
            for documents in self._parts:
                yield from self._fits(name, documents)

    def rows(self) -> Iterator[Record]:
        """Yield the scores of each model, on each part, raw and standardised."""
        by_fold, test = self._parts
        best = {n: self._best(n, by_fold) for n in (1, 2)}
        for model in _MODELS:
            iterations = int(model[3]) if model.startswith("ITR") else 0
            triggers = VOTE if model.endswith(VOTE.upper()) else best.get(iterations, "")
            for documents in (by_fold, test):
                for standard in (False, True):
                    yield self._row(model, triggers, documents, standard)

    def _best(self, iterations: int, documents: str) -> str:
        """Return the trigger variant that is best by cross-validation."""
        model = f"ITR{iterations}_BEST"
        rows = [
            self._row(model, variant.triggers, documents, standard=False)
            for variant in VARIANTS
            if variant.iterations == iterations and variant.triggers != VOTE
        ]
        return str(max(rows, key=lambda row: row.all_classes.f1).triggers)

    def _row(self, model: str, triggers: str, documents: str, standard: bool) -> Record:
        gold: list[Document] = []
        predicted: list[Document] = []
        data = self._plan.data
        for held, tags in self._tags(model, triggers, documents):
            final = standardised(tags, data.tokens.select(held)) if standard else tags
            gold += [data.documents[d] for d in held]
            predicted += data.with_tags(held, final)
        scores = evaluate(gold, predicted, tokenization=self._setup.tokenization).tokens
        return Record(
            corpus=self.corpus.name,
            model=model,
            triggers=triggers,
            documents=documents,
            standard=standard,
            all_classes=scores.all_classes(),
            phi_classes=scores.phi_classes(),
        )

    def _tags(
        self, model: str, triggers: str, documents: str
    ) -> Iterator[tuple[LongArray, IntArray]]:
        """Yield the held-out documents of each fit, and the tags of their tokens."""
        number = {(v.triggers, f"ITR{v.iterations}"): n for n, v in enumerate(VARIANTS)}
        for fit in self._fits(TREE if model == "C4.5" else BOOSTED, documents):
            if model == "C4.5":
                yield fit.held, tags_of(fit, self._setup)
                continue
            found = result_of(fit, self._setup)
            if model == "baseline":
                yield fit.held, np.zeros_like(found["tags_0"], dtype=np.int32)
            else:
                tags = found[f"tags_{number[triggers, model[:4]]}"]
                yield fit.held, tags.astype(np.int32, copy=False)

    def _fits(self, name: str, documents: str) -> list[Fit]:
        spec, data = self._specs[name], self._plan.data
        return [Fit(spec, data, train, held) for train, held in self._parts[documents]]


def variant_tags(tagger: SzarvasTagger, tokens: TokenTable) -> Iterator[tuple[Variant, IntArray]]:
    """Yield the tags of every variant, before they are standardised.

    Parameters
    ----------
    tagger : SzarvasTagger
        Fitted, with the vote of all triggers and with iterations. The first pass of every
        variant is by token triggers.
    tokens : TokenTable
    """
    features = tagger.extractor_.transform(tokens)
    voters = tagger.model_.learners
    alone = dict(zip(TRIGGERS, ((learner,) for learner in voters), strict=True))
    for variant in VARIANTS:
        model = replace(tagger.model_, learners=alone.get(variant.triggers, voters))
        options = PredictionOptions(tagger.prefer_recall, variant.iterations, standard_tags=False)
        scores = model.scores(features, tokens, options)
        yield variant, np.asarray(scores.argmax(axis=1), dtype=np.int32)
