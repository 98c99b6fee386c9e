"""``multideid deid`` on files, folders and standard input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from multideid.stacking import deidentifier

NOTE = b"Seen by B-1234.\r\n\tcaf\xc3\xa9 \xf0\x9f\x98\x80\n\rBadge:B-4321"
MASKED = NOTE.replace(b"B-1234", b"[ID]").replace(b"B-4321", b"[ID]")
BOM = b"\xef\xbb\xbf"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Return a folder with notes at two levels."""
    folder = tmp_path / "notes"
    (folder / "ward").mkdir(parents=True)
    (folder / "a.txt").write_bytes(NOTE)
    (folder / "ward" / "b.TXT").write_bytes(NOTE)
    return folder


def _tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_folder_keeps_layout_names_and_every_byte_outside_spans(deid, notes, tmp_path) -> None:
    result = deid(notes, "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert _tree(tmp_path / "out") == {"a.txt": MASKED, "ward/b.TXT": MASKED}
    assert _tree(notes) == {"a.txt": NOTE, "ward/b.TXT": NOTE}


def test_byte_order_mark_stays_where_it_is_and_is_not_text(deid, notes, tmp_path) -> None:
    (notes / "a.txt").write_bytes(BOM + b"B-1234")
    deid(notes / "a.txt", "--out", tmp_path / "out")
    assert _tree(tmp_path / "out") == {"a.txt": BOM + b"[ID]"}


@pytest.mark.parametrize(
    ("mode", "written"),
    [("mask", b"by [ID]"), ("tag", b"by <ID>B-1234</ID>"), ("remove", b"by ")],
)
def test_phi_is_replaced_by_mode(deid, tmp_path, mode, written) -> None:
    (tmp_path / "a.txt").write_bytes(b"by B-1234")
    deid(tmp_path / "a.txt", "--as", mode, "--out", tmp_path / "out")
    assert _tree(tmp_path / "out") == {"a.txt": written}


def test_empty_and_blank_files_come_out_as_they_are(deid, tmp_path) -> None:
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "blank.txt").write_bytes(b" \r\n")
    result = deid(tmp_path / "empty.txt", tmp_path / "blank.txt", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert _tree(tmp_path / "out") == {"empty.txt": b"", "blank.txt": b" \r\n"}


def test_figures_are_printed_as_json(deid, notes, tmp_path) -> None:
    figures = json.loads(deid(notes, "--out", tmp_path / "out", "--json").stdout)
    assert (figures["documents"], figures["spans"]) == (2, {"ID": 4})
    assert (figures["failed"], figures["skipped"]) == ([], [])


def test_skipped_files_of_folders_are_counted(deid, notes, tmp_path) -> None:
    for name in ("scan.tiff", "table.csv", ".hidden.txt", "README"):
        (notes / name).write_bytes(b"B-1234")
    result = deid(notes, "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert set(_tree(tmp_path / "out")) == {"a.txt", "ward/b.TXT"}
    assert "skipped: 4 not read (1 .csv, 1 .tiff, 1 .txt, 1 without suffix)" in result.stderr


def test_text_file_of_any_suffix_is_read_if_named(deid, tmp_path) -> None:
    (tmp_path / "note.rtf").write_bytes(NOTE)
    deid(tmp_path / "note.rtf", "--out", tmp_path / "out")
    assert _tree(tmp_path / "out") == {"note.rtf": MASKED}


def test_linked_folders_are_counted_and_not_walked(deid, notes, tmp_path) -> None:
    (notes / "loop").symlink_to(notes, target_is_directory=True)
    result = deid(notes, "--out", tmp_path / "out")
    assert set(_tree(tmp_path / "out")) == {"a.txt", "ward/b.TXT"}
    assert "skipped: 1 not read" in result.stderr


def test_file_that_is_not_utf8_fails_closed_and_the_others_go_on(deid, notes, tmp_path) -> None:
    (notes / "latin.txt").write_bytes(b"Zanzibar \xe9")
    result = deid(notes, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert set(_tree(tmp_path / "out")) == {"a.txt", "ward/b.TXT"}
    assert f"failed: {notes / 'latin.txt'}: byte 9: not UTF-8" in result.stderr
    assert "Zanzibar" not in result.output


def test_file_on_which_a_system_fails_is_not_written_nor_quoted(deid, notes, tmp_path) -> None:
    (notes / "bad.txt").write_text("UNBEARABLE Zanzibar")
    result = deid(notes, "--out", tmp_path / "out", "--json")
    assert result.exit_code == 1
    assert set(_tree(tmp_path / "out")) == {"a.txt", "ward/b.TXT"}
    assert [f["name"] for f in json.loads(result.stdout)["failed"]] == [str(notes / "bad.txt")]
    assert "Zanzibar" not in result.output


def test_file_that_cannot_be_opened_fails_closed(deid, notes, tmp_path, monkeypatch) -> None:
    opened = Path.open

    def refuse(path: Path, *arguments, **options):
        if path.name == "a.txt":
            raise PermissionError(13, "Permission denied")
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", refuse)
    result = deid(notes, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert set(_tree(tmp_path / "out")) == {"ward/b.TXT"}
    assert "a.txt: cannot be read: Permission denied" in result.stderr


def test_output_inside_the_input_is_not_read_again(deid, notes) -> None:
    first = deid(notes, "--out", notes / "out")
    second = deid(notes, "--out", notes / "out", "--overwrite")
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert _tree(notes / "out") == {"a.txt": MASKED, "ward/b.TXT": MASKED}


def test_input_is_never_written_over(deid, notes) -> None:
    (notes / "link").symlink_to(notes)
    for out in (notes, notes / "link", notes / "ward" / ".."):
        result = deid(notes, "--out", out, "--overwrite")
        assert result.exit_code == 2
        assert "is an input" in result.stderr
    assert (notes / "a.txt").read_bytes() == NOTE


def test_existing_output_is_kept_unless_overwriting_is_asked_for(deid, notes, tmp_path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").write_text("mine")
    refused = deid(notes, "--out", tmp_path / "out")
    assert refused.exit_code == 2
    assert _tree(tmp_path / "out") == {"a.txt": b"mine"}
    assert deid(notes, "--out", tmp_path / "out", "--overwrite").exit_code == 0
    assert _tree(tmp_path / "out")["a.txt"] == MASKED


def test_files_that_would_take_one_place_are_refused(deid, notes, tmp_path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.txt").write_bytes(NOTE)
    result = deid(notes, other, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "would both be written" in result.stderr
    assert not (tmp_path / "out").exists()


def test_file_that_is_named_twice_is_read_once(deid, notes, tmp_path) -> None:
    result = deid(notes, notes / "ward" / "b.TXT", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert set(_tree(tmp_path / "out")) == {"a.txt", "ward/b.TXT"}


def test_wrong_use_is_reported_in_one_line(deid, notes, model, tmp_path) -> None:
    (tmp_path / "nothing").mkdir()
    out = ("--out", tmp_path / "out")
    uses = {
        "name the folder": (notes,),
        "no such file": (tmp_path / "nowhere", *out),
        "nothing to de-identify": (tmp_path / "nothing", *out),
        "input": (notes, "--out", model / "out"),
        "goes alone": ("-", notes),
    }
    for problem, arguments in uses.items():
        result = deid(*arguments)
        assert result.exit_code == 2
        assert problem in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_output_that_cannot_be_written_is_reported(deid, notes, tmp_path) -> None:
    (tmp_path / "file").touch()
    result = deid(notes, "--out", tmp_path / "file" / "out")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_no_temporary_file_stays_behind(deid, notes, tmp_path) -> None:
    deid(notes, "--out", tmp_path / "out")
    assert [p for p in tmp_path.rglob("*") if p.name.endswith(".tmp")] == []


def test_standard_input_goes_to_standard_output_byte_for_byte(deid) -> None:
    result = deid("-", stdin=BOM + NOTE)
    assert result.exit_code == 0
    assert result.stdout_bytes == BOM + MASKED


@pytest.mark.parametrize("data", [b"Zanzibar \xff", b"UNBEARABLE Zanzibar"])
def test_standard_input_that_fails_gives_no_output(deid, data) -> None:
    result = deid("-", stdin=data)
    assert (result.exit_code, result.stdout_bytes) == (1, b"")
    assert "failed: standard input:" in result.stderr
    assert "Zanzibar" not in result.output


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.end_to_end)])
def test_many_files_come_out_the_same_from_several_processes(
    deid, tmp_path, monkeypatch, jobs
) -> None:
    monkeypatch.setattr(deidentifier, "_BATCH_CHARACTERS", 300)
    (tmp_path / "in").mkdir()
    for n in range(20):
        text = "UNBEARABLE" if n == 7 else f"{n} B-{1000 + n}"
        (tmp_path / "in" / f"{n:02}.txt").write_text(text)
    (tmp_path / "in" / "05.txt").write_bytes(b"\xff")
    result = deid(tmp_path / "in", "--out", tmp_path / "out", "--jobs", jobs)
    written = {f"{n:02}.txt": f"{n} [ID]".encode() for n in range(20) if n not in (5, 7)}
    assert result.exit_code == 1
    assert _tree(tmp_path / "out") == written


def test_throughput_is_reported(deid, notes, tmp_path) -> None:
    figures = json.loads(deid(notes, "--out", tmp_path / "out", "--json").stdout)
    assert figures["tokens"] == 2 * len(NOTE.split())
    assert figures["tokens_per_second"] > 0
    assert "tokens/s" in deid(notes, "--out", tmp_path / "out", "--overwrite").stdout
