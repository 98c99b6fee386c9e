"""A vote of the base systems, without a learned stacker."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np

from multideid.arrays import IntArray
from multideid.errors import ModelError, UsageError
from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.fitting import Progress
from multideid.stacking.grouping import UNGROUPED, Grouping
from multideid.stacking.out_of_fold import DEFAULT_SYSTEMS, fit_all
from multideid.stacking.reading import Reading
from multideid.stacking.systems import Systems
from multideid.stacking.votes import RULES, vote
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


class VoteDeidentifier(Deidentifier):
    """The base systems vote on the label of each token.

    Parameters
    ----------
    systems : sequence of str, or mapping of str to mapping
        Names of registered base systems; in a mapping, with the parameters of each.
    rule : str, default "majority"
        The votes that a label needs: more than half (``"majority"``), two thirds
        (``"two-of-three"``, Szarvas 2007) or one (``"any"``). The label with the most
        votes wins; without enough votes, the token is not PHI.
    pass_through : bool, default True
        Whether certain finds of rules in classes that nobody annotated are kept
        (`passing_labels_`).
    n_jobs : int, optional
        Number of processes. Default, as -1: one per processor.
    progress : callable, optional
    """

    kind: ClassVar[str] = "vote"

    def __init__(
        self,
        systems: Systems = DEFAULT_SYSTEMS,
        rule: str = "majority",
        *,
        pass_through: bool = True,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.systems = systems
        self.rule = rule
        self.pass_through = pass_through
        self.n_jobs = n_jobs
        self.progress = progress

    def _fit(self, tokens: TokenTable, labels: TokenLabels, grouping: Grouping = UNGROUPED) -> None:
        if self.rule not in RULES:
            raise UsageError(f"rule must be one of {', '.join(RULES)}; got {self.rule!r}")
        self.taggers_ = fit_all(self.systems, tokens, labels, self.n_jobs, self.progress)

    def _load(self, folder: Path) -> None:
        if self.rule not in RULES:
            raise ModelError(folder, f"votes by a rule that there is not: {self.rule!r}")

    def _tags(self, reading: Reading) -> IntArray:
        scores = reading.scores
        if not len(reading.tokens):
            return np.zeros(0, dtype=np.int32)
        decisions = np.stack([s.argmax(axis=1) for s in scores])
        return vote(decisions, RULES[self.rule](len(scores)), scores[0].shape[1] // 2)
