"""What the parameters of base systems may be, told before anything is fitted."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from multideid.errors import UsageError


class Rule(NamedTuple):
    """What a value of a parameter must be.

    Parameters
    ----------
    wants : str
        Continues "must be".
    holds : callable
        Tells of a value of the default's kind whether it is that.
    """

    wants: str
    holds: Callable[[Any], bool]


def at_least(least: int) -> Rule:
    """Return the rule that a value is no less than `least`."""
    return Rule(f"{least} or more", lambda value: value >= least)


def one_of(*choices: str) -> Rule:
    """Return the rule that a value is one of some texts."""
    return Rule(f"one of {', '.join(choices)}", lambda value: value in choices)


ABOVE_0 = Rule("above 0", lambda value: value > 0)
SHARE = Rule("from 0 to 1", lambda value: 0 <= value <= 1)
SHARE_ABOVE_0 = Rule("above 0 and at most 1", lambda value: 0 < value <= 1)
SHARE_BELOW_1 = Rule("0 or more and below 1", lambda value: 0 <= value < 1)
SEED = Rule("from 0 to 2**32 - 1", lambda value: 0 <= value < 2**32)
POS_TAGGER = Rule(
    "lexicon, or spacy: and the name of an installed pipeline",
    lambda value: value == "lexicon" or value.startswith("spacy:"),
)
"""As `multideid.text.pos.pos_column`."""

_ANY = Rule("", lambda value: True)


def check_params(name: str, system: type, params: Mapping[str, Any]) -> None:
    """Check parameters against what a system's constructor takes.

    A value must be of the kind of the default, and one that a model folder can
    keep, and must keep the system's own rule, if there is one in `param_rules`.

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
    rules: Mapping[str, Rule] = getattr(system, "param_rules", {})
    anything = any(p.kind is p.VAR_KEYWORD for p in known.values())
    for param in sorted(params):
        if param in known:
            default = known[param].default
            wanted = (_kind(default), rules.get(param, _ANY), _PLAIN)
            _check(name, param, params[param], wanted, default)
        elif not anything:
            has = ", ".join(known) or "none"
            raise UsageError(f"system {name!r} has no parameter {param!r}; it has: {has}")


def _check(name: str, param: str, value: object, rules: Sequence[Rule], default: object) -> None:
    if value is default:
        return
    for rule in rules:
        if not _holds(rule, value):
            raise UsageError(f"system {name!r}: {param} must be {rule.wants}; got {value!r}")


def _holds(rule: Rule, value: object) -> bool:
    try:
        return rule.holds(value)
    except (AttributeError, TypeError):
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
