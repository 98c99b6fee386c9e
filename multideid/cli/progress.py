"""Progress bars on stderr, where somebody is there to see them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

OnProgress = Callable[[int, int, str], None]
"""Called with how much is done, of how much, and what it is."""


@contextmanager
def progress_bar(wanted: bool | None) -> Iterator[OnProgress | None]:
    """Give a function that draws progress bars, or None where none are to be drawn.

    Parameters
    ----------
    wanted : bool or None
        None draws them if stderr is a terminal.
    """
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress, TaskID

    tasks: dict[str, TaskID] = {}
    with Progress(console=Console(stderr=True), transient=wanted is None) as bars:

        def show(done: int, total: int, what: str) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(escape(what), total=total)
            bars.update(tasks[what], completed=done, total=total)

        yield show
