"""Outputs are locked, private, never another file of the run, and never those of a weaker run."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from multideid.corpora import write_corpus
from multideid.document import Document
from multideid.locks import run_lock

KEY = "0123456789abcdef"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Return a folder with one note."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("Seen by B-1234")
    return folder


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Return a key file."""
    (tmp_path / "key").write_text(KEY)
    return tmp_path / "key"


@pytest.fixture
def usual_umask() -> Iterator[None]:
    """Let the umask be that of most systems."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def _modes(folder: Path) -> set[int]:
    return {path.stat().st_mode & 0o777 for path in folder.rglob("*") if path.is_file()}


def _snapshot(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_no_file_of_a_run_is_written_over_another(deid, notes, key, tmp_path) -> None:
    (tmp_path / "hard").hardlink_to(notes / "a.txt")
    (tmp_path / "soft.csv").symlink_to(notes / "a.txt")
    out = tmp_path / "out"
    before = _snapshot(tmp_path)
    uses: list[tuple[object, ...]] = [
        ("--vault", key, "--key-file", key),
        ("--vault", tmp_path / "r.csv", "--key-file", key, "--report", tmp_path / "r.csv"),
        ("--vault", notes / "a.txt", "--key-file", key),
        ("--vault", tmp_path / "hard", "--key-file", key),
        ("--report", tmp_path / "soft.csv"),
        ("--report", out / "a.txt"),
        ("--vault", out / "a.txt", "--key-file", key),
    ]
    for use in uses:
        result = deid(notes, "--out", out, "--overwrite", *use)
        assert result.exit_code == 2, use
        assert "choose another name" in result.stderr or "is a .json" in result.stderr
    assert _snapshot(tmp_path) == before


def test_a_key_in_the_place_of_an_output_stays(deid, notes, tmp_path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.txt").write_text(KEY)
    options = ("--as", "hash", "--key-file", out / "a.txt", "--overwrite")
    assert deid(notes, "--out", out, *options).exit_code == 2
    assert (out / "a.txt").read_text() == KEY


def test_restoring_writes_over_neither_vault_nor_key(deid, invoke, notes, key, tmp_path) -> None:
    vault = tmp_path / "back" / "a.txt"
    vault.parent.mkdir()
    deid(notes, "--out", tmp_path / "out", "--vault", vault, "--key-file", key)
    before = vault.read_bytes()
    options = ("--vault", vault, "--key-file", key, "--out", vault.parent, "--overwrite")
    assert invoke("restore", tmp_path / "out", *options).exit_code == 2
    assert vault.read_bytes() == before


def test_a_corpus_inside_the_model_to_overwrite_is_not_lost(invoke, corpus, tmp_path) -> None:
    model = tmp_path / "model"
    options = ("--mode", "badge", "--out", model, "--overwrite")
    invoke("train", corpus, *options)
    write_corpus([Document("a", "B-1234", ((0, 6, "ID"),))], model / "more.jsonl", "jsonl")
    assert invoke("train", model / "more.jsonl", *options).exit_code == 2
    assert (model / "more.jsonl").exists()


@pytest.mark.usefixtures("notes", "key")
def test_two_runs_to_one_output_at_once_are_refused(invoke, corpus, model, tmp_path) -> None:
    out, vault, notes, key = (tmp_path / name for name in ("out", "vault", "notes", "key"))
    deid = ("deid", notes, "--model", model)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.txt").write_text("B-1234")
    with run_lock([out, vault]):
        results = [
            invoke(*deid, "--out", out),
            invoke(*deid, "--out", tmp_path / "new", "--vault", vault, "--key-file", key),
            invoke("predict", model, corpus, "--out", out),
            invoke("train", corpus, "--mode", "badge", "--out", out),
            invoke("convert", corpus, out, "--to", "jsonl"),
        ]
    for result in results:
        assert result.exit_code == 2
        assert "another run is writing to" in result.stderr
    assert not out.exists()
    assert not vault.exists()
    assert invoke(*deid, "--out", out).exit_code == 0


@pytest.mark.usefixtures("usual_umask", "notes", "key")
def test_files_with_phi_are_private_unless_asked(invoke, corpus, model, tmp_path) -> None:
    clean, vault, notes, key = (tmp_path / name for name in ("clean", "vault", "notes", "key"))
    deid = ("deid", notes, "--model", model)
    invoke(*deid, "--out", clean, "--vault", vault, "--key-file", key)
    restore = ("restore", clean, "--vault", vault, "--key-file", key)
    commands = {
        "tags": (*deid, "--as", "tag"),
        "back": restore,
        "brat": ("predict", model, corpus),
        "copy": ("predict", model, corpus, "--to", "plain"),
        "model": ("train", corpus, "--mode", "badge"),
    }
    for name, command in commands.items():
        for option, mode in (((), 0o600), (("--shared",), 0o644)):
            out = tmp_path / f"{name}{len(option)}"
            assert invoke(*command, "--out", out, *option).exit_code == 0
            assert _modes(out) == {mode}, (name, option)
    assert _modes(clean) == {0o644}
    invoke(*deid, "--out", tmp_path / "mine", "--private")
    assert _modes(tmp_path / "mine") == {0o600}


def test_a_document_that_fails_loses_its_older_output(deid, notes, tmp_path) -> None:
    out, before = tmp_path / "out", "Seen by B-1234, unmasked"
    out.mkdir()
    texts = {"bad.txt": b"UNBEARABLE", "latin.txt": b"\xff", "t.csv": b"id\n1\n"}
    for name, content in texts.items():
        (notes / name).write_bytes(content)
        (out / name).write_text(before)
    (out / "mine.txt").write_text("stays")
    result = deid(notes, "--out", out, "--column", "text", "--overwrite")
    assert result.exit_code == 1
    assert result.stderr.count("failed:") == 3
    assert sorted(p.name for p in out.iterdir()) == ["a.txt", "mine.txt"]


@pytest.mark.usefixtures("notes", "key")
@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_file_name_that_is_not_utf8_does_not_end_the_run(deid, invoke, tmp_path, kind) -> None:
    notes, key = tmp_path / "notes", tmp_path / "key"
    (notes / os.fsdecode(b"caf\xe9.txt")).write_text("Seen by B-4321")
    (notes / "z.txt").write_text("B-9999")
    report, vault = tmp_path / f"r.{kind}", tmp_path / "vault"
    options = ("--report", report, "--vault", vault, "--key-file", key)
    assert deid(notes, "--out", tmp_path / "out", *options).exit_code == 0
    assert len(list((tmp_path / "out").iterdir())) == 3
    content = report.read_text(encoding="utf-8")
    if kind == "json":
        assert len(json.loads(content)["documents"]) == 3
    else:
        assert [row[0] for row in csv.reader(content.splitlines())][2] == "caf\\udce9.txt"
    restore = ("restore", tmp_path / "out", "--vault", vault, "--key-file", key)
    assert invoke(*restore, "--out", tmp_path / "back").exit_code == 0
    assert (tmp_path / "back" / os.fsdecode(b"caf\xe9.txt")).read_text() == "Seen by B-4321"


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_file_of_the_user_is_no_scratch_file(invoke, corpus, tmp_path, format) -> None:
    documents = [Document("a", "x"), *(Document(f"b{n}", "x" * 9000) for n in range(1000))]
    documents.append(Document("c", "y", meta={"ward": "7"}))
    (tmp_path / "narrow").write_text("mine")
    write_corpus(documents, tmp_path / "wide", format)
    assert (tmp_path / "narrow").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 2
