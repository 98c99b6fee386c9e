"""Parameters of base systems are checked before anything is fitted."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pytest

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.taggers import registry
from multideid.taggers.parameters import ParamRule, at_least, check_params, one_of
from multideid.taggers.registry import BUILT_IN, describe_systems, load_system, make_system
from multideid.taggers.span_adapter import adapt


class Plugin:
    """Takes a parameter of every kind."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        deep: bool = False,
        size: int = 3,
        share: float = 0.5,
        kind: str = "a",
        epochs: int = 1,
        other: Any = None,
    ) -> None:
        self.given = (deep, size, share, kind, epochs, other)


class Open:
    """Takes any parameters."""

    def __init__(self, size: int = 3, **others: Any) -> None:
        self.given = (size, others)


class Ruled:
    """A span plug-in with parameter rules."""

    param_rules: ClassVar[Mapping[str, ParamRule]] = {"size": at_least(2), "kind": one_of("a", "b")}

    def __init__(self, size: int = 3, kind: str | None = None) -> None:
        self.given = (size, kind)

    def tag(self, document: Document) -> list[Span]:
        return []


class Heir(Ruled):
    """Has the same parameters."""


@pytest.mark.parametrize(
    ("param", "value", "rule"),
    [
        ("deep", "yes", "true or false; got 'yes'"),
        ("deep", 1, "true or false; got 1"),
        ("size", 2.5, "a whole number; got 2.5"),
        ("size", True, "a whole number; got True"),
        ("share", "much", "a number; got 'much'"),
        ("share", False, "a number; got False"),
        ("share", float("nan"), "a plain JSON value; got nan"),
        ("kind", 3, "a text; got 3"),
        ("other", {1, 2}, "a plain JSON value"),
    ],
)
def test_a_value_of_another_kind_is_refused(param: str, value: object, rule: str) -> None:
    with pytest.raises(UsageError, match=f"system 'x': {param} must be {rule}"):
        check_params("x", Plugin, {param: value})


@pytest.mark.parametrize(
    "params",
    [{}, {"deep": True}, {"size": 10**30}, {"share": 1}, {"share": -2.5}, {"kind": ""},
     {"epochs": 0}, {"other": [1, "b", None]}, {"other": None}],
)  # fmt: skip
def test_parameters_without_rules_are_passed_to_the_plugin(params: dict[str, object]) -> None:
    check_params("x", Plugin, params)


@pytest.mark.parametrize(
    ("param", "value"),
    [("size", np.int64(4)), ("share", np.float32(0.25)), ("share", np.int8(1)),
     ("deep", np.True_), ("other", np.int64(4))],
)  # fmt: skip
def test_numbers_of_numpy_count_as_those_of_python(param: str, value: Any) -> None:
    check_params("x", Plugin, {param: value})
    with pytest.raises(UsageError, match=r"size must be a whole number; got 2\.5"):
        check_params("x", Plugin, {"size": np.float64(2.5)})


def test_a_system_gets_numbers_of_python() -> None:
    epochs = make_system("mist", epochs=np.int64(3)).get_params()["epochs"]
    assert (epochs, type(epochs)) == (3, int)


@pytest.mark.parametrize("system", [Ruled, Heir, adapt(Ruled, "x"), adapt(Heir, "x")])
def test_plugins_can_have_parameter_rules(system: type) -> None:
    check_params("x", system, {"size": 2, "kind": "b"})
    with pytest.raises(UsageError, match="system 'x': size must be 2 or more; got 1"):
        check_params("x", system, {"size": 1})
    with pytest.raises(UsageError, match="system 'x': size must be a whole number; got 'large'"):
        check_params("x", system, {"size": "large"})
    with pytest.raises(UsageError, match="system 'x': kind must be one of a, b; got 7"):
        check_params("x", system, {"kind": 7})


def test_an_open_constructor_takes_names_that_it_does_not_list() -> None:
    check_params("x", Open, {"anything": 1})
    with pytest.raises(UsageError, match="size must be a whole number"):
        check_params("x", Open, {"size": "large"})
    with pytest.raises(UsageError, match="'x' has no parameter 'anything'; it has: deep, size"):
        check_params("x", Plugin, {"anything": 1})


@pytest.mark.parametrize(
    ("system", "param", "value", "rule"),
    [
        ("stat-deid", "c", 0, "above 0; got 0"),
        ("stat-deid", "c", float("nan"), "above 0; got nan"),
        ("stat-deid", "pos_tagger", "brill", "lexicon, or spacy: and the name"),
        ("stat-deid", "syntax", "penn", "one of none, link-grammar; got 'penn'"),
        ("stat-deid", "seed", -1, r"from 0 to 2\*\*32 - 1; got -1"),
        ("stanford", "folds", 1, "2 or more; got 1"),
        ("mist", "epochs", 0, "1 or more; got 0"),
        ("mist", "feature_dropout", 1.0, r"0 or more and below 1; got 1\.0"),
        ("szarvas", "triggers", "none", "one of vote, token, phrase, trigram"),
        ("szarvas", "outside_share", 1.5, r"above 0 and at most 1; got 1\.5"),
        ("presidio", "score_threshold", "high", "from 0 to 1; got 'high'"),
    ],
)
def test_a_value_beyond_its_rule_is_refused_of_built_in_systems(
    system: str, param: str, value: object, rule: str
) -> None:
    with pytest.raises(UsageError, match=f"system '{system}': {param} must be {rule}"):
        make_system(system, **{param: value})


def _usable() -> list[str]:
    """Return the systems whose packages are installed; those of some extras are large."""
    return [system.name for system in describe_systems() if system.usable]


@pytest.mark.parametrize("name", sorted(BUILT_IN.keys() & _usable()))
def test_every_number_that_a_built_in_system_takes_has_a_rule(name: str) -> None:
    system = load_system(name)
    known = inspect.signature(system).parameters
    numbers = {p for p, found in known.items() if type(found.default) in (int, float)}
    assert numbers <= system.param_rules.keys() <= known.keys()


@pytest.mark.parametrize("name", _usable())
def test_every_system_takes_its_own_defaults(name: str) -> None:
    params = make_system(name).get_params()
    check_params(name, load_system(name), params)


class Required:
    """A span plug-in with a parameter without a default."""

    def __init__(self, digits: int, size: int = 3) -> None:
        self.given = (digits, size)

    def tag(self, document: Document) -> list[Span]:
        return []


def test_a_parameter_without_default_and_value_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._SESSION, "required", Required)
    with pytest.raises(UsageError, match="system 'required': the parameter digits has no default"):
        make_system("required", size=4)
    assert make_system("required", digits=4).get_params() == {"digits": 4, "size": 3}


def test_a_default_may_break_a_rule_of_its_own() -> None:
    system = type("Plugin", (Ruled,), {"param_rules": {"size": at_least(5)}})
    check_params("x", system, {"size": int("3")})
    with pytest.raises(UsageError, match="size must be 5 or more"):
        check_params("x", system, {"size": 4})
