"""What ``--param`` says: parameters of base systems."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.stacking.systems import Systems


def with_params(systems: Sequence[str], given: Iterable[str] | None) -> Systems:
    """Return systems with the parameters that ``system.name=value`` pairs give them.

    Parameters
    ----------
    systems : sequence of str
        Names of systems.
    given : iterable of str, optional
        A value is JSON, or else a text. Where there is one system, its name
        may be left out.

    Returns
    -------
    sequence of str, or dict of str to dict
        The names as they are if nothing is given.

    Raises
    ------
    UsageError
        If a pair cannot be read or is of no system that is used, if a
        parameter is given twice or unknown, or if its value is refused.
    """
    from multideid.stacking.systems import make_systems

    if not given:
        return systems
    params: dict[str, dict[str, Any]] = {system: {} for system in systems}
    for pair in given:
        system, name, value = _read(pair, systems)
        if name in params[system]:
            raise UsageError(f"--param gives {name} of system {system!r} twice")
        params[system][name] = value
    make_systems(params)
    return params


def _read(pair: str, systems: Sequence[str]) -> tuple[str, str, Any]:
    key, equals, value = pair.partition("=")
    # A system's name may have dots, a parameter's cannot.
    system, dot, name = key.strip().rpartition(".")
    if not dot and len(systems) == 1:
        (system,) = systems
    if not (equals and system and name):
        raise UsageError(f"--param must be {_form(systems)}; got {pair!r}")
    if system not in systems:
        used = ", ".join(systems)
        raise UsageError(f"--param {pair}: system {system!r} is not used; used are {used}")
    return system, name, _value(value)


def _form(systems: Sequence[str]) -> str:
    if len(systems) == 1:
        return "NAME=VALUE, such as mesh=true"
    return "SYSTEM.NAME=VALUE, such as stat-deid.mesh=true, where there are several systems"


def _value(text: str) -> Any:
    """Read a value as JSON, or else take it for a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text
