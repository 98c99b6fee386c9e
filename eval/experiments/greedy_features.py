"""Feature classes added one after another, the most useful first (Szarvas, Figure 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from multideid.arrays import LongArray
from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.fits import Fit, evaluation_of, run_fits
from multideid.eval.experiments.plan import JobPlan, corpus_plans
from multideid.eval.experiments.registry import experiment, systems_option
from multideid.eval.experiments.result import Result, Source
from multideid.eval.experiments.setup import Setup, check_params
from multideid.eval.experiments.specs import TaggerSpec
from multideid.eval.reports.cells import prf_columns
from multideid.learners.feature_tagger import FeatureTagger
from multideid.stacking.mega import feature_classes_of
from multideid.tables import Column, Record, Table

_COLUMNS = (
    Column("corpus", "corpus"),
    Column("system", "system"),
    Column("features", "n"),
    Column("added", "added"),
    Column("F1 in training", "chosen_by", ".4f"),
    Column("all classes F1", "all_classes.f1", ".4f"),
    *prf_columns("PHI classes", "phi_classes"),
)


@experiment(
    "greedy-features",
    topic="systems",
    source="Szarvas et al. 2007, Figure 2",
    example="--of szarvas --param triggers=token --param iterations=0",
)
def greedy_features(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    systems: Annotated[Sequence[str], systems_option("base systems that learn")] = ("szarvas",),
) -> Result:
    """Add the feature classes of a system one after another, the most useful first.

    Each time the one with which the system is best, by F1 over the PHI classes, on the first
    of --folds parts of the training documents when it learned from the others. Every set is
    then fitted on all training documents and measured on the test documents. What a learner
    adds itself, such as the classes of previous tokens, is always there.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    systems : sequence of str
        Base systems with feature classes.

    Returns
    -------
    Result
        ``rows``: ``added``, ``chosen_by`` (F in training), ``all_classes`` and
        ``phi_classes`` of every set.

    Raises
    ------
    UsageError
        If a corpus is unusable, a system has no feature classes, or a parameter has no effect.
    """
    check_params(setup, systems)
    classes = {name: _classes(name, setup) for name in systems}
    rows = [
        row
        for corpus, plan in corpus_plans(corpora, setup)
        for name, own in classes.items()
        for row in _Search(corpus, plan, name, own).rows()
    ]
    return Result(
        "greedy-features",
        {"rows": rows},
        [Table.of("Feature classes, most useful first", _COLUMNS, rows, left=2)],
        sources=tuple(Source.of(corpus, systems, setup, folds=True) for corpus in corpora),
        notes=tuple(note for corpus in corpora for note in corpus.notes()),
    )


def _classes(name: str, setup: Setup) -> tuple[str, ...]:
    tagger = setup.tagger(name)
    if not isinstance(tagger, FeatureTagger):
        raise UsageError(f"{name} has no feature classes to add; choose a system that learns")
    return feature_classes_of({name: tagger})


class _Search:
    """The search for one system on one corpus."""

    def __init__(self, corpus: Corpus, plan: JobPlan, system: str, classes: Sequence[str]) -> None:
        self._corpus, self._plan, self._system, self._classes = corpus, plan, system, classes
        self._learned, self._judged = plan.splits()[0]

    def rows(self) -> Iterator[Record]:
        """Yield the scores after each addition."""
        chosen: tuple[str, ...] = ()
        while left := [name for name in self._classes if name not in chosen]:
            added, found = self._most_useful(chosen, left)
            chosen += (added,)
            test = self._fit(chosen, self._plan.train, self._plan.held)
            scores = evaluation_of(test, self._plan.setup).tokens
            yield Record(
                corpus=self._corpus.name,
                system=self._system,
                n=len(chosen),
                added=added,
                chosen_by=found,
                all_classes=scores.all_classes(),
                phi_classes=scores.phi_classes(),
            )

    def _most_useful(self, chosen: tuple[str, ...], left: Sequence[str]) -> tuple[str, float]:
        setup = self._plan.setup
        fits = {name: self._fit((*chosen, name), self._learned, self._judged) for name in left}
        run_fits(fits.values(), setup)
        found = {k: evaluation_of(fit, setup).tokens.phi_classes().f1 for k, fit in fits.items()}
        best = max(left, key=found.__getitem__)
        return best, found[best]

    def _fit(self, chosen: tuple[str, ...], train: LongArray, held: LongArray) -> Fit:
        ordered = tuple(name for name in self._classes if name in chosen)
        spec = TaggerSpec(self._plan.setup.tagger(self._system), feature_classes=ordered)
        return Fit(spec, self._plan.data, train, held)
