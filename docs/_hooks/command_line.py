"""A hook of MkDocs that writes the reference of the command line from the commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from multideid.cli.app import app

PLACEHOLDER = "<!-- commands -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the placeholder by all commands; MkDocs calls this for every page."""
    if PLACEHOLDER not in markdown:
        return markdown
    return markdown.replace(PLACEHOLDER, "\n".join(command_lines()))


def command_lines() -> Iterator[str]:
    """Yield the reference of every command, in Markdown."""
    root = typer.main.get_command(app)
    context = root.make_context("multideid", [], resilient_parsing=True)
    for name in root.list_commands(context):
        yield from _lines(root.get_command(context, name), f"multideid {name}", 2, context)


def _lines(command: Any, name: str, level: int, context: Any) -> Iterator[str]:
    yield f"\n{'#' * level} {name}\n"
    yield _markdown(command.help)
    parameters = [p for p in command.params if "--help" not in p.opts]
    if parameters:
        yield "\n| | |\n|---|---|"
    for parameter in parameters:
        given, text = parameter.get_help_record(context)
        yield f"| `{_cell(given)}` | {_cell(_markdown(text))} |"
    if command.epilog and "Example: " in command.epilog:
        example = re.sub(r"\[/?b\]|Example: ", "", command.epilog)
        yield f"\n```sh\n{example}\n```\n"
    if hasattr(command, "list_commands"):
        for child in command.list_commands(context):
            inner = command.get_command(context, child)
            yield from _lines(inner, f"{name} {child}", level + 1, context)


def _markdown(text: str | None) -> str:
    # One form feed or backspace is Click's sign for text that it must not wrap.
    return re.sub(r"\[/?b\]", "**", text or "").replace("\b", "").replace("\f", "").strip()


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
