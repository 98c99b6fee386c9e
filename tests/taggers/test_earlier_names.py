"""Parameters that were renamed: stored models load, and errors tell the name of today."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from multideid.document import Document, Span
from multideid.errors import ModelError, UsageError
from multideid.taggers import registry
from multideid.taggers.parameters import (
    check_params,
    made_again,
    stored_defaults,
    with_todays_names,
)
from multideid.taggers.registry import BUILT_IN, make_system, register
from multideid.taggers.span_adapter import adapt

FILE = Path("badge.json")


class Badge:
    """Badge numbers; the parameter prefix was once named start."""

    name = "badge"
    earlier_names: ClassVar[Mapping[str, str]] = {"start": "prefix"}

    def __init__(self, prefix: str = "B", digits: int = 4) -> None:
        self.given = (prefix, digits)

    def tag(self, document: Document) -> list[Span]:
        return []


class Open(Badge):
    """Takes any parameters."""

    def __init__(self, prefix: str = "B", **others: Any) -> None:
        self.given = (prefix, others)


class Heir(Badge):
    """Has no parameter prefix, although the class above has."""

    def __init__(self, digits: int = 4) -> None:
        super().__init__(digits=digits)


# Also those whose packages are not installed.
SYSTEMS = {name: pkgutil.resolve_name(target) for name, target in BUILT_IN.items()}
RENAMED = [
    (name, earlier, today)
    for name, system in SYSTEMS.items()
    for earlier, today in getattr(system, "earlier_names", {}).items()
]


def test_parameters_of_a_stored_model_get_the_names_of_today() -> None:
    assert with_todays_names(Badge, {"start": "Z", "digits": 2}) == {"prefix": "Z", "digits": 2}
    made = made_again(adapt(Badge, "badge"), {"start": "Z", "digits": 2}, FILE)
    assert made.get_params() == {"prefix": "Z", "digits": 2}


def test_a_stored_model_with_both_names_is_refused() -> None:
    with pytest.raises(ModelError, match="'start'; it is now 'prefix'"):
        made_again(adapt(Badge, "badge"), {"start": "Z", "prefix": "B"}, FILE)


@pytest.mark.parametrize("system", [Badge, Open, adapt(Badge, "badge")])
def test_an_earlier_name_is_refused_with_the_name_of_today(system: type) -> None:
    told = "system 'x' has no parameter 'start'; it is now 'prefix'"
    with pytest.raises(UsageError, match=told):
        check_params("x", system, {"start": "Z"})


def test_a_class_without_the_parameter_of_today_names_those_that_it_has() -> None:
    with pytest.raises(UsageError, match="no parameter 'start'; it has: digits"):
        check_params("x", Heir, {"start": "Z"})


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["start"], "earlier_names must be a mapping of texts to texts"),
        ({"start": 1}, "earlier_names must be a mapping of texts to texts"),
        ({"start": "nosuch"}, "earlier_names leads to 'nosuch', which is no parameter"),
    ],
)
def test_wrong_earlier_names_are_refused(
    names: object, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_SESSION", {})
    with pytest.raises(UsageError, match=told):
        register(type("Plugin", (Badge,), {"earlier_names": names}))


@pytest.mark.parametrize(("name", "earlier", "today"), RENAMED)
def test_an_earlier_name_of_a_built_in_system_still_loads(
    name: str, earlier: str, today: str
) -> None:
    system = SYSTEMS[name]
    params = stored_defaults(system)
    stored = {earlier if param == today else param: value for param, value in params.items()}
    assert earlier in stored
    assert made_again(system, stored, FILE).get_params() == system().get_params()


@pytest.mark.parametrize(("name", "earlier", "today"), RENAMED)
def test_an_earlier_name_of_a_built_in_system_is_refused_with_that_of_today(
    name: str, earlier: str, today: str
) -> None:
    told = re.escape(f"has no parameter {earlier!r}; it is now {today!r}")
    with pytest.raises(UsageError, match=told):
        check_params(name, SYSTEMS[name], {earlier: 1})
    with pytest.raises(UsageError, match=told):
        SYSTEMS[name]().set_params(**{earlier: 1})


def test_a_system_is_not_made_with_an_earlier_name() -> None:
    with pytest.raises(UsageError, match="'mist' has no parameter 'rate'; it is now"):
        make_system("mist", rate=0.1)
