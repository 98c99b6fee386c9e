"""Which knowledge sources the parameters of Stat-Deid ask for."""

from __future__ import annotations

from multideid.knowledge.sources import LINK_GRAMMAR, MESH, source_version

NO_SYNTAX = "none"


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
        If one is not here, with what to install or to add.
    """
    names = [LINK_GRAMMAR] * (syntax == LINK_GRAMMAR) + [MESH] * bool(mesh)
    return {name: source_version(name) for name in names}
