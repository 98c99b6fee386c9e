"""Whatever a base system does on one note, the others are written and no text is shown."""

from __future__ import annotations

import json
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from multideid.document import Document, Span
from multideid.stacking import SingleDeidentifier

pytestmark = pytest.mark.end_to_end

_PLUGIN = """
import logging, os, re, signal, sys, time, warnings
from multideid.errors import UsageError


class Wild:
    summary = "Badge numbers, and mischief."

    def tag(self, document):
        text = document.text
        for word, act in ACTS.items():
            if word in text:
                act(text)
        return [(*m.span(), "ID") for m in re.finditer("B-[0-9]{4}", text)]


class Impossible(BaseException):
    pass


def fail(error):
    raise error


def talk(text):
    print(text)
    sys.stderr.write(text)
    os.system(f"echo {text}; echo {text} >&2")
    warnings.warn(text)
    warnings.warn(text, DeprecationWarning)
    logging.getLogger("wild").critical(text)


ACTS = {
    "EXITS": lambda text: os._exit(0),
    "FAULTS": lambda text: os.kill(os.getpid(), signal.SIGSEGV),
    "HANGS": lambda text: time.sleep(600),
    "LEAVES": sys.exit,
    "BREAKS": lambda text: fail(Impossible(text)),
    "QUOTES": lambda text: fail(UsageError(text)),
    "TALKS": talk,
}
"""
_ENTRY_POINTS = "[multideid.base_systems]\nwild = wild_system:Wild\n"
BAD = ("EXITS", "FAULTS", "HANGS", "LEAVES", "BREAKS", "QUOTES")
SECRET = "Zanzibar"


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """Install a base system that does on some notes what no base system should do."""
    folder = tmp_path_factory.mktemp("packages")
    (folder / "wild_system.py").write_text(_PLUGIN)
    info = folder / "wild_system-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wild-system\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(_ENTRY_POINTS)
    return folder


