"""Matrix products have one thread while anyone wants it, and then the caller's number again."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from threading import Barrier, Event, Thread

import numpy as np
import pytest
import scipy.linalg
from threadpoolctl import threadpool_info, threadpool_limits

from multideid.blas_threads import one_blas_thread, one_openmp_thread

assert np.ones(1) @ np.ones(1) == scipy.linalg.norm([1.0])


def blas() -> set[int]:
    """Return the numbers of threads that the libraries for matrix products use."""
    return {found["num_threads"] for found in threadpool_info() if found["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def _caller_wants_two() -> Iterator[None]:
    with threadpool_limits(2, user_api="blas"):
        if blas() != {2}:
            pytest.skip("the libraries for matrix products have one thread here")
        yield


def in_a_fork(call) -> int:
    """Return the exit code of a forked process, which is what a call returns."""
    if not (child := os.fork()):
        signal.alarm(30)
        os._exit(call())
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def test_the_number_of_the_caller_holds_again_afterwards() -> None:
    with one_blas_thread():
        assert blas() == {1}
        with one_blas_thread():
            assert blas() == {1}
        assert blas() == {1}
    assert blas() == {2}


def test_the_number_of_the_caller_holds_again_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), one_blas_thread():
        raise ZeroDivisionError
    assert blas() == {2}


def test_one_thread_suffices_while_any_thread_wants_it() -> None:
    entered, leave = Event(), Event()

    def work() -> None:
        with one_blas_thread():
            entered.set()
            leave.wait()

    with one_blas_thread():
        thread = Thread(target=work)
        thread.start()
        entered.wait()
    assert blas() == {1}
    leave.set()
    thread.join()
    assert blas() == {2}


def test_threads_that_come_and_go_never_see_another_number() -> None:
    start, seen = Barrier(4), set()

    def work() -> None:
        start.wait()
        for _ in range(200):
            with one_blas_thread():
                seen.update(blas())

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {1}
    assert blas() == {2}


def test_a_forked_process_does_not_wait_for_threads_that_it_does_not_have() -> None:
    entered, leave = Event(), Event()

    def work() -> None:
        with one_blas_thread():
            entered.set()
            leave.wait()

    thread = Thread(target=work)
    thread.start()
    entered.wait()
    code = in_a_fork(lambda: blas() != {2})
    leave.set()
    thread.join()
    assert code == 0


def test_a_process_forked_in_the_context_stays_in_it() -> None:
    with ExitStack() as inside:
        inside.enter_context(one_blas_thread())

        def leaves() -> bool:
            before = blas()
            inside.pop_all().close()
            return (before, blas()) != ({1}, {2})

        assert in_a_fork(leaves) == 0
        assert blas() == {1}


def test_a_limit_of_openmp_leaves_matrix_products_alone() -> None:
    with one_blas_thread():
        limited = one_openmp_thread()
    with limited:
        assert blas() == {2}
    assert blas() == {2}
