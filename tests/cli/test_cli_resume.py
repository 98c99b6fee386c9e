"""A run that is stopped goes on where it was, and nightly runs do what is new or changed."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from multideid.deid import DeidOptions, deidentify_csv, deidentify_folder
from multideid.document import Document, Span
from multideid.errors import CorpusError, UsageError
from multideid.redact import Key, Pseudonyms, read_vault
from multideid.redact.modes import mask
from multideid.stacking import SingleDeidentifier
from multideid.taggers import registry

N = 4
SECRET = "Zanzibar"
KEY = "0123456789abcdef"


class StoppedError(BaseException):
    """Stands for a signal."""


@pytest.fixture
def read(monkeypatch) -> list[str]:
    """Return the texts that the base system has read, in order."""
    seen: list[str] = []
    system = registry._SESSION["badge"]
    tag = system.tag

    def tag_and_note(self: object, document: Document) -> list[Span]:
        seen.append(document.text)
        return tag(self, document)

    monkeypatch.setattr(system, "tag", tag_and_note)
    return seen


@pytest.fixture(autouse=True)
def _one_note_a_batch(monkeypatch) -> None:
    """Let a run that stops have read no more notes than it has written, or one."""
    monkeypatch.setattr("multideid.stacking.deidentifier._BATCH_CHARACTERS", 1)
    monkeypatch.setattr("multideid.stacking.parallel_prediction.effective_n_jobs", lambda n: 1)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Return a folder with notes, JSON Lines, a CSV and a Parquet file."""
    folder = tmp_path / "notes"
    (folder / "ward").mkdir(parents=True)
    texts = [f"{SECRET} seen on 3/{n + 1}/2007 by B-{1000 + n}" for n in range(N)]
    for n, text in enumerate(texts):
        (folder / "ward" / f"{n}.txt").write_text(text)
    lines = [json.dumps({"id": str(n), "text": f"{text} j"}) for n, text in enumerate(texts)]
    (folder / "a.jsonl").write_text("\n".join(lines) + "\n")
    with (folder / "b.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["n", "text"], *([n, f"{t} c"] for n, t in enumerate(texts))])
    parquet.write_table(pa.table({"text": [f"{t} p" for t in texts]}), folder / "c.parquet")
    return folder


def _options(model: Path, tmp_path: Path, out: Path, **more: object) -> DeidOptions:
    (tmp_path / "key").write_text(KEY)
    given: dict[str, object] = {
        "mode": "surrogate",
        "key": tmp_path / "key",
        "vault": out.with_suffix(".vault"),
        "report": out.with_suffix(".json"),
    }
    return DeidOptions(model=model, **{**given, **more})  # type: ignore[arg-type]


def _stop_after(n: int) -> Callable[..., None]:
    calls = iter(range(n))

    def progress(*_: object) -> None:
        if next(calls, None) is None:
            raise StoppedError

    return progress


def _contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in _files(folder)}


def _files(folder: Path) -> Iterator[Path]:
    return (p for p in folder.rglob("*") if p.is_file())


def _journal(out: Path) -> Path:
    return out.with_name(f".{out.name}.multideid-journal")


