"""Resources in the user's data folder: written atomically and validated."""

from __future__ import annotations

from pathlib import Path

import pytest

from multideid.errors import ResourceError, UsageError
from multideid.knowledge.resources import (
    DATA_FOLDER,
    add_resource,
    added_resources,
    data_folder,
    load_mesh,
    remove_resource,
    resource_info,
)

TABLE = "mesh_id\tmesh_name\tmesh_tree_number\nD900001\tSorrow, Acute\tF01.100\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder that is not there yet."""
    monkeypatch.setenv(DATA_FOLDER, str(tmp_path / "data" / "of ours"))
    return data_folder()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return a table of one heading."""
    path = tmp_path / "mesh.tsv"
    path.write_text(TABLE, "ascii")
    return path


def test_an_added_resource_is_listed_used_and_removed(folder: Path, table: Path) -> None:
    info = add_resource("mesh", [table])
    assert added_resources() == [info]
    assert (info.name, info.sources, info.entries) == ("mesh", ["mesh.tsv"], 2)
    assert load_mesh().find("acutesorrow") is not None
    assert [path.name for path in folder.iterdir()] == ["mesh.json"]
    remove_resource("mesh")
    assert added_resources() == []
    assert list(folder.iterdir()) == []


def test_the_same_files_give_the_same_fingerprint(folder: Path, table: Path) -> None:
    first = add_resource("mesh", [table])
    assert add_resource("mesh", [table, table]).fingerprint == first.fingerprint
    table.write_text(TABLE.replace("Acute", "Mild"), "ascii")
    assert add_resource("mesh", [table]).fingerprint != first.fingerprint


def test_a_replaced_resource_is_used(folder: Path, table: Path) -> None:
    add_resource("mesh", [table])
    assert load_mesh().find("mildsorrow") is None
    table.write_text(TABLE.replace("Acute", "Mild"), "ascii")
    add_resource("mesh", [table])
    assert load_mesh().find("mildsorrow") is not None


def test_a_file_that_is_refused_changes_nothing(folder: Path, table: Path) -> None:
    info = add_resource("mesh", [table])
    table.write_text(TABLE + "D9\t?\t\n", "ascii")
    with pytest.raises(ResourceError, match="line 3"):
        add_resource("mesh", [table])
    assert resource_info("mesh") == info
    assert [path.name for path in folder.iterdir()] == ["mesh.json"]


def test_a_file_without_descriptors_is_refused(folder: Path, table: Path) -> None:
    table.write_text(TABLE.partition("\n")[0], "ascii")
    with pytest.raises(ResourceError, match="has no MeSH descriptor"):
        add_resource("mesh", [table])


def test_the_error_for_a_missing_resource_has_the_command(folder: Path) -> None:
    assert resource_info("mesh") is None
    with pytest.raises(UsageError, match="multideid resources add mesh FILE"):
        load_mesh()
    with pytest.raises(UsageError, match="resource 'mesh' was not added"):
        remove_resource("mesh")


def test_another_fingerprint_is_refused(folder: Path, table: Path) -> None:
    info = add_resource("mesh", [table])
    assert load_mesh(info.fingerprint) is load_mesh()
    with pytest.raises(UsageError, match="multideid resources add mesh FILE"):
        load_mesh("0123456789abcdef")


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-20],
        lambda content: content.replace(b"F01", b"F02"),
        lambda content: content.replace(b'"format": 1', b'"format": 2'),
        lambda content: b"[]\n" + content,
        lambda content: b"",
    ],
)
def test_a_damaged_resource_is_refused(folder: Path, table: Path, damage) -> None:
    add_resource("mesh", [table])
    path = folder / "mesh.json"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ResourceError, match="damaged; add it again"):
        load_mesh()


def test_unknown_resources_and_no_files_are_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="no resource 'umls'; available: mesh"):
        add_resource("umls", ["file"])
    with pytest.raises(UsageError, match="at least one file"):
        add_resource("mesh", [])


def test_an_unwritable_folder_is_reported(
    tmp_path: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_FOLDER, str(table / "below a file"))
    with pytest.raises(ResourceError, match="cannot be written"):
        add_resource("mesh", [table])


def test_the_data_folder_is_the_users_own_unless_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATA_FOLDER, raising=False)
    assert data_folder().name == "multideid"
    assert data_folder().is_absolute()
