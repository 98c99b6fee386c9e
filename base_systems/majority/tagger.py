"""A table of words, each with the share of every tag that it had in training."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import numpy as np
from scipy import sparse

from multideid.arrays import FloatArray
from multideid.base_systems.majority.features import majority_templates
from multideid.features.templates import Template
from multideid.learners.feature_tagger import FeatureTagger
from multideid.learners.svm import LinearModel
from multideid.taggers.parameters import ParamRule, at_least
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

# Little enough to decide nothing but ties and words that training lacked.
_WEIGHT_OF_ALL = 1e-3


class MajorityTagger(FeatureTagger):
    """Gives each word the tag that it had most often in training.

    The floor that every other system must clear, after the majority baseline
    of Szarvas (2007), which gives every token the corpus's most frequent class.
    An unknown word gets that class here too; of two tags that a word had
    equally often, the one that the corpus has oftener.

    Parameters
    ----------
    min_count : int, default 1
        Rarer words count as unknown.

    Attributes
    ----------
    model_ : LinearModel
        The tags' shares among a word's tokens as its weights, and a thousandth
        of those among all tokens as the bias.
    """

    name: ClassVar[str] = "majority"
    summary: ClassVar[str] = "Each word's most frequent tag in training (a baseline)."
    param_rules: ClassVar[Mapping[str, ParamRule]] = {"min_count": at_least(1)}

    def __init__(self, min_count: int = 1) -> None:
        self.min_count = min_count

    def templates(self) -> list[Template]:
        """Return the system's only feature template: the word."""
        return majority_templates()

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        counts = np.bincount(labels.ids, minlength=len(labels.names))
        seen = counts > 0
        # Without any example all tokens are outside.
        seen[0] |= not len(labels)
        bias = _WEIGHT_OF_ALL * counts / max(len(labels), 1)
        self.model_ = LinearModel(_shares(features, labels), bias.astype(np.float32), seen)

    def _score(self, features: sparse.csr_matrix, tokens: TokenTable) -> FloatArray:
        return self.model_.scores(features)

    def _save_model(self, folder: Path) -> None:
        self.model_.save(folder, "shares")

    def _load_model(self, folder: Path) -> None:
        self.model_ = LinearModel.load(folder, "shares")


def _shares(features: sparse.csr_matrix, labels: TokenLabels) -> sparse.csr_matrix:
    """Return how a word's tokens are divided among tags, shape (n_words, n_labels)."""
    shape = (len(labels), len(labels.names))
    tags = sparse.csr_matrix((np.ones(len(labels)), (np.arange(len(labels)), labels.ids)), shape)
    counts = sparse.csr_matrix(features.T @ tags)
    share = 1 / np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1)
    return sparse.csr_matrix(sparse.diags_array(share) @ counts, dtype=np.float32)
