"""The Dockerfile builds without a network, and its service runs without rights."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def instructions() -> list[tuple[str, str]]:
    """Return the instructions, each with its arguments."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines)]


def test_nothing_is_downloaded(instructions: list[tuple[str, str]]) -> None:
    steps = [rest for name, rest in instructions if name == "RUN"]
    assert not any(re.search(r"apt|apk|curl|wget|git|https?:", step) for step in steps)
    (installs,) = [step for step in steps if "pip" in step]
    assert "--no-index" in installs
    assert "ADD" not in {name for name, _ in instructions}


def test_only_wheels_enter_the_build(instructions: list[tuple[str, str]]) -> None:
    copied = [rest for name, rest in instructions if name == "COPY"]
    assert copied == ["build/wheels /wheels", "--from=build /opt/multideid /opt/multideid"]
    assert (ROOT / ".dockerignore").read_text().split() == ["*", "!build/wheels"]


def test_the_last_stage_runs_as_a_user_without_rights(instructions: list[tuple[str, str]]) -> None:
    names = [name for name, _ in instructions]
    last = names[len(names) - names[::-1].index("FROM") :]
    assert last.index("USER") < last.index("ENTRYPOINT")
    assert "RUN" not in last
    assert [rest for name, rest in instructions if name == "USER"] == ["10001:10001"]
