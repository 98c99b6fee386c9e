"""Calls in processes of their own, which end with the last of them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from multiprocessing import parent_process
from threading import Thread
from time import sleep
from typing import Any, TypeVar

Result = TypeVar("Result")
Call = tuple[Callable[..., Result], tuple[Any, ...]]


def in_processes(calls: Iterable[Call[Result]], n: int) -> Generator[Result]:
    """Call functions, several at a time in processes, and yield their results in order.

    The processes are nobody else's: what they hold in memory is given back when
    the last result is taken, when a call fails, or when the generator is closed.

    Parameters
    ----------
    calls : iterable of (callable, tuple)
        Functions and their arguments; no more than one is taken beyond those that run.
    n : int
        Processes. With 1, all is done here, as it is within a process that
        `multiprocessing` or joblib started: those of a pool, or a single one.
    """
    # Where others share the work out, each with processes of its own would be too many.
    if n == 1 or parent_process() is not None:
        yield from (function(*arguments) for function, arguments in calls)
        return
    pool = _pool(n)
    try:
        yield from _in_order(pool, calls, n)
    except BaseException:
        # Nobody waits for what is still under way.
        pool.shutdown(kill_workers=True)
        raise
    pool.shutdown()


def _in_order(pool: Executor, calls: Iterable[Call[Result]], n: int) -> Iterator[Result]:
    futures: deque[Future[Result]] = deque()
    for function, arguments in calls:
        futures.append(pool.submit(function, *arguments))
        under_way = [future for future in futures if not future.done()]
        if len(under_way) > n:
            wait(under_way, return_when=FIRST_COMPLETED)
        while futures and futures[0].done():
            yield futures.popleft().result()
    while futures:
        yield futures.popleft().result()


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
    """Leave no process, with documents in its memory, behind a parent that was killed."""
    while os.getppid() == parent:
        sleep(1)
    os._exit(1)
