"""What a base system declares about itself is checked before anything uses it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.taggers import registry
from multideid.taggers.mapped import MappedTagger
from multideid.taggers.parameters import ParamRule, at_least
from multideid.taggers.registry import BUILT_IN, describe_systems, load_system, register
from multideid.text.bio import TokenLabels
from multideid.text.table import TokenTable


class Numbers:
    name, summary = "numbers", "Numbers."

    def __init__(self, digits: int = 6) -> None:
        self.digits = digits

    def tag(self, document: Document) -> list[Span]:
        return []


class Mapped(MappedTagger):
    name, summary, _file = "mapped", "Finds nothing.", "mapped"

    def __init__(self, digits: int = 6) -> None:
        self.digits = digits

    def _native(self, tokens: TokenTable) -> TokenLabels:
        return TokenLabels(np.zeros(len(tokens), dtype=np.int32), ("O",))


class Ruled(Numbers):
    param_rules = {"digits": at_least(1)}  # noqa: RUF012


class WithoutParameters(Ruled):
    def __init__(self) -> None:
        super().__init__()


@pytest.fixture(autouse=True)
def _no_session_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_SESSION", {})


RULE = "a mapping of parameters to rules"
WRONG: list[tuple[str, Any, str]] = [
    ("min_precision", "0.5", "a number from 0 to 1; got '0.5'"),
    ("min_precision", 2.0, "a number from 0 to 1; got 2.0"),
    ("min_precision", True, "a number from 0 to 1; got True"),
    ("min_precision", float("nan"), "a number from 0 to 1; got nan"),
    ("min_precision", None, "a number from 0 to 1; got None"),
    ("certain_labels", ["DATE"], "a mapping of texts to texts"),
    ("certain_labels", {"DATE": 1}, "a mapping of texts to texts"),
    ("certain_labels", {"DATE": ""}, "a mapping of texts to texts"),
    ("param_rules", ["digits"], RULE),
    ("param_rules", {"nosuch": 1}, RULE),
    ("param_rules", {"digits": ("1 or more", lambda n: n > 0)}, RULE),
    ("needs", ["numpy"], "a mapping of texts to texts"),
    ("needs", {"numpy": 1}, "a mapping of texts to texts"),
]


@pytest.mark.parametrize(("attribute", "value", "requirement"), WRONG)
@pytest.mark.parametrize("kind", [Numbers, Mapped])
def test_a_wrong_declaration_is_named_with_its_rule_and_value(
    kind: type, attribute: str, value: Any, requirement: str
) -> None:
    plugin = type("Plugin", (kind,), {attribute: value})
    told = re.escape(f"system 'x': {attribute} must be {requirement}")
    with pytest.raises(UsageError, match=told):
        register(plugin, "x")


def test_a_wrong_declaration_of_an_object_is_refused() -> None:
    plugin = Numbers()
    plugin.min_precision = "much"  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match=r"min_precision must be .* got 'much'"):
        register(plugin)


def test_a_rule_for_something_that_is_no_parameter_is_refused() -> None:
    rules = {"digit": at_least(1)}
    with pytest.raises(UsageError, match=r"'numbers': param_rules has a rule for 'digit', .*has"):
        register(type("Plugin", (Numbers,), {"param_rules": rules}))


@pytest.mark.parametrize(
    "plugin",
    [
        Ruled,
        Ruled(),
        WithoutParameters,
        type("Plugin", (Numbers,), {"min_precision": np.float32(0.5), "certain_labels": {}}),
        type("Plugin", (Mapped,), {"min_precision": property(lambda self: 0.5)}),
        type("Plugin", (Numbers,), {"param_rules": {"digits": ParamRule("odd", lambda n: n % 2)}}),
    ],
)
def test_right_declarations_are_accepted(plugin: object) -> None:
    assert register(plugin) is plugin


def test_those_of_built_in_systems_are_right() -> None:
    for system in describe_systems():
        if system.usable and system.name in BUILT_IN:
            load_system(system.name)
