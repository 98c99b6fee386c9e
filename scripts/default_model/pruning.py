"""Magnitude pruning: make a trained ensemble small by dropping its smallest weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import singledispatch
from typing import TypeVar

import numpy as np
from scipy import sparse

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

THRESHOLDS = {"stat-deid": 0.065, "stanford": 0.245, "mist": 0.32, "lbj": 2.8}
"""Weights of a smaller magnitude are dropped, by system.

A feature seen on a single token has a weight of 0.2 in `stanford` and 1 in
`lbj`. Most features are of that kind, and many of them hold a patient's name.
"""


def prune(model: Deidentifier, thresholds: Mapping[str, float] = THRESHOLDS) -> None:
    """Drop small weights and features without any, and round the rest to float16.

    Parameters
    ----------
    model : Deidentifier
        Fitted; changed in place. Rules have no weights and stay as they are.
    thresholds : mapping of str to float
        By the system's name; a system that is missing keeps all its weights.
    """
    model.__dict__ = model._without_caches()
    for name, tagger in model.taggers_.items():
        if isinstance(tagger, FeatureTagger):
            tagger.__dict__ = tagger.__getstate__()
        _prune(tagger, thresholds.get(name, 0.0))


def pruned(weights: sparse.csr_matrix, threshold: float) -> sparse.csr_matrix:
    """Return the weights with |w| >= `threshold`, rounded to the precision of float16."""
    kept = weights.copy()
    kept.data[np.abs(kept.data) < threshold] = 0
    kept.eliminate_zeros()
    # The dtype stays: zeroed bits cost next to nothing once compressed.
    kept.data = kept.data.astype(np.float16).astype(kept.data.dtype)
    return kept


@singledispatch
def _prune(tagger: BaseTagger, threshold: float) -> None:
    """Leave other taggers unchanged."""


@_prune.register
def _prune_chain(tagger: ChainTagger, threshold: float) -> None:
    tagger.chain_ = tagger.quantize_and_prune(_pruned_model(tagger.chain_, threshold))


@_prune.register
def _(tagger: StanfordTagger, threshold: float) -> None:
    if not tagger.consistency:
        _prune_chain(tagger, threshold)
        return
    tagger.first_, tagger.chain_ = _prune_stages(tagger, tagger.first_, tagger.chain_, threshold)


@_prune.register
def _(tagger: StatDeidTagger, threshold: float) -> None:
    tagger.model_ = tagger.quantize_and_prune(_pruned_model(tagger.model_, threshold))


@_prune.register
def _(tagger: LbjTagger, threshold: float) -> None:
    tagger.one_, tagger.two_ = _prune_stages(tagger, tagger.one_, tagger.two_, threshold)


def _prune_stages(
    tagger: FeatureTagger, first: ChainModel, second: ChainModel, threshold: float
) -> tuple[ChainModel, ChainModel]:
    """Return both stages pruned; the second's weights of the first's decisions are all kept."""
    n_words = tagger.extractor_.n_features_
    of_words, of_decisions = second.weights[:n_words], second.weights[n_words:]
    stacked = sparse.vstack([pruned(of_words, threshold), of_decisions], format="csr")
    one, two = _pruned_model(first, threshold), replace(second, weights=stacked)
    kept, one, two = quantize_stages(one, two, n_words)
    tagger.extractor_.keep(kept)
    return one, two


def _pruned_model(model: _Model, threshold: float) -> _Model:
    return replace(model, weights=pruned(model.weights, threshold))
