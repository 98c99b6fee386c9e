"""``multideid deid`` on a column of CSV, TSV and Parquet files."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest
from pyarrow import parquet

from multideid.corpora import parquet_batches
from multideid.stacking import deidentifier

CSV = 'id,"note",by\r\n7,hello,B-1000\r\n"8","Seen, by ""B-1234""",\r\n9,,x\r\n'


def _read(path) -> str:
    return path.read_bytes().decode("utf-8")


def test_only_the_column_changes_and_all_else_stays(deid, tmp_path) -> None:
    (tmp_path / "t.csv").write_bytes(("\ufeff" + CSV).encode())
    result = deid(tmp_path / "t.csv", "--column", "note", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert _read(tmp_path / "out" / "t.csv") == "\ufeff" + CSV.replace("B-1234", "[ID]")
    assert "2 documents" in result.stdout


def test_tables_in_folders_are_read_if_a_column_is_named(deid, tmp_path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "t.tsv").write_text("note\tby\nB-1234\tann\n")
    (folder / "a.txt").write_text("B-1234")
    assert deid(folder, "--column", "note", "--out", tmp_path / "out").exit_code == 0
    assert _read(tmp_path / "out" / "t.tsv") == "note\tby\n[ID]\tann\n"
    assert _read(tmp_path / "out" / "a.txt") == "[ID]"


def test_a_column_of_files_that_are_no_tables_by_name_is_refused(deid, tmp_path) -> None:
    (tmp_path / "t.psv").write_text("id|note\n7|B-1234\n")
    result = deid(tmp_path / "t.psv", "--column", "other", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "no file is a table: give tables the suffix .csv" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_need_not_hold_the_tables_of_which_columns_are_named(deid, tmp_path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("note: B-1234, seen")
    assert deid(tmp_path / "in", "--column", "note", "--out", tmp_path / "out").exit_code == 0


@pytest.mark.parametrize(
    ("content", "is_refused"),
    [
        ("id|note\n7|B-1234\n", True),
        ('\ufeffid;"note"\r\n7;B-1234\r\n', True),
        ("note\n7, B-1234\n", False),
        ("a note, by B-1234\n", False),
    ],
)
def test_text_that_begins_with_the_columns_named_is_no_note(
    deid, tmp_path, content, is_refused
) -> None:
    (tmp_path / "t.csv").write_text("note,by\nB-1234,ann\n")
    (tmp_path / "t.txt").write_text(content)
    out = tmp_path / "out"
    result = deid(tmp_path / "t.csv", tmp_path / "t.txt", "--column", "note", "--out", out)
    assert result.exit_code == is_refused
    assert ("t.txt: is a table with the columns named" in result.stderr) is is_refused
    assert (out / "t.txt").exists() is not is_refused
    assert _read(out / "t.csv") == "note,by\n[ID],ann\n"


def test_column_is_text_unless_named(deid, tmp_path) -> None:
    (tmp_path / "t.csv").write_text("text\nB-1234\n")
    assert deid(tmp_path / "t.csv", "--out", tmp_path / "out").exit_code == 0
    assert _read(tmp_path / "out" / "t.csv") == "text\n[ID]\n"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"note\nZanzibar\n", "no column 'text' among its 1"),
        (b"id,text\n1,Zanzibar,x\n", "row 1 has 3 cells"),
        (b"id,text\n1,Zanzibar \xff\n", "not UTF-8"),
    ],
)
def test_table_that_cannot_be_read_fails_closed(deid, tmp_path, content, problem) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    result = deid(tmp_path / "t.csv", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert problem in result.stderr
    assert "Zanzibar" not in result.output
    assert not (tmp_path / "out" / "t.csv").exists()


def test_row_that_fails_is_named_and_its_cell_left_empty(deid, tmp_path) -> None:
    (tmp_path / "t.csv").write_text("id,text\n1,B-1234\n2,UNBEARABLE Zanzibar\n3,ok\n")
    result = deid(tmp_path / "t.csv", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert _read(tmp_path / "out" / "t.csv") == 'id,text\n1,[ID]\n2,""\n3,ok\n'
    assert f"failed: {tmp_path / 't.csv'} row 2:" in result.stderr
    assert "Zanzibar" not in result.output


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
)
def test_parquet_keeps_rows_and_types(deid, tmp_path, kind) -> None:
    texts = ["B-1234", None, "", "hello", "UNBEARABLE Zanzibar"]
    columns = {"n": pa.array([5, 4, 3, 2, 1], pa.int16()), "text": pa.array(texts).cast(kind)}
    table = pa.table(columns)
    parquet.write_table(table, tmp_path / "t.parquet")
    result = deid(tmp_path / "t.parquet", "--out", tmp_path / "out")
    read = parquet.read_table(tmp_path / "out" / "t.parquet")
    assert result.exit_code == 1
    assert read.schema.equals(table.schema, check_metadata=True)
    assert read.column("text").to_pylist() == ["[ID]", None, "", "hello", ""]
    assert read.column("n").equals(table.column("n"))
    assert b"Zanzibar" not in (tmp_path / "out" / "t.parquet").read_bytes()


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (pa.table({"note": ["Zanzibar"]}), "no column 'text' among its 1"),
        (pa.table({"text": [1]}), "does not hold text"),
        (None, "not a readable Parquet file"),
    ],
)
def test_parquet_that_cannot_be_read_fails_closed(deid, tmp_path, table, problem) -> None:
    path = tmp_path / "t.parquet"
    if table is None:
        path.write_bytes(b"PAR1 Zanzibar")
    else:
        parquet.write_table(table, path)
    result = deid(path, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert problem in result.stderr
    assert "Zanzibar" not in result.output
    assert not (tmp_path / "out" / "t.parquet").exists()


@pytest.fixture
def small_batches(monkeypatch):
    """Let a few rows be many batches, so that several processes share them."""
    monkeypatch.setattr(deidentifier, "_BATCH_CHARACTERS", 300)
    monkeypatch.setattr(parquet_batches, "_BATCH_ROWS", 3)
    monkeypatch.setattr(parquet_batches, "_GROUP_BYTES", 200)


TEXTS = ["B-1234 a", None, "", "UNBEARABLE", *(f"{n} B-{1000 + n}" for n in range(10)), None, ""]
REDACTED = ["[ID] a", None, "", "", *(f"{n} [ID]" for n in range(10)), None, ""]


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.end_to_end)])
def test_parquet_of_many_batches_stays_in_order(deid, tmp_path, small_batches, jobs) -> None:
    numbers = pa.array(range(len(TEXTS)))
    kind = pa.dictionary(pa.int32(), pa.string())
    table = pa.table({"text": pa.array(TEXTS).cast(kind), "n": numbers})
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=5)
    deid(tmp_path / "t.parquet", "--out", tmp_path / "out", "--jobs", jobs)
    read = parquet.read_table(tmp_path / "out" / "t.parquet")
    assert read.schema.equals(table.schema, check_metadata=True)
    assert read.column("text").to_pylist() == REDACTED
    assert read.column("n").to_pylist() == numbers.to_pylist()


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.end_to_end)])
def test_csv_of_many_batches_stays_in_order(deid, tmp_path, small_batches, jobs) -> None:
    rows = ["n,text\r\n", *(f"{n},{text or ''}\r\n\r\n" for n, text in enumerate(TEXTS))]
    (tmp_path / "t.csv").write_bytes("".join(rows).encode())
    deid(tmp_path / "t.csv", "--out", tmp_path / "out", "--jobs", jobs)
    written = "".join(rows).replace("UNBEARABLE", '""')
    assert _read(tmp_path / "out" / "t.csv") == re.sub("B-[0-9]{4}", "[ID]", written)


