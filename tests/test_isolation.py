"""Functions in processes of their own may crash, hang and print, and no process is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from multideid.corpora import read_corpus
from multideid.errors import CorpusError, UsageError
from multideid.isolation import HiddenOutputWarning, IsolatedFunction, LostProcessError, child
from multideid.isolation import processes as clean

pytestmark = pytest.mark.end_to_end


def _make() -> Callable[[str], Any]:
    loaded_in = os.getpid()

    def answer(item: str) -> Any:
        if item == "exit":
            os._exit(0)
        if item == "fault":
            os.kill(os.getpid(), signal.SIGSEGV)
        if item == "hang":
            time.sleep(600)
        if item == "print":
            print("Zanzibar", flush=True)
            os.system("echo Zanzibar >&2")
        if item == "leave":
            raise SystemExit("Zanzibar")
        if item == "quote":
            raise UsageError("Zanzibar")
        if item == "own":
            Path("/nowhere").samefile("/")
        return item, os.getpid(), loaded_in

    return answer


def _make_with_a_thread() -> Callable[[str], Any]:
    Thread(target=time.sleep, args=(600,), daemon=True).start()
    return _make()


@pytest.fixture(params=["copies", "one by one", "without commands"])
def call(request, monkeypatch) -> Iterator[IsolatedFunction]:
    """Start a function in up to two processes, in each way that there is."""
    if request.param == "without commands":
        monkeypatch.setattr(clean, "_POSIX", False)
    make = _make if request.param == "copies" else _make_with_a_thread
    function = IsolatedFunction(make, 2, seconds=60)
    yield function
    function.stop()


def _alive(pid: int) -> bool:
    # Files of a process are open until its last thread has ended.
    states = []
    for thread in Path(f"/proc/{pid}/task").glob("*/stat"):
        with suppress(OSError):
            states.append(thread.read_text().rpartition(")")[2].split()[0])
    return any(state not in "ZX" for state in states)


def _ends(pid: int) -> bool:
    deadline = time.monotonic() + 30
    while _alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not _alive(pid)


def test_a_process_that_dies_is_named_and_replaced(call: IsolatedFunction) -> None:
    assert call("a")[0] == "a"
    with pytest.raises(LostProcessError, match=r"ended abruptly \(SIGSEGV\)"):
        call("fault")
    with pytest.raises(LostProcessError, match=r"ended abruptly$"):
        call("exit")
    assert call("b")[0] == "b"


def test_a_process_that_died_while_it_was_idle_fails_no_call(call: IsolatedFunction) -> None:
    _, idle, _ = call("first")
    os.kill(idle, signal.SIGKILL)
    assert _ends(idle)
    assert call("second")[0] == "second"


def test_signals_to_all_processes_do_not_end_a_call(call: IsolatedFunction) -> None:
    _, pid, _ = call("first")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(pid, number)
    assert call("second")[1] == pid


@pytest.mark.parametrize("make", [_make, _make_with_a_thread])
def test_a_call_that_takes_too_long_fails_and_its_process_ends(make) -> None:
    call = IsolatedFunction(make, 1, seconds=0.5)
    _, pid, _ = call("a")
    with pytest.raises(LostProcessError, match=r"took longer than 0\.5 s"):
        call("hang")
    assert _ends(pid)
    assert call("b")[0] == "b"
    call.stop()


def test_processes_are_copies_of_one_that_has_loaded_and_is_clean() -> None:
    call = IsolatedFunction(_make, 2)
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(call, ["a", "b", "c", "d"]))
    call.stop()
    loaded_in = {where for _, _, where in found}
    assert len(loaded_in) == 1
    assert loaded_in.isdisjoint({pid for _, pid, _ in found} | {os.getpid()})


def test_a_process_with_threads_makes_no_copies() -> None:
    call = IsolatedFunction(_make_with_a_thread, 1)
    _, pid, loaded_in = call("a")
    call.stop()
    assert pid == loaded_in


def test_nothing_that_is_printed_is_shown_and_its_size_is_known(capfd) -> None:
    call = IsolatedFunction(_make, 1)
    call("print")
    call.stop()
    with pytest.warns(HiddenOutputWarning, match=r"2 lines \(18 bytes\) printed by base systems"):
        call.hidden.warn()
    assert capfd.readouterr() == ("", "")


def test_silence_gives_no_warning() -> None:
    call = IsolatedFunction(_make, 1)
    call("a")
    call.stop()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call.hidden.warn()


@pytest.mark.parametrize("item", ["leave", "quote", "own"])
def test_messages_of_exceptions_that_are_not_ours_are_left_out(item: str) -> None:
    call = IsolatedFunction(_make, 1)
    with pytest.raises(UsageError, match=r"failed with .* line [0-9]+") as raised:
        call(item)
    assert "Zanzibar" not in str(raised.value)
    assert call("a")[0] == "a"
    call.stop()


def _make_of_others() -> Any:
    raise CorpusError("Zanzibar", "Zanzibar")


def test_our_own_errors_while_loading_are_raised_as_they_are() -> None:
    with pytest.raises(CorpusError, match="there is no such file or folder"):
        IsolatedFunction(partial(read_corpus, "/nowhere/at/all"), 1)("a")
    with pytest.raises(UsageError, match="failed with CorpusError") as raised:
        IsolatedFunction(_make_of_others, 1)("a")
    assert "Zanzibar" not in str(raised.value)


def test_a_crash_while_loading_is_named() -> None:
    with pytest.raises(UsageError, match="the process that loaded the model ended abruptly"):
        IsolatedFunction(lambda: os._exit(3), 1)("a")


def test_loading_that_hangs_ends(monkeypatch) -> None:
    monkeypatch.setattr(clean, "_LONGEST_START", 0.5)
    with pytest.raises(UsageError, match=r"not loaded within 0\.5 s"):
        IsolatedFunction(lambda: time.sleep(600), 1)("a")


def test_stopping_ends_running_calls_and_all_processes() -> None:
    call = IsolatedFunction(_make, 2)
    _, pid, loaded_in = call("a")
    with ThreadPoolExecutor(1) as threads:
        hanging = threads.submit(call, "hang")
        time.sleep(0.2)
        call.stop()
        assert isinstance(hanging.exception(timeout=30), LostProcessError)
    assert _ends(pid)
    assert _ends(loaded_in)
    with pytest.raises(LostProcessError, match="was stopped"):
        call("a")


_PROGRAM = """
import sys, test_isolation
from multideid.isolation import IsolatedFunction
call = IsolatedFunction(getattr(test_isolation, sys.argv[1]), 2)
print(*call("a")[1:], flush=True)
{end}
"""


@pytest.mark.parametrize("end", ["call('hang')", "pass"])
@pytest.mark.parametrize("make", ["_make", "_make_with_a_thread"])
def test_no_process_outlives_the_program(make: str, end: str) -> None:
    # The program has no guard against being run again; with "pass", it forgets to stop.
    program = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM.format(end=end), make],
        cwd=Path(__file__).parent,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    pids = list(map(int, program.stdout.readline().split()))
    if end != "pass":
        time.sleep(0.2)
        program.kill()
    program.wait(timeout=60)
    program.stdout.close()
    assert all(map(_ends, pids))


def test_a_crash_writes_no_memory_to_a_file() -> None:
    code = "import resource; print(resource.getrlimit(resource.RLIMIT_CORE))"
    limits = subprocess.run(
        [sys.executable, "-c", f"from {child.__name__} import leave_no_core as f; f(); {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert limits.stdout == "(1, 1)\n"
