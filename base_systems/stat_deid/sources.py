"""Which knowledge sources a tagger uses, and whether they are here as they were in training."""

from __future__ import annotations

from collections.abc import Mapping

from multideid.errors import UsageError
from multideid.knowledge import link_grammar
from multideid.knowledge.resources import another, load_mesh, missing, resource_info

NO_SYNTAX = "none"
LINK_GRAMMAR = "link-grammar"
MESH = "mesh"


def wanted_sources(syntax: str, mesh: bool) -> dict[str, str]:
    """Return the sources to use, each with the version that is here.

    Parameters
    ----------
    syntax : {"none", "link-grammar"}
    mesh : bool

    Returns
    -------
    dict of str to str
        The library's version, the fingerprint of what was added.

    Raises
    ------
    UsageError
        If one is not here, with what to install or to add; or if there is no
        such parser.
    """
    if syntax not in (NO_SYNTAX, LINK_GRAMMAR):
        raise UsageError(f"syntax must be {NO_SYNTAX!r} or {LINK_GRAMMAR!r}; got {syntax!r}")
    names = [LINK_GRAMMAR] * (syntax == LINK_GRAMMAR) + [MESH] * bool(mesh)
    return {name: _version(name) for name in names}


def check_sources(trained_with: Mapping[str, str]) -> None:
    """Check that the sources of training are here, in the same versions.

    Raises
    ------
    UsageError
        If one is missing or differs: what it tells would not be what the
        model has learned from.
    """
    for name, version in trained_with.items():
        here = _version(name)
        if here != version:
            raise UsageError(
                f"the model was trained with other knowledge: {_differs(name, version, here)}"
            )


def _version(name: str) -> str:
    if name == LINK_GRAMMAR:
        return link_grammar.version()
    info = resource_info(name)
    if info is None:
        raise UsageError(missing(name))
    load_mesh()
    return info.fingerprint


def _differs(name: str, wanted: str, here: str) -> str:
    if name == LINK_GRAMMAR:
        return f"Link Grammar {wanted}, and {here} is installed; install that, or train again"
    return another(name, wanted, here)
