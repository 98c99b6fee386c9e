"""A progress bar on stderr, if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from multideid.cli.error_handler import printable

OnProgress = Callable[[int, int | None, str], None]
"""Called with the number done, the total (None if unknown), and a description."""

_PAUSE = 0.1


@contextmanager
def progress_bar(show: bool | None, *, thread: bool = True) -> Iterator[OnProgress | None]:
    """Give a function that moves a progress bar, or None if there is no bar.

    Parameters
    ----------
    show : bool or None
        None shows it if stderr is a terminal.
    thread : bool
        Whether a thread redraws the bar between calls, so that its clock goes
        on. Without it, processes can be forked safely.
    """
    if not (sys.stderr.isatty() if show is None else show):
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

        def move(done: int, total: int | None, description: str) -> None:
            nonlocal drawn
            bars.update(
                bar, completed=done, total=total, description=escape(printable(description))
            )
            if not thread and monotonic() - drawn > _PAUSE:
                bars.refresh()
                drawn = monotonic()

        yield move
