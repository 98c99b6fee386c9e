"""Patterns of the JSON values of a model file, checked when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from multideid.errors import ModelError
from multideid.persistence.array_rules import LARGEST

Pattern = Any
"""One of

- ``str``, ``bool``, ``int``, ``float``, ``dict``: a value of that type; a number is not above
  `LARGEST` in absolute value, and a whole number is a float too;
- ``[pattern]``: a list of any length; ``(pattern, pattern)``: a list of these;
- ``{str: pattern}``: an object with any names;
- ``{"name": pattern}``: an object with these names, and perhaps others.
"""

_NAMES: dict[type, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    dict: "an object",
}


def check_json(path: Path, value: object, pattern: Pattern) -> None:
    """Check a JSON value against a pattern.

    Parameters
    ----------
    path : Path
        The file, for errors.
    value : object
    pattern : Pattern

    Raises
    ------
    ModelError
        If they disagree; the message says where.
    """
    problem = _problem(value, pattern, "")
    if problem:
        raise ModelError(path, f"is damaged ({problem}); train the model again")


def _problem(value: object, pattern: Pattern, place: str) -> str | None:
    match pattern:
        case type():
            return None if _is_a(value, pattern) else _expected(_NAMES[pattern], place)
        case [each] if isinstance(pattern, list):
            return _problem_of_list(value, each, None, place)
        case tuple():
            return _problem_of_list(value, None, pattern, place)
        case _:
            return _problem_of_object(value, pattern, place)


def _is_a(value: object, kind: type) -> bool:
    if kind in (int, float):
        numbers = int if kind is int else (int, float)
        is_number = isinstance(value, numbers) and not isinstance(value, bool)
        return is_number and -LARGEST <= value <= LARGEST  # type: ignore[operator]
    return isinstance(value, kind)


def _problem_of_list(
    value: object, each: Pattern, parts: tuple[Pattern, ...] | None, place: str
) -> str | None:
    if not isinstance(value, list):
        return _expected("a list", place)
    if parts is not None and len(parts) != len(value):
        return _expected(f"a list of {len(parts)}", place)
    patterns = [each] * len(value) if parts is None else parts
    found = (
        _problem(v, p, f"{place}[{n}]")
        for n, (v, p) in enumerate(zip(value, patterns, strict=True))
    )
    return next((problem for problem in found if problem), None)


def _problem_of_object(value: object, pattern: Mapping[Any, Pattern], place: str) -> str | None:
    if not isinstance(value, dict):
        return _expected("an object", place)
    if str in pattern:
        pattern = dict.fromkeys(value, pattern[str])
    missing = [name for name in pattern if name not in value]
    if missing:
        return f"without {f'{place}.{missing[0]}'.lstrip('.')}"
    found = (_problem(value[n], p, f"{place}.{n}") for n, p in pattern.items())
    return next((problem for problem in found if problem), None)


def _expected(kind: str, place: str) -> str:
    return f"something other than {kind}" + (f" in {place.lstrip('.')}" if place else "")
