"""A vote of three variants of boosted trees, with iterative learning from headings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from scipy import sparse

from multideid.arrays import FloatArray
from multideid.base_systems.szarvas.attributes import learn_attributes
from multideid.base_systems.szarvas.examples import Examples
from multideid.base_systems.szarvas.features import TRIGGERS, all_templates
from multideid.base_systems.szarvas.learning import TrainingOptions, learn_model
from multideid.base_systems.szarvas.model import Model, PredictionOptions
from multideid.csr import Csr
from multideid.features.templates import Template
from multideid.learners.boosting import AdaBooster, HistogramBooster
from multideid.learners.feature_tagger import FeatureTagger
from multideid.taggers.parameters import SEED, SHARE_ABOVE_0, ParamRule, at_least, one_of
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable

_BOOSTERS: dict[str, type[HistogramBooster | AdaBooster]] = {
    "histogram": HistogramBooster,
    "adaboost": AdaBooster,
}
_VOTE = "vote"


class SzarvasTagger(FeatureTagger):
    """The boosted decision trees of Szarvas, Farkas and Busa-Fekete (2007).

    Parameters
    ----------
    booster : {"histogram", "adaboost"}, default "histogram"
        Gradient boosting over binned columns, or AdaBoost over deep trees.
    rounds : int, default 30
        Rounds of boosting.
    triggers : {"vote", "token", "phrase", "trigram"}, default "vote"
        A single trigger variant, or the vote of the three.
    prefer_recall : bool, default False
        Whether tokens on which all three disagree are PHI, as the paper's discussion
        proposes, instead of non-PHI.
    iterations : int, default 2
        Number of further passes with the phrases found under unambiguous headings: ITR1
        and ITR2 of the paper.
    standard_tags : bool, default True
        Whether repetitions of a phrase of two or more words are tagged alike.
    max_values : int, default 250
        Maximum number of distinct values of a nominal attribute.
    outside_share : float, default 0.25
        Share of the tokens far from PHI that are sampled for training.
    min_count : int, default 3
        Rarer values are dropped.
    seed : int, default 0

    Attributes
    ----------
    model_ : Model
    """

    name: ClassVar[str] = "szarvas"
    summary: ClassVar[str] = "Boosted trees, three trigger variants that vote (Szarvas 2007)."
    param_rules: ClassVar[Mapping[str, ParamRule]] = {
        "booster": one_of(*_BOOSTERS),
        "rounds": at_least(1),
        "triggers": one_of(_VOTE, *TRIGGERS),
        "iterations": at_least(0),
        "max_values": at_least(1),
        "outside_share": SHARE_ABOVE_0,
        "min_count": at_least(1),
        "seed": SEED,
    }

    earlier_names: ClassVar[Mapping[str, str]] = {
        "recall": "prefer_recall",
        "standard": "standard_tags",
        "most": "max_values",
        "outside": "outside_share",
    }

    model_: Model

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        booster: str = "histogram",
        rounds: int = 30,
        triggers: str = _VOTE,
        prefer_recall: bool = False,
        iterations: int = 2,
        standard_tags: bool = True,
        max_values: int = 250,
        outside_share: float = 0.25,
        min_count: int = 3,
        seed: int = 0,
    ) -> None:
        self.booster = booster
        self.rounds = rounds
        self.triggers = triggers
        self.prefer_recall = prefer_recall
        self.iterations = iterations
        self.standard_tags = standard_tags
        self.max_values = max_values
        self.outside_share = outside_share
        self.min_count = min_count
        self.seed = seed

    def templates(self) -> list[Template]:
        """Return the templates of all nominal attributes."""
        return all_templates()

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        booster = _BOOSTERS[self.booster](rounds=self.rounds, seed=self.seed)
        options = TrainingOptions(booster, self.iterations > 0, self.outside_share, self.seed)
        variants = tuple(TRIGGERS) if self.triggers == _VOTE else (self.triggers,)
        examples = Examples.of(features, tokens, labels)
        described = learn_attributes(self.extractor_, examples, variants, self.max_values)
        kept = described.used()
        self.extractor_.keep(kept)
        part = examples.of_features(kept)
        self.model_ = learn_model(part, described.of_features(kept), options)

    def _score(self, features: Csr, tokens: TokenTable) -> FloatArray:
        options = PredictionOptions(self.prefer_recall, self.iterations, self.standard_tags)
        return self.model_.scores(features.matrix(), tokens, options)

    def _save_model(self, folder: Path) -> None:
        self.model_.save(folder)

    def _load_model(self, folder: Path) -> None:
        self.model_ = Model.load(folder, self.extractor_.n_features_, len(self.labels_))
