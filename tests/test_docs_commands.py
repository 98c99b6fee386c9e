"""Commands that the documentation shows exist, with the options that they are given."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from multideid.cli.app import app

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    # The notebook keeps commands of the revisions that it names.
    *sorted(p for p in (ROOT / "docs").rglob("*.md") if p.parent.name != "notebook"),
]
_BLOCK = re.compile(r"^ *```(?:sh|console)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(multideid [a-z][^`]*)`")
_ROOT_COMMAND: Any = typer.main.get_command(app)
_CONTEXT = _ROOT_COMMAND.make_context("multideid", [], resilient_parsing=True)


def _commands(text: str) -> Iterator[list[str]]:
    """Yield the words of every command, without the name of the program."""
    lines = [line for block in _BLOCK.findall(text) for line in _lines(block)]
    for command in [*lines, *_INLINE.findall(text)]:
        words = shlex.split(command.replace("…", ""), comments=True)
        end = next((n for n, word in enumerate(words) if word in ("|", "&&", ">")), None)
        yield words[1:end]


def _lines(block: str) -> list[str]:
    found = [line.strip().removeprefix("$ ") for line in block.replace("\\\n", " ").split("\n")]
    return [line for line in found if line.startswith("multideid ")]


def _unknown(words: list[str]) -> list[str]:
    """Return the options, or the name, that no command has."""
    command = _ROOT_COMMAND
    while hasattr(command, "list_commands") and words and not words[0].startswith("-"):
        if words[0] == "NAME":
            return []
        command = command.get_command(_CONTEXT, words[0])
        if command is None:
            return words[:1]
        words = words[1:]
    known = {o for p in command.params for o in (*p.opts, *p.secondary_opts)} | {"--help"}
    return [word for word in words if re.match(r"--?[a-z]", word) and word not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_and_options_shown_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    wrong = [(words, unknown) for words in _commands(text) if (unknown := _unknown(words))]
    assert wrong == []