@pytest.mark.parametrize("stop", [0, 2, 6, 11, 16])
def test_a_run_that_was_stopped_anywhere_ends_as_an_unbroken_one(
    model, notes, tmp_path, read, stop
) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    expected = deidentify_folder(notes, whole, _options(model, tmp_path, whole), column="text")
    del read[:]
    stopped = _options(model, tmp_path, out, progress=_stop_after(stop))
    with pytest.raises(StoppedError):
        deidentify_folder(notes, out, stopped, column="text")
    again = _options(model, tmp_path, out, resume=True)
    result = deidentify_folder(notes, out, again, column="text")
    assert (result.documents, result.labels) == (expected.documents, expected.labels)
    assert _contents(out) == _contents(whole)
    assert out.with_suffix(".json").read_bytes() == whole.with_suffix(".json").read_bytes()
    vaults = [read_vault(p.with_suffix(".vault"), Key.read(tmp_path / "key")) for p in (out, whole)]
    assert vaults[0] == vaults[1]
    # Once for the spans and once for the votes; one note, at most, before and after the stop.
    assert len(read) <= 2 * (4 * N + 1)
    assert not [p.name for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_a_journal_holds_no_text_and_is_private(model, notes, tmp_path) -> None:
    options = _options(model, tmp_path, tmp_path / "out", progress=_stop_after(12))
    with pytest.raises(StoppedError):
        deidentify_folder(notes, tmp_path / "out", options, column="text")
    journal = _journal(tmp_path / "out")
    assert journal.stat().st_mode & 0o777 == 0o600
    content = journal.read_bytes()
    assert b"spans" in content
    for phi in (SECRET, "2007", "B-1", KEY):
        assert phi.encode() not in content


def test_another_option_or_model_is_refused_by_name(model, notes, tmp_path, invoke, corpus) -> None:
    out = tmp_path / "out"
    with pytest.raises(StoppedError):
        deidentify_folder(notes, out, DeidOptions(model=model, progress=_stop_after(4)))
    other = tmp_path / "other"
    fitted = SingleDeidentifier("badge").fit([Document("d", "B-1234", ((0, 6, "NUMBER"),))])
    fitted.save(other)
    (tmp_path / "allowed").write_text("B-1000\n")
    before = _contents(out)
    uses = {
        "mode was mask, is remove": ("--model", model, "--as", "remove"),
        "model has changed": ("--model", other),
        "allow has changed": ("--model", model, "--allow", tmp_path / "allowed"),
        "labels was not given, is ID, DATE": ("--model", model, "--labels", "ID,DATE"),
        "actions was not given, is ID=remove": ("--model", model, "--action", "ID=remove"),
        "preset was not given, is safe-harbor": ("--model", model, "--preset", "safe-harbor"),
        "min score was 0.0, is 0.5": ("--model", model, "--min-score", "0.5"),
    }
    for problem, options in uses.items():
        result = invoke("deid", notes, "--out", out, "--resume", *options)
        assert result.exit_code == 2
        assert problem in result.stderr
        assert "begins anew" in result.stderr
        assert "site" not in result.stderr.replace(str(tmp_path), "")
    assert _contents(out) == before
    assert invoke("deid", notes, "--out", out, "--resume", "--model", model).exit_code == 0


def test_files_of_others_in_the_output_are_not_overwritten(deid, model, notes, tmp_path) -> None:
    out = tmp_path / "out"
    with pytest.raises(StoppedError):
        deidentify_folder(notes, out, DeidOptions(model=model, progress=_stop_after(4)))
    (notes / "new.txt").write_text("B-1234")
    (out / "new.txt").write_text("mine")
    result = deid(notes, "--out", out, "--resume")
    assert result.exit_code == 2
    assert "new.txt exists, and is not of the run" in result.stderr
    assert (out / "new.txt").read_text() == "mine"
    (out / "new.txt").unlink()
    assert deid(notes, "--out", out, "--resume").exit_code == 0


def test_without_a_run_to_resume_all_is_done(deid, notes, tmp_path) -> None:
    assert deid(notes, "--out", tmp_path / "out", "--resume").exit_code == 0
    again = deid(notes, "--out", tmp_path / "out", "--resume")
    assert again.exit_code == 2
    assert "exists" in again.stderr


def test_a_stopped_run_that_is_begun_anew_is_told(deid, model, notes, tmp_path) -> None:
    out = tmp_path / "out"
    with pytest.raises(StoppedError):
        deidentify_folder(notes, out, DeidOptions(model=model, progress=_stop_after(4)))
    result = deid(notes, "--out", out, "--overwrite")
    assert result.exit_code == 0
    assert "begun anew, not resumed" in result.stderr
    assert not _journal(out).exists()


def test_a_note_that_changed_during_the_stop_is_read_again(model, notes, tmp_path, read) -> None:
    out = tmp_path / "out"
    with pytest.raises(StoppedError):
        deidentify_folder(notes, out, DeidOptions(model=model, progress=_stop_after(9)))
    (notes / "ward" / "0.txt").write_text("now B-7777")
    (notes / "ward" / "1.txt").unlink()
    result = deidentify_folder(notes, out, DeidOptions(model=model, resume=True))
    assert (out / "ward" / "0.txt").read_text() == "now [ID]"
    assert result.vanished == ("ward/1.txt",)


def test_nightly_runs_do_what_is_new_or_changed(deid, notes, tmp_path, read) -> None:
    out = tmp_path / "out"
    assert deid(notes, "--out", out, "--column", "text", "--skip-existing").exit_code == 0
    assert _journal(out).exists()
    (notes / "ward" / "0.txt").write_text("changed B-7777")
    (notes / "ward" / "new.txt").write_text("new B-8888")
    (notes / "ward" / "1.txt").unlink()
    (out / "ward" / "2.txt").write_text("spoilt")
    with (notes / "b.csv").open("a") as file:
        file.write("9,one more B-9999\r\n")
    untouched = (out / "ward" / "3.txt").stat().st_mtime_ns
    del read[:]
    result = deid(notes, "--out", out, "--column", "text", "--skip-existing", "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert figures["unchanged"] == N + 3 - 4
    assert figures["vanished"] == ["ward/1.txt"]
    assert "vanished: ward/1.txt" in result.stderr
    assert sorted(read) == ["changed B-7777", "new B-8888", "one more B-9999"]
    assert (out / "ward" / "0.txt").read_text() == "changed [ID]"
    assert (out / "ward" / "2.txt").read_text() == f"{SECRET} seen on 3/3/2007 by [ID]"
    assert (out / "ward" / "3.txt").stat().st_mtime_ns == untouched
    del read[:]
    last = deid(notes, "--out", out, "--column", "text", "--skip-existing")
    assert last.exit_code == 0
    assert not read


@pytest.mark.parametrize("gone", [False, True])
def test_a_vault_of_files_that_are_skipped_or_gone_is_not_replaced(
    model, notes, tmp_path, gone
) -> None:
    out = tmp_path / "out"
    options = _options(model, tmp_path, out, report=None, skip_existing=True, overwrite=True)
    deidentify_folder(notes / "ward", out, options)
    for path in (notes / "ward").iterdir() if gone else ():
        path.unlink()
    before = out.with_suffix(".vault").read_bytes()
    (notes / "ward" / "new.txt").write_text("new B-8888")
    with pytest.raises(UsageError, match="name another vault"):
        deidentify_folder(notes / "ward", out, options)
    assert out.with_suffix(".vault").read_bytes() == before
    tonight = _options(model, tmp_path, out, report=None, skip_existing=True, vault=None)
    assert deidentify_folder(notes / "ward", out, tonight).documents == 1


def test_what_failed_is_tried_again_by_the_next_nightly_run(deid, notes, tmp_path, read) -> None:
    out = tmp_path / "out"
    (notes / "bad.txt").write_text("UNBEARABLE B-1234")
    (notes / "bad.csv").write_text("text\nUNBEARABLE B-1234\nfine B-4321\n")
    options = ("--out", out, "--column", "text", "--skip-existing")
    assert deid(notes, *options).exit_code == 1
    del read[:]
    again = deid(notes, *options, "--json")
    assert again.exit_code == 1
    assert len(json.loads(again.stdout)["failed"]) == 2
    assert set(read) == {"UNBEARABLE B-1234"}


def test_nightly_runs_with_other_options_are_refused(deid, notes, tmp_path) -> None:
    out = tmp_path / "out"
    deid(notes, "--out", out, "--skip-existing")
    result = deid(notes, "--out", out, "--skip-existing", "--as", "remove")
    assert result.exit_code == 2
    assert "mode was mask, is remove" in result.stderr
    result = deid(notes, "--out", out, "--skip-existing", "--as", "remove", "--overwrite")
    assert result.exit_code == 0
    assert (out / "ward" / "0.txt").read_text().endswith("by ")


def test_a_single_table_is_resumed_from_python(model, notes, tmp_path, read) -> None:
    out = tmp_path / "t.csv"
    with pytest.raises(StoppedError):
        deidentify_csv(notes / "b.csv", out, DeidOptions(model=model, progress=_stop_after(2)))
    assert not out.exists()
    del read[:]
    result = deidentify_csv(notes / "b.csv", out, DeidOptions(model=model, resume=True))
    assert result.documents == N
    assert len(read) < N
    assert sorted(p.name for p in tmp_path.iterdir()) == ["notes", "t.csv"]


def test_a_single_table_of_another_name_has_not_vanished(model, notes, tmp_path) -> None:
    options = DeidOptions(model=model, skip_existing=True)
    for unchanged in (0, 1):
        result = deidentify_csv(notes / "b.csv", tmp_path / "clean.csv", options)
        assert (result.unchanged, result.vanished) == (unchanged, ())


@pytest.fixture
def predict(model, notes) -> tuple[object, ...]:
    """Return a command that predicts on the JSON Lines."""
    return "predict", model, notes / "a.jsonl"


@pytest.mark.parametrize("to", ["jsonl", "brat", "csv", "parquet"])
def test_predictions_are_resumed(invoke, predict, tmp_path, read, monkeypatch, to) -> None:  # noqa: PLR0913, PLR0917 (fixtures)
    whole, out = tmp_path / "whole", tmp_path / "out"
    command = (*predict, "--to", to, "--out")
    assert invoke(*command, whole).exit_code == 0
    del read[:]
    with monkeypatch.context() as patch:
        patch.setattr("multideid.cli.predict._Predicted.count", _stop_after(1))
        assert invoke(*command, out).exit_code != 0
    assert _journal(out).exists()
    assert not out.exists()
    result = invoke(*command, out, "--resume")
    assert result.exit_code == 0, result.output
    assert len(read) <= N + 1
    pairs = [(p.read_bytes() if p.is_file() else _contents(p)) for p in (out, whole)]
    assert pairs[0] == pairs[1]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["notes", "out", "whole"]


@pytest.mark.parametrize("to", ["jsonl", "brat"])
def test_only_new_and_changed_notes_are_predicted(invoke, predict, tmp_path, read, to) -> None:
    corpus, out, whole = predict[-1], tmp_path / "out", tmp_path / "whole"
    command = (*predict, "--to", to, "--out", out, "--skip-existing")
    assert invoke(*command).exit_code == 0
    lines = [json.loads(line) for line in corpus.read_text().splitlines()]
    lines[1]["text"] += " B-8888"
    lines.append({"id": "new", "text": f"{SECRET} B-9999"})
    lines.append({"id": "twin", "text": lines[0]["text"]})
    corpus.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    del read[:]
    result = invoke(*command, "--json")
    assert result.exit_code == 0, result.output
    assert [text for text in read if SECRET in text] == [lines[1]["text"], lines[-2]["text"]]
    assert json.loads(result.stdout)["unchanged"] == N
    assert invoke(*predict, "--to", to, "--out", whole).exit_code == 0
    pairs = [(p.read_bytes() if p.is_file() else _contents(p)) for p in (out, whole)]
    assert pairs[0] == pairs[1]
    assert SECRET.encode() not in _journal(out).read_bytes()
    other = invoke(*command, "--recall", "high")
    assert other.exit_code == 2
    assert "had other options: recall" in other.stderr


def _agreeing(invoke, command: tuple[object, ...], path: Path, lines: list[str]) -> None:
    """Run a command on a file without its last line, and then on all of it."""
    for n in (len(lines) - 1, len(lines)):
        path.write_text("".join(f"{line}\n" for line in lines[:n]))
        result = invoke(*command, "--agreement", "--skip-existing")
        assert result.exit_code == 0, result.output


def test_new_notes_agree_with_those_of_their_patient_that_are_known(
    invoke, model, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr("multideid.stacking.deidentifier._BATCH_CHARACTERS", 500_000)
    table, out = tmp_path / "t.csv", tmp_path / "tables"
    options = (table, "--out", out, "--column", "text", "--patient-field", "who")
    command = ("deid", *options, "--model", model)
    _agreeing(invoke, command, table, ["who,text", "7,by B-1234", "7,and B1234"])
    assert (out / "t.csv").read_text() == "who,text\n7,by [ID]\n7,and [ID]\n"
    corpus, out = tmp_path / "t.jsonl", tmp_path / "new.jsonl"
    notes = [{"id": t, "text": t, "meta": {"patient": "7"}} for t in ("by B-1234", "and B1234")]
    command = ("predict", model, corpus, "--out", out)
    _agreeing(invoke, command, corpus, [json.dumps(note) for note in notes])
    assert [len(json.loads(line)["spans"]) for line in out.read_text().splitlines()] == [1, 1]


def test_predictions_of_another_command_are_not_replaced(invoke, predict, tmp_path) -> None:
    command = (*predict, "--to", "jsonl", "--out", tmp_path / "out.jsonl")
    assert invoke(*command).exit_code == 0
    assert invoke(*command, "--skip-existing").exit_code == 2
    assert invoke(*command, "--skip-existing", "--overwrite").exit_code == 0
    assert invoke(*command, "--skip-existing").exit_code == 0


def test_a_damaged_journal_is_named(deid, model, notes, tmp_path) -> None:
    out = tmp_path / "out"
    _journal(out).write_bytes(b"no journal" * 100)
    result = deid(notes, "--out", out, "--resume")
    assert result.exit_code == 2
    assert "remove it to begin" in result.stderr
    assert deid(notes, "--out", out).exit_code == 0


@pytest.mark.parametrize("mode", [mask, Pseudonyms(), lambda document, span: "*"])
@pytest.mark.parametrize("option", ["resume", "skip_existing"])
def test_a_run_whose_mode_is_a_function_cannot_go_on(model, notes, tmp_path, mode, option) -> None:
    options = DeidOptions(model=model, mode=mode, **{option: True})
    with pytest.raises(UsageError, match="mode is a function cannot be resumed"):
        deidentify_folder(notes, tmp_path / "out", options)
    assert not (tmp_path / "out").exists()


def test_a_model_in_memory_cannot_be_resumed(notes, tmp_path) -> None:
    fitted = SingleDeidentifier("badge").fit([Document("d", "B-1234", ((0, 6, "ID"),))])
    with pytest.raises(UsageError, match="save the model"):
        deidentify_folder(notes, tmp_path / "out", DeidOptions(model=fitted, resume=True))


def test_a_full_disk_ends_the_run_and_names_the_journal(
    model, notes, tmp_path, monkeypatch
) -> None:
    from multideid.deid.journal_database import JournalDatabase

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(JournalDatabase, "add", full)
    with pytest.raises(CorpusError, match="the disk may be full"):
        deidentify_folder(notes, tmp_path / "out", DeidOptions(model=model))
