"""Checks of the parameters of de-identifiers, before anything is fitted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from numbers import Integral
from typing import Any

from multideid.arguments import (
    as_texts,
    check_flag,
    check_function,
    check_positive,
    check_share,
    check_text,
    invalid,
    is_missing,
)
from multideid.errors import UsageError
from multideid.parallel import effective_n_jobs

_FLAGS = ("augmentation", "document_context", "span_choice", "decisions_only", "pass_through")


def check_settings(params: Mapping[str, Any]) -> None:
    """Check the types of a de-identifier's parameters, and the bounds of numbers.

    Parameters
    ----------
    params : mapping of str to object
        As `get_params` returns them; those that have no rule here are not checked.

    Raises
    ------
    UsageError
        Names the parameter, what it must be, and what it is.
    """
    for name, value in params.items():
        if name in _RULES:
            _RULES[name](value)


def check_seed(seed: object) -> int:
    """Return the seed, or raise `UsageError` if numpy or scikit-learn would refuse it."""
    if not isinstance(seed, Integral) or isinstance(seed, bool) or not 0 <= int(seed) < 2**32:
        raise invalid("seed", "a whole number from 0 to 2**32 - 1", seed)
    return int(seed)


def checked_groups(groups: Any, n_documents: int) -> list[Any] | None:
    """Return groups of documents as a list.

    Raises
    ------
    UsageError
        If they are a text or not a list, not as many as documents, or one is missing or
        cannot be hashed, such as a list.
    """
    if groups is None:
        return None
    if isinstance(groups, str | bytes) or not isinstance(groups, Iterable):
        raise invalid("groups", "a list with one value per document", groups, is_private=True)
    values = list(groups)
    if len(values) != n_documents:
        raise UsageError(f"groups has {len(values)} values for {n_documents} documents")
    for n, value in enumerate(values):
        if is_missing(value):
            raise UsageError(f"value {n} of groups is missing; give every document a group")
        if not _is_hashable(value):
            raise UsageError(f"value {n} of groups is a {type(value).__name__}; give texts, say")
    return values


def _is_hashable(value: object) -> bool:
    # Of a tuple, only its values show it.
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _check_folds(folds: object) -> None:
    if not isinstance(folds, Integral) or isinstance(folds, bool) or int(folds) < 2:
        raise invalid("folds", "a whole number, at least 2 to learn out of fold", folds)


def _check_recall(value: object) -> None:
    if isinstance(value, str):
        raise UsageError(
            f"recall is the wanted recall, above 0 and below 1; got {value!r}. "
            "The fitted model's with_recall takes points by name"
        )
    if value is not None:
        check_share("recall", value)


def _check_params(value: object) -> None:
    if value is not None and not isinstance(value, Mapping):
        raise invalid("params", "a mapping of parameters, or None", value)


def _check_feature_classes(value: object) -> None:
    if value is None:
        return
    # A model is saved with its parameters, and neither a set nor an iterator can be.
    if not isinstance(value, Sequence):
        raise invalid("feature_classes", "a list of texts", value)
    as_texts("feature_classes", value)


_RULES: dict[str, Callable[[Any], object]] = {
    "system": partial(check_text, "system"),
    "params": _check_params,
    "rule": partial(check_text, "rule"),
    "recall": _check_recall,
    "folds": _check_folds,
    "seed": check_seed,
    "c": partial(check_positive, "c"),
    "feature_classes": _check_feature_classes,
    "n_jobs": effective_n_jobs,
    "progress": partial(check_function, "progress"),
    **{name: partial(check_flag, name) for name in _FLAGS},
}
