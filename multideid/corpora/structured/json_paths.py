"""Paths that choose values in JSON.

A path names keys from the root, separated by dots: ``note.text``. Positions in
lists are left out or written ``[2]`` or ``[*]``; ``*`` is any key, and ``..``
before a key finds it at any depth: ``..text``. A leading ``$`` may be written, as
in JSONPath, of which this is a part. A key with a dot in it is quoted:
``["report.text"]``.
"""

from __future__ import annotations

import re
from typing import Any

from multideid.corpora.structured.json_source import Path
from multideid.errors import UsageError

_STEP = re.compile(
    r"""(?P<deep>\.\.)?\.?(?:
        \[(?:(?P<position>\d+)|(?P<any_position>\*)|"(?P<quoted>[^"]+)"|'(?P<single>[^']+)')\]
        |(?P<any>\*)
        |(?P<key>[^.\[\]*"'$\s][^.\[\]]*)
    )""",
    re.VERBOSE,
)
_DEEP = object()
_ANY = object()

Step = object
"""A key, a position, or a sign for any of them or for any depth."""


class JsonPath:
    """A parsed path.

    Parameters
    ----------
    text : str
        As described for this module.

    Raises
    ------
    UsageError
        If it is malformed.

    Examples
    --------
    >>> JsonPath("notes.text").matches(("notes", 3, "text"))
    True
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._steps: list[Step] = []
        rest = text.removeprefix("$")
        position = 0
        while position < len(rest):
            match = _STEP.match(rest, position)
            if match is None or (position and rest[position] not in ".["):
                raise UsageError(
                    f"{text!r} is no path of JSON keys, such as note.text, notes[*].text or ..text"
                )
            self._add(match)
            position = match.end()
        if not self._steps:
            raise UsageError("a path of JSON keys is empty")

    def _add(self, match: re.Match[str]) -> None:
        if match["deep"]:
            self._steps.append(_DEEP)
        if match["position"]:
            self._steps.append(int(match["position"]))
        elif match["any"] or match["any_position"]:
            self._steps.append(_ANY)
        else:
            self._steps.append(match["quoted"] or match["single"] or match["key"])

    def matches(self, path: Path) -> bool:
        """Return whether a value at `path` is chosen; positions may be left out in this path."""
        return self._matches(0, path, 0)

    def holds(self, path: Path) -> bool:
        """Return whether a value at `path` is chosen, or lies inside a chosen one."""
        return any(self.matches(path[:end]) for end in range(len(path), 0, -1))

    def _matches(self, step: int, path: Path, place: int) -> bool:
        if step == len(self._steps):
            # A list of strings under a chosen key is chosen.
            return all(isinstance(part, int) for part in path[place:])
        wanted = self._steps[step]
        if wanted is _DEEP:
            rest = range(place, len(path))
            return any(self._matches(step + 1, path, later) for later in rest)
        if place == len(path):
            return False
        part = path[place]
        if (wanted is _ANY or wanted == part) and self._matches(step + 1, path, place + 1):
            return True
        return isinstance(part, int) and self._matches(step, path, place + 1)

    def found(self, value: Any, path: Path = ()) -> Any:
        """Return the first string or number that the path chooses in a value, or None."""
        if isinstance(value, dict | list):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            places = ((inner, (*path, key)) for key, inner in items)
            found = (self.found(inner, place) for inner, place in places)
            return next((each for each in found if each is not None), None)
        is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
        return value if is_plain and self.matches(path) else None
