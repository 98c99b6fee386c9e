"""Checks of what a base system declares about itself, before anything uses it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from reprlib import repr as shortened
from typing import Any

from multideid.arguments import as_python
from multideid.errors import UsageError
from multideid.taggers.contract import BaseTagger
from multideid.taggers.mapped import MappedTagger
from multideid.taggers.parameters import SHARE, ParamRule, is_number

_MAPS = "a mapping of texts to texts"
_RULES = (
    "a mapping of parameters to rules of multideid.taggers.parameters, such as {'digits': "
    "at_least(1)}"
)


def check_declarations(name: str, plugin: object) -> None:
    """Check the class attributes of a base system or span plug-in.

    Parameters
    ----------
    name : str
        Name of the system in errors.
    plugin : class or object
        As it was registered.

    Raises
    ------
    UsageError
        If one is invalid; the message names the system, the attribute, what it must be, and
        its value.
    """
    _check(name, plugin, "needs", _is_texts, f"{_MAPS}: modules and their extras of multideid")
    _check(name, plugin, "param_rules", _is_rules, _RULES)
    _check(name, plugin, "earlier_names", _is_texts, f"{_MAPS}: earlier names and today's")
    _check_param_names(name, plugin)
    kind = plugin if isinstance(plugin, type) else type(plugin)
    if issubclass(kind, MappedTagger) or not issubclass(kind, BaseTagger):
        share = f"a number {SHARE.requirement}"
        _check(name, plugin, "min_precision", _is_share, share)
        labels = f"{_MAPS}: labels of the system, and those that their finds get"
        _check(name, plugin, "certain_labels", _is_texts, labels)


def _check(
    name: str, plugin: object, attribute: str, holds: Callable[[Any], bool], requirement: str
) -> None:
    if not hasattr(plugin, attribute):
        return
    value = getattr(plugin, attribute)
    # A property of a class has no value yet.
    if not isinstance(value, property) and not holds(value):
        raise UsageError(
            f"system {name!r}: {attribute} must be {requirement}; got {shortened(value)}"
        )


def _check_param_names(name: str, plugin: object) -> None:
    kind = plugin if isinstance(plugin, type) else type(plugin)
    known = inspect.signature(kind).parameters
    if any(p.kind is p.VAR_KEYWORD for p in known.values()):
        return
    # What a class inherits may be about parameters that it does not have.
    own = vars(kind)
    rules, todays = own.get("param_rules", {}), own.get("earlier_names", {}).values()
    named = [("param_rules has a rule for", p) for p in rules]
    named += [("earlier_names leads to", p) for p in todays]
    for says, param in named:
        if param not in known:
            has = ", ".join(known) or "none"
            raise UsageError(
                f"system {name!r}: {says} {param!r}, which is no parameter of the constructor; "
                f"it has: {has}"
            )


def _is_texts(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(text, str) and text for pair in value.items() for text in pair
    )


def _is_rules(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(param, str) and isinstance(rule, ParamRule) for param, rule in value.items()
    )


def _is_share(value: Any) -> bool:
    number = as_python(value)
    return is_number(number, int | float) and SHARE.holds(number)
