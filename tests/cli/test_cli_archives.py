"""``multideid deid`` on compressed files, and on documents of other programs."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from pdf_files import pdf_file

from multideid.corpora.structured import zip_files
from multideid.redact import keys


def _zip(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def _unzipped(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_file_in_gz_is_read_and_compressed_again(deid, tmp_path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"by B-1234"))
    (tmp_path / "n.jsonl.gz").write_bytes(gzip.compress(b'{"text": "B-1234"}\n{"text": "x"}\n'))
    result = deid(tmp_path / "a.txt.gz", tmp_path / "n.jsonl.gz", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    out = tmp_path / "out"
    assert gzip.decompress((out / "a.txt.gz").read_bytes()) == b"by [ID]"
    assert (
        gzip.decompress((out / "n.jsonl.gz").read_bytes()) == b'{"text": "[ID]"}\n{"text": "x"}\n'
    )


def test_each_file_in_zip_is_read_by_its_content(deid, tmp_path) -> None:
    members = {
        "ward/a.txt": b"by B-1234",
        "b.json": b'{"text": "B-1234"}',
        "__MACOSX/x": b"\0",
    }
    (tmp_path / "notes.zip").write_bytes(_zip(**members))
    result = deid(tmp_path, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert _unzipped(tmp_path / "out" / "notes.zip") == {
        "ward/a.txt": b"by [ID]",
        "b.json": b'{"text": "[ID]"}',
    }


def test_names_that_look_like_phi_become_neutral_in_archives_and_are_named(deid, tmp_path) -> None:
    (tmp_path / "in").mkdir()
    members = {"SMITH_JOHN.txt": b"by B-1234", "b.txt": b"x"}
    (tmp_path / "in" / "n.zip").write_bytes(_zip(**members))
    (tmp_path / "in" / "SMITH_JOHN.txt").write_text("by B-1234")
    result = deid(tmp_path / "in", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert _unzipped(tmp_path / "out" / "n.zip") == {"file-1.txt": b"by [ID]", "b.txt": b"x"}
    assert "n.zip: names of 1 file in it look like PHI" in result.stderr
    assert "the names of 1 of 2 files look like PHI" in result.stderr
    assert (tmp_path / "out" / "SMITH_JOHN.txt").exists()


REPEATING = {
    "B-1234.txt": b"seen",
    "b1/B_4321/c.jsonl": b'{"text": "x"}\n{"text": "B-4321 and B-1234"}\n',
    "ward/b.txt": b"by B-4321",
    "fails/B-1111.txt": b"UNBEARABLE B-1111",
}
NEUTRAL = {
    "file-1.txt": b"seen",
    "b1/folder-2/c.jsonl": b'{"text": "x"}\n{"text": "[ID] and [ID]"}\n',
    "ward/b.txt": b"by [ID]",
}


@pytest.mark.parametrize("jobs", [1, 2])
def test_names_that_repeat_phi_of_another_file_become_neutral(deid, tmp_path, jobs) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "n.zip").write_bytes(_zip(**REPEATING))
    (tmp_path / "in" / "o.txt").write_text("by B-1234")
    options = ("--report", tmp_path / "r.json", "--jobs", jobs)
    result = deid(tmp_path / "in", "--out", tmp_path / "out", *options)
    assert _unzipped(tmp_path / "out" / "n.zip") == NEUTRAL
    assert "n.zip: names of 2 files in it look like PHI, or repeat PHI" in result.stderr
    report = json.loads((tmp_path / "r.json").read_text())["documents"]
    names = ["file-1.txt", "b1/folder-2/c.jsonl line 1", "b1/folder-2/c.jsonl line 2", "ward/b.txt"]
    assert [d["document"] for d in report] == [*(f"n.zip/{name}" for name in names), "o.txt"]


def test_report_leaves_out_a_damaged_archive(deid, tmp_path) -> None:
    data = bytearray(_zip(**{"B-1234.txt": b"by B-1234", "c.txt": b"seen well"}))
    place = data.index(b"c.txt") + len("c.txt")
    data[place : place + 4] = b"\xff" * 4
    (tmp_path / "n.zip").write_bytes(data)
    result = deid(tmp_path / "n.zip", "--out", tmp_path / "out", "--report", tmp_path / "r.json")
    assert result.exit_code == 1
    assert "is a damaged ZIP file" in result.stderr
    assert json.loads((tmp_path / "r.json").read_text()) == {"documents": [], "by_type": {}}


def test_files_outside_of_archives_whose_names_repeat_phi_are_warned_of(deid, tmp_path) -> None:
    for name in ("B1234 x.txt", "b.txt", "c.csv"):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_text("text\nby B-1234\n")
    result = deid(tmp_path / "in", "--out", tmp_path / "out", "--column", "text")
    assert result.exit_code == 0, result.output
    assert "the names of 1 of 3 files repeat PHI that was found in them" in result.stderr
    assert (tmp_path / "out" / "B1234 x.txt").exists()


def test_files_in_zip_that_fail_are_named_and_left_out(deid, tmp_path) -> None:
    members = {
        "a.txt": b"by B-1234",
        "bad.txt": b"UNBEARABLE Zanzibar",
        "scan.png": b"\x89PNG\r\n\x1a\n\0",
        "t.csv": b"text\nB-1234\n",
        "in.zip": _zip(x=b"B-1234"),
    }
    (tmp_path / "notes.zip").write_bytes(_zip(**members))
    result = deid(tmp_path / "notes.zip", "--out", tmp_path / "out")
    assert result.exit_code == 1
    place = tmp_path / "notes.zip"
    assert f"failed: {place}/bad.txt: " in result.stderr
    assert f"failed: {place}/scan.png: is an image" in result.stderr
    assert f"failed: {place}/t.csv: is a table in an archive" in result.stderr
    assert f"failed: {place}/in.zip: is an archive inside an archive" in result.stderr
    assert "Zanzibar" not in result.output
    assert _unzipped(tmp_path / "out" / "notes.zip") == {"a.txt": b"by [ID]"}


def test_paths_in_zip_mean_what_they_mean_elsewhere(deid, tmp_path) -> None:
    members = {"./a.txt": b"by B-1234", "./b/./c.txt": b"x", "/d.txt": b"y", "a.txt": b"z"}
    (tmp_path / "n.zip").write_bytes(_zip(**members))
    result = deid(tmp_path / "n.zip", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert _unzipped(tmp_path / "out" / "n.zip") == {
        "a.txt": b"by [ID]",
        "b/c.txt": b"x",
        "d.txt": b"y",
        "a.txt-4": b"z",
    }


def test_hidden_files_in_zip_are_counted_as_in_folders(deid, tmp_path) -> None:
    members = {
        "a.txt": b"by B-1234",
        ".epic/b.txt": b"by B-1234",
        "c/.d": b"x",
        "../e.txt": b"x",
        "ward/.DS_Store": b"\0",
    }
    path = tmp_path / "n.zip"
    path.write_bytes(_zip(**members))
    result = deid(path, "--out", tmp_path / "out", "--json")
    assert result.exit_code == 0, result.output
    assert _unzipped(tmp_path / "out" / "n.zip") == {"a.txt": b"by [ID]"}
    assert "skipped: 3 not read (2 .txt, 1 without suffix), such as" in result.stderr
    skipped = [f"{path}/.epic/b.txt", f"{path}/c/.d", f"{path}/../e.txt"]
    assert json.loads(result.stdout)["skipped"] == skipped
    streamed = deid("-", stdin=path.read_bytes())
    assert "skipped: 3 not read" in streamed.stderr


@pytest.mark.parametrize(
    ("name", "problem"),
    [(".epic/a.txt", "holds hidden files only"), ("__MACOSX/._a.txt", "is an archive without")],
)
def test_archive_of_which_nothing_is_read_is_refused(deid, tmp_path, name, problem) -> None:
    (tmp_path / "n.zip").write_bytes(_zip(**{name: b"by B-1234"}))
    result = deid(tmp_path / "n.zip", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert f"n.zip: {problem}" in result.stderr
    assert not (tmp_path / "out" / "n.zip").exists()


def test_archive_of_which_nothing_is_left_is_not_written(deid, tmp_path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"UNBEARABLE"))
    (tmp_path / "b.zip").write_bytes(_zip(**{"x.txt": b"UNBEARABLE"}))
    result = deid(tmp_path / "a.txt.gz", tmp_path / "b.zip", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert [path for path in tmp_path.rglob("out/*") if path.is_file()] == []


@pytest.mark.parametrize("kind", ["gz", "zip"])
def test_bombs_are_refused(deid, tmp_path, monkeypatch, kind) -> None:
    monkeypatch.setattr(zip_files, "SMALL", 1000)
    data = b"a" * 1_000_000
    packed = gzip.compress(data) if kind == "gz" else _zip(**{"a.txt": data})
    (tmp_path / f"a.{kind}").write_bytes(packed)
    result = deid(tmp_path / f"a.{kind}", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "expands more than 200 times" in result.stderr


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (gzip.compress(b"note" * 100)[:-9], "is a damaged .gz file"),
        (_zip(a=b"x")[:-8], "is a damaged ZIP file"),
        (_zip(), "is an archive without files"),
    ],
)
def test_damaged_archives_are_refused(deid, tmp_path, data, problem) -> None:
    (tmp_path / "a").write_bytes(data)
    result = deid(tmp_path / "a", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert f"{tmp_path / 'a'}: {problem}" in result.stderr


def test_encrypted_archive_is_refused(deid, tmp_path) -> None:
    data = bytearray(_zip(**{"a.txt": b"x"}))
    for magic, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(magic) + place] |= 1
    (tmp_path / "a.zip").write_bytes(data)
    result = deid(tmp_path / "a.zip", "--out", tmp_path / "out")
    assert "is encrypted: unpack it first" in result.stderr


def test_archives_are_restored_from_a_vault(deid, invoke, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    monkeypatch.setenv("MULTIDEID_KEY", "a secret of sixteen bytes")
    vault = ("--vault", tmp_path / "vault")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "n.zip").write_bytes(_zip(**{"a.txt": b"by B-1234", "b.txt": b"B-4321"}))
    named = {"SMITH_JOHN.txt": b"by B-1234", "b-1234.jsonl": b'{"text": "B-1234"}\n{"text": "x"}\n'}
    (tmp_path / "in" / "m.zip").write_bytes(_zip(**named))
    (tmp_path / "in" / "a.txt.gz").write_bytes(gzip.compress(b"by B-1234"))
    assert deid(tmp_path / "in", "--out", tmp_path / "out", *vault).exit_code == 0
    result = invoke("restore", tmp_path / "out", "--out", tmp_path / "back", *vault)
    assert result.exit_code == 0, result.output
    assert _unzipped(tmp_path / "back" / "n.zip") == {"a.txt": b"by B-1234", "b.txt": b"B-4321"}
    assert _unzipped(tmp_path / "out" / "m.zip").keys() == {"file-1.txt", "file-2.jsonl"}
    assert _unzipped(tmp_path / "back" / "m.zip") == named
    assert gzip.decompress((tmp_path / "back" / "a.txt.gz").read_bytes()) == b"by B-1234"


def test_text_of_pdf_is_written_next_to_its_name(deid, tmp_path) -> None:
    pdf = pdf_file("by B-1234")
    (tmp_path / "scan.pdf").write_bytes(pdf)
    (tmp_path / "scan").write_bytes(pdf)
    result = deid(tmp_path / "scan.pdf", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["scan.pdf.txt"]
    assert (tmp_path / "out" / "scan.pdf.txt").read_text() == "by [ID]\n"
    other = deid(tmp_path / "scan", "--out", tmp_path / "other")
    assert "give it a name that ends in .pdf" in other.stderr
    assert deid("-", stdin=pdf).stdout_bytes == b"by [ID]\n"
    (tmp_path / "n.zip").write_bytes(_zip(**{"a/scan.pdf": pdf}))
    deid(tmp_path / "n.zip", "--out", tmp_path / "zip")
    assert _unzipped(tmp_path / "zip" / "n.zip") == {"a/scan.pdf.txt": b"by [ID]\n"}
