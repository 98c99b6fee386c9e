"""What the parameters of base systems may be, told before anything is fitted."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from multideid.errors import UsageError


class Rule(NamedTuple):
    """What a value must be.

    Parameters
    ----------
    wants : str
        Continues "must be".
    holds : callable
    """

    wants: str
    holds: Callable[[Any], bool]


def _at_least(least: int) -> Rule:
    return Rule(f"{least} or more", lambda value: value >= least)


def _one_of(*choices: str) -> Rule:
    return Rule(f"one of {', '.join(choices)}", lambda value: value in choices)


_ABOVE_0 = Rule("above 0", lambda value: value > 0)
_ANY = Rule("", lambda value: True)

_RULES = {
    "booster": _one_of("histogram", "adaboost"),
    "c": _ABOVE_0,
    "depth": _at_least(1),
    "dropout": Rule("0 or more and below 1", lambda value: 0 <= value < 1),
    "epochs": _at_least(1),
    "folds": _at_least(2),
    "iterations": _at_least(0),
    "min_count": _at_least(1),
    "min_leaf": _at_least(1),
    "most": _at_least(1),
    "n_features": _at_least(1),
    "outside": Rule("above 0 and at most 1", lambda value: 0 < value <= 1),
    "pos_tagger": Rule(
        "lexicon, or spacy: and the name of an installed pipeline",
        lambda value: value == "lexicon" or value.startswith("spacy:"),
    ),
    "pruning": _at_least(0),
    "rate": _ABOVE_0,
    "relations": _at_least(0),
    "rounds": _at_least(1),
    "score_threshold": Rule("from 0 to 1", lambda value: 0 <= value <= 1),
    "seed": Rule("from 0 to 2**32 - 1", lambda value: 0 <= value < 2**32),
    "separator": _at_least(0),
    "syntax": _one_of("none", "link-grammar"),
    "temperature": _ABOVE_0,
    "triggers": _one_of("vote", "token", "phrase", "trigram"),
    "width": _at_least(1),
}
"""Of the built-in systems, among which a name means the same everywhere."""

_BUILT_IN = "multideid.base_systems."


def check_params(name: str, system: type, params: Mapping[str, Any]) -> None:
    """Check parameters against what a system's constructor takes.

    A value must be of the kind of the default, and one that a model folder can
    keep. Of built-in systems its size is checked too; what others make of
    theirs is their own affair.

    Parameters
    ----------
    name : str
        What errors call the system.
    system : type
    params : mapping of str to object

    Raises
    ------
    UsageError
        If there is no such parameter, or its value is refused; the message has
        the system, the parameter, the rule and the value.
    """
    known = inspect.signature(system).parameters
    anything = any(p.kind is p.VAR_KEYWORD for p in known.values())
    for param in sorted(params):
        if param in known:
            rules = [_kind(known[param].default), *_own_rules(system, param)]
            _check(name, param, params[param], rules, known[param].default)
        elif not anything:
            has = ", ".join(known) or "none"
            raise UsageError(f"system {name!r} has no parameter {param!r}; it has: {has}")


def _own_rules(system: type, param: str) -> list[Rule]:
    is_built_in = system.__module__.startswith(_BUILT_IN)
    return [_RULES[param]] if is_built_in and param in _RULES else []


def _check(name: str, param: str, value: object, rules: list[Rule], default: object) -> None:
    if value is default:
        return
    for rule in (*rules, _PLAIN):
        if not _holds(rule, value):
            raise UsageError(f"system {name!r}: {param} must be {rule.wants}; got {value!r}")


def _holds(rule: Rule, value: object) -> bool:
    try:
        return rule.holds(value)
    except TypeError:
        # Where the default is None, a value of any kind gets here.
        return False


def _kind(default: object) -> Rule:
    """Return the rule that a value is of the kind of a default."""
    match default:
        case bool():
            return Rule("true or false", lambda value: isinstance(value, bool))
        case int():
            return Rule("a whole number", lambda value: _is_number(value, int))
        case float():
            return Rule("a number", lambda value: _is_number(value, int | float))
        case str():
            return Rule("a text", lambda value: isinstance(value, str))
    return _ANY


def _is_number(value: object, kind: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _is_plain(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


_PLAIN = Rule("a plain JSON value", _is_plain)
