"""Costs of base systems: the seconds of their fits, and the speed of scoring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from multideid.eval.experiments.fits import Fit, result_of
from multideid.eval.experiments.specs import SystemSpec
from multideid.eval.experiments.store import Arrays
from multideid.tables import Column, Record, Table
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from multideid.eval.experiments.corpora import Corpus
    from multideid.eval.experiments.plan import JobPlan

_DOCUMENTS = 50
_COLUMNS = (
    Column("corpus", "corpus"),
    Column("system", "system"),
    Column("whole s", "whole_seconds", ".1f"),
    Column("folds s", "fold_seconds", ".1f"),
    Column("fits s", "seconds", ".1f"),
    Column("tokens/s", "tokens_per_second", ",.0f"),
)


@dataclass(frozen=True, slots=True)
class SpeedSpec(SystemSpec):
    """A base system to be timed; other fits time fitting and scoring together.

    Parameters
    ----------
    tagger : BaseTagger
        Not fitted.
    """

    @property
    def name(self) -> str:
        """The name in progress bars."""
        return f"speed of {self.tagger.name}"

    def run(self, tokens: TokenTable, labels: TokenLabels, held: TokenTable) -> Arrays:
        """Return ``seconds`` of processor time for scoring the held-out tokens."""
        fitted = copy(self.tagger).fit(tokens, labels)
        # The first call also loads and compiles.
        fitted.predict_scores(tokens)
        start = process_time()
        fitted.predict_scores(held)
        return {"seconds": np.asarray(process_time() - start)}


def speed_fits(plan: JobPlan) -> Iterator[Fit]:
    """Yield the fits that measure the speed of every system."""
    return (_speed_fit(plan, system) for system in plan.setup.systems)


def system_costs(corpus: Corpus, plan: JobPlan) -> list[Record]:
    """Return the costs of each system of a plan.

    ``whole_seconds`` is the wall time of its fit on all training documents and
    of scoring the test documents, ``fold_seconds`` that of the fits without each
    fold and of scoring the fold with and without augmentation, and ``seconds``
    their sum. ``tokens_per_second`` are whitespace tokens that it scores in a
    second of processor time, fitted on 50 training documents.
    """
    n_tokens = sum(len(document.text.split()) for document in corpus.test)
    return [_cost(corpus.name, plan, system, n_tokens) for system in plan.setup.systems]


def cost_table(costs: Sequence[Record]) -> Table:
    """Return a table of costs."""
    return Table.of("Costs", _COLUMNS, costs, left=2)


def _cost(corpus: str, plan: JobPlan, system: str, n_tokens: int) -> Record:
    scoring = _seconds(plan, _speed_fit(plan, system))
    whole = _seconds(plan, plan.base(system))
    folds = sum(_seconds(plan, fit) for fit in plan.folds_of(system))
    return Record(
        corpus=corpus,
        system=system,
        whole_seconds=whole,
        fold_seconds=folds,
        seconds=whole + folds,
        tokens_per_second=n_tokens / scoring if scoring else 0.0,
    )


def _seconds(plan: JobPlan, fit: Fit) -> float:
    return float(result_of(fit, plan.setup)["seconds"])


def _speed_fit(plan: JobPlan, system: str) -> Fit:
    step = max(1, len(plan.train) // _DOCUMENTS)
    some = plan.train[::step][:_DOCUMENTS]
    return Fit(SpeedSpec(plan.setup.tagger(system)), plan.data, some, plan.held)
