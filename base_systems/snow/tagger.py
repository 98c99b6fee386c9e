"""A sparse network of Winnow units with inference over the entities of a line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from scipy import sparse

from multideid.arrays import DoubleArray, FloatArray, LongArray
from multideid.base_systems.snow.features import snow_templates
from multideid.base_systems.snow.inference import Inference
from multideid.base_systems.snow.network import Network
from multideid.base_systems.snow.relations import Relations
from multideid.base_systems.snow.winnow import WinnowTrainer
from multideid.csr import Csr
from multideid.features.templates import Template
from multideid.learners.feature_tagger import FeatureTagger
from multideid.scoring.linear_part import LinearPart
from multideid.scoring.scorer import ScoreTransform
from multideid.taggers.parameters import ABOVE_0, POS_TAGGER, SEED, ParamRule, at_least
from multideid.text.bio import TokenLabels
from multideid.text.lines import line_starts
from multideid.text.table import TokenTable


class SnowTagger(FeatureTagger):
    """SNoW's entity recognizer (Roth & Yih 2002; Sibanda & Uzuner 2006, 4.2).

    A network of Winnow units first scores each token by itself. The tags of a line are
    then decided jointly: they must be valid BIO, and entities are penalised where their
    label rarely follows that of the previous entity.

    Parameters
    ----------
    epochs : int, default 5
        Passes of Winnow over the training data.
    separator : float, default 1.0
        Margin between positive and negative examples.
    relation_weight : float, default 0.5
        Weight of the relations between the entities of a line; 0 disables them.
    temperature : float, default 0.5
        Activations are divided by it before the softmax.
    pos_tagger : str, default "lexicon"
        As `multideid.text.pos.pos_column`.
    min_count : int, default 2
        Rarer features are dropped.
    seed : int, default 0

    Attributes
    ----------
    network_ : Network
    relations_ : Relations
    """

    name: ClassVar[str] = "snow"
    summary: ClassVar[str] = "Sparse network of Winnows, then inference (SNoW, Roth & Yih 2002)."
    param_rules: ClassVar[Mapping[str, ParamRule]] = {
        "epochs": at_least(1),
        "separator": at_least(0),
        "relation_weight": at_least(0),
        "temperature": ABOVE_0,
        "pos_tagger": POS_TAGGER,
        "min_count": at_least(1),
        "seed": SEED,
    }

    earlier_names: ClassVar[Mapping[str, str]] = {
        "relations": "relation_weight",
    }

    network_: Network
    relations_: Relations

    def __init__(  # noqa: PLR0913 (a learner's settings, by name)
        self,
        epochs: int = 5,
        *,
        separator: float = 1.0,
        relation_weight: float = 0.5,
        temperature: float = 0.5,
        pos_tagger: str = "lexicon",
        min_count: int = 2,
        seed: int = 0,
    ) -> None:
        self.epochs = epochs
        self.separator = separator
        self.relation_weight = relation_weight
        self.temperature = temperature
        self.pos_tagger = pos_tagger
        self.min_count = min_count
        self.seed = seed

    def templates(self) -> list[Template]:
        """Return the system's feature templates."""
        return snow_templates(self.pos_tagger)

    def _train(self, features: sparse.csr_matrix, tokens: TokenTable, labels: TokenLabels) -> None:
        starts = line_starts(tokens)
        trainer = WinnowTrainer(separator=self.separator, epochs=self.epochs, seed=self.seed)
        network = trainer.train(features, labels, starts)
        self.network_ = self.quantize_and_prune(network)
        self.relations_ = Relations.learn(labels, starts, self.relation_weight)

    def _score(self, features: Csr, tokens: TokenTable) -> FloatArray:
        return self._decide(self.network_.activations(features), line_starts(tokens))

    def _decide(self, activations: DoubleArray, starts: LongArray) -> FloatArray:
        inference = Inference.under(self.relations_, self.network_.seen)
        return inference.scores(activations / self.temperature, starts)

    def linear_part(self) -> LinearPart:
        """Return the linear part of the activations."""
        return LinearPart(self.extractor_, self.network_.weights)

    def score_transform(self, tokens: TokenTable) -> ScoreTransform:
        """Return the inference over activations."""
        return lambda sums, first, stop: self._decide(sums, line_starts(tokens, first, stop))

    def _save_model(self, folder: Path) -> None:
        self.network_.save(folder, "network")
        self.relations_.save(folder, "relations")

    def _load_model(self, folder: Path) -> None:
        n_tags = len(self.labels_)
        self.network_ = Network.load(folder, "network", self.extractor_.n_features_, n_tags)
        self.relations_ = Relations.load(folder, "relations", n_labels=n_tags // 2)
