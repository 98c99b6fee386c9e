"""Checks of arguments where they come in; the errors name the argument and what it must be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite, isnan
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any

from multideid.errors import UsageError

_SHOWN = 40


def described(value: object) -> str:
    """Return a value for a message: itself if it is short, or its type, since it may be a note."""
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, str):
        is_short = len(value) <= _SHOWN and "\n" not in value
        return repr(value) if is_short else f"a text of {len(value)} characters"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return f"an object of type {type(value).__name__}"


def invalid(name: str, requirement: str, value: object, *, is_private: bool = False) -> UsageError:
    """Return the error of an argument that must be something else.

    Parameters
    ----------
    name, requirement : str
    value : object
    is_private : bool
        Whether a text in its place may be a note, an identifier or a key, so that not
        even a short one is shown.
    """
    if is_private and isinstance(value, str):
        shown = f"a text of {len(value)} characters"
    else:
        shown = described(value)
    return UsageError(f"{name} must be {requirement}; got {shown}")


def as_path(name: str, value: object) -> Path:
    """Return a path.

    Raises
    ------
    UsageError
        If it is neither a text nor a path, or empty, which would be the current folder.
    """
    if not isinstance(value, str | PathLike) or value == "":
        raise invalid(name, "a path, as a text or a Path", value)
    return Path(value)


def check_text(name: str, value: object, *, optional: bool = False) -> None:
    """Raise `UsageError` unless a value is a text, or None if it is `optional`."""
    if not isinstance(value, str) and not (optional and value is None):
        raise invalid(name, f"a text{_or_none(optional)}", value)


def check_choice(
    name: str, value: object, choices: Sequence[str], *, optional: bool = False
) -> None:
    """Raise `UsageError` unless a value is one of some names, or None if it is `optional`."""
    is_one = isinstance(value, str) and value in choices
    if not is_one and not (optional and value is None):
        raise invalid(name, f"one of {', '.join(choices)}{_or_none(optional)}", value)


def check_flag(name: str, value: object, *, optional: bool = False) -> None:
    """Raise `UsageError` unless a value is True or False, or None if it is `optional`."""
    # Grids of parameters may have flags of numpy.
    is_flag = isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")
    if not is_flag and not (optional and value is None):
        raise invalid(name, f"True or False{_or_none(optional)}", value)


def check_positive(name: str, value: Any) -> None:
    """Raise `UsageError` unless a value is a finite number above 0."""
    if not _is_number(value) or not isfinite(value) or value <= 0:
        raise invalid(name, "a number above 0", value)


def check_share(name: str, value: Any) -> None:
    """Raise `UsageError` unless a value lies above 0 and below 1."""
    if not _is_number(value) or not 0 < value < 1:
        raise UsageError(f"{name} must lie above 0 and below 1; got {described(value)}")


def check_function(name: str, value: object) -> None:
    """Raise `UsageError` unless a value is a function or None."""
    if value is not None and not callable(value):
        raise invalid(name, "a function, or None", value)


def as_texts(name: str, value: Any) -> list[str]:
    """Return a list of texts.

    Raises
    ------
    UsageError
        If it is a text itself, no list, or something in it is no text.
    """
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise invalid(name, "a list of texts", value)
    texts = list(value)
    odd = [text for text in texts if not isinstance(text, str)]
    if odd:
        raise UsageError(f"{name} must be a list of texts; it has {described(odd[0])}")
    return texts


def as_python(value: Any) -> Any:
    """Return a number or flag of numpy, as grids of parameters have them, as one of Python's.

    Anything else is returned as it is.
    """
    is_single = type(value).__module__ == "numpy" and getattr(value, "shape", None) == ()
    return value.item() if is_single else value


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN, or missing for pandas."""
    is_nan = isinstance(value, float) and isnan(value)
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _or_none(optional: bool) -> str:
    return ", or None" if optional else ""
