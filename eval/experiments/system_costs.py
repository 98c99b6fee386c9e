"""What a base system costs: the seconds of its fits, and how fast it scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass
from time import process_time
from typing import Any

import numpy as np

from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.fits import Fit, result
from multideid.eval.experiments.plans import Plan
from multideid.eval.experiments.recipes import settings, source_digest
from multideid.eval.experiments.store import Arrays
from multideid.tables import text_table
from multideid.taggers.contract import BaseTagger
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

_DOCUMENTS = 50


@dataclass(frozen=True, slots=True)
class SystemCost:
    """What a base system costs on one corpus.

    Parameters
    ----------
    corpus, system : str
    whole_seconds : float
        By the clock: of its fit on all training documents and the scores of
        the test documents.
    fold_seconds : float
        By the clock: of its fits without each fold, with the scores of the
        fold as it is and with words changed; Multi needs both.
    tokens_per_second : float
        Tokens between white space that it scores in a second of processor
        time, fitted on 50 training documents; 0.0 if there are none.
    """

    corpus: str
    system: str
    whole_seconds: float
    fold_seconds: float
    tokens_per_second: float

    @property
    def seconds(self) -> float:
        """Seconds of all the fits that Multi needs."""
        return self.whole_seconds + self.fold_seconds

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {**asdict(self), "seconds": self.seconds}


@dataclass(frozen=True, slots=True)
class SpeedFit:
    """A base system fitted to be timed; kept fits tell fitting and scoring together only.

    Parameters
    ----------
    tagger : BaseTagger
        Not fitted.
    """

    tagger: BaseTagger

    @property
    def name(self) -> str:
        """What a progress bar calls it."""
        return f"speed of {self.tagger.name}"

    def key(self) -> Mapping[str, Any]:
        """Return the system, its settings and its own code."""
        code = [source_digest(SpeedFit), source_digest(type(self.tagger))]
        return {"speed": self.tagger.name, **settings(self.tagger), "code": code}

    def run(self, tokens: TokenTable, labels: TokenLabels, held: TokenTable) -> Arrays:
        """Return ``seconds`` of processor time that the scores of `held` take."""
        fitted = copy(self.tagger).fit(tokens, labels)
        # The first scores also pay for what is loaded and compiled once.
        fitted.predict_scores(tokens)
        start = process_time()
        fitted.predict_scores(held)
        return {"seconds": np.asarray(process_time() - start)}


def speed_fits(plan: Plan) -> Iterator[Fit]:
    """Yield the fits by which the speed of every system is measured."""
    return (_speed_fit(plan, system) for system in plan.setup.systems)


def system_costs(corpus: Corpus, plan: Plan) -> list[SystemCost]:
    """Return what each system of a plan costs, by fits that are kept."""
    n_tokens = sum(len(document.text.split()) for document in corpus.test)
    return [_cost(corpus.name, plan, system, n_tokens) for system in plan.setup.systems]


def cost_table(costs: Sequence[SystemCost]) -> str:
    """Lay out what systems cost."""
    header = ["corpus", "system", "whole s", "folds s", "fits s", "tokens/s"]
    return text_table(header, [_row(cost) for cost in costs], left=2)


def _row(cost: SystemCost) -> list[str]:
    seconds = (cost.whole_seconds, cost.fold_seconds, cost.seconds)
    speed = f"{cost.tokens_per_second:,.0f}"
    return [cost.corpus, cost.system, *(f"{s:.1f}" for s in seconds), speed]


def _cost(corpus: str, plan: Plan, system: str, n_tokens: int) -> SystemCost:
    scoring = _seconds(plan, _speed_fit(plan, system))
    return SystemCost(
        corpus=corpus,
        system=system,
        whole_seconds=_seconds(plan, plan.base(system)),
        fold_seconds=sum(_seconds(plan, fit) for fit in plan.folds_of(system)),
        tokens_per_second=n_tokens / scoring if scoring else 0.0,
    )


def _seconds(plan: Plan, fit: Fit) -> float:
    return float(result(fit, plan.setup)["seconds"])


def _speed_fit(plan: Plan, system: str) -> Fit:
    step = max(1, len(plan.train) // _DOCUMENTS)
    some = plan.train[::step][:_DOCUMENTS]
    return Fit(SpeedFit(plan.setup.tagger(system)), plan.data, some, plan.held)
