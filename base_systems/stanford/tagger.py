"""A CRF with the features of the Stanford Named Entity Recognizer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from multideid.arrays import DoubleArray, FloatArray
from multideid.base_systems.stanford.consistency import consistency_features, n_consistency_features
from multideid.base_systems.stanford.features import paper_templates, stanford_templates
from multideid.csr import Csr
from multideid.features.embedding_clusters import embedding_cluster_templates
from multideid.features.templates import Template
from multideid.features.terms import other_language_templates
from multideid.lazy import lazy
from multideid.learners.chain import ChainModel
from multideid.learners.crf_tagger import ADAGRAD, CRF_RULES, CrfTagger
from multideid.learners.feature_tagger import ONLY_ENGLISH
from multideid.learners.stages import (
    CompiledStage,
    out_of_fold_tags,
    quantize_stages,
    side_by_side,
)
from multideid.scoring.linear_part import LinearPart
from multideid.scoring.scorer import ScoreTransform
from multideid.scoring.sparse_weights import sums as sums_of
from multideid.taggers.parameters import FULL, PAPER, POS_TAGGER, ParamRule, at_least
from multideid.text.bio import TokenLabels
from multideid.text.lines import line_starts
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from scipy import sparse


class StanfordTagger(CrfTagger):
    """A CRF with the features of the Stanford NER (thesis 2.2; Finkel et al. 2005).

    Parameters
    ----------
    pos_tagger : str, default "lexicon"
        As `multideid.text.pos.pos_column`.
    consistency : bool, default False
        Whether a second CRF uses the first CRF's decisions elsewhere in the document
        (Krishnan and Manning 2006); training takes four times as long.
    epochs : int, default 14
        Passes over the training data.
    learning_rate : float, default 0.2
        Step size.
    feature_dropout : float, default 0.7
        Probability of dropping a feature of a token in an epoch.
    folds : int, default 3
        Folds of documents for the first CRF's decisions in training, so that they are
        as accurate as on new text.
    min_count : int, default 1
        Rarer features are dropped.
    seed : int, default 0
    features : {"full", "paper"}
        "paper": only those that the thesis lists in 2.2.
    trainer : {"adagrad", "crfsuite"}
        AdaGrad, or L-BFGS of sklearn-crfsuite, which epochs, learning_rate,
        feature_dropout and seed do not concern.
    c1, c2 : float, default 0.1
        Strengths of the L1 and the L2 penalty of crfsuite.
    max_iterations : int, default 100
        The most iterations of crfsuite.
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
    embedding_clusters : bool, default False
        Whether to see the clusters of words alike in meaning that come with the package, which
        are of English.
    other_languages : bool, default True
        Whether to see, in documents that are not in English, the Spanish and French words and
        names that come with the package (`multideid.knowledge.terms.OTHER_LANGUAGES`).

    Attributes
    ----------
    chain_ : ChainModel
        The CRF that decides; with `consistency` its last features are those of
        `consistency_features`.
    first_ : ChainModel
        The first of two CRFs; only with `consistency`.
    """

    name: ClassVar[str] = "stanford"
    summary: ClassVar[str] = "CRF with the features of the Stanford NER (Finkel 2005)."
    param_rules: ClassVar[Mapping[str, ParamRule]] = {
        **CRF_RULES,
        "pos_tagger": POS_TAGGER,
        "folds": at_least(2),
    }

    first_: ChainModel

    earlier_params: ClassVar[Mapping[str, Any]] = ONLY_ENGLISH

    def __init__(  # noqa: PLR0913 (a learner's settings, by name)
        self,
        pos_tagger: str = "lexicon",
        *,
        consistency: bool = False,
        epochs: int = 14,
        learning_rate: float = 0.2,
        feature_dropout: float = 0.7,
        folds: int = 3,
        min_count: int = 1,
        seed: int = 0,
        features: str = FULL,
        trainer: str = ADAGRAD,
        c1: float = 0.1,
        c2: float = 0.1,
        max_iterations: int = 100,
        weight_step: float = 0.0,
        clusters: str | None = None,
        lists: str | None = None,
        copies: int = 0,
        embedding_clusters: bool = False,
        other_languages: bool = True,
    ) -> None:
        self.pos_tagger = pos_tagger
        self.consistency = consistency
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.feature_dropout = feature_dropout
        self.folds = folds
        self.min_count = min_count
        self.seed = seed
        self.features = features
        self.trainer = trainer
        self.c1 = c1
        self.c2 = c2
        self.max_iterations = max_iterations
        self.weight_step = weight_step
        self.clusters = clusters
        self.lists = lists
        self.copies = copies
        self.embedding_clusters = embedding_clusters
        self.other_languages = other_languages

    def templates(self) -> list[Template]:
        """Return the system's feature templates."""
        templates = paper_templates if self.features == PAPER else stanford_templates
        chosen = templates(self.pos_tagger)
        return [*chosen, *embedding_cluster_templates()] if self.embedding_clusters else chosen

    def language_templates(self) -> list[Template]:
        """Return the templates of terms of other languages."""
        return other_language_templates()

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        if not self.consistency:
            super()._train(features, tokens, labels)
            return
        decided = out_of_fold_tags(
            self._crf, features, tokens, labels, self.folds, copies=self.copies
        )
        first = self._crf(features, tokens, labels)
        added = consistency_features(tokens, decided, len(self.labels_)).matrix()
        both = side_by_side(features, added)
        second = self._crf(both, tokens, labels)
        kept, self.first_, self.chain_ = quantize_stages(
            first,
            second,
            features.shape[1],
            self.weight_step,
            quantizes=self._trainer().quantizes,
        )
        self.extractor_.keep(kept)

    def _crf(
        self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels
    ) -> ChainModel:
        return self._trainer().train(features, labels, line_starts(tokens))

    def _score(self, features: Csr, tokens: TokenTable) -> FloatArray:
        if self.consistency:
            emissions = self.first_.emissions(features)
            decided = self.first_.decode(emissions, line_starts(tokens))
            added = consistency_features(tokens, decided, len(self.labels_))
            features = Csr.side_by_side([features, added])
        return super()._score(features, tokens)

    def score_transform(self, tokens: TokenTable) -> ScoreTransform:
        """Return the transform of emissions to log odds; `consistency` adds a first pass."""
        if not self.consistency:
            return super().score_transform(tokens)
        found = consistency_features(tokens, self._compiled_first.tags(tokens), len(self.labels_))
        weights = self.chain_.weights[-n_consistency_features(len(self.labels_)) :]
        added = sums_of(found, weights)

        def finish(sums: DoubleArray, first: int, stop: int) -> FloatArray:
            sums += added[first:stop]
            return self.chain_.scores_of_emissions(sums, line_starts(tokens, first, stop))

        return finish

    @lazy
    def _compiled_first(self) -> CompiledStage:
        return CompiledStage(self.first_, LinearPart(self.extractor_, self.first_.weights))

    def _save_model(self, folder: Path) -> None:
        super()._save_model(folder)
        if self.consistency:
            self.first_.save(folder, "first-chain")

    def _load_model(self, folder: Path) -> None:
        super()._load_model(folder)
        if self.consistency:
            sizes = self.extractor_.n_features_, len(self.labels_)
            self.first_ = ChainModel.load(folder, "first-chain", *sizes)

    def _n_weights(self) -> int:
        added = n_consistency_features(len(self.labels_)) if self.consistency else 0
        return super()._n_weights() + added
