"""From examples to a model: the learners of the first reading and of the vote."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy import sparse

from multideid.arrays import FloatArray
from multideid.base_systems.szarvas.attributes import Description
from multideid.base_systems.szarvas.boosting import Booster
from multideid.base_systems.szarvas.coding import Coding
from multideid.base_systems.szarvas.examples import Examples
from multideid.base_systems.szarvas.learner import N_BEFORE, Learner
from multideid.base_systems.szarvas.model import Model
from multideid.base_systems.szarvas.phrases import Phrases
from multideid.base_systems.szarvas.trusted import Headings, trusted_columns


class Recipe(NamedTuple):
    """How learners are trained.

    Parameters
    ----------
    booster : Booster
    iterative : bool
        Whether there is a first reading, from which phrases are trusted.
    outside : float
        The share of the tokens far from PHI that is learned from.
    seed : int
    """

    booster: Booster
    iterative: bool
    outside: float
    seed: int


def learn_model(examples: Examples, description: Description, recipe: Recipe) -> Model:
    """Train all learners.

    What is under unambiguous headings is taken from the gold tags: there the
    first reading hardly errs, and so one training serves ITR1 and ITR2.
    """
    tokens, shared = examples.tokens, description.shared
    gold = Phrases.of_tags(examples.tags, tokens.document)
    headings = Headings.learn(tokens, gold)
    columns = shared.columns(examples.features, tokens, examples.outside)
    opening: tuple[Learner, ...] = ()
    if recipe.iterative:
        opening = _train(examples, columns, description.triggers[:1], recipe)
        columns = np.hstack([columns, trusted_columns(tokens, headings.trusted(tokens, gold))])
    voters = _train(examples, columns, description.triggers, recipe)
    return Model(shared, headings, opening, voters)


def _train(
    examples: Examples, shared: FloatArray, triggers: Iterable[Coding], recipe: Recipe
) -> tuple[Learner, ...]:
    """Train a learner a variant, told the gold classes of the tokens before."""
    rows, weights = examples.draw(recipe.outside, recipe.seed)
    features = sparse.csr_matrix(examples.features[rows])
    before, classes = examples.before(N_BEFORE)[rows], examples.classes[rows]
    learners = []
    for coding in triggers:
        columns = np.hstack([shared[rows], coding.transform(features), before])
        forest = recipe.booster.train(columns, classes, weights, examples.n_classes)
        learners.append(Learner(coding, forest, recipe.booster.log_odds))
    return tuple(learners)
