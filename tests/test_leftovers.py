"""Wherever an exception of a signal comes, what a process made for itself goes with it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import run
from types import FrameType
from typing import Any

import pytest

from multideid.deid.journal import Journal
from multideid.files import atomic_path, scratch_path
from multideid.leftovers import remove_leftovers_of_this_process, removed_at_last
from multideid.locks import run_lock
from multideid.persistence.packing import private_folder

_MODULES = ("contextlib.py", "files.py", "leftovers.py", "locks.py", "journal.py", "packing.py")


class _PlantedError(BaseException):
    """As that of a signal, which nobody expects."""


def _planted(act: Callable[[], object], moment: int) -> bool:
    """Raise an error before a line that is executed; return whether there were so many lines."""
    left = moment

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.endswith(_MODULES):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                raise _PlantedError
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    except _PlantedError:
        return True
    finally:
        sys.settrace(before)
    return False


def _write_a_file(folder: Path) -> None:
    with run_lock([folder / "out"]), atomic_path(folder / "out") as path:
        path.write_text("whole")


def _fill_a_folder(folder: Path) -> None:
    with run_lock([folder / "out"]), scratch_path(folder / "out", folder=True) as path:
        (path / "note").write_text("Zanzibar")


def _begin_a_journal(folder: Path) -> None:
    with Journal(folder / "out", lambda digest: {"model": "m"}) as journal:
        journal.open()


def _use_a_private_folder(folder: Path) -> None:
    with private_folder() as place:
        assert place.parent == folder


@pytest.mark.parametrize(
    "act", [_write_a_file, _fill_a_folder, _begin_a_journal, _use_a_private_folder]
)
def test_nothing_is_left_wherever_an_exception_comes(act, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("multideid.persistence.packing._memory", lambda size: tmp_path)
    moments = 0
    while _planted(lambda: act(tmp_path), moments + 1):
        moments += 1
        remove_leftovers_of_this_process()
        left = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
        assert left in ({}, {"out": b"whole"}), moments
        (tmp_path / "out").unlink(missing_ok=True)
    assert moments > 10


def test_a_lock_that_another_run_holds_is_not_removed_at_the_end(tmp_path) -> None:
    with run_lock([tmp_path / "out"]):
        with pytest.raises(Exception, match="another run"), run_lock([tmp_path / "out"]):
            pass
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def removals() -> Iterator[list[str]]:
    """Return a list, and let nothing be noted after the test."""
    yield []
    remove_leftovers_of_this_process()


def test_a_removal_that_was_interrupted_is_done_at_the_end(removals) -> None:
    def remove() -> None:
        removals.append("tried")
        if len(removals) == 1:
            raise _PlantedError

    with pytest.raises(_PlantedError), removed_at_last(remove):
        pass
    remove_leftovers_of_this_process()
    remove_leftovers_of_this_process()
    assert removals == ["tried", "tried"]


_ENDS = """
import os, sys
from multideid.leftovers import removed_at_last
with removed_at_last(lambda: print(sys.argv[1], flush=True)):
    if not os.fork():
        sys.exit()
    os.wait()
    print("alone", flush=True)
"""


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="needs fork")
def test_a_forked_process_removes_nothing_of_its_parent() -> None:
    code = _ENDS.replace("sys.exit()", "import atexit; atexit._run_exitfuncs(); os._exit(0)")
    ended = run([sys.executable, "-c", code, "removed"], capture_output=True, check=True, text=True)
    assert ended.stdout.split() == ["alone", "removed"]
