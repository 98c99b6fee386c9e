"""``multideid review`` without its page: begun, continued, exported; agreement is told."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from typer.testing import CliRunner

from multideid.cli.app import app
from multideid.corpora import read_corpus, write_corpus
from multideid.document import Document, Span
from multideid.review import ADJUDICATED, Change, Store
from multideid.review.setup import open_review

LEE = Span(8, 11, "DOCTOR")
NOTES = [Document(f"n{n}", "Seen by Lee 🏥.", (LEE,), {"ward": "B"}) for n in range(3)]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    write_corpus(NOTES, tmp_path / "notes.jsonl", "jsonl")
    return tmp_path / "notes.jsonl"


def _run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["review", *map(str, arguments)])
    return result.exit_code, result.output


def test_a_review_begins_with_the_spans_of_the_corpus_and_goes_on(notes: Path) -> None:
    store = open_review(notes)
    assert store.path == notes.with_name("notes.jsonl.review")
    assert store.labels == ("DOCTOR",)
    assert store.layers.get(1, "anna").spans == (LEE,)
    store.layers.change(1, "anna", Change(removed=[LEE], accepted=True))
    store.close()
    assert open_review(notes, labels=["DATE"]).labels == ("DOCTOR", "DATE")
    assert open_review(store.path).layers.get(1, "anna").accepted


def test_notes_that_came_later_are_added(notes: Path) -> None:
    open_review(notes).close()
    write_corpus([*NOTES, Document("late", "x")], notes, "jsonl", overwrite=True)
    assert len(open_review(notes).numbers()) == 4


def test_what_is_accepted_is_exported(notes: Path, tmp_path: Path) -> None:
    store = open_review(notes)
    code, output = _run(notes, "--export", tmp_path / "out")
    assert (code, "no note is accepted" in output) == (2, True)
    store.layers.accept(1, "anna")
    store.layers.change(2, "anna", Change(removed=[LEE], accepted=True))
    store.layers.accept(2, "ben")
    code, output = _run(notes, "--export", tmp_path / "out", "--json")
    assert code == 0
    assert json.loads(output)["disputed"] == 1
    assert read_corpus(tmp_path / "out") == [NOTES[0]]
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600
    assert _run(notes, "--export", tmp_path / "ben", "--to", "brat", "--reviewer", "ben")[0] == 0
    assert [d.id for d in read_corpus(tmp_path / "ben")] == ["n1"]


def test_a_review_is_never_overwritten_by_its_export(notes: Path) -> None:
    store = open_review(notes)
    store.layers.accept(1, "anna")
    code, _ = _run(notes, "--export", store.path, "--overwrite")
    assert code == 2
    assert Store(store.path).layers.get(1, "anna").accepted


def test_agreement_is_printed(notes: Path) -> None:
    store = open_review(notes)
    assert "no two reviewers" in _run(notes, "--agreement")[1]
    store.layers.accept(1, "anna")
    store.layers.accept(1, "ben")
    found = json.loads(_run(notes, "--agreement", "--json")[1])
    assert found["pairs"][0]["kappa"] == 1
    assert "anna and ben" in _run(notes, "--agreement")[1]


def test_reviewers_are_named_sensibly(notes: Path) -> None:
    code, output = _run(notes, "--reviewer", ADJUDICATED)
    assert (code, "cannot be the name" in output) == (2, True)


@pytest.mark.end_to_end
def test_a_killed_desk_has_lost_nothing_and_printed_no_text(notes: Path) -> None:
    log = notes.with_name("log")
    command = [sys.executable, "-m", "multideid", "review", str(notes), "--reviewer", "anna"]
    with log.open("wb") as stderr:
        desk = subprocess.Popen(command, stderr=stderr, stdout=stderr)
    try:
        address = _address(desk, log)
        url, _, token = address.partition("#")
        headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        for version in range(3):
            removed = [[0, version, "DOCTOR"]] if version else []
            added = [[0, version + 1, "DOCTOR"]]
            sent = {"version": version or -1, "removed": removed, "added": added}
            body = json.dumps(sent).encode()
            with urlopen(Request(f"{url}api/notes/1/decisions", body, headers), timeout=30) as said:
                assert json.load(said)["version"] == version + 1
    finally:
        desk.kill()
        desk.wait()
    store = Store(notes.with_name("notes.jsonl.review"))
    assert store.layers.get(1, "anna").spans == (Span(0, 3, "DOCTOR"), LEE)
    assert "Lee" not in log.read_text()


def _address(desk: subprocess.Popen[bytes], log: Path) -> str:
    for _ in range(600):
        if found := re.search(r"open (\S+)", log.read_text()):
            return found[1]
        assert desk.poll() is None, log.read_text()
        time.sleep(0.1)
    raise AssertionError(log.read_text())
