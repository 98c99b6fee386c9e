"""``multideid deid`` on tables with which a library fails: each costs no other file."""

from __future__ import annotations

import pyarrow as pa
import pytest
from pyarrow import parquet

from multideid.deid import rows

NOWHERE = pa.array([0], pa.timestamp("us", tz="Mars/Base"))
"""A time that Python cannot show."""


@pytest.mark.parametrize(
    "table",
    [
        pa.table({"text": ["B-1234"], "seen": NOWHERE}),
        pa.table({"text": ["B-1234"]}).replace_schema_metadata({b"pandas": b'{"x":"y"}'}),
        pa.table({"text": ["B-1234"]}).replace_schema_metadata({b"pandas": b"\xff"}),
        pa.table({"text": ["B-1234"], "long": pa.array([2**50], pa.timestamp("s"))}),
        pa.table([["B-1234"], [1], [2]], names=["text", "n", "n"]),
    ],
    ids=["zone", "pandas", "bytes", "time", "twice"],
)
def test_parquet_that_pandas_cannot_convert_is_rewritten(deid, tmp_path, table) -> None:
    parquet.write_table(table, tmp_path / "t.parquet")
    result = deid(tmp_path / "t.parquet", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    read = parquet.ParquetFile(tmp_path / "out" / "t.parquet").read()
    assert read.column("text").to_pylist() == ["[ID]"]
    assert read.columns[1:] == [column.cast(_stored(column.type)) for column in table.columns[1:]]


def _stored(kind: pa.DataType) -> pa.DataType:
    """Return the type as which Parquet stores another."""
    return pa.timestamp("ms") if kind == pa.timestamp("s") else kind


def test_a_table_of_which_a_column_cannot_be_read_fails_alone(deid, tmp_path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    parquet.write_table(pa.table({"text": ["B-1234"], "who": NOWHERE}), folder / "1.parquet")
    parquet.write_table(pa.table({"text": ["B-1234"], "who": ["7"]}), folder / "2.parquet")
    (folder / "3.csv").write_text("text,who\nB-1234,7\n")
    result = deid(folder, "--column", "text", "--patient-field", "who", "--out", out)
    assert result.exit_code == 1
    assert f"failed: {folder / '1.parquet'}: failed with " in result.stderr
    assert sorted(path.name for path in out.iterdir()) == ["2.parquet", "3.csv"]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_row_whose_reader_fails_costs_no_other_row(deid, tmp_path, monkeypatch, suffix) -> None:
    read = rows.file_values

    def fail(part, *args):
        if part.text == "odd":
            raise ValueError(part.text)
        return read(part, *args)

    monkeypatch.setattr(rows, "file_values", fail)
    path = tmp_path / f"t.{suffix}"
    if suffix == "csv":
        path.write_text("text\nodd\nB-1234\n")
    else:
        parquet.write_table(pa.table({"text": ["odd", "B-1234"]}), path)
    result = deid(path, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert f"failed: {path} row 1: failed with ValueError" in result.stderr
    written = tmp_path / "out" / path.name
    if suffix == "csv":
        assert written.read_text() == 'text\n""\n[ID]\n'
    else:
        assert parquet.read_table(written).column("text").to_pylist() == ["", "[ID]"]
