"""Fits: which there are to make, which are made already, and making the rest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from multideid.arrays import LongArray
from multideid.eval.experiments.data import Data
from multideid.eval.experiments.recipes import Recipe, code_digest
from multideid.eval.experiments.store import Arrays, MemoryStore, Store
from multideid.parallel import effective_n_jobs, run_unordered
from multideid.stacking import DEFAULT_SYSTEMS
from multideid.stacking.fitting import Progress
from multideid.stacking.systems import Params, make_systems
from multideid.taggers.contract import BaseTagger
from multideid.taggers.registry import make_system
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


@dataclass(frozen=True, slots=True)
class Setup:
    """How experiments are run.

    Parameters
    ----------
    systems : tuple of str
        The base systems.
    folds : int
        Parts of the training documents, for Multi and for cross-validation.
    seed : int
    tokenization : {"multideid", "whitespace"}
        What a token is to token-level scores.
    store : Store
        Keeps finished fits.
    n_jobs : int, optional
        Processes. Default, as -1: one a processor.
    progress : callable, optional
        Told ``(done, total, what)`` of fits.
    params : mapping of str to mapping
        Parameters of base systems, by system; where none are given, the
        system's defaults hold.

    Raises
    ------
    UsageError
        If a system in `params` is unknown or cannot be used, or a parameter is
        unknown or its value refused.
    """

    systems: tuple[str, ...] = DEFAULT_SYSTEMS
    folds: int = 5
    seed: int = 0
    tokenization: str = "multideid"
    store: Store = field(default_factory=MemoryStore, repr=False)
    n_jobs: int | None = None
    progress: Progress | None = field(default=None, repr=False)
    params: Mapping[str, Params] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.params:
            make_systems(self.params)

    def tagger(self, system: str) -> BaseTagger:
        """Make a base system with its parameters, not fitted."""
        return make_system(system, **self.params.get(system, {}))

    def with_params(self, systems: Iterable[str]) -> dict[str, Params]:
        """Return base systems with their parameters, as de-identifiers take them."""
        return {system: dict(self.params.get(system, {})) for system in systems}


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """One fit on some documents, and what it says of others.

    Parameters
    ----------
    recipe : Recipe
    data : Data
    train, held : int64 arrays
        Indices of the documents to fit on, and of those to be asked about.
    """

    recipe: Recipe
    data: Data
    train: LongArray
    held: LongArray

    @property
    def key(self) -> str:
        """A digest of all that the result depends on."""
        digests = self.data.digests
        return digest_of(
            recipe=self.recipe.key(),
            tags=self.data.gold.names,
            train=[digests[d] for d in self.train],
            held=[digests[d] for d in self.held],
        )

    def call(self) -> tuple[TokenTable, TokenLabels, TokenTable]:
        """Return what the recipe is run with."""
        return *self.data.part(self.train), self.data.tokens.select(self.held)


def digest_of(**what: Any) -> str:
    """Return a digest of JSON values and of the code."""
    content = json.dumps({**what, "code": code_digest()}, sort_keys=True, default=_plain)
    return hashlib.sha256(content.encode("ascii")).hexdigest()


def _plain(value: object) -> object:
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else repr(value)


def finish(fits: Iterable[Fit], setup: Setup) -> None:
    """Make all fits that are not kept yet, several at a time, and keep each once it is made.

    Parameters
    ----------
    fits : iterable of Fit
    setup : Setup

    Raises
    ------
    UsageError
        If the setup's `n_jobs` is none that `effective_n_jobs` takes.
    """
    wanted = {fit.key: fit for fit in fits}
    missing = {key: fit for key, fit in wanted.items() if setup.store.get(key) is None}
    keys, before = list(missing), len(wanted) - len(missing)
    calls = ((fit.recipe.run, fit.call()) for fit in missing.values())
    with closing(run_unordered(calls, min(effective_n_jobs(setup.n_jobs), len(keys)))) as results:
        for done, (number, arrays) in enumerate(results, before + 1):
            setup.store.put(keys[number], arrays)
            if setup.progress:
                setup.progress(done, len(wanted), missing[keys[number]].recipe.name)


def result(fit: Fit, setup: Setup) -> Arrays:
    """Return what a fit gave, made now if it was not before."""
    return kept(fit.key, lambda: fit.recipe.run(*fit.call()), setup.store)


def kept(key: str, make: Callable[[], Arrays], store: Store) -> Arrays:
    """Return what is kept under a key, made and kept now if nothing is."""
    arrays = store.get(key)
    if arrays is None:
        arrays = make()
        store.put(key, arrays)
    return arrays
