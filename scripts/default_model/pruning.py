"""Make a trained ensemble small: round its weights to few distinct values, and drop zeros."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import singledispatch
from typing import TypeVar

import numpy as np
from scipy import sparse

from multideid.base_systems.convnet import ConvnetTagger
from multideid.base_systems.lbj import LbjTagger
from multideid.base_systems.stanford import StanfordTagger
from multideid.base_systems.stat_deid import StatDeidTagger
from multideid.learners.chain import ChainModel
from multideid.learners.feature_tagger import ChainTagger, FeatureTagger
from multideid.learners.stages import quantize_stages
from multideid.learners.svm import LinearModel
from multideid.stacking import Deidentifier
from multideid.taggers.contract import BaseTagger

_Model = TypeVar("_Model", ChainModel, LinearModel)

STEPS = {"convnet": 2, "stat-deid": 1 / 16, "stanford": 1 / 2, "mist": 1.0, "lbj": 8.0}
"""Weights are rounded to multiples of this, by system; those of `convnet` to as many levels.

Rounding costs less accuracy than dropping all weights below a threshold: of those
between half a step and a step, which are most, the effect stays right on average.
"""


def prune(model: Deidentifier, steps: Mapping[str, float] = STEPS) -> None:
    """Round weights to multiples of a step, and drop features whose weights all become 0.

    Parameters
    ----------
    model : Deidentifier
        Fitted; changed in place. Rules have no weights and stay as they are.
    steps : mapping of str to float
        Powers of two, by the system's name; for `convnet`, the embeddings are multiples
        of a scale, up to so many. A system that is missing keeps its weights.
    """
    model.__dict__ = model._without_caches()
    for name, tagger in model.taggers_.items():
        if isinstance(tagger, FeatureTagger):
            tagger.__dict__ = tagger.__getstate__()
        if name in steps:
            _prune(tagger, steps[name])


def rounded(weights: sparse.csr_matrix, step: float) -> sparse.csr_matrix:
    """Return the weights rounded to multiples of `step`, without zeros."""
    kept = weights.copy()
    kept.data = (np.rint(kept.data / step) * step).astype(kept.data.dtype)
    kept.eliminate_zeros()
    return kept


@singledispatch
def _prune(tagger: BaseTagger, step: float) -> None:
    """Leave other taggers unchanged."""


@_prune.register
def _(tagger: ConvnetTagger, step: float) -> None:
    tagger.network_.quantize(int(step))


@_prune.register
def _prune_chain(tagger: ChainTagger, step: float) -> None:
    tagger.chain_ = tagger.quantize_and_prune(_pruned_model(tagger.chain_, step))


@_prune.register
def _(tagger: StanfordTagger, step: float) -> None:
    if not tagger.consistency:
        _prune_chain(tagger, step)
        return
    tagger.first_, tagger.chain_ = _prune_stages(tagger, tagger.first_, tagger.chain_, step)


@_prune.register
def _(tagger: StatDeidTagger, step: float) -> None:
    tagger.model_ = tagger.quantize_and_prune(_pruned_model(tagger.model_, step))


@_prune.register
def _(tagger: LbjTagger, step: float) -> None:
    tagger.one_, tagger.two_ = _prune_stages(tagger, tagger.one_, tagger.two_, step)


def _prune_stages(
    tagger: FeatureTagger, first: ChainModel, second: ChainModel, step: float
) -> tuple[ChainModel, ChainModel]:
    """Return both stages pruned; the second's weights of the first's decisions are all kept."""
    n_words = tagger.extractor_.n_features_
    of_words, of_decisions = second.weights[:n_words], second.weights[n_words:]
    stacked = sparse.vstack([rounded(of_words, step), of_decisions], format="csr")
    one, two = _pruned_model(first, step), replace(second, weights=stacked)
    kept, one, two = quantize_stages(one, two, n_words)
    tagger.extractor_.keep(kept)
    return one, two


def _pruned_model(model: _Model, step: float) -> _Model:
    return replace(model, weights=rounded(model.weights, step))
