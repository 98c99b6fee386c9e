"""The page about knowledge sources shows what its code prints."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from multideid.knowledge.resources import DATA_FOLDER, add_resource

PAGE = Path(__file__).parents[1] / "docs" / "knowledge-sources.md"
SNIPPET = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_snippets_print_what_stands_below_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_FOLDER, str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    table = tmp_path / "mesh.tsv"
    table.write_text("mesh_id\tmesh_name\tmesh_tree_number\nD900001\tPatients\tM01.643\n")
    add_resource("mesh", [table])
    snippets = SNIPPET.findall(PAGE.read_text(encoding="utf-8"))
    assert snippets
    for code, wanted in snippets:
        names: dict[str, Any] = {"__name__": "page"}
        output = StringIO()
        with redirect_stdout(output):
            exec(compile(code, PAGE.name, "exec"), names)
        assert output.getvalue() == wanted
