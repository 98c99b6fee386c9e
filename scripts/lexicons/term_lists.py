"""The lists of organisations, clinical terms and terms of other languages; own work."""

from __future__ import annotations

import re
from pathlib import Path

from multideid.knowledge.terms import TermTable

_HEADING = "# "
INITIALS = "initials"
_WITH_INITIALS = ("hospital", "public safety")
_SMALL_WORDS = frozenset("of the and for at in on de la".split())
_LENGTHS = range(3, 6)


def sources(table: TermTable) -> list[Path]:
    """Return the files that a table is packed from: the best known terms, and perhaps more.

    A table may also have a folder, with a file for each language.
    """
    folder = Path(__file__).parent
    if (folder / table.name).is_dir():
        return sorted((folder / table.name).glob("*.txt"))
    more = folder / f"more_{table.name}.txt"
    return [folder / f"{table.name}.txt", *([more] if more.exists() else [])]


def read_terms(table: TermTable, *paths: Path) -> dict[str, list[str]]:
    """Return the terms of each kind, in the order of the files, and initials of names.

    A line ``# KIND`` begins a kind, the first line too; every other line is a term, in its
    usual capitals. Initials are those of the names in the first file: of all hospitals, every
    three letters would be the initials of some.

    Raises
    ------
    ValueError
        If a kind is unknown or missing.
    """
    known, *more = (_read(table, path) for path in paths or sources(table))
    if INITIALS in known:
        named = [name for kind in _WITH_INITIALS for name in known[kind]]
        known[INITIALS] = sorted({initials for name in named for initials in initials_of(name)})
    for terms in more:
        for kind, names in terms.items():
            known[kind] += names
    return known


def _read(table: TermTable, path: Path) -> dict[str, list[str]]:
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
    return terms


def initials_of(name: str) -> set[str]:
    """Return the initials of a name's words, with and without small words: "RSH"."""
    words = re.findall(r"\w+", name)
    large = [word for word in words if word.lower() not in _SMALL_WORDS]
    found = {"".join(word[0].upper() for word in chosen) for chosen in (words, large)}
    return {initials for initials in found if len(initials) in _LENGTHS and initials.isalpha()}
