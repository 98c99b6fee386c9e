"""Base class of taggers with a CRF, trained by AdaGrad or by crfsuite's L-BFGS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from multideid.learners.chain import ChainTrainer
from multideid.learners.crf import CrfTrainer
from multideid.learners.feature_tagger import SHARED_RULES, ChainTagger
from multideid.taggers.parameters import ABOVE_0, SHARE_BELOW_1, ParamRule, at_least, one_of

ADAGRAD, CRFSUITE = "adagrad", "crfsuite"

CRF_RULES: Mapping[str, ParamRule] = {
    **SHARED_RULES,
    "epochs": at_least(1),
    "learning_rate": ABOVE_0,
    "feature_dropout": SHARE_BELOW_1,
    "trainer": one_of(ADAGRAD, CRFSUITE),
    "c1": at_least(0),
    "c2": at_least(0),
    "max_iterations": at_least(1),
}
"""Rules for the parameters of a `CrfTagger`."""


class CrfTagger(ChainTagger):
    """A chain tagger with a CRF. The parameter `trainer` chooses how it is trained.

    The constructor of a subclass takes the parameters of `CRF_RULES`.
    """

    earlier_names: ClassVar[Mapping[str, str]] = {
        "rate": "learning_rate",
        "dropout": "feature_dropout",
        "iterations": "max_iterations",
    }

    epochs: int
    learning_rate: float
    feature_dropout: float
    trainer: str
    c1: float
    c2: float
    max_iterations: int

    def _trainer(self) -> ChainTrainer:
        if self.trainer == ADAGRAD:
            return CrfTrainer(
                self.epochs,
                self.learning_rate,
                feature_dropout=self.feature_dropout,
                seed=self.seed,
            )
        from multideid.learners.crfsuite import CrfsuiteTrainer

        params = {"c1": self.c1, "c2": self.c2, "max_iterations": self.max_iterations}
        return CrfsuiteTrainer("lbfgs", params)
