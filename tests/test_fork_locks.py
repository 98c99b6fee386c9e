"""A process forked while another thread predicts can predict, too."""

from __future__ import annotations

import os
import pickle
import signal
from threading import Event, Thread

import pytest

from multideid.document import Document, Span
from multideid.fork_locks import ForkLock
from multideid.stacking import SingleDeidentifier


def _exit_code(child: int) -> int:
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _in_a_fork(call) -> int:
    """Return the exit code of a forked process that makes a call within half a minute."""
    if not (child := os.fork()):
        signal.alarm(30)
        call()
        os._exit(0)
    return _exit_code(child)


@pytest.mark.end_to_end
def test_locks_held_by_other_threads_are_free_in_a_forked_process() -> None:
    locks, over = [ForkLock() for _ in range(3)], Event()

    def work() -> None:
        while not over.is_set():
            with locks[2], locks[0]:
                pass

    def take_all() -> None:
        for lock in locks:
            with lock:
                pass

    thread = Thread(target=work)
    thread.start()
    codes = [_in_a_fork(take_all) for _ in range(20)]
    over.set()
    thread.join()
    take_all()
    assert codes == [0] * 20


def test_a_fork_waits_until_what_a_lock_guards_is_complete() -> None:
    lock, held, state = ForkLock(), Event(), [0, 0]

    def work() -> None:
        with lock:
            state[0] += 1
            held.set()
            Event().wait(0.2)
            state[1] += 1

    Thread(target=work).start()
    held.wait()
    assert _in_a_fork(lambda: None if state[0] == state[1] else os._exit(1)) == 0


def test_a_pickled_lock_is_free() -> None:
    lock = ForkLock()
    with lock, pickle.loads(pickle.dumps(lock)):
        pass


@pytest.mark.end_to_end
@pytest.mark.parametrize(("system", "n_threads"), [("mist", 1), ("convnet", 3)])
def test_processes_forked_while_other_threads_predict_predict(system: str, n_threads: int) -> None:
    training = [Document("d", "Seen by Dr. Alder.", (Span(12, 17, "DOCTOR"),))]
    model, over = SingleDeidentifier(system).fit(training), Event()
    notes = [Document(str(n), f"Seen by Dr. Alder{n} on 3/{n}.\n" * 20) for n in range(30)]
    found = model.predict(notes)

    def work() -> None:
        while not over.is_set():
            model.predict(notes)

    threads = [Thread(target=work) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    codes = [_in_a_fork(lambda: os._exit(model.predict(notes) != found)) for _ in range(6)]
    over.set()
    for thread in threads:
        thread.join()
    assert codes == [0] * 6
