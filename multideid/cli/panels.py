"""Panels of a command's help, for commands with many options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from copy import copy
from typing import Annotated, get_args


def with_panels(
    panels: Mapping[str, str],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Show options of a command in panels of its help.

    Parameters
    ----------
    panels : mapping of str to str
        Names of the command's parameters, separated by spaces, by the title of their panel.
    """
    panel_of = {name: panel for panel, names in panels.items() for name in names.split()}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        options = [
            _in_panel(option, panel_of[name]) if name in panel_of else option
            for name, option in signature.parameters.items()
        ]
        # What typer reads.
        command.__signature__ = signature.replace(parameters=options)  # type: ignore[attr-defined]
        command.__annotations__ = {option.name: option.annotation for option in options}
        return command

    return decorate


def _in_panel(option: inspect.Parameter, panel: str) -> inspect.Parameter:
    """Return an option in a panel; its declaration, which other commands share, stays."""
    kind, declaration = get_args(option.annotation)
    shown = copy(declaration)
    shown.rich_help_panel = panel
    return option.replace(annotation=Annotated[kind, shown])
