"""The knowledge sources by name: which version is here, and whether it is that of training."""

from __future__ import annotations

from collections.abc import Mapping

from multideid.errors import UsageError
from multideid.knowledge import link_grammar
from multideid.knowledge.resources import another, load_mesh, missing, resource_info

LINK_GRAMMAR = "link-grammar"
MESH = "mesh"


def source_version(name: str) -> str:
    """Return the version of the parser's library, or the fingerprint of what was added.

    Raises
    ------
    UsageError
        If the source is not here, with what to install or to add.
    ResourceError
        If what was added is damaged.
    """
    if name == LINK_GRAMMAR:
        return link_grammar.version()
    info = resource_info(name)
    if info is None:
        raise UsageError(missing(name))
    load_mesh()
    return info.fingerprint


def check_sources(trained_with: Mapping[str, str]) -> None:
    """Check that the sources of training are here, in the same versions.

    Parameters
    ----------
    trained_with : mapping of str to str
        What `source_version` told of each source in training.

    Raises
    ------
    UsageError
        If one is missing or differs: what it tells would not be what the
        model has learned from.
    ResourceError
        If one is damaged.
    """
    for name, version in trained_with.items():
        here = source_version(name)
        if here != version:
            told = _differs(name, version, here)
            raise UsageError(f"the model was trained with other knowledge: {told}")


def _differs(name: str, wanted: str, here: str) -> str:
    if name == LINK_GRAMMAR:
        return f"Link Grammar {wanted}, and {here} is installed; install that, or train again"
    return another(name, wanted, here)
