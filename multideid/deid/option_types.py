"""Checks of the types and names of options, before a model is loaded or a file is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from multideid.arguments import (
    as_path,
    as_texts,
    check_choice,
    check_flag,
    check_function,
    check_positive,
    check_text,
    invalid,
)
from multideid.models import check_model
from multideid.parallel import effective_n_jobs
from multideid.redact.modes import MODE_NAMES
from multideid.site.checks import RECALL_POINTS
from multideid.site.site import Site

_FLAGS = (
    "as_text", "language_check", "keep_weekday", "show_phi", "overwrite", "resume", "skip_existing",
)  # fmt: skip
_OPTIONAL_FLAGS = ("pass_through", "shared", "isolated")
_OPTIONAL_TEXTS = ("patient_field", "encoding", "json_id")
_OPTIONAL_PATHS = ("vault", "report")


def check_options(options: Mapping[str, Any]) -> None:
    """Check the type of each option.

    Parameters
    ----------
    options : mapping of str to object
        Those of `DeidOptions`.

    Raises
    ------
    UsageError
        Names the option, what it must be, and what it is.
    """
    for name, value in options.items():
        _RULES[name](value)


def _check_mode(value: object) -> None:
    if callable(value):
        return
    if not isinstance(value, str):
        raise invalid("mode", "a name, such as 'mask', or a function", value)
    check_choice("mode", value, MODE_NAMES)


def _check_recall(value: object) -> None:
    check_text("recall", value, optional=True)
    check_choice("recall", value, RECALL_POINTS, optional=True)


def _check_key(value: object) -> None:
    from multideid.redact.keys import Key

    if value is not None and not isinstance(value, Key | str | Path):
        raise invalid("key", "a Key, or the path of a file with it", value)


def _check_site(value: object) -> None:
    if value is not None and not isinstance(value, Site | str | Path):
        raise invalid("site", "a Site, or the path of a site.toml", value)


def _check_timeout(value: object) -> None:
    if value is not None:
        check_positive("timeout", value)


def _check_optional_path(name: str, value: object) -> None:
    if value is not None:
        as_path(name, value)


_RULES: dict[str, Callable[[Any], object]] = {
    "model": check_model,
    "mode": _check_mode,
    "recall": _check_recall,
    "key": _check_key,
    "site": _check_site,
    "json_paths": partial(as_texts, "json_paths"),
    "n_jobs": effective_n_jobs,
    "timeout": _check_timeout,
    "progress": partial(check_function, "progress"),
    "on_failure": partial(check_function, "on_failure"),
    **{name: partial(check_flag, name) for name in _FLAGS},
    **{name: partial(check_flag, name, optional=True) for name in _OPTIONAL_FLAGS},
    **{name: partial(check_text, name, optional=True) for name in _OPTIONAL_TEXTS},
    **{name: partial(_check_optional_path, name) for name in _OPTIONAL_PATHS},
}
