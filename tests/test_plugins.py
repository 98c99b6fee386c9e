"""Plug-ins of installed packages are found by their entry points."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from installed import install

from multideid import plugins
from multideid.plugins import DISTRIBUTION, load_entry, plugin_entries

GROUP = "multideid.test-plugins"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages that was last changed long ago."""
    monkeypatch.syspath_prepend(tmp_path)
    os.utime(tmp_path, (1, 1))
    return tmp_path


def names() -> list[tuple[str, str]]:
    return [(entry.name, entry.origin) for entry in plugin_entries(GROUP, {"b": "math:pi"})]


def test_a_package_that_is_installed_later_is_found(site: Path) -> None:
    assert names() == [("b", DISTRIBUTION)]
    install(site, GROUP, "other", {"d": "math:e", "c": "math:tau", "b": "math:e"})
    assert names() == [("b", DISTRIBUTION), ("b", "other"), ("c", "other"), ("d", "other")]


def test_installed_packages_are_read_once(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searches = []
    search = plugins.metadata.entry_points

    def counted(**group: Any) -> Any:
        searches.append(group)
        return search(**group)

    monkeypatch.setattr(plugins.metadata, "entry_points", counted)
    assert names() == names()
    assert searches == [{"group": GROUP}]


def test_an_old_installation_of_this_package_does_not_count(site: Path) -> None:
    install(site, GROUP, DISTRIBUTION, {"b": "math:e", "gone": "math:e"})
    assert names() == [("b", DISTRIBUTION)]
    (entry,) = plugin_entries(GROUP, {"b": "math:tau"})
    assert load_entry("number", entry) > 6
