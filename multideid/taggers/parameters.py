"""Validation of the parameters of base systems, before anything is fitted."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from math import frexp
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from multideid.arguments import as_python
from multideid.errors import ModelError, UsageError
from multideid.estimator import no_such_parameter


class ParamRule(NamedTuple):
    """A condition on the value of a parameter.

    Parameters
    ----------
    requirement : str
        Completes the sentence "the parameter must be ...".
    holds : callable
        Takes a value of the default's type and returns whether it is valid.
    """

    requirement: str
    holds: Callable[[Any], bool]


def at_least(least: int) -> ParamRule:
    """Return the rule that a value is at least `least`."""
    return ParamRule(f"{least} or more", lambda value: value >= least)


def one_of(*choices: str) -> ParamRule:
    """Return the rule that a value is one of `choices`."""
    return ParamRule(f"one of {', '.join(choices)}", lambda value: value in choices)


ABOVE_0 = ParamRule("above 0", lambda value: value > 0)
SHARE = ParamRule("from 0 to 1", lambda value: 0 <= value <= 1)
SHARE_ABOVE_0 = ParamRule("above 0 and at most 1", lambda value: 0 < value <= 1)
SHARE_BELOW_1 = ParamRule("0 or more and below 1", lambda value: 0 <= value < 1)
SEED = ParamRule("from 0 to 2**32 - 1", lambda value: 0 <= value < 2**32)
POWER_OF_2_OR_0 = ParamRule(
    "0 or a power of two", lambda value: value == 0 or (value > 0 and frexp(value)[0] == 0.5)
)
POS_TAGGER = ParamRule(
    "lexicon, or spacy: and the name of an installed pipeline",
    lambda value: value == "lexicon" or value.startswith("spacy:"),
)
"""Rule for the parameter `tagger` of `multideid.text.pos.pos_column`."""

CLUSTERS = ParamRule(
    "the path of a folder that multideid clusters wrote, as a text",
    lambda value: isinstance(value, str) and value != "",
)
"""Rule for the parameter `clusters`."""

LISTS = ParamRule(
    "the path of a site.toml, as a text",
    lambda value: isinstance(value, str) and value != "",
)
"""Rule for the parameter `lists`."""

FULL, PAPER = "full", "paper"
FEATURE_SETS = one_of(FULL, PAPER)
"""Rule for the parameter `features`: those that come with the package, or the paper's alone."""

_ANY = ParamRule("", lambda value: True)


class _Named(Protocol):
    name: ClassVar[str]


System = TypeVar("System", bound=_Named)


def check_params(name: str, system: type, params: Mapping[str, Any]) -> None:
    """Check parameters against the signature of a system's constructor.

    A value must have the type of the default, must be a JSON value, and must
    satisfy the system's rule in `param_rules`, if there is one. Numbers of numpy
    count as Python's.

    Parameters
    ----------
    name : str
        Name of the system in errors.
    system : type
    params : mapping of str to object

    Raises
    ------
    UsageError
        If there is no such parameter, or its value is invalid; the message
        names the system, the parameter, the rule and the value, or today's name of a parameter.
    """
    known = inspect.signature(system).parameters
    rules: Mapping[str, ParamRule] = getattr(system, "param_rules", {})
    earlier: Mapping[str, str] = getattr(system, "earlier_names", {})
    anything = any(p.kind is p.VAR_KEYWORD for p in known.values())
    for param in sorted(params):
        if param in known:
            default = known[param].default
            checks = (_type_rule(default), rules.get(param, _ANY), _PLAIN)
            _check(name, param, as_python(params[param]), checks, default)
        elif param in earlier or not anything:
            raise no_such_parameter(f"system {name!r}", param, known, earlier)


def check_required(name: str, system: type, params: Mapping[str, Any]) -> None:
    """Check that parameters without a default have a value.

    Raises
    ------
    UsageError
        If one has none.
    """
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    for param in inspect.signature(system).parameters.values():
        if param.default is param.empty and param.kind not in optional and param.name not in params:
            raise UsageError(
                f"system {name!r}: the parameter {param.name} has no default and is not given; "
                "give it a default in the constructor"
            )


def stored_defaults(system: type) -> dict[str, Any]:
    """Return the defaults of a system's parameters that JSON keeps as they are."""
    known = inspect.signature(system).parameters
    defaults = {name: p.default for name, p in known.items() if p.default is not p.empty}
    return {name: value for name, value in defaults.items() if _survives_json(value)}


def with_todays_names(system: type, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a stored model under the names that they have today.

    Parameters
    ----------
    system : type
        A tagger class or span plug-in; its `earlier_names` are replaced.
    params : mapping of str to object
    """
    known = inspect.signature(system).parameters
    earlier: Mapping[str, str] = getattr(system, "earlier_names", {})

    def todays(param: str) -> str:
        today = earlier.get(param, param)
        # With a value under either name, one would be lost; `check_params` refuses the earlier.
        return param if param in known or today in params else today

    return {todays(param): value for param, value in params.items()}


def made_again(system: type[System], params: Mapping[str, Any], path: Path) -> System:
    """Return a system with the parameters that a model file holds.

    Parameters
    ----------
    system : type
        A tagger class.
    params : mapping of str to object
        Under the names of today or of an earlier version.
    path : Path
        The file, for errors.

    Raises
    ------
    ModelError
        If the system has no such parameter, or its value is invalid.
    """
    try:
        todays = with_todays_names(system, params)
        check_params(system.name, system, todays)
        check_required(system.name, system, todays)
        return system(**todays)
    except (TypeError, ValueError) as error:
        raise ModelError(path, f"has parameters that are refused: {error}") from None


def _check(
    name: str, param: str, value: object, rules: Sequence[ParamRule], default: object
) -> None:
    if value is default or (isinstance(default, _SIMPLE) and _same(value, default)):
        return  # Also if the default breaks a rule, and was stored in a model.
    for rule in rules:
        if not _holds(rule, value):
            raise UsageError(f"system {name!r}: {param} must be {rule.requirement}; got {value!r}")


def _same(value: object, default: object) -> bool:
    return type(value) is type(default) and value == default


def _holds(rule: ParamRule, value: object) -> bool:
    try:
        return rule.holds(value)
    except (AttributeError, TypeError):
        # If the default is None, the value may have any type.
        return False


def _type_rule(default: object) -> ParamRule:
    """Return the rule that a value has the type of a default."""
    match default:
        case bool():
            return ParamRule("true or false", lambda value: isinstance(value, bool))
        case int():
            return ParamRule("a whole number", lambda value: is_number(value, int))
        case float():
            return ParamRule("a number", lambda value: is_number(value, int | float))
        case str():
            return ParamRule("a text", lambda value: isinstance(value, str))
    return _ANY


def is_number(value: object, kind: Any) -> bool:
    """Return whether a value is a number of some type; flags are none."""
    return isinstance(value, kind) and not isinstance(value, bool)


def _is_plain(value: object) -> bool:
    if isinstance(value, PathLike):
        return True  # It is stored as a text.
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


def _survives_json(value: object) -> bool:
    """Return whether a value comes back from JSON as it was; a tuple would be a list."""
    if not _is_plain(value) or isinstance(value, PathLike):
        return False
    # Its text also differs if the type of a part does, such as the key of a mapping.
    return repr(json.loads(json.dumps(value))) == repr(value)


_SIMPLE = (bool, int, float, str)

_PLAIN = ParamRule("a plain JSON value", _is_plain)
