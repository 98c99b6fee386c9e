"""Matrix products in one thread, whichever threads of the program ask for it.

threadpoolctl's own limits save and restore the number for each of them by itself: threads
that overlap lift the limit too early, or make it permanent. They also restore the numbers
of libraries that they were not asked to limit.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from threading import get_ident
from typing import Any

from threadpoolctl import ThreadpoolController

from multideid.fork_locks import ForkLock


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let matrix products use one thread, in the whole process.

    Threads that wait for one another cost more than they save in small products,
    sums depend on their number, and OpenBLAS cannot be forked while several compute.
    The number that the caller has set holds again when no thread is in this context.
    Libraries that are loaded inside it are not limited.
    """
    libraries = _libraries("scipy.linalg._fblas" in sys.modules)
    own = [library for library in libraries if _is_per_thread(library)]
    before = [library.num_threads for library in own]
    for library in own:
        _set_threads(library, 1)
    _SHARED.limit(library for library in libraries if library not in own)
    try:
        yield
    finally:
        _SHARED.leave()
        for library, number in zip(own, before, strict=True):
            _set_threads(library, number)


def one_openmp_thread() -> AbstractContextManager[object]:
    """Return a context in which loops of OpenMP that this thread starts use one thread."""
    libraries = ThreadpoolController().select(user_api="openmp")
    limited: AbstractContextManager[object] = libraries.limit(limits=1)
    return limited


class _SharedLimit:
    """The limit of libraries that have one number for all threads of the process."""

    def __init__(self) -> None:
        self._lock = ForkLock()
        # By thread, since a forked process has one alone.
        self._inside: Counter[int] = Counter()
        self._before: dict[str, tuple[Any, int]] = {}

    def limit(self, libraries: Iterable[Any]) -> None:
        with self._lock:
            for library in libraries:
                self._before.setdefault(library.filepath, (library, library.num_threads))
                _set_threads(library, 1)
            self._inside[get_ident()] += 1

    def leave(self) -> None:
        with self._lock:
            self._inside -= Counter([get_ident()])
            self._lift_unless_wanted()

    def forget_other_threads(self) -> None:
        """Keep what the thread that forked wants, in the new process."""
        with self._lock:
            self._inside = Counter([get_ident()] * self._inside[get_ident()])
            self._lift_unless_wanted()

    def _lift_unless_wanted(self) -> None:
        if not self._inside:
            for library, number in self._before.values():
                _set_threads(library, number)
            self._before.clear()


@cache
def _libraries(with_scipy: bool) -> list[Any]:
    """Return the loaded libraries: numpy's, and scipy's own, which may come later."""
    found: list[Any] = ThreadpoolController().select(user_api="blas").lib_controllers
    return found


def _is_per_thread(library: Any) -> bool:
    return getattr(library, "threading_layer", None) == "openmp"


def _set_threads(library: Any, number: int) -> None:
    # Newer threadpoolctl obeys the thread alone that has set a number first.
    let_any_thread = getattr(library, "clear_controlling_thread", lambda force: None)
    let_any_thread(force=True)
    library.set_num_threads(number)
    let_any_thread(force=True)


_SHARED = _SharedLimit()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_SHARED.forget_other_threads)
