"""The annotations of a document of spaCy: its entities, or one of its span groups."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from multideid.errors import CorpusError

Annotations = TypeVar("Annotations")


def chosen_group(
    path: Path,
    where: str,
    entities: Annotations,
    groups: Mapping[str, Annotations],
    key: str | None,
) -> Annotations:
    """Return the span group `key`; without it the entities, or else the only group.

    Raises
    ------
    CorpusError
        If there is no group of that name, or several and no entities.
    """
    filled = {name: group for name, group in groups.items() if group}
    names = ", ".join(sorted(filled)) or "none"
    if key is not None:
        if key not in groups:
            raise CorpusError(path, f"has no span group {key!r}; it has {names}", where)
        return groups[key]
    if entities or not filled:
        return entities
    if len(filled) > 1:
        raise CorpusError(
            path, f"has no entities, but span groups: name one as spans_key ({names})", where
        )
    return next(iter(filled.values()))
