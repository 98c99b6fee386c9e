"""The page about knowledge sources shows what its code prints."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "knowledge-sources.md"
SNIPPET = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.end_to_end
def test_snippets_print_the_output_shown_below_them(
    add_mesh: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_mesh(("Patients", "M01.643"))
    monkeypatch.chdir(tmp_path)
    snippets = SNIPPET.findall(PAGE.read_text(encoding="utf-8"))
    assert snippets
    for code, wanted in snippets:
        names: dict[str, Any] = {"__name__": "page"}
        output = StringIO()
        with redirect_stdout(output):
            exec(compile(code, PAGE.name, "exec"), names)
        assert output.getvalue() == wanted
