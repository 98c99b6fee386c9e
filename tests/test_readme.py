"""The README is true: its snippets run, and its output is what the bundled model writes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import multideid
from multideid.taggers import registry

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.end_to_end
def test_snippets_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_SESSION", {})
    snippets = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    assert snippets
    names: dict[str, Any] = {"__name__": "readme"}
    for snippet in snippets:
        exec(compile(snippet, "README.md", "exec"), names)


def test_the_output_shown_is_that_of_the_bundled_model() -> None:
    shown = re.findall(
        r'^\$ echo "(.*)" \| multideid deid -\n(.*)$', README.read_text(), re.MULTILINE
    )
    model = multideid.load("en-default")
    assert shown
    assert [model.deidentify(note) for note, _ in shown] == [clean for _, clean in shown]


def test_it_is_short() -> None:
    assert len(README.read_text().splitlines()) < 120
