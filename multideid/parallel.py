"""Calls in processes of their own, which end with the last of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import closing
from multiprocessing import connection, parent_process
from threading import Thread
from time import sleep
from typing import Any, TypeVar

Result = TypeVar("Result")
Call = tuple[Callable[..., Result], tuple[Any, ...]]


def in_processes(calls: Iterable[Call[Result]], n: int) -> Generator[Result]:
    """Call functions as `in_any_order`, and yield their results in the order of the calls.

    Results that come before their turn are kept until then, however many they are.
    """
    early: dict[int, Result] = {}
    turn = 0
    with closing(in_any_order(calls, n)) as results:
        for number, result in results:
            early[number] = result
            while turn in early:
                yield early.pop(turn)
                turn += 1


def in_any_order(calls: Iterable[Call[Result]], n: int) -> Generator[tuple[int, Result]]:
    """Call functions, several at a time in processes, and yield each result once it is there.

    The processes are nobody else's: what they hold in memory is given back when
    the last result is taken, when a call fails, or when the generator is closed.
    What a call raises is raised without waiting for any other, and ends them all.

    Parameters
    ----------
    calls : iterable of (callable, tuple)
        Functions and their arguments; no more than one is taken beyond those that run.
    n : int
        Processes. With 1, all is done here, as it is within a process that
        `multiprocessing` or joblib started: those of a pool, or a single one.

    Yields
    ------
    number : int
        Of the call, from 0.
    result : object
    """
    # Where others share the work out, each with processes of its own would be too many.
    if n <= 1 or parent_process() is not None:
        for number, (function, arguments) in enumerate(calls):
            yield number, function(*arguments)
        return
    pool = _pool(n)
    try:
        yield from _results(pool, calls, n)
    except BaseException:
        # Nobody waits for what is still under way.
        pool.shutdown(kill_workers=True)
        raise
    pool.shutdown()


def _results(pool: Executor, calls: Iterable[Call[Result]], n: int) -> Iterator[tuple[int, Result]]:
    under_way: dict[Future[Result], int] = {}
    for number, (function, arguments) in enumerate(calls):
        under_way[pool.submit(function, *arguments)] = number
        if len(under_way) > n:
            yield from _ended(under_way)
    while under_way:
        yield from _ended(under_way)


def _ended(under_way: dict[Future[Result], int]) -> Iterator[tuple[int, Result]]:
    """Wait for a call to end, and take out those that have ended."""
    ended, _ = wait(under_way, return_when=FIRST_COMPLETED)
    for future in sorted(ended, key=under_way.__getitem__):
        yield under_way.pop(future), future.result()


def _pool(n: int) -> Any:
    from joblib import cpu_count
    from joblib.externals.loky import ProcessPoolExecutor
    from joblib.parallel import LokyBackend

    threads = str(max(cpu_count() // n, 1))
    env = {name: os.environ.get(name, threads) for name in LokyBackend.MAX_NUM_THREADS_VARS}
    return ProcessPoolExecutor(n, env=env, initializer=_begin, initargs=(os.getpid(),))


# What follows runs in the processes.


def _begin(parent: int) -> None:
    from joblib import parallel_config

    # A system that asks joblib for processes gets threads, as in joblib's own.
    parallel_config("threading")
    Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """Leave no process, with documents in its memory, behind a parent that was killed.

    It ends within a second or so, but not before its call lets other threads run:
    compiled code that holds Python's lock, a plug-in's for example, runs to its end.
    """
    above = parent_process()
    # On Windows a process keeps the number of a parent that is gone, but has a handle for it.
    if above is not None and above.sentinel is not None:
        connection.wait([above.sentinel])
    else:
        while os.getppid() == parent:
            sleep(1)
    os._exit(1)
