"""The knowledge of a site that options name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.site import Site


def chosen_site(
    site: Path | None,
    allow: list[Path] | None = None,
    deny: list[str] | None = None,
    labels: str | None = None,
    patients: Path | None = None,
    **values: Any,
) -> Site | None:
    """Return the site of a file and options, whose lists are joined; None if none is given.

    Other values are parameters of `Site`; None if they are not given.

    Raises
    ------
    UsageError
        If an option is malformed.
    ResourceError
        If a file cannot be read, or has mistakes; names their lines.
    """
    from multideid.site import Site
    from multideid.site.entries import read_list

    given = {name: value for name, value in values.items() if value is not None}
    options = (site, labels, patients, *(allow or ()), *(deny or ()))
    if not given and all(option is None for option in options):
        return None
    own = Site() if site is None else Site.read(site)
    allowed = [entry for path in allow or () for entry in read_list(path)]
    taken = None if labels is None else [label.strip() for label in labels.split(",")]
    lists = {"allow": allowed, "deny": _denied(deny or [])}
    return own.with_values(**lists, labels=taken, patients=patients, **given)


def chosen_actions(options: list[str] | None) -> dict[str, str] | None:
    """Return the action of each label that options give; None if they give none.

    Raises
    ------
    UsageError
        If an option is malformed, or gives a label twice.
    """
    if not options:
        return None
    found: dict[str, str] = {}
    for part in ",".join(options).split(","):
        label, _, action = (side.strip() for side in part.partition("="))
        if not label or not action:
            raise UsageError(f"--action is LABEL=ACTION,..., such as DATE=shift; got {part!r}")
        if label in found:
            raise UsageError(f"--action has {label} twice")
        found[label] = action
    return found


def _denied(options: list[str]) -> dict[str, list[str]]:
    from multideid.site.entries import read_list

    found: dict[str, list[str]] = {}
    for option in options:
        label, _, path = (side.strip() for side in option.partition("="))
        if not label or not path:
            raise UsageError(f"--deny is LABEL=FILE, such as DOCTOR=staff.txt; got {option!r}")
        found.setdefault(label, []).extend(read_list(path))
    return found
