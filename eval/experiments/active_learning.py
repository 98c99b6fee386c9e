"""Active learning: the notes first that teach most, against notes at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np

from multideid.arrays import LongArray
from multideid.errors import UsageError
from multideid.eval.experiments.corpora import Corpus, Data, check_corpora
from multideid.eval.experiments.fits import run_fits
from multideid.eval.experiments.plan import JobPlan
from multideid.eval.experiments.registry import Option, experiment
from multideid.eval.experiments.result import Result, Source
from multideid.eval.experiments.saved_annotation import (
    MEASURES,
    Step,
    active_learning_charts,
    curve_points,
    curve_table,
    saved_annotation,
    saved_table,
)
from multideid.eval.experiments.setup import Setup, check_params
from multideid.eval.metrics.evaluation import evaluate
from multideid.stacking.calibration import Calibration, mean_over_spans
from multideid.stacking.uncertainty import LENGTH_POWER, uncertainty
from multideid.stacking.votes import system_spans, without_margins
from multideid.text.bio import phi_labels

RANDOM, TEACHING = ORDERS = ("random", "teaching")
Target = Annotated[float, Option("Share of the F of all notes that is to be reached.", "SHARE")]
PerToken = Annotated[
    float, Option("Power of a note's tokens that divides its uncertainty: 0, 0.5 or 1.", "POWER")
]


@experiment(
    "active-learning",
    topic="corpora",
    source="Uncertainty sampling and query by committee (Lewis & Gale 1994; Seung et al. 1992)",
    example="--draws 5 --start 20",
)
def active_learning(  # noqa: PLR0913 (all but two by name)
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    start: Annotated[int, Option("Notes that are annotated at first, drawn at random.")] = 10,
    steps: Annotated[int, Option("Sizes, from --start to all training documents.")] = 8,
    draws: Annotated[int, Option("Number of random draws of the first notes.")] = 3,
    target: Target = 0.99,
    per_token: PerToken = LENGTH_POWER,
) -> Result:
    """Measure how much annotation is saved by notes in the order in which they teach most.

    Multi is fitted on a few notes at random, then again and again with more: the notes of
    which it is least sure, as `multideid review --order teaching` offers them, or notes at
    random. Sizes grow by the same factor. F is always on all test documents.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
        Its systems are the members of Multi.
    start : int
        Notes of the first fit.
    steps : int
        Sizes from `start` to all.
    draws : int
        Random draws of the first notes, and of the random order.
    target : float
        Share of the F of all notes, above 0 and below 1.
    per_token : float
        A note's uncertainty is divided by its number of tokens to this power, from 0 (summed)
        to 1 (per token). `multideid review` takes the default, with characters.

    Returns
    -------
    Result
        ``points``: F by order and number of notes, the mean over draws with Student's t
        interval. ``saved``: the notes that each order needs to reach the target, and the
        share saved, in notes and in tokens.

    Raises
    ------
    UsageError
        If a corpus or number is invalid, or a parameter has no effect.
    """
    check_params(setup, ["multi"])
    _check(start, steps, draws, target, per_token)
    pools = [_Pool.of(corpus, setup, start, steps, per_token) for corpus in check_corpora(corpora)]
    curves = {pool.corpus.name: pool.curves(draws) for pool in pools}
    points = [point for name, own in curves.items() for point in curve_points(name, own)]
    saved = [row for name, own in curves.items() for row in saved_annotation(name, own, target)]
    return Result(
        "active-learning",
        {"points": points, "saved": saved},
        [curve_table(points), saved_table(saved, target)],
        charts=tuple(active_learning_charts(points)),
        sources=tuple(Source.of(pool.corpus, ["multi"], setup) for pool in pools),
        notes=tuple(note for pool in pools for note in pool.corpus.notes()),
    )


def _check(start: int, steps: int, draws: int, target: float, per_token: float) -> None:
    if min(start, steps) < 2 or draws < 1:
        raise UsageError(
            f"active learning starts with two notes and has two steps at least; got {start} "
            f"notes, {steps} steps and {draws} draws"
        )
    if not 0 < target < 1:
        raise UsageError(f"the share of F to reach lies above 0 and below 1; got {target}")
    if not 0 <= per_token <= 1:
        raise UsageError(f"the power of a note's tokens lies from 0 to 1; got {per_token}")


@dataclass(frozen=True, slots=True, eq=False)
class _Pool:
    """The notes of a corpus that can be annotated."""

    corpus: Corpus
    data: Data
    setup: Setup
    sizes: tuple[int, ...]
    per_token: float

    @classmethod
    def of(
        cls, corpus: Corpus, setup: Setup, start: int, steps: int, per_token: float = LENGTH_POWER
    ) -> _Pool:
        n = len(corpus.train)
        if n <= start:
            raise UsageError(
                f"{corpus.name} has {n} training documents; more are needed than the {start} of "
                "the start"
            )
        sizes = np.unique(np.geomspace(start, n, steps).round().astype(int)).tolist()
        return cls(corpus, Data.of(corpus.train, corpus.test), setup, tuple(sizes), per_token)

    def curves(self, draws: int) -> dict[str, list[list[Step]]]:
        """Return the steps of each draw, by order."""
        lines = [_Line(self, order, draw) for order in ORDERS for draw in range(draws)]
        for size in self.sizes:
            plans = [line.plan(size) for line in lines]
            run_fits((fit for plan in plans for fit in plan.fits(["multi"])), self.setup)
            for line, plan in zip(lines, plans, strict=True):
                line.learn(plan)
        return {order: [line.steps for line in lines if line.order == order] for order in ORDERS}


@dataclass(slots=True, eq=False)
class _Line:
    """One draw in one order: which notes are annotated when, and how good Multi then is."""

    pool: _Pool
    order: str
    draw: int
    steps: list[Step] = field(default_factory=list)
    queue: LongArray = field(init=False)
    """The notes of the pool in the order in which they are annotated."""

    def __post_init__(self) -> None:
        seeds = [self.pool.setup.seed, self.draw]
        self.queue = np.random.default_rng(seeds).permutation(self.pool.data.n_train)

    def plan(self, size: int) -> JobPlan:
        """Return the fits on the first notes, to be applied to the others too if need be."""
        data, setup = self.pool.data, self.pool.setup
        left = self.queue[size:] if self.order == TEACHING else self.queue[:0]
        folds = replace(setup, folds=min(setup.folds, size))
        return JobPlan(data, np.sort(self.queue[:size]), np.concatenate([left, data.test]), folds)

    def learn(self, plan: JobPlan) -> None:
        """Measure on the test documents, and put the notes that are left in order."""
        data, stack = self.pool.data, plan.stack()
        found = data.with_tags(plan.held, stack.tags())
        n_test = len(data.test)
        scores = evaluate(
            self.pool.corpus.test, found[-n_test:], tokenization=self.pool.setup.tokenization
        )
        figures = (scores.spans.strict.micro().f1, scores.tokens.two_way().f1)
        n_tokens = len(data.tokens.rows(plan.train))
        self.steps.append(
            Step(len(plan.train), n_tokens, dict(zip(MEASURES, figures, strict=True)))
        )
        n_left = len(plan.held) - n_test
        if n_left:
            left = self.queue[-n_left:]
            length = np.maximum(np.diff(data.tokens.first)[left], 1.0)
            worth = np.array(_uncertainties(plan))[:n_left] / length**self.pool.per_token
            self.queue[-n_left:] = left[np.argsort(-worth, kind="stable")]


def _uncertainties(plan: JobPlan) -> list[float]:
    """Return how unsure Multi is of each held-out document."""
    stack = plan.stack()
    found = plan.data.with_tags(plan.held, stack.tags())
    names = stack.gold.names
    scores = dict(zip(plan.setup.systems, stack.held_scores, strict=True))
    systems = system_spans(stack.held, scores, phi_labels(names))
    calibration = Calibration.of(stack.margins_out_of_fold(), stack.gold.ids > 0)
    probabilities = (
        [(None,) * len(document.spans) for document in found]
        if calibration is None
        else mean_over_spans(found, stack.held, calibration.probabilities(stack.margins()))
    )
    told = zip(found, probabilities, systems, strict=True)
    return [
        uncertainty(document.spans, known, without_margins(says)) for document, known, says in told
    ]
