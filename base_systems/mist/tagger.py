"""A CRF over regular expressions and word lists, after MIST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from multideid.base_systems.mist.features import mist_templates
from multideid.features.templates import Template
from multideid.learners.crf import CrfTrainer
from multideid.learners.feature_tagger import ChainTagger
from multideid.taggers.parameters import ABOVE_0, SEED, SHARE_BELOW_1, ParamRule, at_least


class MistTagger(ChainTagger):
    """A CRF with the features of MIST (thesis 2.3, Table 2.1).

    Parameters
    ----------
    epochs : int, default 14
        Passes over the training data.
    rate : float, default 0.2
        Step size.
    dropout : float, default 0.5
        Probability of dropping a feature of a token in an epoch.
    min_count : int, default 2
        Rarer features are dropped.
    seed : int, default 0
    """

    name: ClassVar[str] = "mist"
    summary: ClassVar[str] = "CRF over regular expressions and word lists (MIST, Aberdeen 2010)."
    param_rules: ClassVar[Mapping[str, ParamRule]] = {
        "epochs": at_least(1),
        "rate": ABOVE_0,
        "dropout": SHARE_BELOW_1,
        "min_count": at_least(1),
        "seed": SEED,
    }

    def __init__(
        self,
        epochs: int = 14,
        *,
        rate: float = 0.2,
        dropout: float = 0.5,
        min_count: int = 2,
        seed: int = 0,
    ) -> None:
        self.epochs = epochs
        self.rate = rate
        self.dropout = dropout
        self.min_count = min_count
        self.seed = seed

    def templates(self) -> list[Template]:
        """Return the system's feature templates."""
        return mist_templates()

    def _trainer(self) -> CrfTrainer:
        return CrfTrainer(self.epochs, self.rate, dropout=self.dropout, seed=self.seed)
