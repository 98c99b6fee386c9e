"""Fits of estimator specs: each is made once and kept in a store."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.eval.experiments.store import Arrays, digest_of, get_or_make
from multideid.parallel import effective_n_jobs, run_unordered

if TYPE_CHECKING:
    from multideid.eval.experiments.corpora import Data
    from multideid.eval.experiments.setup import Setup
    from multideid.eval.experiments.specs import Spec
    from multideid.eval.metrics.evaluation import Evaluation
    from multideid.text.bio import TokenLabels
    from multideid.text.table import TokenTable


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """An estimator spec with documents to fit on and held-out documents.

    Parameters
    ----------
    spec : Spec
    data : Data
    train, held : int64 arrays
        Indices of the documents to fit on, and of those to apply the fit to.
    """

    spec: Spec
    data: Data
    train: LongArray
    held: LongArray

    @property
    def key(self) -> str:
        """A digest of everything that the result depends on."""
        digests = self.data.digests
        return digest_of(
            spec=self.spec.key(),
            tags=self.data.gold.names,
            train=[digests[d] for d in self.train],
            held=[digests[d] for d in self.held],
        )

    def arguments(self) -> tuple[TokenTable, TokenLabels, TokenTable]:
        """Return the arguments of the spec's `run`."""
        return *self.data.part(self.train), self.data.tokens.select(self.held)


def run_fits(fits: Iterable[Fit], setup: Setup) -> None:
    """Make all fits that are missing in the store, in several processes.

    Parameters
    ----------
    fits : iterable of Fit
    setup : Setup

    Raises
    ------
    UsageError
        If the setup's `n_jobs` is invalid.
    """
    all_fits = {fit.key: fit for fit in fits}
    missing = {key: fit for key, fit in all_fits.items() if setup.store.get(key) is None}
    keys, before = list(missing), len(all_fits) - len(missing)
    calls = ((fit.spec.run, fit.arguments()) for fit in missing.values())
    with closing(run_unordered(calls, min(effective_n_jobs(setup.n_jobs), len(keys)))) as results:
        for done, (number, arrays) in enumerate(results, before + 1):
            setup.store.put(keys[number], arrays)
            if setup.progress:
                setup.progress(done, len(all_fits), missing[keys[number]].spec.name)


def result_of(fit: Fit, setup: Setup) -> Arrays:
    """Return the result of a fit from the store, made now if it is missing."""
    return get_or_make(setup.store, fit.key, lambda: fit.spec.run(*fit.arguments()))


def tags_of(fit: Fit, setup: Setup) -> IntArray:
    """Return the tags of the held-out tokens by a fit of a base system or of Mega."""
    arrays = result_of(fit, setup)
    tags = arrays["tags"] if "tags" in arrays else arrays["scores"].argmax(axis=1)
    return tags.astype(np.int32, copy=False)


def evaluation_of(fit: Fit, setup: Setup) -> Evaluation:
    """Evaluate a fit of a base system or of Mega on its held-out documents."""
    return fit.data.evaluated(fit.held, tags_of(fit, setup), setup.tokenization)
