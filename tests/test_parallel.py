"""Processes that are started for some calls end with the last of them, whatever happens."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import active_children
from subprocess import PIPE, Popen
from threading import Event, Thread
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest
from joblib import Parallel, cpu_count, delayed

from multideid import parallel as processes
from multideid.base_systems.lbj import perceptron_kernel
from multideid.base_systems.snow import winnow_kernel
from multideid.learners import adagrad
from multideid.parallel import run_ordered, run_unordered


class Threads(ThreadPoolExecutor):
    """Replaces processes, which take a second to start."""

    def shutdown(self, *, kill_workers: bool = False) -> None:  # type: ignore[override]
        super().shutdown(wait=not kill_workers)


def test_results_are_in_order_and_one_call_at_most_waits_beyond_those_that_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "_clean_executor", Threads)
    taken, done = [], []

    def run(n: int) -> int:
        sleep(0.03 * (5 - n))
        done.append(n)
        return n

    def calls() -> Iterator[tuple[Any, tuple[int]]]:
        for n in range(5):
            taken.append(len(done))
            yield run, (n,)

    assert list(run_ordered(calls(), 2)) == [0, 1, 2, 3, 4]
    assert all(ended >= n - 2 for n, ended in enumerate(taken))


def test_an_exception_is_raised_before_its_turn_and_no_more_calls_are_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "_clean_executor", Threads)
    over = Event()
    calls = iter([(over.wait, (5,)), (int, ("none",)), *[(abs, (-1,))] * 9])
    with pytest.raises(ValueError, match="'none'"):
        list(run_ordered(calls, 2))  # type: ignore[arg-type]
    over.set()
    assert len(list(calls)) >= 7


def test_a_result_need_not_wait_for_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_clean_executor", Threads)
    asked = Event()
    results = run_unordered([(asked.wait, (5,)), (abs, (-1,))], 2)  # type: ignore[list-item]
    assert next(results) == (1, 1)
    asked.set()
    assert list(results) == [(0, True)]
    assert list(run_unordered([], 2)) == []


@pytest.mark.end_to_end
def test_libraries_share_the_processors_among_the_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    found = list(run_ordered([(os.getenv, (name,)) for name in names], 2))
    assert found == [str(max(cpu_count() // 2, 1)), "7"]


# Slim images of containers have no `pgrep`, by which joblib looks for processes to end.
@pytest.mark.end_to_end
@pytest.mark.filterwarnings("ignore:Failed to kill subprocesses")
@pytest.mark.parametrize("path", [os.environ.get("PATH", os.defpath), ""])
def test_no_process_is_left_when_the_results_are_abandoned(
    monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setenv("PATH", path)
    before = set(active_children())
    results = run_ordered([(abs, (-1,)), (sleep, (60,)), (sleep, (60,))], 2)  # type: ignore[list-item]
    assert next(results) == 1
    assert set(active_children()) > before
    results.close()
    assert set(active_children()) == before


@pytest.mark.end_to_end
def test_other_users_of_joblib_keep_their_processes() -> None:
    over, well = Event(), Event()

    def elsewhere() -> None:
        while not over.wait(0.02):
            assert Parallel(n_jobs=2)(delayed(abs)(-n) for n in range(8)) == list(range(8))
        well.set()

    Parallel(n_jobs=2)(delayed(abs)(-n) for n in range(2))
    Thread(target=elsewhere, daemon=True).start()
    assert list(run_ordered([(abs, (-n,)) for n in range(3)], 2)) == [0, 1, 2]
    over.set()
    assert well.wait(timeout=30)


@pytest.mark.end_to_end
def test_a_worker_of_joblib_does_all_itself() -> None:
    def work() -> set[int]:
        return {os.getpid(), *run_ordered([(os.getpid, ())] * 3, 2)}

    found = Parallel(n_jobs=2)(delayed(work)() for _ in range(2))
    assert all(len(pids) == 1 for pids in found)
    assert os.getpid() not in found[0] | found[1]


_PARENT = """
from time import sleep
from multideid.parallel import run_ordered
results = run_ordered([(abs, (-1,)), (sleep, (60,)), (sleep, (60,))], 2)
print(next(results), flush=True)
sleep(60)
"""


@pytest.mark.end_to_end
def test_no_process_outlives_a_parent_that_was_killed() -> None:
    parent = Popen([sys.executable, "-c", _PARENT], stdout=PIPE, text=True)
    assert parent.stdout is not None
    assert parent.stdout.readline() == "1\n"
    parent.kill()
    # The processes inherit the pipe, which comes to its end with the last of them.
    assert parent.communicate(timeout=10) == ("", None)


def test_a_process_exits_with_the_handle_of_its_parent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As on Windows, where the parent's number stays.
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    end, parent = os.pipe()
    monkeypatch.setattr(processes, "parent_process", lambda: SimpleNamespace(sentinel=end))
    os.close(parent)
    processes.exit_with(os.getppid())
    os.close(end)
    assert codes == [1]


def test_training_loops_let_a_process_watch_its_parent() -> None:
    loops = (adagrad._train, perceptron_kernel._train, winnow_kernel.train_epoch)
    assert all(loop.targetoptions["nogil"] for loop in loops)
