"""Make a trained ensemble small: forget what hardly moves its scores."""

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
from multideid.learners.stages import weighted_stages
from multideid.learners.svm import LinearModel
from multideid.stacking import Deidentifier
from multideid.taggers.contract import BaseTagger

_Model = TypeVar("_Model", ChainModel, LinearModel)

LEAST = {"stat-deid": 0.01, "stanford": 0.205, "mist": 0.05, "lbj": 1.05}
"""Weights nearer to nought than this are dropped, by system.

What one token alone taught a system weighs 0.2 in `stanford` and 1 in `lbj`:
most features are of that kind, and many of them are of one patient's name.
"""


def prune(model: Deidentifier, least: Mapping[str, float] = LEAST) -> None:
    """Drop small weights and the features left without any, and round the rest to float16.

    Parameters
    ----------
    model : Deidentifier
        Fitted; changed in place. Rules have no weights and stay as they are.
    least : mapping of str to float
        By the system's name; a system that is missing keeps all its weights.
    """
    model.__dict__ = model.__getstate__()
    for name, tagger in model.taggers_.items():
        if isinstance(tagger, FeatureTagger):
            tagger.__dict__ = tagger.__getstate__()
        _prune(tagger, least.get(name, 0.0))


def pruned(weights: sparse.csr_matrix, least: float) -> sparse.csr_matrix:
    """Return the weights of at least that size, with the precision of float16."""
    kept = weights.copy()
    kept.data[np.abs(kept.data) < least] = 0
    kept.eliminate_zeros()
    # The values stay in their type; zeroed bits cost next to nothing once compressed.
    kept.data = kept.data.astype(np.float16).astype(kept.data.dtype)
    return kept


@singledispatch
def _prune(tagger: BaseTagger, least: float) -> None:
    """Leave a tagger of another kind as it is."""


@_prune.register
def _prune_chain(tagger: ChainTagger, least: float) -> None:
    tagger.chain_ = tagger.keep_weighted(_lighter(tagger.chain_, least))


@_prune.register
def _(tagger: StanfordTagger, least: float) -> None:
    if not tagger.consistency:
        _prune_chain(tagger, least)
        return
    tagger.first_, tagger.chain_ = _lighter_stages(tagger, tagger.first_, tagger.chain_, least)


@_prune.register
def _(tagger: StatDeidTagger, least: float) -> None:
    tagger.model_ = tagger.keep_weighted(_lighter(tagger.model_, least))


@_prune.register
def _(tagger: LbjTagger, least: float) -> None:
    tagger.one_, tagger.two_ = _lighter_stages(tagger, tagger.one_, tagger.two_, least)


def _lighter_stages(
    tagger: FeatureTagger, first: ChainModel, second: ChainModel, least: float
) -> tuple[ChainModel, ChainModel]:
    """Return both stages lighter; what the second learned of the first's decisions stays whole."""
    n_words = tagger.extractor_.n_features_
    of_words, of_decisions = second.weights[:n_words], second.weights[n_words:]
    stacked = sparse.vstack([pruned(of_words, least), of_decisions], format="csr")
    one, two = _lighter(first, least), replace(second, weights=stacked)
    kept, one, two = weighted_stages(one, two, n_words)
    tagger.extractor_.keep(kept)
    return one, two


def _lighter(model: _Model, least: float) -> _Model:
    return replace(model, weights=pruned(model.weights, least))
