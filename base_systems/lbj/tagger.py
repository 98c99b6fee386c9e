"""Two stages, with the decisions of the first as features of the second."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from multideid.arrays import DoubleArray, FloatArray
from multideid.base_systems.lbj.features import (
    OFFSETS,
    lbj_templates,
    n_stage_one_features,
    paper_templates,
    stage_one_features,
)
from multideid.base_systems.lbj.perceptron import PerceptronTrainer
from multideid.csr import Csr
from multideid.features.templates import Template
from multideid.features.terms import other_language_templates
from multideid.lazy import lazy
from multideid.learners.chain import ChainModel
from multideid.learners.feature_tagger import ONLY_ENGLISH, SHARED_RULES, FeatureTagger
from multideid.learners.stages import (
    CompiledStage,
    out_of_fold_tags,
    quantize_stages,
    side_by_side,
    with_small_ones,
)
from multideid.scoring.linear_part import LinearPart
from multideid.scoring.scorer import ScoreTransform
from multideid.taggers.parameters import FULL, PAPER, ParamRule, at_least
from multideid.text.bio import TokenLabels
from multideid.text.lines import line_starts
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from scipy import sparse

    from multideid.base_systems.lbj.second_stage import SecondStage


class LbjTagger(FeatureTagger):
    """The two-stage tagger of Ratinov and Roth (2009), thesis 2.4.

    Both stages are averaged structured perceptrons. Stage two adds the decisions of
    stage one for the neighbours and for the same word elsewhere in the document. In
    training these are out of fold, so that they are as accurate as on new text.

    Parameters
    ----------
    epochs : int, default 10
        Passes of each perceptron over the data.
    folds : int, default 3
        Folds of documents for the decisions of stage one.
    min_count : int, default 1
        Rarer features are dropped.
    seed : int, default 0
    features : {"full", "paper"}
        "paper": only those that the thesis lists in 2.4.
    weight_step : float, default 0
        Weights are rounded to multiples of this power of two, for a small model.
    clusters : str, optional
        A folder of word classes that `multideid clusters` learned from unlabelled notes.
        The fitted model holds its content.
    lists : str, optional
        A ``site.toml``: its lists and patterns become features, and the model holds them.
    copies : int, default 0
        Copies of the training documents to learn from too, with each mention of PHI replaced
        by another one of its label (`multideid.learners.mention_replacement`).
    other_languages : bool, default True
        Whether to see, in documents that are not in English, the Spanish and French words and
        names that come with the package (`multideid.knowledge.terms.OTHER_LANGUAGES`).
    """

    name: ClassVar[str] = "lbj"
    summary: ClassVar[str] = "Two-stage tagger of the Illinois group (Ratinov & Roth 2009)."
    param_rules: ClassVar[Mapping[str, ParamRule]] = {
        **SHARED_RULES,
        "epochs": at_least(1),
        "folds": at_least(2),
    }

    earlier_params: ClassVar[Mapping[str, Any]] = ONLY_ENGLISH

    def __init__(  # noqa: PLR0913, PLR0917 (all by name)
        self,
        epochs: int = 10,
        folds: int = 3,
        min_count: int = 1,
        seed: int = 0,
        features: str = FULL,
        weight_step: float = 0.0,
        clusters: str | None = None,
        lists: str | None = None,
        copies: int = 0,
        other_languages: bool = True,
    ) -> None:
        self.epochs = epochs
        self.folds = folds
        self.min_count = min_count
        self.seed = seed
        self.features = features
        self.weight_step = weight_step
        self.clusters = clusters
        self.lists = lists
        self.copies = copies
        self.other_languages = other_languages

    def templates(self) -> list[Template]:
        """Return the templates of stage one."""
        return paper_templates() if self.features == PAPER else lbj_templates()

    def language_templates(self) -> list[Template]:
        """Return the templates of terms of other languages."""
        return other_language_templates()

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        features = with_small_ones(features)
        decided = out_of_fold_tags(
            self._perceptron, features, tokens, labels, self.folds, copies=self.copies
        )
        one = self._perceptron(features, tokens, labels)
        added = stage_one_features(tokens, decided, len(self.labels_)).matrix()
        n_features, both = features.shape[1], side_by_side(features, added)
        del features  # as large as the training's memory allows, and held in `both`
        two = self._perceptron(both, tokens, labels)
        kept, self.one_, self.two_ = quantize_stages(one, two, n_features, self.weight_step)
        self.extractor_.keep(kept)

    def _perceptron(
        self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels
    ) -> ChainModel:
        trainer = PerceptronTrainer(self.epochs, seed=self.seed)
        return trainer.train(features, labels, line_starts(tokens))

    def _score(self, features: Csr, tokens: TokenTable) -> FloatArray:
        starts = line_starts(tokens)
        decided = self.one_.scores(features, starts).argmax(axis=1).astype(np.int32)
        added = stage_one_features(tokens, decided, len(self.labels_))
        return self.two_.scores(Csr.side_by_side([features, added]), starts)

    def linear_part(self) -> LinearPart:
        """Return the linear part of stage two, without the features from stage one."""
        return LinearPart(self.extractor_, self.two_.weights)

    def score_transform(self, tokens: TokenTable) -> ScoreTransform:
        """Predict the tags of stage one; return the transform of stage two's sums to log odds."""
        added = self._compiled_stage_two.open(tokens, self._compiled_stage_one.tags(tokens))

        def finish(sums: DoubleArray, first: int, stop: int) -> FloatArray:
            added.add(sums, first)
            return self.two_.scores_of_emissions(sums, line_starts(tokens, first, stop))

        return finish

    @lazy
    def _compiled_stage_one(self) -> CompiledStage:
        return CompiledStage(self.one_, LinearPart(self.extractor_, self.one_.weights))

    @lazy
    def _compiled_stage_two(self) -> SecondStage:
        from multideid.base_systems.lbj.second_stage import SecondStage

        return SecondStage(self.two_, OFFSETS)

    def _save_model(self, folder: Path) -> None:
        self.one_.save(folder, "stage-one")
        self.two_.save(folder, "stage-two")

    def _load_model(self, folder: Path) -> None:
        n_features, n_labels = self.extractor_.n_features_, len(self.labels_)
        self.one_ = ChainModel.load(folder, "stage-one", n_features, n_labels)
        n_both = n_features + n_stage_one_features(n_labels)
        self.two_ = ChainModel.load(folder, "stage-two", n_both, n_labels)
