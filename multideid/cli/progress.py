"""A progress bar on stderr, where somebody is there to see it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

OnProgress = Callable[[int, int, str], None]
"""Called with how much is done, of how much, and what it is."""


@contextmanager
def progress_bar(wanted: bool | None) -> Iterator[OnProgress | None]:
    """Give a function that moves a progress bar, or None where none is to be drawn.

    Parameters
    ----------
    wanted : bool or None
        None draws it if stderr is a terminal.
    """
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bars:
        bar = bars.add_task("starting", total=None)

        def show(done: int, total: int, what: str) -> None:
            bars.update(bar, completed=done, total=total, description=escape(what))

        yield show
