"""Two runs never write to one output, and what a killed run leaves is removed by the next."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from subprocess import PIPE, Popen
from sys import executable

import pytest

from multideid.errors import CorpusError, UsageError
from multideid.files import atomic_output, atomic_path, is_same, refuse_same, scratch_path
from multideid.locks import TEMPORARY, hold, remove_leftovers, run_lock

_KILLED = """
import sys, time
from pathlib import Path
from multideid.files import scratch_path
from multideid.locks import run_lock
folder = Path(sys.argv[1])
a, b = scratch_path(folder / "a"), scratch_path(folder / "b", folder=True)
with run_lock([folder / "out"]), a, b as b:
    (b / "note.txt").write_text("Zanzibar")
    print("ready", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def other_run(tmp_path: Path) -> Popen[str]:
    """Start another process that writes to the folder."""
    process = Popen([executable, "-c", _KILLED, str(tmp_path)], stdout=PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_an_output_is_locked_until_the_end_of_the_run(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    with run_lock([out, tmp_path / "vault"]):
        with pytest.raises(UsageError, match=r"another run is writing to .*out"), run_lock([out]):
            pass
        with run_lock([tmp_path / "other"]):
            pass
    with run_lock([out]):
        pass
    assert [p.name for p in out.parent.iterdir()] == []


def test_an_output_is_locked_under_all_its_names(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    with run_lock([tmp_path / "out"]), pytest.raises(UsageError), run_lock([tmp_path / "link/out"]):
        pass


def test_a_folder_in_a_place_that_cannot_be_written_to_is_locked_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != tmp_path)
    with run_lock([tmp_path / "out"]):
        assert [p.name for p in tmp_path.iterdir()] == ["out"]
        with pytest.raises(UsageError), run_lock([tmp_path / "out"]):
            pass


@pytest.mark.end_to_end
def test_what_a_killed_run_left_is_removed_and_what_a_living_one_uses_stays(
    tmp_path: Path, other_run: Popen[str]
) -> None:
    before = sorted(p.name for p in tmp_path.iterdir())
    remove_leftovers(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == before
    assert len(before) == 3
    other_run.send_signal(signal.SIGKILL)
    other_run.wait()
    with run_lock([tmp_path / "out"]):
        assert [p.name for p in tmp_path.iterdir()] == [".out.multideid-lock"]
    assert list(tmp_path.iterdir()) == []


def test_a_temporary_file_that_was_removed_before_it_was_marked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def tidied_in_between(path: Path) -> int | None:
        if not calls:
            remove_leftovers(tmp_path)
        calls.append(path)
        return hold(path)

    monkeypatch.setattr("multideid.files.hold", tidied_in_between)
    with atomic_path(tmp_path / "a") as path:
        path.write_text("x")
    assert len(calls) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_files_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    for name in ("a.tmp", ".b.tmp", f"{TEMPORARY}.txt"):
        (tmp_path / name).touch()
    with run_lock([tmp_path]):
        pass
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(("private", "mode"), [(True, 0o600), (False, 0o644)])
def test_a_file_is_readable_by_its_owner_only_unless_it_is_shared(
    tmp_path: Path, private: bool, mode: int
) -> None:
    before = os.umask(0o022)
    try:
        with atomic_output(tmp_path / "a", private=private) as path:
            path.write_text("x")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == mode


def test_files_that_are_moved_into_a_shared_folder_are_private(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir(mode=0o755)
    with atomic_output(tmp_path / "out", folder=True) as path:
        (path / "ward").mkdir()
        (path / "ward" / "a.txt").write_text("x")
    modes = {p.name: p.stat().st_mode & 0o777 for p in (tmp_path / "out").rglob("*")}
    assert modes == {"ward": 0o700, "a.txt": 0o600}


def test_a_scratch_file_is_removed_whatever_happens(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), scratch_path(tmp_path / "a") as path:
        path.write_text("x")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    place = tmp_path / "file" / "out"
    refused = pytest.raises(CorpusError, match="cannot be written")
    with refused, run_lock([place]), atomic_output(place):
        pass


def test_two_names_of_one_file_are_found(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    (tmp_path / "hard").hardlink_to(tmp_path / "a")
    (tmp_path / "soft").symlink_to(tmp_path / "a")
    assert all(is_same(tmp_path / "a", tmp_path / name) for name in ("hard", "soft"))
    assert is_same(tmp_path / "new", tmp_path / "." / "new")
    assert not is_same(tmp_path / "a", tmp_path / "new")


def test_an_output_is_no_input_and_no_other_output(tmp_path: Path) -> None:
    inputs = {"the key": tmp_path / "key", "the model": tmp_path / "model"}
    bad = (
        {"the vault": tmp_path / "key"},
        {"the vault": tmp_path / "a", "the report": tmp_path / "a"},
        {"the report": tmp_path / "model" / "r.csv"},
        {"the output": tmp_path},
    )
    for outputs in bad:
        with pytest.raises(UsageError, match="choose another"):
            refuse_same(inputs, outputs)
    refuse_same(inputs, {"the vault": tmp_path / "a", "the report": tmp_path / "b"})
