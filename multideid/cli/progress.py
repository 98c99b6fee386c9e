"""A progress bar on stderr, where somebody is there to see it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

OnProgress = Callable[[int, int | None, str], None]
"""Called with how much is done, of how much (None if nobody knows), and what it is."""

_PAUSE = 0.1


@contextmanager
def progress_bar(wanted: bool | None, *, thread: bool = True) -> Iterator[OnProgress | None]:
    """Give a function that moves a progress bar, or None where none is to be drawn.

    Parameters
    ----------
    wanted : bool or None
        None draws it if stderr is a terminal.
    thread : bool
        Whether a thread redraws the bar between calls, so that its clock goes
        on. Without it the bar is drawn when it is moved, and processes may be
        forked meanwhile.
    """
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(
        *columns, TimeElapsedColumn(), console=console, transient=True, auto_refresh=thread
    ) as bars:
        bar = bars.add_task("starting", total=None)
        drawn = 0.0

        def show(done: int, total: int | None, what: str) -> None:
            nonlocal drawn
            bars.update(bar, completed=done, total=total, description=escape(what))
            if not thread and monotonic() - drawn > _PAUSE:
                bars.refresh()
                drawn = monotonic()

        yield show
