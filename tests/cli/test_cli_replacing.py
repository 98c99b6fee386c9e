"""Surrogates, hashes, vault and report on the command line."""

from __future__ import annotations

import csv
import io
import json
import re
import stat
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from multideid.redact import keys, replacements

NOTE = b"\xef\xbb\xbfSeen by B-1234.\r\n\tcaf\xc3\xa9 \xf0\x9f\x98\x80\nBadge:B-4321"
SECRET = "a secret of more than sixteen bytes"


@pytest.fixture(autouse=True)
def no_key_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin without a key in the environment, and derive keys in no time."""
    monkeypatch.delenv("MULTIDEID_KEY", raising=False)
    monkeypatch.setattr(keys, "_COST", 2)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Return a folder with notes at two levels."""
    folder = tmp_path / "notes"
    (folder / "ward").mkdir(parents=True)
    (folder / "a.txt").write_bytes(NOTE)
    (folder / "ward" / "b.txt").write_bytes(NOTE)
    return folder


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Return a key file."""
    (tmp_path / "key").write_text(SECRET + "\n")
    return tmp_path / "key"


@pytest.fixture
def deid(invoke, model, tmp_path):
    """Run the command with the model, by default into ``out``."""

    def run(*arguments, out="out", **options):
        place = ("--out", tmp_path / out) if out else ()
        return invoke("deid", *arguments, "--model", model, *place, **options)

    return run


def _tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("mode", "form"),
    [("surrogate", rb"by [A-Z]-[1-9]\d{3}\."), ("hash", rb"by \[ID-[0-9a-f]{8}\]\.")],
)
def test_runs_with_one_key_agree_wherever_the_notes_lie(deid, notes, key, mode, form) -> None:
    place = notes.parent
    options = ("--as", mode, "--key-file", key)
    assert deid(notes, *options, out="one").exit_code == 0
    assert deid(notes.rename(place / "moved"), *options, out="two").exit_code == 0
    one, two = _tree(place / "one"), _tree(place / "two")
    assert one == two
    assert re.search(form, one["a.txt"])
    assert b"B-1234" not in one["a.txt"]


def test_runs_without_a_key_do_not_agree_and_say_so(deid, notes, tmp_path) -> None:
    # In one process it is one run.
    result = deid(notes, "--as", "surrogate")
    assert result.exit_code == 0
    assert "warning: no key was given" in result.stderr
    assert b"B-1234" not in _tree(tmp_path / "out")["a.txt"]


def test_key_may_come_from_the_environment(deid, notes, key, tmp_path, monkeypatch) -> None:
    deid(notes, "--as", "hash", "--key-file", key, out="one")
    monkeypatch.setenv("MULTIDEID_KEY", SECRET)
    assert "warning" not in deid(notes, "--as", "hash", out="two").stderr
    assert _tree(tmp_path / "one") == _tree(tmp_path / "two")


def test_rows_of_one_patient_agree(deid, key, tmp_path) -> None:
    rows = ["mrn,text", "7,B-1234 is in", '7,"B-1234, again"', "8,B-1234 is in", ",B-1234 is in"]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    options = ("--as", "surrogate", "--key-file", key, "--patient-field", "mrn")
    assert deid(tmp_path / "t.csv", *options).exit_code == 0
    written = list(csv.reader(io.StringIO(_tree(tmp_path / "out")["t.csv"].decode())))
    badges = [row[1][:6] for row in written[1:]]
    assert badges[0] == badges[1]
    assert len(set(badges)) == 3
    assert [row[0] for row in written] == ["mrn", "7", "7", "8", ""]


def test_rows_of_one_patient_agree_in_parquet_too(deid, key, tmp_path) -> None:
    table = pa.table({"mrn": [7, 7, 8, None], "text": ["B-1234", None, "B-1234", "B-1234"]})
    parquet.write_table(table.slice(0, 4), tmp_path / "t.parquet")
    parquet.write_table(table.slice(0, 1), tmp_path / "u.parquet")
    options = ("--as", "surrogate", "--key-file", key, "--patient-field", "mrn")
    assert deid(tmp_path / "t.parquet", tmp_path / "u.parquet", *options).exit_code == 0
    first, nothing, other, unknown = parquet.read_table(tmp_path / "out" / "t.parquet")["text"].to_pylist()  # noqa: E501  # fmt: skip
    assert nothing is None
    assert len({first, other, unknown, "B-1234"}) == 4
    assert parquet.read_table(tmp_path / "out" / "u.parquet")["text"].to_pylist() == [first]


def test_a_patient_is_the_same_in_parquet_and_csv(deid, key, tmp_path) -> None:
    # A column of whole numbers with a gap becomes one of floats in pandas.
    table = pa.table({"mrn": [44719.0, None], "text": ["B-1234", "B-1234"]})
    parquet.write_table(table, tmp_path / "p.parquet")
    (tmp_path / "c.csv").write_text("mrn,text\n44719,B-1234\n")
    (tmp_path / "d.csv").write_text("mrn,text\n44719.0,B-1234\n")
    options = ("--as", "surrogate", "--key-file", key, "--patient-field", "mrn")
    files = [tmp_path / name for name in ("p.parquet", "c.csv", "d.csv")]
    assert deid(*files, *options).exit_code == 0
    first, other = parquet.read_table(tmp_path / "out" / "p.parquet")["text"].to_pylist()
    written = [(tmp_path / "out" / name).read_text().split()[1] for name in ("c.csv", "d.csv")]
    assert written == [f"44719,{first}", f"44719.0,{first}"]
    assert first != other


@pytest.mark.parametrize("mode", ["mask", "remove", "surrogate"])
def test_restore_turns_everything_back(deid, invoke, notes, key, mode) -> None:
    place = notes.parent
    (notes / "t.csv").write_bytes(b'id,text\r\n1,B-1234\n2,"a ""b"" B-1234,"\n3,\n4,none\n')
    rows = pa.table({"text": ["B-1234", None, "", "x B-4321"]})
    parquet.write_table(rows, notes / "t.parquet")
    options = ("--key-file", key, "--vault", place / "v", "--column", "text")
    assert deid(notes, "--as", mode, *options).exit_code == 0
    assert b"B-1234" not in b"".join(_tree(place / "out").values())
    moved = (place / "out").rename(place / "elsewhere")
    result = invoke("restore", moved, *options, "--out", place / "back", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["documents"] == 7
    back, given = _tree(place / "back"), _tree(notes)
    if mode == "remove":  # A cell that was emptied keeps the quotes it got.
        back["t.csv"] = back["t.csv"].replace(b'"B-1234"', b"B-1234")
    assert {name: back[name] for name in ("a.txt", "ward/b.txt", "t.csv")} == {
        name: given[name] for name in ("a.txt", "ward/b.txt", "t.csv")
    }
    assert parquet.read_table(place / "back" / "t.parquet").equals(rows)


def test_changed_and_unknown_files_are_not_restored(deid, invoke, notes, key, tmp_path) -> None:
    options = ("--key-file", key, "--vault", tmp_path / "v")
    deid(notes, *options)
    (tmp_path / "out" / "a.txt").write_text("Seen by [ID] or so")
    (tmp_path / "out" / "new.txt").write_text("[ID]")
    result = invoke("restore", tmp_path / "out", *options, "--out", tmp_path / "back")
    assert result.exit_code == 1
    assert set(_tree(tmp_path / "back")) == {"ward/b.txt"}
    assert "a.txt: differs from the text that was written" in result.stderr
    assert "new.txt: not in the vault" in result.stderr


def test_wrong_key_restores_nothing(deid, invoke, notes, key, tmp_path) -> None:
    deid(notes, "--key-file", key, "--vault", tmp_path / "v")
    key.write_text("another secret of sixteen bytes")
    options = ("--key-file", key, "--vault", tmp_path / "v", "--out", tmp_path / "back")
    result = invoke("restore", tmp_path / "out", *options)
    assert result.exit_code == 2
    assert "does not open with this key" in result.stderr
    assert "another secret" not in result.output
    assert not (tmp_path / "back").exists()


def test_standard_input_has_a_vault_too(deid, invoke, key, tmp_path) -> None:
    options = ("--key-file", key, "--vault", tmp_path / "v")
    there = deid("-", *options, stdin=NOTE, out=None)
    back = invoke("restore", "-", *options, stdin=there.stdout_bytes)
    assert there.stdout_bytes == NOTE.replace(b"B-1234", b"[ID]").replace(b"B-4321", b"[ID]")
    assert back.stdout_bytes == NOTE


def test_report_lists_types_offsets_and_votes_but_no_phi(deid, notes, tmp_path) -> None:
    result = deid(notes, "--report", tmp_path / "r.json")
    assert result.exit_code == 0
    text = (tmp_path / "r.json").read_text()
    report = json.loads(text)
    assert report["by_type"] == {"ID": 4}
    assert [entry["document"] for entry in report["documents"]] == ["a.txt", "ward/b.txt"]
    first = {"start": 8, "end": 14, "label": "ID", "score": None, "systems": ["badge"]}
    assert report["documents"][0]["spans"][0] == first
    assert "B-1234" not in text
    assert stat.S_IMODE((tmp_path / "r.json").stat().st_mode) == 0o600


def test_report_may_be_a_table_and_quote_phi_if_asked(deid, notes, tmp_path) -> None:
    deid(notes, "--report", tmp_path / "r.csv", "--show-phi")
    rows = list(csv.DictReader((tmp_path / "r.csv").open()))
    assert rows[1] == {
        "document": "a.txt", "start": "31", "end": "37", "label": "ID", "score": "",
        "systems": "badge", "text": "B-4321",
    }  # fmt: skip
    assert len(rows) == 4


def test_report_of_nothing_is_whole(deid, tmp_path) -> None:
    (tmp_path / "a.txt").write_text("nothing")
    deid(tmp_path / "a.txt", "--report", tmp_path / "r.json")
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["by_type"] == {}
    assert report["documents"] == [{"document": "a.txt", "by_type": {}, "spans": []}]


def test_wrong_use_is_reported_before_any_work(deid, notes, key, tmp_path, monkeypatch) -> None:
    (tmp_path / "short").write_text("hunter2")
    (tmp_path / "old.json").write_text("mine")
    (tmp_path / "old").write_text("mine")
    uses = {
        "keep weekday is for surrogates only": ("--keep-weekday",),
        "is for surrogates, hashes and vaults only": ("--key-file", key),
        "is for reports only": ("--show-phi",),
        "a vault needs a key": ("--vault", tmp_path / "v"),
        "shorter than 16 bytes": ("--as", "hash", "--key-file", tmp_path / "short"),
        "cannot be read": ("--as", "hash", "--key-file", tmp_path / "nowhere"),
        "is a .json, .csv or .html file": ("--report", tmp_path / "r.txt"),
        "old.json exists": ("--report", tmp_path / "old.json"),
        "old: exists": ("--vault", tmp_path / "old", "--key-file", key),
        "is a file of the run": ("--report", notes / "a.txt"),
        "there is neither": ("--as", "surrogate", "--patient-field", "mrn"),
    }
    for problem, arguments in uses.items():
        result = deid(notes, *arguments)
        assert result.exit_code == 2, problem
        assert problem in result.stderr
        assert "hunter2" not in result.output
    assert not (tmp_path / "out").exists()
    assert (tmp_path / "old").read_text() == (tmp_path / "old.json").read_text() == "mine"


def test_missing_patient_column_is_reported(deid, key, tmp_path) -> None:
    (tmp_path / "t.csv").write_text("text\nB-1234\n")
    options = ("--as", "surrogate", "--key-file", key, "--patient-field", "mrn")
    result = deid(tmp_path / "t.csv", *options)
    assert result.exit_code == 1
    assert "no column 'mrn' among its 1; name another" in result.stderr


def test_note_whose_replacement_fails_is_not_written_nor_quoted(
    deid, notes, tmp_path, monkeypatch
) -> None:
    def fail(document, replacer):
        if document.id == "a.txt":
            raise ValueError(document.text)
        return replacements(document, replacer)

    monkeypatch.setattr("multideid.deid.run.replacements", fail)
    result = deid(notes, "--report", tmp_path / "r.json")
    assert result.exit_code == 1
    assert set(_tree(tmp_path / "out")) == {"ward/b.txt"}
    assert "a.txt: failed with ValueError" in result.stderr
    assert "B-1234" not in result.output
