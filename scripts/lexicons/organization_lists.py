"""The lists of organisations, written for this project from general knowledge."""

from __future__ import annotations

from pathlib import Path

from multideid.knowledge.organizations import KINDS

SOURCE = Path(__file__).parent / "organizations.txt"
_HEADING = "# "


def read_organizations(path: Path = SOURCE) -> dict[str, list[str]]:
    """Return the names of each kind, in the order of the file.

    A line ``# KIND`` begins a kind, the first line too; every other line is a name, in its
    usual capitals.

    Raises
    ------
    ValueError
        If a kind is unknown or missing.
    """
    names: dict[str, list[str]] = {kind: [] for kind in KINDS}
    listed: list[str] | None = None
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        heading = line.startswith(_HEADING)
        if heading:
            listed = names.get(line.removeprefix(_HEADING))
        if listed is None:
            raise ValueError(f"{path}:{number}: no kind of name; use {', '.join(KINDS)}")
        if not heading:
            listed.append(line)
    return names
