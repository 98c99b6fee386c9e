"""Base systems are found by name, built-in or not."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from installed import install

from multideid import plugins
from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval.experiments.setup import ENSEMBLES
from multideid.stacking import (
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
)
from multideid.taggers import registry
from multideid.taggers.names import RESERVED
from multideid.taggers.registry import (
    describe_systems,
    load_system,
    make_system,
    register,
    system_names,
)
from multideid.taggers.span_adapter import SpanTaggerAdapter

BUILT_IN = {
    "stat-deid", "stanford", "mist", "lbj", "mimic", "majority", "identifinder", "convnet",
    "heuristic-dictionary", "presidio", "spacy", "snow", "szarvas", "svm-kernel", "transformer",
    "tree",
}  # fmt: skip

PLUGIN = """
class Good:
    name, summary = "good", "Finds nothing.\\nSlowly."
    def __init__(self, depth=2):
        if depth < 1:
            raise ValueError("depth must be at least 1")
        self.depth = depth
    def tag(self, document):
        return []

not_a_tagger = 3
"""

NOTES = [Document("n", "Seen on 1/2.", (Span(8, 11, "DATE"),))] * 4


@pytest.fixture(autouse=True)
def _no_session_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_SESSION", {})


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path with a module of plug-ins, good and bad."""
    (tmp_path / "fake_plugin.py").write_text(PLUGIN)
    (tmp_path / "fake_broken.py").write_text("raise RuntimeError('no license\\nfound')")
    (tmp_path / "fake_quits.py").write_text("raise SystemExit(3)")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in ("fake_plugin", "fake_broken", "fake_quits"):
        sys.modules.pop(name, None)


class Nobody:
    """Finds nothing."""

    name = "nobody"

    def tag(self, document: Document) -> list[Span]:
        return []


def test_built_in_systems_are_there_installed_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(system_names()) >= BUILT_IN
    monkeypatch.setattr(plugins, "_installed", lambda *_: ())
    assert set(system_names()) == BUILT_IN


def test_installed_plugin_is_found_and_loaded_only_when_named(site: Path) -> None:
    install(site, registry.GROUP, "fake-plugin", {"good": "fake_plugin:Good"})
    assert "good" in system_names()
    assert "fake_plugin" not in sys.modules
    assert issubclass(load_system("good"), SpanTaggerAdapter)
    assert "fake_plugin" in sys.modules


def test_parameters_reach_the_system(site: Path) -> None:
    install(site, registry.GROUP, "fake-plugin", {"good": "fake_plugin:Good"})
    assert make_system("good", depth=5).get_params() == {"depth": 5}


def test_the_error_for_an_unknown_system_lists_all_and_suggests_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"'mists'; did you mean 'mist'.*there are: .*stanford"):
        load_system("mists")
    with pytest.raises(UsageError, match=r"no system 'qqqq'; there are: .*stanford"):
        load_system("qqqq")


def test_the_error_for_an_unknown_parameter_lists_all(site: Path) -> None:
    install(site, registry.GROUP, "fake-plugin", {"good": "fake_plugin:Good"})
    with pytest.raises(UsageError, match=r"'good' has no parameter 'width'; it has: depth"):
        make_system("good", width=3)


def test_broken_plugin_is_reported_and_breaks_no_other(site: Path) -> None:
    points = {
        "broken": "fake_broken:X",
        "quits": "fake_quits:X",
        "absent": "fake_nowhere:X",
        "odd": "fake_plugin:not_a_tagger",
        "good": "fake_plugin:Good",
    }
    install(site, registry.GROUP, "fake-plugin", points)
    found = {info.name: info for info in describe_systems()}
    assert found["good"] == ("good", "Finds nothing.", "fake-plugin", True, None)
    for name in ("broken", "quits", "absent", "odd"):
        assert not found[name].usable
        assert "fake-plugin" in (found[name].problem or "")
    assert "RuntimeError: no license" in (found["broken"].problem or "")
    with pytest.raises(UsageError, match="'odd' of fake-plugin is not a tagger"):
        load_system("odd")


def test_name_that_two_packages_claim_is_refused_with_both(site: Path) -> None:
    install(site, registry.GROUP, "fake-plugin", {"good": "fake_plugin:Good"})
    install(site, registry.GROUP, "fake-twin", {"good": "fake_plugin:Good"})
    assert system_names().count("good") == 1
    with pytest.raises(UsageError, match="fake-plugin and fake-twin"):
        load_system("good")
    assert "fake-twin" in next(i for i in describe_systems() if i.name == "good").origin


def test_session_class_and_object_can_be_registered() -> None:
    assert register(Nobody) is Nobody
    register(Nobody(), name="nobody-2")
    assert {"nobody", "nobody-2"} <= set(system_names())
    assert load_system("nobody").name == "nobody"
    assert make_system("nobody-2").summary == "Finds nothing."


def test_name_that_is_taken_is_refused_with_both_origins() -> None:
    with pytest.raises(UsageError, match=r"'mist' of this session .*Nobody.* by multideid"):
        register(Nobody, name="mist")
    register(Nobody)
    other = type("Other", (Nobody,), {})
    with pytest.raises(UsageError, match=r"Other.* already registered by .*Nobody"):
        register(other)


def test_a_redefined_class_replaces_the_old_one() -> None:
    register(Nobody)
    again = type("Nobody", (Nobody,), {"__module__": Nobody.__module__, "summary": "New."})
    register(again)
    assert load_system("nobody").summary == "New."


AMBIGUOUS = ["vote", "multi", "mega", "single", "a__b", "a_"]


@pytest.mark.parametrize("name", ["", "a b", "../x", "a,b", "-x", 3, *AMBIGUOUS])
def test_odd_name_is_refused(name: object) -> None:
    plugin = type("Plugin", (Nobody,), {"name": name})
    with pytest.raises(UsageError, match=f"Plugin needs a.* name .*{re.escape(repr(name))}"):
        register(plugin)
    assert name not in system_names()


def test_reserved_names_are_those_of_the_de_identifiers() -> None:
    kinds = (SingleDeidentifier, VoteDeidentifier, MegaDeidentifier, MultiDeidentifier)
    assert {kind.kind for kind in kinds} == RESERVED > set(ENSEMBLES)


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_an_installed_plugin_with_an_ambiguous_name_cannot_be_used_and_breaks_no_other(
    site: Path, name: str
) -> None:
    install(site, registry.GROUP, "fake-plugin", {name: "fake_plugin:Good"})
    with pytest.raises(UsageError, match=f"'{name}' of fake-plugin cannot be used: its entry poin"):
        MultiDeidentifier(["mimic", name], n_jobs=1).fit(NOTES)
    found = {info.name: info for info in describe_systems()}
    assert "its entry point needs a" in (found[name].problem or "")
    assert found["mimic"].usable
    assert "fake_plugin" not in sys.modules


def test_other_objects_are_refused() -> None:
    with pytest.raises(UsageError, match="is not a tagger"):
        register(dict, name="d")
    assert "d" not in system_names()
