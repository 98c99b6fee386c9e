"""Base classes of taggers that learn from feature templates."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np

from multideid.arrays import FloatArray, LongArray
from multideid.csr import Csr
from multideid.errors import UsageError
from multideid.features.extractor import FeatureExtractor
from multideid.features.templates import Template
from multideid.lazy import lazy, without_lazy
from multideid.learners.chain import ChainModel, ChainTrainer
from multideid.learners.mention_replacement import with_copies
from multideid.learners.resources import RESOURCES, Resource
from multideid.persistence.files import load_json, save_json
from multideid.scoring.linear_part import LinearPart
from multideid.scoring.scorer import Scorer, ScoreTransform
from multideid.scoring.sparse_weights import SparseModel
from multideid.taggers.contract import BaseTagger
from multideid.taggers.parameters import (
    CLUSTERS,
    FEATURE_SETS,
    FULL,
    LISTS,
    PAPER,
    POWER_OF_2_OR_0,
    SEED,
    ParamRule,
    at_least,
    check_params,
    made_again,
)
from multideid.text.bio import TokenLabels
from multideid.text.lines import line_starts
from multideid.text.table import TokenTable

if TYPE_CHECKING:
    from scipy import sparse

SHARED_RULES: Mapping[str, ParamRule] = {
    "min_count": at_least(1),
    "seed": SEED,
    "features": FEATURE_SETS,
    "weight_step": POWER_OF_2_OR_0,
    "clusters": CLUSTERS,
    "lists": LISTS,
    "copies": at_least(0),
}
"""Rules for the parameters that the four systems of the thesis with templates share."""

ONLY_ENGLISH: Mapping[str, Any] = {"other_languages": False}
"""What models were trained with before terms of other languages were known."""


def nonzero_features(*weights: Csr | sparse.csr_matrix) -> LongArray:
    """Return the features with a nonzero weight in any of the models, sorted."""
    found = [np.flatnonzero(np.diff(matrix.indptr)) for matrix in weights]
    return np.unique(np.concatenate(found)).astype(np.int64)


Model = TypeVar("Model", bound=SparseModel)


class FeatureTagger(BaseTagger):
    """A tagger made of feature templates and a learner.

    Subclasses implement `templates`, `_train`, `_score`, `_save_model` and
    `_load_model`.

    Attributes
    ----------
    extractor_ : FeatureExtractor
    resources_ : dict of str to Resource
        What the parameters `clusters` and `lists` name; stored with the model.
    """

    min_count: int = 1
    weight_step: float = 0.0
    clusters: str | None = None
    lists: str | None = None
    copies: int = 0
    seed: int = 0
    features: str = FULL
    other_languages: bool = False

    earlier_params: ClassVar[Mapping[str, Any]] = {}
    """Values of parameters that models of earlier versions were saved without."""

    resources_: dict[str, Resource]

    @abstractmethod
    def templates(self) -> Sequence[Template]:
        """Return the system's feature templates, without those of terms, clusters and lists."""

    def all_templates(self) -> list[Template]:
        """Return the system's feature templates, which Mega unites.

        Raises
        ------
        UsageError
            If the clusters or lists that a parameter names cannot be read.
        """
        added = [RESOURCES[name]().templates(own) for name, own in self.resources().items()]
        if self.other_languages and self.features != PAPER:
            added.insert(0, self.language_templates())
        return [*self.templates(), *(template for own in added for template in own)]

    def language_templates(self) -> list[Template]:
        """Return the templates of terms of other languages, for `other_languages`."""
        return []

    def resources(self) -> dict[str, Resource]:
        """Return the clusters and lists of the model, or those to learn with, by parameter."""
        if "resources_" in vars(self):
            return self.resources_
        paths = {name: getattr(self, name) for name in RESOURCES}
        return {name: RESOURCES[name]().read(path) for name, path in paths.items() if path}

    def load_resources(self, folder: Path) -> None:
        """Read the clusters and lists of a model.

        Never those that the parameters name: their paths are of the training machine.

        Raises
        ------
        ModelError
            If a file is missing or damaged.
        """
        named = [name for name in RESOURCES if getattr(self, name)]
        self.resources_ = {name: RESOURCES[name]().load(folder) for name in named}

    @abstractmethod
    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        """Train the model on the features."""

    @abstractmethod
    def _score(self, features: Csr, tokens: TokenTable) -> FloatArray:
        """Score every tag of every token."""

    @abstractmethod
    def _save_model(self, folder: Path) -> None:
        """Write what `_train` learned."""

    @abstractmethod
    def _load_model(self, folder: Path) -> None:
        """Read what `_save_model` wrote."""

    def linear_part(self) -> LinearPart | None:
        """Return the linear part of the model for compiled scoring.

        None, the default, means that scores come from `_score`.
        """
        return None

    def score_transform(self, tokens: TokenTable) -> ScoreTransform:
        """Return the function from sums of feature weights to scores.

        Only called if there is a `linear_part`.
        """
        raise NotImplementedError

    def fit(self, tokens: TokenTable, labels: TokenLabels) -> Self:
        """Learn features and weights from tokens and their gold tags.

        Raises
        ------
        UsageError
            If a parameter is invalid (the constructor only stores them), or a
            knowledge source is missing.
        """
        check_params(self.name, type(self), self.get_params())
        self._prepare()
        self.__dict__ = without_lazy(self)
        self.labels_ = labels.names
        # Those of an earlier fit may be others.
        vars(self).pop("resources_", None)
        self.resources_ = self.resources()
        tokens, labels = with_copies(tokens, labels, self.copies, self.seed)
        self.extractor_ = FeatureExtractor(self.all_templates(), self.min_count)
        self._train(self.extractor_.fit_transform(tokens), tokens, labels)
        return self

    def _prepare(self) -> None:
        """Check that knowledge sources are available, once parameters are validated."""

    def quantize_and_prune(self, model: Model) -> Model:
        """Quantize a model's weights, drop features without any, and return the smaller model."""
        return self.prune(model.quantized(self.weight_step))

    def prune(self, model: Model) -> Model:
        """Drop features without weights, and return the smaller model."""
        kept = nonzero_features(model.weights)
        self.extractor_.keep(kept)
        return model.of_features(kept)

    def predict_scores(self, tokens: TokenTable) -> FloatArray:
        """Score every tag of every token, float32, shape (n_tokens, n_labels).

        Raises
        ------
        sklearn.exceptions.NotFittedError
            Before `fit`.
        """
        self.check_fitted()
        return self._compiled_scorer.scores(tokens)[0]

    @lazy
    def _compiled_scorer(self) -> Scorer:
        return Scorer([self])

    def score_by_features(self, tokens: TokenTable) -> FloatArray:
        """Return the scores without compiled code; the reference for `predict_scores`."""
        if not len(tokens):
            return np.zeros((0, len(self.labels_)), dtype=np.float32)
        return self._score(self.extractor_.rows(tokens), tokens)

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to pickle, without compiled code."""
        return without_lazy(self)

    def save(self, folder: Path) -> None:
        """Write parameters, tags, features and weights.

        Raises
        ------
        UsageError
            If `clusters` or `lists` was set or removed after `fit`.
        """
        self.check_fitted()
        for name in RESOURCES:
            if (name in self.resources_) != bool(getattr(self, name)):
                raise UsageError(f"{self.name}: {name} was changed after fit; fit again, then save")
        save_json(folder, "tagger", {"params": self.get_params(), "labels": self.labels_})
        for resource in self.resources_.values():
            resource.save(folder)
        self.extractor_.save(folder)
        self._save_model(folder)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If a file is missing or damaged, or disagrees with the others.
        """
        values = load_json(folder, "tagger", {"params": dict, "labels": [str]})
        params = {**cls.earlier_params, **values["params"]}
        tagger = made_again(cls, params, folder / "tagger.json")
        tagger.labels_ = tuple(values["labels"])
        tagger.load_resources(folder)
        tagger.extractor_ = FeatureExtractor(tagger.all_templates(), tagger.min_count).load(folder)
        tagger._load_model(folder)
        return tagger


