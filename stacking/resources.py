"""Clusters of words and lists of a site: parameters of base systems, and parts of Mega's models."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from multideid.errors import UsageError
from multideid.learners.feature_tagger import FeatureTagger
from multideid.learners.resources import RESOURCES, Resource
from multideid.stacking.systems import Systems, system_params
from multideid.taggers.contract import BaseTagger
from multideid.taggers.registry import load_system

_FOLDER = "resources"


def with_resource(systems: Systems, parameter: str, path: str | Path) -> dict[str, dict[str, Any]]:
    """Return systems with a resource to learn with, where they take it.

    Parameters
    ----------
    systems : sequence of str, or mapping of str to mapping
        Names of registered systems; in a mapping, with the parameters of each. A value of
        `parameter` that is given stays.
    parameter : {"clusters", "lists"}
    path : str or Path
        A folder that `multideid clusters` wrote, or a ``site.toml``.

    Raises
    ------
    UsageError
        If a system is unknown or none takes the resource, or it cannot be read.
    """
    params = system_params(systems)
    taking = [name for name in params if _takes(name, parameter)]
    if not taking:
        raise UsageError(f"{parameter} change nothing: {', '.join(params)} does not take them")
    RESOURCES[parameter]().read(str(path))
    given = {parameter: str(path)}
    return {name: given | own if name in taking else own for name, own in params.items()}


def _takes(name: str, parameter: str) -> bool:
    return parameter in inspect.signature(load_system(name)).parameters


def resources_of(taggers: Mapping[str, BaseTagger]) -> dict[str, dict[str, Resource]]:
    """Return the resources of the systems that learn with some, which keep them.

    Raises
    ------
    UsageError
        If they cannot be read.
    """
    found: dict[str, dict[str, Resource]] = {}
    for name, tagger in taggers.items():
        if isinstance(tagger, FeatureTagger):
            tagger.resources_ = found[name] = tagger.resources()
    return {name: own for name, own in found.items() if own}


def save_resources(folder: Path, resources: Mapping[str, Mapping[str, Resource]]) -> None:
    """Write the resources of each system into a folder of its own."""
    for name, own in resources.items():
        place = folder / _FOLDER / name
        place.mkdir(parents=True)
        for resource in own.values():
            resource.save(place)


def load_resources(
    folder: Path, taggers: Mapping[str, BaseTagger]
) -> dict[str, dict[str, Resource]]:
    """Give unfitted systems the resources that `save_resources` wrote, and return these.

    Raises
    ------
    ModelError
        If a file is missing or damaged.
    """
    for name, tagger in taggers.items():
        if isinstance(tagger, FeatureTagger):
            tagger.load_resources(folder / _FOLDER / name)
    return resources_of(taggers)
