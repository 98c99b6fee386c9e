"""Progress on stderr: a bar if that is a terminal, or else a line a minute."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

from multideid.cli.error_handler import print_notice, printable
from multideid.cli.hidden_output import hidden_output
from multideid.cli.stopping import end_if_stopped

OnProgress = Callable[[int, int | None, str], None]
"""Called with the number done, the total (None if unknown), and a description."""

_PAUSE = 0.1
_LOG_PAUSE = 60.0


def _log_lines() -> OnProgress:
    """Return a function that prints the progress and the remaining time, once a minute."""
    start = latest = monotonic()

    def log(done: int, total: int | None, description: str) -> None:
        nonlocal latest
        end_if_stopped()
        now = monotonic()
        if now - latest < _LOG_PAUSE:
            return
        latest = now
        if total is None or not done:
            print_notice(f"progress: {done:,} {description}")
            return
        minutes = (now - start) / done * (total - done) / 60
        print_notice(f"progress: {done:,} of {total:,} {description}, {minutes:.0f} min remaining")

    return log


@contextmanager
def training_progress(show: bool | None) -> Iterator[OnProgress]:
    """Give a `progress_bar`, and hide all else that is printed meanwhile."""
    with hidden_output() as shown, progress_bar(show, file=shown) as move:
        yield move


@contextmanager
def progress_bar(
    show: bool | None, *, thread: bool = True, file: TextIO | None = None
) -> Iterator[OnProgress]:
    """Give a function that moves a progress bar, or prints a line a minute, as for a log.

    Parameters
    ----------
    show : bool or None
        None shows it if stderr is a terminal.
    thread : bool
        Whether a thread redraws the bar between calls, so that its clock goes
        on. Without it, processes can be forked safely.
    file : text file, optional
        Where to draw. Default: standard error.
    """
    terminal = sys.stderr if file is None else file
    if not (terminal.isatty() if show is None else show):
        yield _log_lines()
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(file=terminal)
    with Progress(
        *columns, TimeElapsedColumn(), console=console, transient=True, auto_refresh=thread
    ) as bars:
        bar = bars.add_task("starting", total=None)
        drawn = 0.0

        def move(done: int, total: int | None, description: str) -> None:
            nonlocal drawn
            end_if_stopped()
            bars.update(
                bar, completed=done, total=total, description=escape(printable(description))
            )
            if not thread and monotonic() - drawn > _PAUSE:
                bars.refresh()
                drawn = monotonic()

        yield move
