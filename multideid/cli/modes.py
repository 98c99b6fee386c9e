"""The estimator that ``--mode`` and its options specify."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.cli.values import chosen_systems, with_features, with_params, with_resources
from multideid.errors import UsageError
from multideid.taggers.parameters import FULL, PAPER

if TYPE_CHECKING:
    from multideid.cli.progress import OnProgress
    from multideid.document import Document
    from multideid.stacking import Deidentifier
    from multideid.stacking.systems import Systems

ENSEMBLES = {
    "multi": ("folds", "groups", "recall", "seed", "augmentation"),
    "mega": ("folds", "groups", "seed"),
    "vote": ("rule",),
}
"""The modes with several systems, each with the options that only some modes have."""


@dataclass(frozen=True, slots=True)
class EstimatorSpec:
    """A de-identifier to train.

    Parameters
    ----------
    mode : str
        A key of `ENSEMBLES` or the name of a system.
    systems : sequence of str, or mapping of str to mapping
        Names, or names with parameters.
    options : dict
        The given options of the mode.
    pass_through : bool
        As for de-identifiers.
    features : {"full", "paper"}
        "paper": the settings of the thesis; the systems have theirs as parameters.
    """

    mode: str
    systems: Systems
    options: dict[str, Any]
    pass_through: bool = True
    features: str = FULL

    @classmethod
    def of(  # noqa: PLR0913 (the options of commands)
        cls,
        mode: str,
        systems: str | None,
        params: list[str] | None = None,
        features: str = FULL,
        *,
        pass_through: bool = True,
        resources: Mapping[str, Path | None] | None = None,
        **options: Any,
    ) -> EstimatorSpec:
        """Make a specification from command-line options; None stands for the default.

        Raises
        ------
        UsageError
            If the mode, a system or its parameter is unknown, an option belongs
            to another mode, or there is augmentation in the paper's settings.
        """
        given = {name: value for name, value in options.items() if value is not None}
        _check_mode(mode)
        for name in given:
            _check_option(name, mode)
        if features == PAPER and given.get("augmentation"):
            raise UsageError("--features paper has the plain stacker, which has no --augmentation")
        if mode not in ENSEMBLES and systems is not None:
            raise UsageError(f"--systems is for --mode {', '.join(ENSEMBLES)}, not for one system")
        chosen = chosen_systems(systems if mode in ENSEMBLES else mode)
        featured = with_features(with_params(chosen, params), features)
        used = with_resources(featured, resources or {})
        return cls(mode, used, given, pass_through and features == FULL, features)

    def __str__(self) -> str:
        if self.mode not in ENSEMBLES:
            return self.mode
        return f"{self.mode} of {', '.join(self.systems)}"

    def make(self, jobs: int | None, progress: OnProgress | None) -> Deidentifier:
        """Return the de-identifier, not fitted."""
        from multideid import stacking
        from multideid.stacking.paper import PLAIN_STACKER
        from multideid.stacking.systems import given_params

        passing = {"pass_through": self.pass_through}
        common: dict[str, Any] = {**self.options, **passing, "n_jobs": jobs, "progress": progress}
        match self.mode:
            case "multi":
                plain = PLAIN_STACKER if self.features == PAPER else {}
                return stacking.MultiDeidentifier(self.systems, **{**common, **plain})
            case "mega":
                return stacking.MegaDeidentifier(self.systems, **common)
            case "vote":
                return stacking.VoteDeidentifier(self.systems, **common)
        params = given_params(self.systems).get(self.mode)
        return stacking.SingleDeidentifier(self.mode, params, **passing)

    def groups_of(self, documents: Sequence[Document], field: str | None) -> list[str] | None:
        """Return the group of every document, from a field of its meta; None without a field.

        Raises
        ------
        UsageError
            If the mode has no folds, or a document has no such field.
        """
        from multideid.stacking.folds import groups_in_meta

        if field is not None:
            _check_option("groups", self.mode)
        return groups_in_meta(documents, field)

    def to_dict(self) -> dict[str, Any]:
        """Return the specification as plain JSON values."""
        from multideid.stacking.systems import given_params

        spec = {"mode": self.mode, "systems": list(self.systems), **self.options}
        if self.features != FULL:
            spec |= {"features": self.features}
        params = given_params(self.systems)
        return {**spec, "params": params} if params else spec


def _check_option(name: str, mode: str) -> None:
    if name not in ENSEMBLES.get(mode, ()):
        owners = " or ".join(m for m, own in ENSEMBLES.items() if name in own)
        raise UsageError(f"--{name} is for --mode {owners}, and the mode is {mode}")


def _check_mode(mode: str) -> None:
    from multideid.taggers.registry import system_names

    names = system_names()
    if mode not in ENSEMBLES and mode not in names:
        known = f"{', '.join(ENSEMBLES)}, or one of the systems {', '.join(names)}"
        raise UsageError(f"there is no mode {mode!r}; there are {known}")
