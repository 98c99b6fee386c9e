"""Predictions of base systems, vote, Mega and Multi, each fit made once and kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from multideid.arrays import FloatArray, IntArray, LongArray
from multideid.document import Document
from multideid.errors import UsageError
from multideid.eval.experiments.data import Data
from multideid.eval.experiments.fits import Fit, Setup, result
from multideid.eval.experiments.recipes import BaseFit, MegaFit, Recipe
from multideid.eval.experiments.stack import Stack
from multideid.stacking.augmentation import AUGMENTATIONS
from multideid.stacking.decode import best_tags
from multideid.stacking.folds import document_folds
from multideid.stacking.out_of_fold import OutOfFold, check_systems
from multideid.stacking.vote import RULES, vote
from multideid.taggers.contract import BaseTagger
from multideid.taggers.registry import system_names

ENSEMBLES = ("vote", "mega", "multi")
"""The de-identifiers of several systems, by the names that tables give them."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The fits that predictions need, and the predictions.

    Parameters
    ----------
    data : Data
    train, held : int64 arrays
        Indices of the documents to learn from, and of those to predict.
    setup : Setup
    taggers : dict of str to BaseTagger
        The systems asked for so far, not fitted; looking one up takes time.
    """

    data: Data
    train: LongArray
    held: LongArray
    setup: Setup
    taggers: dict[str, BaseTagger] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, data: Data, setup: Setup) -> Plan:
        """Learn from all training documents, and predict all others."""
        return cls(data, data.train, data.measured, setup)

    def fits(self, names: Sequence[str]) -> Iterator[Fit]:
        """Yield the fits that predictions of `names` need.

        Parameters
        ----------
        names : sequence of str
            Base systems, or of `ENSEMBLES`.
        """
        for name in names:
            if name == "mega":
                yield self.mega()
            elif name in ENSEMBLES:
                yield from map(self.base, self.setup.systems)
            else:
                yield self.base(name)
            if name == "multi":
                yield from self.fold_fits()

    def base(self, system: str) -> Fit:
        """Return the fit of a base system."""
        return self._fit(BaseFit(self._tagger(system)))

    def mega(self) -> Fit:
        """Return the fit of Mega."""
        systems = self.setup.with_params(self.setup.systems)
        return self._fit(MegaFit(systems, self.setup.seed))

    def fold_fits(self) -> Iterator[Fit]:
        """Yield the fits of every system without one fold, which is to be scored."""
        for system in self.setup.systems:
            yield from self.folds_of(system)

    def folds_of(self, system: str) -> list[Fit]:
        """Return the fits of one system without each fold."""
        fold, tagger = self.fold(), self._tagger(system)
        return [
            Fit(BaseFit(tagger, k), self.data, self.train[fold != k], self.train[fold == k])
            for k in range(self.setup.folds)
        ]

    def fold(self) -> LongArray:
        """Return the fold of every training document."""
        return document_folds(len(self.train), self.setup.folds, self.setup.seed)

    def tags(self, name: str) -> IntArray:
        """Return the tags of the held documents' tokens by a system or ensemble."""
        if name == "multi":
            stack = self.stack()
            return best_tags(stack.held, stack.margins())
        if name == "mega":
            return np.asarray(result(self.mega(), self.setup)["tags"], dtype=np.int32)
        if name == "vote":
            return self._voted()
        return np.asarray(self._scores(self.base(name)).argmax(axis=1), dtype=np.int32)

    def predictions(self, names: Sequence[str]) -> dict[str, list[Document]]:
        """Return the held documents with the spans that each system or ensemble finds."""
        return {name: self.data.with_tags(self.held, self.tags(name)) for name in names}

    def stack(self) -> Stack:
        """Return what Multi's stacker learns from."""
        systems = self.setup.systems
        tokens, gold = self.data.part(self.train)
        fits = [[self.base(name), *self.folds_of(name)] for name in systems]
        return Stack(
            key=tuple(tuple(fit.key for fit in own) for own in fits),
            tokens=tokens,
            gold=gold,
            out_of_fold=self._out_of_fold(),
            fold=self.fold(),
            held=self.data.tokens.select(self.held),
            held_scores=[self._scores(self.base(name)) for name in systems],
            seed=self.setup.seed,
            store=self.setup.store,
            progress=self.setup.progress,
        )

    def _out_of_fold(self) -> OutOfFold:
        tokens, fold = self.data.tokens.select(self.train), self.fold()
        rows = [tokens.rows(np.flatnonzero(fold == k)) for k in range(self.setup.folds)]
        shape = (len(tokens), len(self.data.gold.names))
        found = OutOfFold.empty(len(self.setup.systems), shape)
        for number, system in enumerate(self.setup.systems):
            for fit, held in zip(self.folds_of(system), rows, strict=True):
                arrays = result(fit, self.setup)
                augmented = [arrays[f"augmented_{n}"] for n in range(len(AUGMENTATIONS))]
                found.fill(number, held, arrays["scores"], augmented)
        return found

    def _voted(self) -> IntArray:
        decided = [self._scores(self.base(s)).argmax(axis=1) for s in self.setup.systems]
        needed = RULES["majority"](len(decided))
        return vote(np.stack(decided), needed, len(self.data.gold.names) // 2)

    def _scores(self, fit: Fit) -> FloatArray:
        return result(fit, self.setup)["scores"].astype(np.float32, copy=False)

    def _tagger(self, system: str) -> BaseTagger:
        if system not in self.taggers:
            self.taggers[system] = self.setup.tagger(system)
        return self.taggers[system]

    def _fit(self, recipe: Recipe) -> Fit:
        return Fit(recipe, self.data, self.train, self.held)


def base_systems(names: Iterable[str], members: Iterable[str]) -> tuple[str, ...]:
    """Return the base systems behind what is measured.

    Parameters
    ----------
    names : iterable of str
        Base systems, or of `ENSEMBLES`.
    members : iterable of str
        The base systems that the ensembles are made of.
    """
    chosen = tuple(names)
    own = [name for name in chosen if name not in ENSEMBLES]
    return tuple(dict.fromkeys((*own, *members) if len(own) < len(chosen) else own))


def check_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of base systems and ensembles.

    Raises
    ------
    UsageError
        If there is none, or one is unknown or named twice.
    """
    chosen = tuple(names)
    bases = [name for name in chosen if name not in ENSEMBLES]
    unknown = [name for name in bases if name not in system_names()]
    if unknown:
        there = ", ".join((*ENSEMBLES, *system_names()))
        raise UsageError(f"there is nothing called {unknown[0]!r} to measure; there are: {there}")
    if not chosen or len(set(chosen)) < len(chosen):
        raise UsageError(f"name each system to measure, once; got: {', '.join(chosen) or 'none'}")
    if bases:
        check_systems(bases)
    return chosen
