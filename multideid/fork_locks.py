"""Locks that survive a fork while another thread holds them."""

from __future__ import annotations

import os
import sys
from threading import Lock, get_ident
from time import monotonic, sleep
from types import TracebackType
from typing import Any
from weakref import WeakSet


class ForkLock:
    """A lock for `with` that no forked process inherits as held.

    A fork waits until the threads that hold such locks release them, so that what
    they guard is complete in the new process. Otherwise the new process would
    wait without end for a thread that it does not have.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        _LOCKS.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type[ForkLock], tuple[()]]:
        """Copies and pickles have locks of their own, which are free."""
        return ForkLock, ()


_LOCKS: WeakSet[ForkLock] = WeakSet()
_PATIENCE = (
    60.0  # In seconds; a thread that forks while it holds such a lock would wait for itself.
)
_PAUSE = 0.001


class _Fork:
    """A fork in progress, and the locks that it holds."""

    def __init__(self) -> None:
        self.one_at_a_time = Lock()
        self.held: list[Any] = []

    def prepare(self) -> None:
        self.one_at_a_time.acquire()
        deadline = monotonic() + _PATIENCE
        # All or none, so that threads which need several of them can go on.
        while not self._acquired_all() and monotonic() < deadline:
            sleep(_PAUSE)

    def end_in_parent(self) -> None:
        self._release()
        self.one_at_a_time.release()

    def end_in_child(self) -> None:
        self._release()
        self.one_at_a_time = Lock()
        for lock in list(_LOCKS):
            lock._lock = Lock()

    def _acquired_all(self) -> bool:
        try:
            locks = [lock._lock for lock in _LOCKS]
        except RuntimeError:
            # Another thread has just made one.
            return False
        for lock in [*locks, *_numba_locks()]:
            if not lock.acquire(blocking=False):
                self._release()
                return False
            self.held.append(lock)
        if _others_import():
            self._release()
            return False
        return True

    def _release(self) -> None:
        while self.held:
            self.held.pop().release()


def _others_import() -> bool:
    """Return whether another thread imports a module, which then would never be imported here."""
    locks = getattr(sys.modules.get("_frozen_importlib"), "_module_locks", {})
    for reference in list(locks.values()):
        owner = getattr(reference(), "owner", None)
        if owner is not None and owner != get_ident():
            return True
    return False


def _numba_locks() -> list[Any]:
    """Return the lock under which numba compiles and loads functions."""
    module = sys.modules.get("numba.core.compiler_lock")
    lock = getattr(getattr(module, "global_compiler_lock", None), "_lock", None)
    return [] if lock is None else [lock]


_FORK = _Fork()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_FORK.prepare,
        after_in_parent=_FORK.end_in_parent,
        after_in_child=_FORK.end_in_child,
    )