def test_fault_far_down_a_table_is_found_before_any_row_is_processed(deid, tmp_path) -> None:
    rows = ["id,text\n", *["1,B-1234\n"] * 1000, "2,a,b\n"]
    (tmp_path / "t.csv").write_text("".join(rows))
    result = deid(tmp_path / "t.csv", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "row 1001 has 3 cells" in result.stderr
    assert "0 documents" in result.stdout
    assert list((tmp_path / "out").rglob("*")) == []


def test_parquet_without_rows_comes_out_without_rows(deid, tmp_path) -> None:
    table = pa.table({"text": pa.array([], pa.string())})
    parquet.write_table(table, tmp_path / "t.parquet")
    assert deid(tmp_path / "t.parquet", "--out", tmp_path / "out").exit_code == 0
    assert parquet.read_table(tmp_path / "out" / "t.parquet").equals(table)


def test_a_column_can_be_named_several_times(deid, tmp_path) -> None:
    (tmp_path / "t.csv").write_text("mrn,note,more,by\n7-1,B-1234,B-1235,B-1236\n")
    named = ["--column", "note", "--column", "mrn", "--column", "more"]
    result = deid(tmp_path / "t.csv", *named, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert _read(tmp_path / "out" / "t.csv") == "mrn,note,more,by\n[ID],[ID],[ID],B-1236\n"


@pytest.mark.parametrize("option", ["--labels", "--site", "--report", "--out", "--recall"])
def test_an_option_of_which_only_the_last_would_count_is_refused(deid, tmp_path, option) -> None:
    (tmp_path / "t.csv").write_text("text\nB-1234\n")
    result = deid(tmp_path / "t.csv", option, "a", option, "b")
    assert result.exit_code == 2
    assert f"{option} is given 2 times" in " ".join(result.stderr.split())
