"""A linear SVM that labels each token from its local context."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from scipy import sparse

from multideid.base_systems.stat_deid.features import stat_deid_templates
from multideid.features.templates import Template
from multideid.learners.feature_tagger import FeatureTagger, weighted
from multideid.learners.linear import LinearModel, SvmTrainer
from multideid.learners.linear_part import LinearPart
from multideid.learners.scorer import Finisher
from multideid.tagger import FloatArray
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


class StatDeidTagger(FeatureTagger):
    """A linear SVM a token (thesis 2.1; Sibanda & Uzuner 2006, "local context").

    Parameters
    ----------
    c : float, default 0.1
        Trades margin size for training errors.
    pos_tagger : str, default "lexicon"
        As `multideid.text.pos.pos_column`.
    min_count : int, default 2
        Rarer features are left out.
    seed : int, default 0
    """

    name: ClassVar[str] = "stat-deid"
    summary: ClassVar[str] = "Linear SVM over local context (Stat-Deid, Uzuner 2008)."

    def __init__(
        self, c: float = 0.1, pos_tagger: str = "lexicon", min_count: int = 2, seed: int = 0
    ) -> None:
        self.c = c
        self.pos_tagger = pos_tagger
        self.min_count = min_count
        self.seed = seed

    def templates(self) -> list[Template]:
        """Return the system's feature templates."""
        return stat_deid_templates(self.pos_tagger)

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        model = SvmTrainer(self.c, seed=self.seed).train(features, labels)
        kept = weighted(model.weights)
        self.extractor_.keep(kept)
        self.model_ = model.of_features(kept)

    def _score(self, features: sparse.csr_matrix, tokens: TokenTable) -> FloatArray:
        return self.model_.scores(features)

    def linear_part(self) -> LinearPart:
        """Return the margins but for the bias: features and their weights."""
        return LinearPart(self.extractor_, self.model_.weights)

    def finisher(self, tokens: TokenTable) -> Finisher:
        """Return what makes margins of sums of weights."""
        return lambda sums, first, stop: self.model_.finish(sums)

    def _save_model(self, folder: Path) -> None:
        self.model_.save(folder, "svm")

    def _load_model(self, folder: Path) -> None:
        self.model_ = LinearModel.load(folder, "svm")
