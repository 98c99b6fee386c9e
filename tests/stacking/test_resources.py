"""The clusters and lists of an ensemble."""

from __future__ import annotations

from pathlib import Path

from multideid.learners.resources import RESOURCES, Resource
from multideid.stacking.resources import resources_of
from multideid.stacking.systems import make_systems


def test_a_resource_is_read_once_whatever_is_then_asked_of_its_system(
    tmp_path: Path, monkeypatch
) -> None:
    path = tmp_path / "site.toml"
    path.write_text('[deny.DOCTOR]\nentries = ["Zwick"]\n')
    kind, reads = RESOURCES["lists"](), []

    def read(path: str) -> Resource:
        reads.append(path)
        return kind.read(path)

    monkeypatch.setitem(RESOURCES, "lists", lambda: kind._replace(read=read))
    taggers = make_systems({"mist": {"lists": str(path)}, "mimic": {}})
    resources = resources_of(taggers)
    assert list(resources) == ["mist"]
    assert taggers["mist"].all_templates() == taggers["mist"].all_templates()
    assert resources_of(taggers) == resources
    assert reads == [str(path)]
