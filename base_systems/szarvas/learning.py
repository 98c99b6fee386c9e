"""Training of the learners of the first pass and of the vote."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy import sparse

from multideid.arrays import FloatArray
from multideid.base_systems.szarvas.attributes import Description
from multideid.base_systems.szarvas.coding import Coding
from multideid.base_systems.szarvas.examples import Examples
from multideid.base_systems.szarvas.learner import N_BEFORE, Learner
from multideid.base_systems.szarvas.model import Model
from multideid.base_systems.szarvas.phrases import Phrases
from multideid.base_systems.szarvas.trusted import Headings, trusted_columns
from multideid.learners.boosting import Booster


class TrainingOptions(NamedTuple):
    """Hyperparameters of training.

    Parameters
    ----------
    booster : Booster
    iterative : bool
        Whether there is a first pass, which finds trusted phrases.
    outside_share : float
        Share of the tokens far from PHI that are sampled.
    seed : int
    """

    booster: Booster
    iterative: bool
    outside_share: float
    seed: int


def learn_model(examples: Examples, description: Description, options: TrainingOptions) -> Model:
    """Train all learners.

    Phrases under unambiguous headings are taken from the gold tags, since the first
    pass makes few errors there. So one training serves ITR1 and ITR2.
    """
    tokens, shared = examples.tokens, description.shared
    gold = Phrases.of_tags(examples.tags, tokens.document)
    headings = Headings.learn(tokens, gold)
    columns = shared.columns(examples.features, tokens, examples.outside)
    opening: tuple[Learner, ...] = ()
    if options.iterative:
        opening = _train(examples, columns, description.triggers[:1], options)
        columns = np.hstack([columns, trusted_columns(tokens, headings.trusted(tokens, gold))])
    voters = _train(examples, columns, description.triggers, options)
    return Model(shared, headings, opening, voters)


def _train(
    examples: Examples, shared: FloatArray, triggers: Iterable[Coding], options: TrainingOptions
) -> tuple[Learner, ...]:
    """Train a learner per variant, with the gold classes of previous tokens as features."""
    rows, weights = examples.draw(options.outside_share, options.seed)
    features = sparse.csr_matrix(examples.features[rows])
    before, classes = examples.before(N_BEFORE)[rows], examples.classes[rows]
    learners = []
    for coding in triggers:
        columns = np.hstack([shared[rows], coding.transform(features), before])
        forest = options.booster.train(columns, classes, weights, examples.n_classes)
        learners.append(Learner(coding, forest, options.booster.log_odds))
    return tuple(learners)
