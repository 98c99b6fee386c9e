"""Clusters of words as a parameter of base systems, and as a part of Mega's models."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from multideid.errors import UsageError
from multideid.features.word_clusters import WordClusters, read_clusters
from multideid.learners.feature_tagger import FeatureTagger
from multideid.stacking.systems import Systems, system_params
from multideid.taggers.contract import BaseTagger
from multideid.taggers.registry import load_system

_FOLDER = "clusters"


def with_clusters(systems: Systems, clusters: str | Path) -> dict[str, dict[str, Any]]:
    """Return systems with clusters of words, where they take them.

    Parameters
    ----------
    systems : sequence of str, or mapping of str to mapping
        Names of registered systems; in a mapping, with the parameters of each. A parameter
        `clusters` that is given stays.
    clusters : str or Path
        A folder that `multideid clusters` wrote.

    Raises
    ------
    UsageError
        If a system is unknown or none takes clusters, or the folder cannot be read.
    """
    params = system_params(systems)
    taking = [name for name in params if _takes_clusters(name)]
    if not taking:
        raise UsageError(f"clusters change nothing: {', '.join(params)} does not take them")
    read_clusters(clusters)
    given = {"clusters": str(clusters)}
    return {name: given | own if name in taking else own for name, own in params.items()}


def _takes_clusters(name: str) -> bool:
    return "clusters" in inspect.signature(load_system(name)).parameters


def clusters_of(taggers: Mapping[str, BaseTagger]) -> dict[str, WordClusters]:
    """Return the clusters of the systems that learn with some, read once for all that follows.

    Raises
    ------
    UsageError
        If they cannot be read.
    """
    found: dict[str, WordClusters] = {}
    for name, tagger in taggers.items():
        clusters = tagger.word_clusters() if isinstance(tagger, FeatureTagger) else None
        if clusters is not None:
            found[name] = clusters
    return found


def save_clusters(folder: Path, clusters: Mapping[str, WordClusters]) -> None:
    """Write the clusters of each system into a folder of its own."""
    for name, own in clusters.items():
        place = folder / _FOLDER / name
        place.mkdir(parents=True)
        own.save(place)


def load_clusters(folder: Path, taggers: Mapping[str, BaseTagger]) -> dict[str, WordClusters]:
    """Give unfitted systems the clusters that `save_clusters` wrote, and return these.

    Raises
    ------
    ModelError
        If a file is missing or damaged.
    """
    found: dict[str, WordClusters] = {}
    for name, tagger in taggers.items():
        if isinstance(tagger, FeatureTagger) and tagger.clusters is not None:
            found[name] = tagger.clusters_ = WordClusters.load(folder / _FOLDER / name)
    return found
