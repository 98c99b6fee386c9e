"""The lists of organisations and of clinical terms, written for this project."""

from __future__ import annotations

import re
from pathlib import Path

from multideid.knowledge.terms import TermTable

_HEADING = "# "
INITIALS = "initials"
_WITH_INITIALS = ("hospital", "public safety")
_SMALL_WORDS = frozenset("of the and for at in on de la".split())
_LENGTHS = range(3, 6)


def source(table: TermTable) -> Path:
    """Return the file that a table is packed from."""
    return Path(__file__).parent / f"{table.name}.txt"


def read_terms(table: TermTable, path: Path | None = None) -> dict[str, list[str]]:
    """Return the terms of each kind, in the order of the file, and initials of names.

    A line ``# KIND`` begins a kind, the first line too; every other line is a term, in its
    usual capitals.

    Raises
    ------
    ValueError
        If a kind is unknown or missing.
    """
    path = path or source(table)
    terms: dict[str, list[str]] = {kind: [] for kind in table.kinds}
    listed: list[str] | None = None
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        heading = line.startswith(_HEADING)
        if heading:
            listed = terms.get(line.removeprefix(_HEADING))
        if listed is None:
            raise ValueError(f"{path}:{number}: no kind of term; use {', '.join(table.kinds)}")
        if not heading:
            listed.append(line)
    if INITIALS in terms:
        named = [name for kind in _WITH_INITIALS for name in terms[kind]]
        terms[INITIALS] = sorted({initials for name in named for initials in initials_of(name)})
    return terms


def initials_of(name: str) -> set[str]:
    """Return the initials of a name's words, with and without small words: "RSH"."""
    words = re.findall(r"\w+", name)
    large = [word for word in words if word.lower() not in _SMALL_WORDS]
    found = {"".join(word[0].upper() for word in chosen) for chosen in (words, large)}
    return {initials for initials in found if len(initials) in _LENGTHS and initials.isalpha()}
