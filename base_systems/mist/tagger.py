"""A CRF over regular expressions and word lists, after MIST."""

from __future__ import annotations

from typing import ClassVar

from multideid.base_systems.mist.features import mist_templates
from multideid.features.templates import Template
from multideid.learners.crfsuite import CrfsuiteTrainer
from multideid.learners.feature_tagger import ChainTagger


class MistTagger(ChainTagger):
    """A CRF with the features of MIST (thesis 2.3, Table 2.1), trained by crfsuite.

    Parameters
    ----------
    c1, c2 : float, default 0.05
        Strengths of the L1 and L2 penalties.
    max_iterations : int, default 60
        Steps of crfsuite's L-BFGS.
    min_count : int, default 2
        Rarer features are left out.
    """

    name: ClassVar[str] = "mist"
    summary: ClassVar[str] = "CRF over regular expressions and word lists (MIST, Aberdeen 2010)."

    def __init__(
        self, c1: float = 0.05, c2: float = 0.05, max_iterations: int = 60, min_count: int = 2
    ) -> None:
        self.c1 = c1
        self.c2 = c2
        self.max_iterations = max_iterations
        self.min_count = min_count

    def templates(self) -> list[Template]:
        """Return the system's feature templates."""
        return mist_templates()

    def _trainer(self) -> CrfsuiteTrainer:
        params = {"c1": self.c1, "c2": self.c2, "max_iterations": self.max_iterations}
        return CrfsuiteTrainer("lbfgs", params)
