"""A table of words with the share of each tag in training."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import numpy as np
from scipy import sparse

from multideid.arrays import FloatArray
from multideid.csr import Csr
from multideid.features.common import WORD
from multideid.features.templates import Template, each
from multideid.learners.feature_tagger import FeatureTagger
from multideid.learners.svm import LinearModel
from multideid.taggers.parameters import ParamRule, at_least
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

# Small enough to decide only ties and unknown words.
_WEIGHT_OF_ALL = 1e-3


class MajorityTagger(FeatureTagger):
    """Gives each word the tag that it had most often in training.

    A lower bound for all systems, after the majority baseline of Szarvas (2007), which
    predicts the most frequent class. Unknown words get that class here too; ties go to
    the tag that is more frequent in the corpus.

    Parameters
    ----------
    min_count : int, default 1
        Rarer words are unknown.

    Attributes
    ----------
    model_ : LinearModel
        Weights: the share of each tag among the tokens of a word. Bias: a thousandth of
        its share among all tokens.
    """

    name: ClassVar[str] = "majority"
    summary: ClassVar[str] = "Each word's most frequent tag in training (a baseline)."
    param_rules: ClassVar[Mapping[str, ParamRule]] = {"min_count": at_least(1)}

    def __init__(self, min_count: int = 1) -> None:
        self.min_count = min_count

    def templates(self) -> list[Template]:
        """Return the system's only feature template: the word."""
        return each(WORD, (0,), "word")

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        counts = np.bincount(labels.ids, minlength=len(labels.names))
        seen = counts > 0
        # Without training data all tokens are outside.
        seen[0] |= not len(labels)
        bias = _WEIGHT_OF_ALL * counts / max(len(labels), 1)
        self.model_ = LinearModel(_shares(features, labels), bias.astype(np.float32), seen)

    def _score(self, features: Csr, tokens: TokenTable) -> FloatArray:
        return self.model_.scores(features)

    def _save_model(self, folder: Path) -> None:
        self.model_.save(folder, "shares")

    def _load_model(self, folder: Path) -> None:
        sizes = self.extractor_.n_features_, len(self.labels_)
        self.model_ = LinearModel.load(folder, "shares", *sizes)


def _shares(features: sparse.csr_matrix, labels: TokenLabels) -> sparse.csr_matrix:
    """Return the share of each tag among the tokens of each word, shape (n_words, n_labels)."""
    shape = (len(labels), len(labels.names))
    tags = sparse.csr_matrix((np.ones(len(labels)), (np.arange(len(labels)), labels.ids)), shape)
    counts = sparse.csr_matrix(features.T @ tags)
    share = 1 / np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1)
    return sparse.csr_matrix(sparse.diags_array(share) @ counts, dtype=np.float32)
