"""Files that a process makes for itself go with it, wherever a signal finds it.

The exception of a signal may come between the making of a file and the ``try`` that removes it,
or in the removal. So a removal is noted before anything is made, and what is noted at the end of
the process is done then.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_noted: list[Callable[[], None]] = []


@contextmanager
def removed_at_last(remove: Callable[[], None]) -> Iterator[None]:
    """Call a function when the context ends, or else at the end of the process.

    Parameters
    ----------
    remove : callable
        May be called before anything was made, and again.
    """
    _noted.append(remove)
    try:
        yield
    finally:
        remove()
        with suppress(ValueError):
            _noted.remove(remove)


def remove_leftovers_of_this_process() -> None:
    """Remove what an exception left behind; to be called when nothing is being written."""
    while _noted:
        # Nobody is there any more to hear of an error.
        with suppress(Exception):
            _noted[-1]()
        _noted.pop()


atexit.register(remove_leftovers_of_this_process)
if hasattr(os, "register_at_fork"):
    # The files are those of the process that made them.
    os.register_at_fork(after_in_child=_noted.clear)
