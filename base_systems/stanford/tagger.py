"""A CRF with the features of the Stanford Named Entity Recognizer."""

from __future__ import annotations

from typing import ClassVar

from multideid.base_systems.stanford.features import stanford_templates
from multideid.features.templates import Template
from multideid.learners.crf import CrfTrainer
from multideid.learners.feature_tagger import ChainTagger


class StanfordTagger(ChainTagger):
    """A CRF with the features of the Stanford NER (thesis 2.2; Finkel et al. 2005).

    Parameters
    ----------
    pos_tagger : str, default "lexicon"
        As `multideid.text.pos.pos_column`.
    epochs : int, default 14
        Passes over the training data.
    rate : float, default 0.2
        Step size.
    dropout : float, default 0.7
        Chance that a feature of a token is passed over in an epoch.
    min_count : int, default 1
        Rarer features are left out.
    seed : int, default 0
    """

    name: ClassVar[str] = "stanford"
    summary: ClassVar[str] = "CRF with the features of the Stanford NER (Finkel 2005)."

    def __init__(  # noqa: PLR0913 (a learner's settings, by name)
        self,
        pos_tagger: str = "lexicon",
        *,
        epochs: int = 14,
        rate: float = 0.2,
        dropout: float = 0.7,
        min_count: int = 1,
        seed: int = 0,
    ) -> None:
        self.pos_tagger = pos_tagger
        self.epochs = epochs
        self.rate = rate
        self.dropout = dropout
        self.min_count = min_count
        self.seed = seed

    def templates(self) -> list[Template]:
        """Return the system's feature templates."""
        return stanford_templates(self.pos_tagger)

    def _trainer(self) -> CrfTrainer:
        return CrfTrainer(self.epochs, self.rate, dropout=self.dropout, seed=self.seed)
