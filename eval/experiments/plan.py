"""The fits behind base systems, vote, Mega and Multi on a corpus, and their predictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import FloatArray, IntArray, LongArray
from multideid.document import Document, Span
from multideid.eval.experiments.corpora import Corpus, Data, check_corpora
from multideid.eval.experiments.fits import Fit, result_of, run_fits, tags_of
from multideid.eval.experiments.precision_recall import Curve, curves_of
from multideid.eval.experiments.setup import ENSEMBLES, Setup, check_names, check_params
from multideid.eval.experiments.specs import MegaSpec, Spec, TaggerSpec
from multideid.eval.experiments.stack import Stack
from multideid.eval.metrics.evaluation import Evaluation
from multideid.stacking.augmentation import AUGMENTATIONS
from multideid.stacking.folds import document_folds, groups_in_meta
from multideid.stacking.out_of_fold import OutOfFold
from multideid.stacking.votes import RULES, vote
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import phi_labels

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class JobPlan:
    """The fits that predictions need, and the predictions.

    Parameters
    ----------
    data : Data
    train, held : int64 arrays
        Indices of the documents to learn from, and of those to predict.
    setup : Setup
    taggers : dict of str to BaseTagger
        A cache of unfitted systems.
    """

    data: Data
    train: LongArray
    held: LongArray
    setup: Setup
    taggers: dict[str, BaseTagger] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, data: Data, setup: Setup) -> JobPlan:
        """Learn from all training documents, and predict all test documents."""
        return cls(data, data.train, data.test, setup)

    def fits(self, names: Sequence[str]) -> Iterator[Fit]:
        """Yield the fits that predictions need.

        Parameters
        ----------
        names : sequence of str
            Base systems or `ENSEMBLES`.
        """
        for name in names:
            if name == "mega":
                yield self.mega()
            elif name in ENSEMBLES:
                yield from map(self.base, self.setup.systems)
            else:
                yield self.base(name)
            if name == "multi":
                for system in self.setup.systems:
                    yield from self.folds_of(system)

    def fit(self, spec: Spec) -> Fit:
        """Return the fit of any spec on the training documents."""
        return Fit(spec, self.data, self.train, self.held)

    def base(self, system: str) -> Fit:
        """Return the fit of a base system."""
        return self.fit(TaggerSpec(self._tagger(system)))

    def mega(self) -> Fit:
        """Return the fit of Mega."""
        return self.fit(self.mega_spec(self.train))

    def folds_of(self, system: str) -> list[Fit]:
        """Return the fits of one system without each fold."""
        tagger, plain = self._tagger(system), self.setup.plain_stacker
        return [
            Fit(TaggerSpec(tagger, None if plain else k), self.data, train, held)
            for k, (train, held) in enumerate(self.splits())
        ]

    def mega_folds(self) -> list[Fit]:
        """Return the fits of Mega without each fold."""
        return [Fit(self.mega_spec(train), self.data, train, held) for train, held in self.splits()]

    def fold(self) -> LongArray:
        """Return the fold of every training document."""
        groups = self._groups(self.train)
        return document_folds(len(self.train), self.setup.folds, self.setup.seed, groups)

    def splits(self) -> list[tuple[LongArray, LongArray]]:
        """Return the training documents without each fold, and those in it."""
        fold = self.fold()
        return [(self.train[fold != k], self.train[fold == k]) for k in range(self.setup.folds)]

    def _groups(self, documents: LongArray) -> list[str] | None:
        chosen = [self.data.documents[d] for d in documents]
        return groups_in_meta(chosen, self.setup.groups)

    def mega_spec(
        self,
        train: LongArray,
        systems: Sequence[str] | None = None,
        feature_classes: tuple[str, ...] | None = None,
    ) -> MegaSpec:
        """Return Mega of some systems, by default all, to fit on some documents."""
        setup, groups = self.setup, self._groups(train)
        chosen = setup.with_params(setup.systems if systems is None else systems)
        own = None if groups is None else tuple(groups)
        return MegaSpec(chosen, setup.seed, feature_classes, setup.folds, own)

    def tags(self, name: str) -> IntArray:
        """Return the tags of the held-out tokens by a system or ensemble."""
        if name == "multi":
            return self.stack().tags()
        if name == "vote":
            return self._majority([self.tags(system) for system in self.setup.systems])
        return tags_of(self.mega() if name == "mega" else self.base(name), self.setup)

    def tags_out_of_fold(self, name: str) -> IntArray:
        """Return the tags of the training tokens by fits without their fold."""
        if name == "multi":
            return self.stack(held=False).tags_out_of_fold()
        if name == "vote":
            return self._majority([self.tags_out_of_fold(s) for s in self.setup.systems])
        rows = self._rows_by_fold()
        tags = np.zeros(sum(map(len, rows)), dtype=np.int32)
        fits = self.mega_folds() if name == "mega" else self.folds_of(name)
        for fit, held in zip(fits, rows, strict=True):
            tags[held] = tags_of(fit, self.setup)
        return tags

    def evaluated(self, tags: IntArray) -> Evaluation:
        """Evaluate tags of the held-out tokens."""
        return self.data.evaluated(self.held, tags, self.setup.tokenization)

    def evaluated_out_of_fold(self, name: str) -> Evaluation:
        """Evaluate a system or ensemble on the training documents, by fits without their fold."""
        tags = self.tags_out_of_fold(name)
        return self.data.evaluated(self.train, tags, self.setup.tokenization)

    def predictions(self, names: Sequence[str]) -> dict[str, list[Document]]:
        """Return the held-out documents with the spans that each system or ensemble predicts."""
        return {name: self.data.with_tags(self.held, self.tags(name)) for name in names}

    def stack(self, held: bool = True) -> Stack:
        """Return the training set of Multi's stacker, and the held-out scores if asked for."""
        systems = self.setup.systems
        tokens, gold = self.data.part(self.train)
        fits = [[*([self.base(name)] * held), *self.folds_of(name)] for name in systems]
        return Stack(
            key=tuple(tuple(fit.key for fit in own) for own in fits),
            tokens=tokens,
            gold=gold,
            out_of_fold=self._out_of_fold(),
            fold=self.fold(),
            held=self.data.tokens.select(self.held),
            held_scores=[self._scores(name) for name in systems] if held else [],
            seed=self.setup.seed,
            plain=self.setup.plain_stacker,
            store=self.setup.store,
            progress=self.setup.progress,
        )

    def _out_of_fold(self) -> OutOfFold:
        rows = self._rows_by_fold()
        shape = (sum(map(len, rows)), len(self.data.gold.names))
        n_augmented = 0 if self.setup.plain_stacker else len(AUGMENTATIONS)
        found = OutOfFold.empty(len(self.setup.systems), shape, n_augmented > 0)
        for number, system in enumerate(self.setup.systems):
            for fit, held in zip(self.folds_of(system), rows, strict=True):
                arrays = result_of(fit, self.setup)
                augmented = [arrays[f"augmented_{n}"] for n in range(n_augmented)]
                found.fill(number, held, arrays["scores"], augmented)
        return found

    def _rows_by_fold(self) -> list[LongArray]:
        """Return the rows of each fold's tokens among the training tokens."""
        tokens, fold = self.data.tokens.select(self.train), self.fold()
        return [tokens.rows(np.flatnonzero(fold == k)) for k in range(self.setup.folds)]

    def _majority(self, decided: Sequence[IntArray]) -> IntArray:
        needed = RULES["majority"](len(decided))
        return vote(np.stack(decided).astype(np.int64), needed, len(self.data.gold.names) // 2)

    def _scores(self, system: str) -> FloatArray:
        return result_of(self.base(system), self.setup)["scores"].astype(np.float32, copy=False)

    def _tagger(self, system: str) -> BaseTagger:
        if system not in self.taggers:
            self.taggers[system] = self.setup.tagger(system)
        return self.taggers[system]


Key = tuple[int, Span]
"""A span, and the number of its document."""


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A corpus with predictions for its test documents.

    Parameters
    ----------
    corpus : Corpus
    plan : JobPlan
    predictions : dict of str to list of Document
        By system or ensemble.
    """

    corpus: Corpus
    plan: JobPlan
    predictions: dict[str, list[Document]]

    def gold(self) -> set[Key]:
        """Return the gold spans of the test documents, each with its document's number."""
        return _keys(self.corpus.test)

    def exact(self) -> dict[str, set[Key]]:
        """Return, by system or ensemble, the gold spans that it has exactly."""
        gold = self.gold()
        return {name: _keys(found) & gold for name, found in self.predictions.items()}

    def trust(self) -> pd.DataFrame:
        """Return how much Multi trusts each system by class, as `MultiDeidentifier.trust_`."""
        import pandas as pd

        stack = self.plan.stack()
        classes, systems = list(phi_labels(stack.gold.names)), list(self.plan.setup.systems)
        return pd.DataFrame(stack.trust(), index=classes, columns=systems)

    def curves(self) -> Iterator[Curve]:
        """Yield Multi's precision-recall curves, of any PHI and by class."""
        stack = self.plan.stack()
        return curves_of(self.corpus, stack.held, stack.margins(), stack.gold.names)


def _keys(documents: Sequence[Document]) -> set[Key]:
    return {(n, span) for n, document in enumerate(documents) for span in document.spans}


def corpus_plans(corpora: Sequence[Corpus], setup: Setup) -> list[tuple[Corpus, JobPlan]]:
    """Return every corpus with its plan.

    Raises
    ------
    UsageError
        As `check_corpora`.
    """
    return [
        (corpus, JobPlan.of(Data.of(corpus.train, corpus.test), setup))
        for corpus in check_corpora(corpora)
    ]


def all_names(setup: Setup, systems: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return the names to measure: the given ones, or the base systems and all ensembles."""
    return check_names((*setup.systems, *ENSEMBLES) if systems is None else systems)


def measure(corpora: Iterable[Corpus], setup: Setup, names: Sequence[str]) -> Iterator[Measured]:
    """Train systems on every corpus, all fits first, and predict its test documents."""
    check_params(setup, names)
    plans = corpus_plans(list(corpora), setup)
    run_fits((fit for _, plan in plans for fit in plan.fits(names)), setup)
    for corpus, plan in plans:
        yield Measured(corpus, plan, plan.predictions(names))
