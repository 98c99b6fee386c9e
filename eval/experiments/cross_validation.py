"""k-fold cross-validation of base systems, vote, Mega and Multi, by documents or groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np

from multideid.arrays import BoolArray
from multideid.document import Document
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.crossing import Crossing, cross
from multideid.eval.experiments.differences import CorpusScorer, Outcome, difference_columns
from multideid.eval.experiments.plan import all_names
from multideid.eval.experiments.registry import AllSystems, Option, Resamples, experiment
from multideid.eval.experiments.result import Result, Source, silent_notes
from multideid.eval.experiments.setup import Setup
from multideid.eval.metrics.scores import Score
from multideid.eval.reports.cells import prf_columns
from multideid.eval.statistics.randomization import check_shuffles
from multideid.eval.statistics.significance import MARKS
from multideid.tables import Column, Record, Table

CANDIDATE = "multi"
"""The system that is tested against every other one."""

SharedFits = Annotated[
    bool,
    Option(
        "Fit base systems once for each fold; Multi then learns from the out-of-fold scores of the "
        "other folds. A sixth of the fits, and Multi's figures a little too high.",
        flag="--shared-fits",
    ),
]

_COLUMNS = (
    Column("corpus", "corpus"),
    Column("system", "system"),
    *prf_columns("PHI", "tokens"),
    *prf_columns("span", "spans"),
    Column("F1 by fold", lambda row: f"{row.spans_mean:.4f} ± {row.spans_sd:.4f}"),
    Column("leaks", "leaking"),
    *difference_columns("it", "multi_minus"),
)


@experiment(
    "cross-validation", topic="systems", example="--folds 5 --groups brief", needs_tests=False
)
def cross_validation(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    systems: AllSystems = None,
    shared_fits: SharedFits = False,
    n_resamples: Resamples = 10_000,
) -> Result:
    """Cross-validate systems: predict each fold by systems that learned from the others.

    Folds are of whole documents, or of whole groups with --groups. All documents of
    a corpus are used, those of --test too. Scores are of all documents together;
    the span F1 of single folds is given as mean ± standard deviation.

    Parameters
    ----------
    corpora : sequence of Corpus
        They need no test documents.
    setup : Setup
    systems : sequence of str, optional
        Default: the base systems, vote, Mega and Multi.
    shared_fits : bool
        Whether base systems are fitted once for each fold; see `Crossing`.
    n_resamples : int
        Shuffles of the randomization test.

    Returns
    -------
    Result
        ``rows``: by system, scores, the mean and standard deviation over folds of
        strict span F1, number of documents with leaked PHI, and the `Difference` of
        Multi from it. ``folds``: by system and fold, the scores.

    Raises
    ------
    UsageError
        If a corpus, system or parameter is unusable, there are fewer documents or
        groups than folds, or there is no shuffle.
    """
    check_shuffles(n_resamples)
    names = all_names(setup, systems)
    found = [
        _Scores(crossing, predictions, n_resamples)
        for crossing, predictions in cross(corpora, setup, names, nested=not shared_fits)
    ]
    rows = [row for each in found for row in each.rows()]
    title = f"{setup.folds}-fold cross-validation\n(last columns: Multi minus it; p: approximate "
    caption = f"{title}randomization over documents; {MARKS})"
    return Result(
        "cross-validation",
        {"rows": rows, "folds": [row for each in found for row in each.folds()]},
        [Table.of(caption, _COLUMNS, rows, left=2)],
        sources=tuple(
            Source.of(each.corpus, names, setup, n_resamples=n_resamples) for each in found
        ),
        notes=(*_notes(setup, shared_fits), *(note for each in found for note in each.notes())),
    )


class _Scores:
    """The scores of one corpus."""

    def __init__(
        self, crossing: Crossing, predictions: dict[str, list[Document]], n_resamples: int
    ) -> None:
        documents = crossing.data.documents
        self.corpus = Corpus(crossing.name, documents, documents)
        self._fold = crossing.fold
        self._draws = n_resamples, crossing.setup.seed
        scorer = CorpusScorer(self.corpus, crossing.setup.tokenization)
        self._outcomes = {name: scorer.outcome(found) for name, found in predictions.items()}

    def rows(self) -> Iterator[Record]:
        candidate = self._outcomes.get(CANDIDATE)
        for name, outcome in self._outcomes.items():
            by_fold = [row.spans.f1 for row in self._folds_of(name)]
            other = candidate if name != CANDIDATE else None
            yield Record(
                corpus=self.corpus.name,
                system=name,
                tokens=outcome.tokens,
                spans=outcome.spans,
                spans_mean=float(np.mean(by_fold)),
                spans_sd=float(np.std(by_fold, ddof=1)),
                leaking=outcome.leaking,
                multi_minus=other.minus(outcome, *self._draws) if other else None,
            )

    def folds(self) -> Iterator[Record]:
        for name in self._outcomes:
            yield from self._folds_of(name)

    def notes(self) -> Iterator[str]:
        for name, outcome in self._outcomes.items():
            yield from silent_notes(self.corpus.name, name, outcome.tokens)

    def _folds_of(self, name: str) -> list[Record]:
        return [
            Record(
                corpus=self.corpus.name,
                system=name,
                fold=k,
                documents=int((self._fold == k).sum()),
                tokens=_score(self._outcomes[name], "token_counts", self._fold == k),
                spans=_score(self._outcomes[name], "span_counts", self._fold == k),
            )
            for k in range(int(self._fold.max()) + 1)
        ]


def _score(outcome: Outcome, counts: str, documents: BoolArray) -> Score:
    return Score(*getattr(outcome, counts)[documents].sum(axis=0).tolist())


def _notes(setup: Setup, shared_fits: bool) -> Iterator[str]:
    if setup.groups is not None:
        yield f"folds of whole groups: documents with the same {setup.groups!r} in meta"
    if shared_fits:
        yield "fits are shared: Multi's stacker learned from scores of fits on its own fold too"
    yield "folds share training documents, so their standard deviation is no error of the mean"