@pytest.fixture(scope="module")
def model(installed) -> Path:
    """Return a model that consists of this system."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(installed)
        fitted = SingleDeidentifier("wild").fit([Document("d", "B-1234", (Span(0, 6, "ID"),))])
        fitted.save(installed / "model")
    return installed / "model"


@pytest.fixture(scope="module")
def notes(installed) -> Path:
    """Return forty notes, one for each act among them."""
    folder = installed / "notes"
    folder.mkdir()
    for n in range(40):
        act = (*BAD, "TALKS")[n // 5] if n % 5 == 2 and n < 35 else "rests"
        (folder / f"{n:02}.txt").write_text(f"{SECRET} {act} B-{1000 + n}")
    return folder


def _run(installed: Path, *arguments: object, act: str = "") -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": str(installed), "PATH": "", "WILD_ACT": act}
    command = [sys.executable, "-m", "multideid", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize("options", [("--jobs", 1), ("--jobs", 2, "--report")])
def test_bad_notes_fail_and_the_others_are_written(
    installed, model, notes, tmp_path, options
) -> None:
    if "--report" in options:
        options = (*options, tmp_path / "r.json")
    run = _run(installed, "deid", notes, "-m", model, "-o", tmp_path, "--timeout", 4, *options)
    bad = {p.name for p in notes.iterdir() if any(word in p.read_text() for word in BAD)}
    assert run.returncode == 1
    assert {p.name for p in tmp_path.glob("*.txt")} == {p.name for p in notes.iterdir()} - bad
    assert len(bad) == len(BAD)
    assert run.stderr.count("failed: ") == len(bad)
    assert "printed by base systems are not shown" in run.stderr
    assert SECRET not in run.stderr + run.stdout


def test_bad_documents_fail_and_the_others_are_predicted(installed, model, notes, tmp_path) -> None:
    out = tmp_path / "out.jsonl"
    options = ("--to", "jsonl", "--timeout", 4, "--out", out)
    run = _run(installed, "predict", model, notes, *options)
    assert run.returncode == 1
    assert len([json.loads(line) for line in out.read_text().splitlines()]) == 40 - len(BAD)
    assert SECRET not in run.stderr + run.stdout


_ON_PLACEHOLDERS = {
    "FAULTS": "error: document 'n': the process that worked on it ended abruptly (SIGSEGV)",
    "EXITS": "error: document 'n': the process that worked on it ended abruptly",
    "LEAVES": "error: document 'n': failed with SystemExit",
    "BREAKS": "error: document 'n': failed with Impossible",
    "QUOTES": "error: document 'n': plug-in 'wild' failed with UsageError",
    "TALKS": "printed by base systems are not shown",
}


@pytest.mark.parametrize(("act", "told"), _ON_PLACEHOLDERS.items())
def test_what_a_system_does_on_placeholders_shows_no_text(
    installed, model, tmp_path, act, told
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "n.txt").write_text(f"{SECRET} {act} [REMOVED].\n")
    options = ("--placeholders", "--model", model, "--seed", 1, "--to", "jsonl")
    run = _run(installed, "resynthesize", tmp_path / "notes", *options, "-o", tmp_path / "out")
    assert run.returncode == 2
    assert told in run.stderr
    assert SECRET not in run.stderr + run.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_stopped_leaves_no_file_behind(installed, model, tmp_path, number) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(f"{SECRET} HANGS")
    (tmp_path / "key").write_text("0123456789abcdef")
    vault = ("--vault", tmp_path / "vault", "--key-file", tmp_path / "key")
    command = ("deid", tmp_path / "in", "-m", model, "-o", tmp_path / "out", *vault)
    run = subprocess.Popen(
        [sys.executable, "-m", "multideid", *map(str, command)],
        env={"PYTHONPATH": str(installed)},
        stderr=subprocess.PIPE,
        text=True,
        # The tests may themselves run where the signal is ignored, as under nohup.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # noqa: PLW1509
    )
    while not list(tmp_path.glob(".*.multideid-tmp")):
        time.sleep(0.05)
    run.send_signal(number)
    _, errors = run.communicate(timeout=60)
    assert (run.returncode, errors) == (128 + number, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "key"]


@pytest.fixture
def served(installed, model, tmp_path) -> Iterator[Callable[[str], tuple[int, str]]]:
    """Return a function that posts a text to a service of the model, with two seconds of time."""
    log = tmp_path / "log"
    command = [sys.executable, "-m", "multideid", "serve", "-m", model, "--port", "0"]
    with log.open("w") as errors:
        run = subprocess.Popen(
            [*map(str, command), "--timeout", "2"],
            env={"PYTHONPATH": str(installed), "PATH": ""},
            stderr=errors,
        )
    while not (found := re.search(r"listening at http://127.0.0.1:(\d+)", log.read_text())):
        assert run.poll() is None, log.read_text()
        time.sleep(0.1)

    def post(text: str) -> tuple[int, str]:
        connection = HTTPConnection("127.0.0.1", int(found[1]), timeout=300)
        headers = {"content-type": "application/json"}
        connection.request("POST", "/deidentify", json.dumps({"text": text}), headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    yield post
    run.terminate()
    assert run.wait(60) == 128 + signal.SIGTERM
    assert SECRET not in log.read_text()


def _served_at_last(post: Callable[[str], tuple[int, str]], text: str) -> str:
    """Return the answer to a text, which a busy machine may not give in two seconds at once."""
    for _ in range(60):
        status, answer = post(text)
        if status == 200:
            return answer
        assert status == 504, answer
    raise AssertionError(answer)


def test_a_service_goes_on_after_a_text_on_which_the_model_hangs_or_dies(served) -> None:
    good = f"{SECRET} rests B-1234"
    for act, expected in (("HANGS", 504), ("FAULTS", 500), ("EXITS", 500), ("LEAVES", 500)):
        status, answer = served(f"{SECRET} {act} B-1234")
        assert status in (expected, 504)
        assert SECRET not in answer
        assert "[ID]" in _served_at_last(served, good)


_LEARNER = """
import os, resource, signal, sys, time, warnings, logging
import numpy as np
from multideid.errors import UsageError
from multideid.taggers.contract import BaseTagger
from wild_system import fail, talk

