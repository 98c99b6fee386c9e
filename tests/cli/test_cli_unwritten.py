"""What is not written is not counted, and costs no other file."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from pdf_files import pdf_file

from multideid.deid import DeidOptions, deidentify_csv
from multideid.stacking import load_folder

BROKEN = b'{"text": "B-1234"}\n{"text": "B-4321 B-1234"}\n{"text": \n'
TOO_LONG = "n" * 251 + ".pdf"  # With .txt behind it.


def _zip(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def _damaged(archive: bytes) -> bytes:
    """Exchange the bytes of the last member."""
    return archive[::-1].replace(b"4321-B", b"1111-B", 1)[::-1]


ARCHIVE = _zip(**{"a.txt": b"B-1234", "n.jsonl": BROKEN})
PARTLY_WRITTEN = {
    "broken line": (BROKEN, 1, "line 3: not valid JSON at column"),
    "file of an archive": (ARCHIVE, 2, "n.jsonl: line 3: not valid JSON at column"),
    "archive": (_damaged(_zip(a=b"B-1234", b=b"B-4321")), 1, "is a damaged ZIP file"),
}


@pytest.mark.parametrize("partly", PARTLY_WRITTEN.values(), ids=PARTLY_WRITTEN)
@pytest.mark.parametrize("kind", ["json", "csv", "html"])
def test_only_what_is_written_is_counted_and_reported(deid, tmp_path, partly, kind) -> None:
    data, written, problem = partly
    folder, report = tmp_path / "in", tmp_path / f"report.{kind}"
    folder.mkdir()
    (folder / "a.data.json").write_bytes(data)
    (folder / "b.txt").write_text("B-1234")
    result = deid(folder, "--out", tmp_path / "out", "--report", report, "--json")
    assert result.exit_code == 1
    assert problem in result.stderr
    figures = json.loads(result.stdout)
    assert (figures["documents"], figures["spans"]) == (written, {"ID": written})
    assert len(figures["failed"]) == 1
    _check_report(report, written)


def _check_report(report: Path, written: int) -> None:
    content = report.read_text()
    match report.suffix:
        case ".json":
            found = json.loads(content)
            assert (len(found["documents"]), found["by_type"]) == (written, {"ID": written})
        case ".csv":
            assert len(content.splitlines()) == 1 + written
        case ".html":
            start = content.index('"rows":[') + len('"rows":')
            assert len(json.loads(content[start : content.index("}</script>", start)])) == written
            assert f"<dt>Notes</dt><dd><strong>{written}</strong>" in content
            assert "data.json line" not in content


def test_row_that_its_encoding_cannot_hold_is_not_counted(model, tmp_path) -> None:
    (tmp_path / "t.csv").write_text("text\nB-1234\nB-4321\n", "latin-1")
    options = DeidOptions(
        model=load_folder(model), n_jobs=1, encoding="latin-1",
        mode=lambda document, span: "\u4e2d" if "4321" in document.text else "x",
    )  # fmt: skip
    result = deidentify_csv(tmp_path / "t.csv", tmp_path / "out.csv", options)
    assert (tmp_path / "out.csv").read_text() == 'text\nx\n""\n'
    assert (result.documents, result.labels) == (1, {"ID": 1})
    assert [failure.name for failure in result.failures] == [f"{tmp_path / 't.csv'} row 2"]


@pytest.mark.parametrize("again", [False, True])
def test_name_that_is_too_long_for_the_output_costs_its_file_only(deid, tmp_path, again) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "a.txt").write_text("B-1234")
    (folder / TOO_LONG).write_bytes(pdf_file("by B-1234"))
    (folder / "z.txt").write_text("B-4321")
    for options in [(), ("--overwrite",)][: 1 + again]:
        result = deid(folder, "--out", out, "--json", *options)
    assert result.exit_code == 1
    assert sorted(path.name for path in out.iterdir()) == ["a.txt", "z.txt"]
    figures = json.loads(result.stdout)
    assert (figures["documents"], figures["spans"]) == (2, {"ID": 2})
    (failed,) = figures["failed"]
    assert failed["name"] == str(folder / TOO_LONG)
    assert failed["problem"] == "its output cannot be written: File name too long; rename the file"


def test_table_whose_path_is_too_long_for_the_output_costs_no_other(deid, tmp_path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "a.csv").write_text("text\nB-1234\n")
    (folder / ("n" * 200 + ".csv")).write_text("text\nB-1234\n")
    (folder / "z.csv").write_text("text\nB-4321\n")
    while len(str(out)) < 4096 - 200:
        out /= "d" * min(200, 4096 - 100 - len(str(out)))
    result = deid(folder, "--column", "text", "--out", out, "--json")
    assert result.exit_code == 1, result.output
    assert sorted(path.name for path in out.iterdir()) == ["a.csv", "z.csv"]
    figures = json.loads(result.stdout)
    assert (figures["documents"], len(figures["failed"])) == (2, 1)


@pytest.mark.skipif(not Path("/proc/self/mem").is_file(), reason="needs a file of Linux")
def test_a_file_that_the_disk_does_not_give_costs_no_other(deid, tmp_path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "z.txt").write_text("B-4321")
    for name in ("a.txt", "b.json", "c.zip", "d.csv"):
        # Its first bytes are no memory, so that reading them is an error of input.
        (folder / name).symlink_to("/proc/self/mem")
    result = deid(folder, "--out", out, "--column", "text", "--json")
    assert result.exit_code == 1, result.output
    assert [path.name for path in out.iterdir()] == ["z.txt"]
    failed = json.loads(result.stdout)["failed"]
    assert [Path(one["name"]).name for one in failed] == ["a.txt", "b.json", "c.zip", "d.csv"]
    assert {one["problem"] for one in failed} == {"cannot be read: Input/output error"}