class ChainTagger(FeatureTagger):
    """A feature tagger whose learner is a linear chain over lines.

    Attributes
    ----------
    chain_ : ChainModel
    """

    @abstractmethod
    def _trainer(self) -> ChainTrainer:
        """Return the trainer with the constructor's parameters."""

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        trainer = self._trainer()
        chain = trainer.train(features, labels, line_starts(tokens))
        self.chain_ = self.quantize_and_prune(chain) if trainer.quantizes else self.prune(chain)

    def _score(self, features: Csr, tokens: TokenTable) -> FloatArray:
        return self.chain_.scores(features, line_starts(tokens))

    def linear_part(self) -> LinearPart:
        """Return the feature weights, which sum to emissions."""
        return LinearPart(self.extractor_, self.chain_.weights)

    def score_transform(self, tokens: TokenTable) -> ScoreTransform:
        """Return the function from emissions to log odds."""
        return lambda sums, first, stop: self.chain_.scores_of_emissions(
            sums, line_starts(tokens, first, stop)
        )

    def _save_model(self, folder: Path) -> None:
        self.chain_.save(folder, "chain")

    def _load_model(self, folder: Path) -> None:
        self.chain_ = ChainModel.load(folder, "chain", self._n_weights(), len(self.labels_))

    def _n_weights(self) -> int:
        """Return the number of features of the chain."""
        return self.extractor_.n_features_
