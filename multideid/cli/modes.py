"""What ``--mode`` means: which of the four de-identifiers, with which options."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from multideid.cli.options import chosen_systems
from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.cli.progress import OnProgress
    from multideid.stacking import Deidentifier

ENSEMBLES = {"multi": ("folds", "recall", "seed"), "mega": ("seed",), "vote": ("rule",)}
"""The modes with several systems, each with the options that not every mode has."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be trained.

    Parameters
    ----------
    mode : str
        A key of `ENSEMBLES` or the name of a system.
    systems : tuple of str
    options : dict
        What was given of the mode's own options.
    params : dict
        Parameters of the system, where there is one only.
    """

    mode: str
    systems: tuple[str, ...]
    options: dict[str, Any]
    params: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, mode: str, systems: str | None, params: list[str] | None = None, **options: Any
    ) -> Plan:
        """Make a plan of what the user gave, None for what was left out.

        Raises
        ------
        UsageError
            If the mode, a system or its parameter is unknown, or an option is
            of another mode.
        """
        given = {name: value for name, value in options.items() if value is not None}
        _check_mode(mode)
        for name in given:
            if name not in ENSEMBLES.get(mode, ()):
                owners = " or ".join(m for m, own in ENSEMBLES.items() if name in own)
                raise UsageError(f"--{name} is for --mode {owners}, and the mode is {mode}")
        if mode in ENSEMBLES:
            if params:
                raise UsageError(f"--param is for one system, and the mode is {mode}")
            return cls(mode, chosen_systems(systems), given)
        if systems is not None:
            raise UsageError(f"--systems is for --mode {', '.join(ENSEMBLES)}, not for one system")
        return cls(mode, chosen_systems(mode), given, _params(mode, params or ()))

    def __str__(self) -> str:
        if self.mode not in ENSEMBLES:
            return self.mode
        return f"{self.mode} of {', '.join(self.systems)}"

    def make(self, jobs: int | None, progress: OnProgress | None) -> Deidentifier:
        """Make the de-identifier, not trained yet."""
        from multideid import stacking

        common: dict[str, Any] = {**self.options, "progress": progress}
        match self.mode:
            case "multi":
                return stacking.MultiDeidentifier(self.systems, n_jobs=jobs, **common)
            case "mega":
                return stacking.MegaDeidentifier(self.systems, **common)
            case "vote":
                return stacking.CommitteeDeidentifier(self.systems, n_jobs=jobs, **common)
        return stacking.SingleDeidentifier(self.mode, self.params or None)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain JSON values."""
        plan = {"mode": self.mode, "systems": list(self.systems), **self.options}
        return {**plan, "params": self.params} if self.params else plan


def _check_mode(mode: str) -> None:
    from multideid.registry import system_names

    names = system_names()
    if mode not in ENSEMBLES and mode not in names:
        there = f"{', '.join(ENSEMBLES)}, or one of the systems {', '.join(names)}"
        raise UsageError(f"there is no mode {mode!r}; there are {there}")


def _params(system: str, given: Iterable[str]) -> dict[str, Any]:
    """Read ``name=value`` pairs, and check them against the system's own parameters."""
    from multideid.registry import make_system

    params = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"--param must be NAME=VALUE, such as mesh=true; got {pair!r}")
        params[name.strip()] = _value(value)
    make_system(system, **params)
    defaults = make_system(system).get_params()
    for name, value in params.items():
        _check_kind(name, value, defaults.get(name))
    return params


def _value(text: str) -> Any:
    """Read a value as JSON, or else take it for a string."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _check_kind(name: str, value: object, default: object) -> None:
    kind = type(default)
    if default is None or type(value) is kind or (kind is float and type(value) is int):
        return
    raise UsageError(f"--param {name} must be of the kind of {json.dumps(default)}; got {value!r}")
