"""Versions of knowledge sources, and the check that they are those of training."""

from __future__ import annotations

from collections.abc import Mapping

from multideid.errors import UsageError
from multideid.knowledge import link_grammar
from multideid.knowledge.resources import another, load_mesh, missing, resource_info

LINK_GRAMMAR = "link-grammar"
MESH = "mesh"


def source_version(name: str) -> str:
    """Return the version of the parser's library, or the fingerprint of a resource.

    Raises
    ------
    UsageError
        If the source is missing; the message says how to install or add it.
    ResourceError
        If the resource is damaged.
    """
    if name == LINK_GRAMMAR:
        return link_grammar.version()
    info = resource_info(name)
    if info is None:
        raise UsageError(missing(name))
    load_mesh()
    return info.fingerprint


def check_sources(trained_with: Mapping[str, str]) -> None:
    """Check that the sources of training are available in the same versions.

    Parameters
    ----------
    trained_with : mapping of str to str
        The `source_version` of each source in training.

    Raises
    ------
    UsageError
        If one is missing or differs, as features would differ from those in
        training.
    ResourceError
        If one is damaged.
    """
    for name, version in trained_with.items():
        here = source_version(name)
        if here != version:
            difference = _difference(name, version, here)
            raise UsageError(f"the model was trained with another source: {difference}")


def _difference(name: str, expected: str, here: str) -> str:
    if name == LINK_GRAMMAR:
        return (
            f"Link Grammar {expected}, but {here} is installed; install {expected} or train again"
        )
    return another(name, expected, here)
