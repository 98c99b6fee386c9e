"""Names of base systems."""

from __future__ import annotations

import re

RESERVED = frozenset({"mega", "multi", "single", "vote"})
"""The kinds of de-identifiers, which commands and experiments name beside base systems."""

_FORM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def name_problem(name: object) -> str | None:
    """Return why a base system cannot have a name, or None if it can.

    Returns
    -------
    str or None
        Completes the sentence "the system needs ...".
    """
    if not isinstance(name, str) or not _FORM.fullmatch(name):
        return f"a name of letters, digits, '-', '_' and '.'; got {name!r}"
    if name in RESERVED:
        return f"another name than {name!r}, which is that of a de-identifier"
    if "__" in name or name.endswith("_"):
        # The first '__' of a parameter such as mist__epochs ends the name of the system.
        return f"a name without '__', and without '_' at its end; got {name!r}"
    return None
