"""The settings of the thesis: the feature sets of the papers, and a plain stacker."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from multideid.errors import UsageError
from multideid.stacking.systems import Systems, system_params
from multideid.taggers.parameters import FEATURE_SETS, FULL
from multideid.taggers.registry import load_system

PLAIN_STACKER: Mapping[str, bool] = MappingProxyType(
    {
        "decisions_only": True,
        "augmentation": False,
        "document_context": False,
        "span_choice": False,
        "pass_through": False,
    }
)
"""Parameters with which `MultiDeidentifier` is the Multi of the thesis."""


def with_feature_set(systems: Systems, features: str) -> dict[str, dict[str, Any]]:
    """Return systems with a choice of features, where they have it.

    Parameters
    ----------
    systems : sequence of str, or mapping of str to mapping
        Names of registered systems; in a mapping, with the parameters of each. A parameter
        `features` that is given stays.
    features : {"full", "paper"}

    Raises
    ------
    UsageError
        If a system or the choice is unknown.
    """
    params = system_params(systems)
    if check_features(features) == FULL:
        return params
    return {
        name: {"features": features, **own} if _has_feature_sets(name) else own
        for name, own in params.items()
    }


def check_features(features: str) -> str:
    """Return a choice of features, or raise `UsageError` for another value."""
    if not FEATURE_SETS.holds(features):
        raise UsageError(f"features must be {FEATURE_SETS.requirement}; got {features!r}")
    return features


def _has_feature_sets(name: str) -> bool:
    return "features" in inspect.signature(load_system(name)).parameters
