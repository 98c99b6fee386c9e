"""Of the metadata of a Parquet file, only what gives columns their types comes out."""

from __future__ import annotations

import base64
import json
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import multideid
from multideid import DeidOptions
from multideid.deid.extension_types import extension_metadata
from multideid.document import Document, Span
from multideid.stacking import SingleDeidentifier
from multideid.taggers import registry

PHI = b"Martha Alder"
INNER = pa.field("v", pa.struct([pa.field("a", pa.int64(), metadata={b"c": PHI})]))
TENSOR = pa.fixed_shape_tensor(pa.int8(), [2], dim_names=["Martha Alder"])
COLUMNS = {
    "struct": (pa.struct([INNER]), {"v": {"a": 1}}),
    "list": (pa.list_(INNER), [{"a": 1}]),
    "large": (pa.large_list(INNER), [{"a": 1}]),
    "fixed": (pa.list_(INNER, 2), [{"a": 1}, {"a": 2}]),
    "map": (pa.map_(pa.string(), INNER), [("k", {"a": 1})]),
    "time": (pa.timestamp("us", "UTC"), 0),
    "category": (pa.dictionary(pa.int8(), pa.string(), ordered=True), "b"),
}


class Rule:
    name, summary = "rule-of-parquet-metadata", "One record number."

    def tag(self, document: Document) -> list[Span]:
        return [Span(0, 6, "ID")] if document.text == "B-1234" else []


@pytest.fixture
def options():
    registry.register(Rule)
    model = SingleDeidentifier(Rule.name).fit([Document("n", "B-1234", ((0, 6, "ID"),))])
    yield DeidOptions(model=model, n_jobs=1)
    registry._SESSION.pop(Rule.name)


def _rewritten(table: pa.Table, folder: Path, options: DeidOptions) -> Path:
    parquet.write_table(table, folder / "in.parquet")
    multideid.deidentify_parquet(folder / "in.parquet", folder / "out.parquet", options)
    return folder / "out.parquet"


def _holds_phi(path: Path) -> bool:
    """Return whether PHI is anywhere in a file, also in the schema that Arrow encodes."""
    encoded = (parquet.ParquetFile(path).metadata.metadata or {}).get(b"ARROW:schema", b"")
    return PHI in path.read_bytes() + base64.b64decode(encoded)


def _table(metadata: dict[bytes, bytes] | None = None) -> pa.Table:
    """Return a table whose columns have all kinds of types, and comments."""
    arrays = {name: pa.array([value], kind) for name, (kind, value) in COLUMNS.items()}
    arrays["tensor"] = pa.ExtensionArray.from_storage(
        TENSOR, pa.array([[1, 2]], pa.list_(pa.int8(), 2))
    )
    arrays["text"] = pa.array(["B-1234"])
    fields = [pa.field(name, a.type, metadata={b"c": PHI}) for name, a in arrays.items()]
    return pa.Table.from_arrays(list(arrays.values()), schema=pa.schema(fields, metadata))


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        {b"cohort": PHI},
        {PHI: b"x"},
        {b"PANDAS_ATTRS": json.dumps({"patient": PHI.decode()}).encode()},
        {b"pandas": json.dumps({"index_columns": [], "x": PHI.decode()}).encode()},
        {b"pandas": PHI},
    ],
)
def test_metadata_of_file_columns_and_fields_do_not_come_out(
    options, tmp_path: Path, metadata
) -> None:
    table = _table(metadata)
    path = _rewritten(table, tmp_path, options)
    assert _holds_phi(tmp_path / "in.parquet")
    assert not _holds_phi(path)
    read = parquet.ParquetFile(path).read()
    kept = ["text", "tensor"]
    assert read.drop_columns(kept).equals(table.drop_columns(kept))
    assert read.column("text").to_pylist() == ["[ID]"]
    assert read.column("tensor").to_pylist() == [[1, 2]]


FRAME = pd.DataFrame(
    {
        "text": ["x", None, "y"],
        "period": pd.period_range("2020", periods=3, freq="M"),
        "interval": pd.interval_range(0, 3),
        "category": pd.Categorical(["a", "b", "a"], ["b", "a", "c"], ordered=True),
        "integer": pd.array([1, None, 2], dtype="Int64"),
        "boolean": pd.array([True, None, False], dtype="boolean"),
        "zone": pd.date_range("2020", periods=3, tz="US/Eastern"),
        "decimal": [Decimal("1.20")] * 3,
        "span": pd.to_timedelta([1, 2, 3], unit="s"),
    }
)


@pytest.mark.parametrize(
    "frame",
    [
        FRAME,
        FRAME.iloc[::-1],
        FRAME.set_index("zone"),
        FRAME.set_index(["integer", "category"]),
        FRAME.set_index("category", append=True),
        FRAME.rename_axis(index="text", columns="axis"),
        FRAME.rename_axis(index=5, columns=6),
        FRAME.set_index(pd.Index(["x", "y", "z"])),
        FRAME.iloc[:0],
    ],
)
def test_pandas_reads_its_index_and_types_again(options, tmp_path: Path, frame) -> None:
    frame = frame.copy()
    frame.attrs = {"patient": PHI.decode()}
    frame.to_parquet(tmp_path / "in.parquet")
    multideid.deidentify_parquet(tmp_path / "in.parquet", tmp_path / "out.parquet", options)
    new = pd.read_parquet(tmp_path / "out.parquet")
    pd.testing.assert_frame_equal(new, pd.read_parquet(tmp_path / "in.parquet"))
    assert new.attrs == {}
    assert not _holds_phi(tmp_path / "out.parquet")


@pytest.mark.parametrize(
    ("name", "parameters", "is_kept"),
    [
        (b"pandas.period", b'{"freq": "M"}', True),
        (b"pandas.period", b'{"freq": "Martha Alder"}', False),
        (b"pandas.interval", b'{"subtype": "int64", "closed": "left", "x": "Martha Alder"}', True),
        (b"pandas.interval", b'{"subtype": "int64", "closed": "Martha Alder"}', False),
        (b"pandas.interval", b'{"subtype": "Martha Alder", "closed": "left"}', False),
        (b"arrow.json", PHI, True),
        (b"arrow.opaque", PHI, False),
        (PHI, b"", False),
        (b"", b"", False),
    ],
)
def test_extension_types_keep_nothing_but_their_type(name, parameters, is_kept: bool) -> None:
    kept = extension_metadata(name, parameters)
    assert (kept is not None) is is_kept
    assert PHI not in b"".join((kept or {}).values())


def test_what_was_written_is_restored_with_its_metadata(options, tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    from multideid.deid.files import plan_files
    from multideid.deid.restore import read_records, restore_files
    from multideid.redact import Key

    key = Key(b"0123456789abcdef")
    frame = FRAME.assign(text=["B-1234", None, "x"]).set_index("category")
    frame.to_parquet(tmp_path / "in.parquet")
    given = {"model": options.model, "n_jobs": 1, "vault": tmp_path / "vault", "key": key}
    multideid.deidentify_folder(
        tmp_path / "in.parquet", tmp_path / "out", DeidOptions(**given), column="text"
    )
    plan = plan_files([tmp_path / "out"], tmp_path / "back", tables=True, overwrite=False)
    assert not restore_files(plan, read_records(tmp_path / "vault", key)).failures
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "back" / "in.parquet"), frame)
