"""The choice of a trainer of CRFs: AdaGrad, or crfsuite's L-BFGS."""

from __future__ import annotations

from collections.abc import Mapping

from multideid.learners.chain import ChainTrainer
from multideid.learners.crf import CrfTrainer
from multideid.taggers.parameters import ParamRule, at_least, one_of

ADAGRAD, CRFSUITE = "adagrad", "crfsuite"

TRAINER_RULES: Mapping[str, ParamRule] = {
    "trainer": one_of(ADAGRAD, CRFSUITE),
    "c1": at_least(0),
    "c2": at_least(0),
    "iterations": at_least(1),
}
"""Rules for the parameters that choose and set a trainer."""


def chosen_trainer(
    trainer: str, adagrad: CrfTrainer, c1: float, c2: float, iterations: int
) -> ChainTrainer:
    """Return a trainer of CRFs.

    Parameters
    ----------
    trainer : {"adagrad", "crfsuite"}
    adagrad : CrfTrainer
        The one for the first choice.
    c1, c2 : float
        Strengths of the L1 and the L2 penalty of crfsuite's L-BFGS.
    iterations : int
        The most iterations of L-BFGS.
    """
    if trainer == ADAGRAD:
        return adagrad
    from multideid.learners.crfsuite import CrfsuiteTrainer

    return CrfsuiteTrainer("lbfgs", {"c1": c1, "c2": c2, "max_iterations": iterations})
