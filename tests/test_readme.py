"""The Python snippets of the README run, one after another."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from multideid.taggers import registry

README = Path(__file__).parents[1] / "README.md"


def test_snippets_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_SESSION", {})
    snippets = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    assert snippets
    names: dict[str, Any] = {"__name__": "readme"}
    # One process for what the snippets do in several, which take seconds to start.
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    for snippet in snippets:
        exec(compile(snippet, "README.md", "exec"), names)