ACT = os.environ.get("WILD_ACT", "")


def crash(text):
    with open("limits", "w") as file:
        print(resource.getrlimit(resource.RLIMIT_CORE), end="", file=file)
    os.kill(os.getpid(), signal.SIGSEGV)


class Learner(BaseTagger):
    name, summary = "learner", "Learns nothing, and makes mischief meanwhile."

    def fit(self, tokens, labels):
        text = tokens.texts[0]
        {
            "TALKS": talk,
            "FAULTS": crash,
            "LEAVES": sys.exit,
            "BREAKS": lambda text: fail(Impossible(text)),
            "QUOTES": lambda text: fail(UsageError(text)),
            "BLAMES": lambda text: fail(CorpusError("notes", text)),
                    }[ACT](text)
        self.labels_ = labels.names
        return self

    def predict_scores(self, tokens):
        return np.zeros((len(tokens), len(self.labels_)), dtype=np.float32)

    def save(self, folder):
        pass

    @classmethod
    def load(cls, folder):
        return cls()
"""


@pytest.fixture(scope="module")
def gold(installed) -> Path:
    """Install a base system that learns, and return an annotated corpus."""
    (installed / "wild_learner.py").write_text(_LEARNER)
    points = installed / "wild_system-1.0.dist-info" / "entry_points.txt"
    points.write_text(f"{_ENTRY_POINTS}learner = wild_learner:Learner\n")
    path = installed / "gold.jsonl"
    spans = [{"start": 9, "end": 15, "label": "ID"}]
    lines = [{"id": str(n), "text": f"{SECRET} B-{1000 + n}", "spans": spans} for n in range(4)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("act", "jobs", "code"), [("TALKS", 2, 0), ("LEAVES", 1, 2), ("QUOTES", 1, 2)]
)
def test_what_a_system_prints_or_raises_while_it_learns_is_not_shown(  # noqa: PLR0913, PLR0917 (fixtures)
    installed, gold, tmp_path, act, jobs, code
) -> None:
    command = ("train", gold, "--mode", "vote", "--systems", "learner,mimic", "--jobs", jobs)
    run = _run(installed, *command, "-o", tmp_path / "m", act=act)
    assert SECRET not in run.stdout + run.stderr
    assert run.returncode == code, run.stderr
    if act == "TALKS":
        assert "printed by base systems are not shown" in run.stderr
        assert "trained on 4 documents" in run.stdout
    else:
        assert "error: " in run.stderr


def _with_core_files() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_system_that_crashes_while_it_learns_leaves_no_core_file(
    installed, gold, tmp_path, jobs
) -> None:
    command = ["train", gold, "--mode", "vote", "--systems", "learner,mimic", "-o", "m"]
    run = subprocess.run(
        [sys.executable, "-m", "multideid", *map(str, command), "--jobs", str(jobs)],
        env={"PYTHONPATH": str(installed), "PATH": "", "WILD_ACT": "FAULTS"},
        cwd=tmp_path,
        capture_output=True,
        preexec_fn=_with_core_files,
        timeout=600,
        check=False,
    )
    assert run.returncode in (-signal.SIGSEGV, 2)
    assert (tmp_path / "limits").read_text() == "(1, 1)"
    assert [path.name for path in tmp_path.iterdir()] == ["limits"]


def test_standard_input_on_which_a_system_dies_gives_no_output(installed, model) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "multideid", "deid", "-", "-m", model],
        input=f"{SECRET} FAULTS",
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(installed)},
        check=False,
    )
    assert (run.returncode, run.stdout) == (1, "")
    assert "ended abruptly (SIGSEGV)" in run.stderr
    assert SECRET not in run.stderr
