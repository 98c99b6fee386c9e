"""A single base system as a de-identifier."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from multideid.arrays import IntArray
from multideid.errors import ModelError
from multideid.stacking.deidentifier import Deidentifier
from multideid.stacking.fitting import failures_of
from multideid.stacking.grouping import UNGROUPED, Grouping
from multideid.stacking.reading import Reading
from multideid.stacking.systems import Params, Systems, make_systems
from multideid.taggers.checked import check_fit
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


class SingleDeidentifier(Deidentifier):
    """A de-identifier that uses a single base system, without a stacker.

    Parameters
    ----------
    system : str
        Name of a registered base system.
    params : mapping, optional
        Parameters of the system's constructor.
    pass_through : bool, default True
        Whether certain finds of rules in classes that nobody annotated are kept
        (`passing_labels_`).
    """

    kind: ClassVar[str] = "single"

    def __init__(
        self,
        system: str = "mist",
        params: Mapping[str, Any] | None = None,
        *,
        pass_through: bool = True,
    ) -> None:
        self.system = system
        self.params = params
        self.pass_through = pass_through

    def _named_systems(self, params: Mapping[str, Any]) -> Systems:
        return {params["system"]: params["params"] or {}}

    def _systems_params(self, systems: Mapping[str, Params]) -> dict[str, Any]:
        ((system, params),) = systems.items()
        return {"system": system, "params": params}

    def _fit(self, tokens: TokenTable, labels: TokenLabels, grouping: Grouping = UNGROUPED) -> None:
        (tagger,) = make_systems({self.system: self.params or {}}).values()
        with failures_of(self.system):
            tagger = tagger.fit(tokens, labels)
        check_fit(self.system, tagger, labels.names)
        self.taggers_ = {self.system: tagger}

    def _load(self, folder: Path) -> None:
        if list(self.taggers_) != [self.system]:
            raise ModelError(folder, f"has not the single system {self.system!r}")

    def _tags(self, reading: Reading) -> IntArray:
        (scores,) = reading.scores
        return scores.argmax(axis=1).astype(np.int32) if len(scores) else np.zeros(0, np.int32)
