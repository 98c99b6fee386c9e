"""Resources that base systems are given to learn with, and that their models hold a copy of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from multideid.features.templates import Template


class Resource(Protocol):
    """Clusters of words, or the lists of a site."""

    @property
    def fingerprint(self) -> str:
        """A checksum of the content."""

    def save(self, folder: Path, /) -> None:
        """Write the content into a folder."""


class ResourceKind(NamedTuple):
    """What is done with the resources that one parameter of base systems names.

    Parameters
    ----------
    read : callable
        From the parameter's value, a path. Raises UsageError.
    load : callable
        From a folder of a model. Raises ModelError.
    templates : callable
        Returns the feature templates.
    """

    read: Callable[[str], Resource]
    load: Callable[[Path], Resource]
    templates: Callable[[Any], list[Template]]


def _clusters() -> ResourceKind:
    from multideid.features.cluster_templates import cluster_templates
    from multideid.features.word_clusters import WordClusters, read_clusters

    return ResourceKind(read_clusters, WordClusters.load, cluster_templates)


def _lists() -> ResourceKind:
    from multideid.site.list_features import SiteLists, list_templates, read_lists

    return ResourceKind(read_lists, SiteLists.load, list_templates)


RESOURCES: Mapping[str, Callable[[], ResourceKind]] = {"clusters": _clusters, "lists": _lists}
"""By parameter; most models are without any, and load faster without these modules."""
