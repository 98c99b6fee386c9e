"""Predictions for every document of a corpus by systems that were not fitted on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from multideid.arrays import LongArray
from multideid.document import Document
from multideid.eval.experiments.corpora import Corpus, Data, check_corpora
from multideid.eval.experiments.fits import Fit, run_fits
from multideid.eval.experiments.plan import JobPlan
from multideid.eval.experiments.setup import Setup, base_systems, check_params
from multideid.lazy import lazy
from multideid.stacking.folds import document_folds, groups_in_meta


@dataclass(frozen=True, eq=False)
class Crossing:
    """The fits of a cross-validation, and the predictions.

    Nested, everything is fitted for each fold on the other folds, as on a corpus that ends
    there; Multi divides these again. Otherwise base systems are fitted once for each
    fold, and the stacker of a fold learns from the out-of-fold scores of the others. That takes a
    sixth of the fits with five folds. But those scores come from fits on documents of the
    fold too, so that the stacker is not wholly without knowledge of it.

    Parameters
    ----------
    name : str
        Name of the corpus.
    data : Data
        All its documents.
    setup : Setup
    nested : bool
    """

    name: str
    data: Data
    setup: Setup
    nested: bool = True

    @lazy
    def fold(self) -> LongArray:
        """The fold of every document.

        Raises
        ------
        UsageError
            If there are too few documents or groups.
        """
        groups, n = groups_in_meta(self.data.documents, self.setup.groups), self.data.n_train
        return document_folds(n, self.setup.folds, self.setup.seed, groups)

    def fits(self, names: Sequence[str]) -> Iterator[Fit]:
        """Yield the fits that predictions of base systems and ensembles need."""
        if self.nested:
            for plan in self._plans:
                yield from plan.fits(names)
            return
        members = [name for name in names if name != "mega"]
        for system in base_systems(members, self.setup.systems):
            yield from self._whole.folds_of(system)
        if "mega" in names:
            yield from self._whole.mega_folds()

    def predictions(self, names: Sequence[str]) -> dict[str, list[Document]]:
        """Return all documents with the spans that each system or ensemble predicts."""
        return {name: self._predictions(name) for name in names}

    def _predictions(self, name: str) -> list[Document]:
        if not self.nested:
            return self.data.with_tags(self.data.train, self._whole.tags_out_of_fold(name))
        found = [plan.predictions([name])[name] for plan in self._plans]
        order = np.argsort(np.concatenate([self._rows(k) for k in range(len(found))])).tolist()
        joined = [document for part in found for document in part]
        return [joined[n] for n in order]

    @lazy
    def _plans(self) -> list[JobPlan]:
        return [self._plan(k) for k in range(self.setup.folds)]

    def _plan(self, k: int) -> JobPlan:
        train = [self.data.documents[d] for d in np.flatnonzero(self.fold != k)]
        held = [self.data.documents[d] for d in self._rows(k)]
        groups = groups_in_meta(train, self.setup.groups)
        # A small corpus, less one fold, may have too few documents or groups for as many folds.
        folds = min(self.setup.folds, len(train if groups is None else set(groups)))
        return JobPlan.of(Data.of(train, held), replace(self.setup, folds=folds))

    def _rows(self, k: int) -> LongArray:
        """Return the documents of a fold."""
        return np.flatnonzero(self.fold == k)

    @lazy
    def _whole(self) -> JobPlan:
        return JobPlan(self.data, self.data.train, self.data.test, self.setup)


def cross(
    corpora: Sequence[Corpus], setup: Setup, names: Sequence[str], *, nested: bool = True
) -> Iterator[tuple[Crossing, dict[str, list[Document]]]]:
    """Cross-validate systems on every corpus, all fits first.

    Parameters
    ----------
    corpora : sequence of Corpus
        Training and test documents of a corpus are taken together; there may be no
        test documents.
    setup : Setup
    names : sequence of str
        Base systems or `ENSEMBLES`.
    nested : bool
        As for `Crossing`.

    Yields
    ------
    Crossing
    dict of str to list of Document
        For each name, all documents with predicted spans.

    Raises
    ------
    UsageError
        If a corpus or a parameter is unusable, or there are too few documents or groups.
    """
    check_params(setup, names)
    crossings = [
        Crossing(corpus.name, Data.of((*corpus.train, *corpus.test)), setup, nested)
        for corpus in check_corpora(corpora, tests=False)
    ]
    run_fits((fit for crossing in crossings for fit in crossing.fits(names)), setup)
    for crossing in crossings:
        yield crossing, crossing.predictions(names)
