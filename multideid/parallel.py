"""Work in several processes, with results in order.

No process, with documents in its memory, outlives the work or a parent that
was killed.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    wait,
)
from contextlib import closing, suppress
from multiprocessing import connection, parent_process
from numbers import Integral
from threading import Thread
from time import sleep
from typing import Any, TypeVar

from multideid.errors import UsageError

Result = TypeVar("Result")
Call = tuple[Callable[..., Result], tuple[Any, ...]]

TIMEOUT = 300.0
"""The default number of seconds after which a document has failed."""


def effective_n_jobs(n_jobs: int | None) -> int:
    """Return the number of processes to use.

    Parameters
    ----------
    n_jobs : int, optional
        Default, as -1: one per available processor.

    Raises
    ------
    UsageError
        If it is another number below 1, or not an integer.
    """
    if n_jobs is None or n_jobs == -1:
        return _processors()
    if not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs < 1:
        raise UsageError(
            f"n_jobs must be a whole number, at least 1, or -1 for all processors; got {n_jobs!r}"
        )
    return int(n_jobs)


def _processors() -> int:
    # Containers and batch jobs may be given a part of the processors, which not every system says.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_ordered(calls: Iterable[Call[Result]], n: int) -> Generator[Result]:
    """Call functions as `run_unordered`, and yield the results in the order of the calls.

    Results that come early are kept until their turn, however many they are.
    """
    early: dict[int, Result] = {}
    turn = 0
    with closing(run_unordered(calls, n)) as results:
        for number, result in results:
            early[number] = result
            while turn in early:
                yield early.pop(turn)
                turn += 1


def run_unordered(calls: Iterable[Call[Result]], n: int) -> Generator[tuple[int, Result]]:
    """Call functions in processes and yield each result as soon as it is available.

    The processes are started for these calls and end with the last result, when
    a call fails, or when the generator is closed. An exception of one call is
    raised without waiting for the others, and ends them all.

    Parameters
    ----------
    calls : iterable of (callable, tuple)
        Functions and their arguments; at most one is taken in advance.
    n : int
        Number of processes. With 1, everything is done in this process, and so
        it is in a process that `multiprocessing` or joblib started.

    Yields
    ------
    number : int
        Of the call, from 0.
    result : object
    """
    # In a worker of another pool, a pool for each worker would be too many processes.
    if n <= 1 or parent_process() is not None:
        for number, (function, arguments) in enumerate(calls):
            yield number, function(*arguments)
        return
    pool = ProcessPool(n)
    try:
        yield from _results(pool, calls, n)
    except BaseException:
        # Nobody waits for the running calls.
        pool.stop(at_once=True)
        raise
    pool.stop()


def _results(
    pool: ProcessPool, calls: Iterable[Call[Result]], n: int
) -> Iterator[tuple[int, Result]]:
    running: dict[Future[Result], int] = {}
    for number, (function, arguments) in enumerate(calls):
        running[pool.submit(function, *arguments)] = number
        if len(running) > n:
            yield from _finished(running)
    while running:
        yield from _finished(running)


def _finished(running: dict[Future[Result], int]) -> Iterator[tuple[int, Result]]:
    """Wait until a call finishes, and take out all that have finished."""
    finished, _ = wait(running, return_when=FIRST_COMPLETED)
    for future in sorted(finished, key=running.__getitem__):
        try:
            yield running.pop(future), future.result()
        except BrokenExecutor:
            problem = "a process ended abruptly: it ran out of memory, or a base system crashed"
            raise UsageError(f"{problem}; try again with fewer processes") from None


class ProcessPool:
    """Processes that end with this one at the latest.

    They start clean, so that libraries with threads of their own (BLAS, OpenMP)
    are safe to use, and share the processors among them.

    Parameters
    ----------
    n : int
        Number of processes.
    """

    def __init__(self, n: int) -> None:
        self._executor: Executor = _clean_executor(n)

    def submit(self, function: Callable[..., Result], *args: Any) -> Future[Result]:
        """Schedule a call; if a process has died, the future raises `BrokenExecutor`."""
        try:
            return self._executor.submit(function, *args)
        except BrokenExecutor as broken:
            future: Future[Result] = Future()
            future.set_exception(broken)
            return future

    def stop(self, at_once: bool = False) -> None:
        """End the processes: when the submitted calls are done, or at once."""
        self._executor.shutdown(**({"kill_workers": True} if at_once else {}))


def _clean_executor(n: int) -> Any:
    from joblib import cpu_count
    from joblib.externals.loky import ProcessPoolExecutor as CleanExecutor
    from joblib.parallel import LokyBackend

    _let_processes_be_killed()
    threads = str(max(cpu_count() // n, 1))
    env = {name: os.environ.get(name, threads) for name in LokyBackend.MAX_NUM_THREADS_VARS}
    return CleanExecutor(n, env=env, initializer=_begin_clean, initargs=(os.getpid(),))


def _let_processes_be_killed() -> None:
    """Give joblib's processes the method ``kill``, which it calls where there is no ``pgrep``.

    Without it one process alone would be ended, and the program wait for the others for ever.
    """
    if os.name == "posix":
        from joblib.externals.loky.backend.popen_loky_posix import Popen

        if not hasattr(Popen, "kill"):
            Popen.kill = _kill


def _kill(started: Any) -> None:
    # The number of a process that was waited for may be another's.
    if started.returncode is None:
        with suppress(ProcessLookupError):
            os.kill(started.pid, signal.SIGKILL)


# The functions below run in the processes.


def _begin_clean(parent: int) -> None:
    from joblib import parallel_config

    # A system that asks joblib for processes gets threads, as in joblib's own workers.
    parallel_config("threading")
    Thread(target=exit_with, args=(parent,), daemon=True).start()


def exit_with(parent: int) -> None:
    """Exit within about a second after the parent died.

    A call that holds the interpreter lock, such as compiled code of a plug-in,
    first runs until it releases it.
    """
    above = parent_process()
    # On Windows the parent's number stays valid, but there is a handle for it.
    if above is not None and above.sentinel is not None:
        connection.wait([above.sentinel])
    else:
        while os.getppid() == parent:
            sleep(1)
    os._exit(1)
