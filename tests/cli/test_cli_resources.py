"""``multideid resources``: adding external knowledge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TABLE = "mesh_id\tmesh_name\tmesh_tree_number\nD900001\tSorrow, Acute\tF01.100\n"


@pytest.fixture
def table(data_folder: Path) -> Path:
    """Return a table of one heading, the data folder being empty."""
    path = data_folder.with_name("mesh.tsv")
    path.write_text(TABLE, "ascii")
    return path


def test_a_resource_is_added_listed_and_removed(invoke, table: Path) -> None:
    assert "resources add mesh FILE" in invoke("resources").output
    added = invoke("resources", "add", "mesh", table)
    assert added.exit_code == 0, added.output
    assert "mesh: 2 phrases of mesh.tsv, added 20" in added.output
    assert "2 phrases of mesh.tsv" in invoke("resources").output
    assert invoke("resources", "remove", "mesh").output == "mesh was removed\n"
    assert "resources add mesh FILE" in invoke("resources").output


def test_resources_are_listed_as_json(invoke, table: Path) -> None:
    assert json.loads(invoke("resources", "--json").output)[0]["added"] is None
    added = json.loads(invoke("resources", "add", "mesh", table, "--json").output)
    assert json.loads(invoke("resources", "--json").output)[0]["added"] == added


def test_a_wrong_file_ends_with_one_line_and_changes_nothing(
    invoke, table: Path, data_folder: Path
) -> None:
    table.write_text(TABLE + "D9\t?\t\n", "ascii")
    result = invoke("resources", "add", "mesh", table)
    assert result.exit_code == 2
    assert result.output.count("\n") == 1
    assert "line 3" in result.output
    assert not data_folder.exists()


def test_an_unknown_resource_names_those_that_there_are(invoke, table: Path) -> None:
    result = invoke("resources", "add", "umls", table)
    assert result.exit_code == 2
    assert "available: mesh" in result.output


def test_systems_lists_the_knowledge_sources(invoke, table: Path) -> None:
    lines = invoke("systems").output.splitlines()
    assert sum(line.startswith("link-grammar ") for line in lines) == 1
    assert next(line for line in lines if "resources add mesh FILE" in line).startswith("mesh ")
    assert len(json.loads(invoke("systems", "--json").output)) < len(lines)
