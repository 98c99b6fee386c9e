"""The whole workflow of a user, in separate processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from multideid.corpora import read_corpus
from multideid.eval import evaluate
from multideid.models import load

pytestmark = pytest.mark.end_to_end

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


def _run(folder: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "multideid", *arguments]
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, input=stdin, capture_output=True, check=False
    )


def test_corpus_to_model_to_figures_to_notes_without_phi(invoke, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.txt").write_text("Seen on 03/14/2007 in clinic.\n")
    steps = (
        "sample-corpus corpus --documents 6 --seed 1",
        "train corpus --mode mimic --out model",
        "predict model corpus --out predicted --to jsonl",
        "evaluate corpus predicted --json",
    )
    runs = [invoke(*step.split()) for step in steps]
    assert [(run.exit_code, run.stderr) for run in runs] == [(0, "")] * len(steps)
    printed = json.loads(runs[3].stdout)["tokens"]["two_way"]
    notes = read_corpus("corpus")
    expected = evaluate(notes, load("model").predict(notes)).tokens.two_way()
    assert (printed["precision"], printed["recall"]) == (expected.precision, expected.recall)
    assert printed["precision"] > 0.9
    run = _run(tmp_path, "deid", "note.txt", "--model", "model", "--out", "clean")
    assert (run.returncode, run.stderr) == (0, b"")
    assert (tmp_path / "clean" / "note.txt").read_text() == "Seen on [DATE] in clinic.\n"
    piped = _run(tmp_path, "deid", "-", "--model", "model", stdin=b"Seen on 03/14/2007.\r\n")
    assert (piped.returncode, piped.stdout) == (0, b"Seen on [DATE].\r\n")


def test_wrong_use_ends_without_a_traceback(tmp_path) -> None:
    run = _run(tmp_path, "train", "nowhere", "--mode", "mimic", "--out", "model")
    assert (run.returncode, run.stdout) == (2, b"")
    assert run.stderr == b"error: nowhere: there is no such file or folder\n"
