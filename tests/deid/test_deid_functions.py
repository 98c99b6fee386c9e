"""De-identification of folders, tables and data frames from Python."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import multideid
from multideid import DeidOptions
from multideid.corpora.identifier_names import IdentifierWarning
from multideid.deid import Failure, NoKeyWarning, deidentify_stream
from multideid.deid.files import plan_files
from multideid.deid.restore import read_records, restore_files
from multideid.document import Document, Span
from multideid.errors import CorpusError, UsageError
from multideid.redact import Key, keys
from multideid.stacking import Deidentifier, SingleDeidentifier
from multideid.taggers import registry

BADGE = re.compile(r"\bB-[0-9]{4}\b")


class Badge:
    name, summary = "ward-badge", "Badge numbers such as B-1234."

    def tag(self, document: Document) -> list[Span]:
        if "UNBEARABLE" in document.text:
            raise ValueError(f"cannot bear {document.text}")
        return [Span(*match.span(), "ID") for match in BADGE.finditer(document.text)]


@pytest.fixture(scope="module")
def model() -> Iterator[Deidentifier]:
    """Return a model that finds badge numbers and nothing else."""
    registry.register(Badge)
    yield SingleDeidentifier("ward-badge").fit([Document("n", "B-1234", ((0, 6, "ID"),))])
    registry._SESSION.pop("ward-badge")


@pytest.fixture
def options(model) -> DeidOptions:
    return DeidOptions(model=model, n_jobs=1)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Return a folder with two notes and a table."""
    folder = tmp_path / "notes"
    (folder / "ward").mkdir(parents=True)
    (folder / "a.txt").write_text("Seen by B-1234.")
    (folder / "ward" / "b.txt").write_text("B-1000 and B-2000.")
    (folder / "t.csv").write_text("id,text\n1,B-1234\n")
    return folder


def test_folder_is_written_with_counts(options, notes, tmp_path) -> None:
    result = multideid.deidentify_folder(notes, tmp_path / "out", options)
    assert (tmp_path / "out" / "a.txt").read_text() == "Seen by [ID]."
    assert (tmp_path / "out" / "ward" / "b.txt").read_text() == "[ID] and [ID]."
    assert (result.documents, result.labels, result.failures) == (2, {"ID": 3}, ())
    assert result.skipped == (notes / "t.csv",)
    assert result.tokens == 6
    assert result.tokens_per_second > 0


def test_tables_of_a_folder_are_read_with_a_column(options, notes, tmp_path) -> None:
    result = multideid.deidentify_folder(notes, tmp_path / "out", options, column="text")
    assert (tmp_path / "out" / "t.csv").read_text() == "id,text\n1,[ID]\n"
    assert (result.documents, result.skipped) == (3, ())


def test_failures_are_reported_when_they_happen_and_quote_nothing(model, notes, tmp_path) -> None:
    (notes / "bad.txt").write_text("UNBEARABLE Zanzibar")
    seen: list[Failure] = []
    options = DeidOptions(model=model, n_jobs=1, on_failure=seen.append)
    result = multideid.deidentify_folder(notes, tmp_path / "out", options)
    assert [failure.name for failure in result.failures] == [str(notes / "bad.txt")]
    assert tuple(seen) == result.failures
    assert "Zanzibar" not in str(seen)
    assert not (tmp_path / "out" / "bad.txt").exists()


def test_result_is_plain_json(options, notes, tmp_path) -> None:
    result = multideid.deidentify_folder(notes, tmp_path / "out", options)
    figures = json.loads(json.dumps(result.to_dict()))
    assert (figures["documents"], figures["spans"]) == (2, {"ID": 3})
    assert figures["skipped"] == [str(notes / "t.csv")]


def test_progress_is_reported(model, notes, tmp_path) -> None:
    calls: list[tuple[int, int]] = []
    options = DeidOptions(
        model=model, n_jobs=1, progress=lambda done, total, _: calls.append((done, total))
    )
    multideid.deidentify_folder(notes, tmp_path / "out", options)
    assert calls == sorted(calls)
    assert set(calls) == {(0, 2), (1, 2), (2, 2)}


def test_output_in_the_model_folder_is_refused(model, notes, tmp_path) -> None:
    model.save(tmp_path / "model")
    options = DeidOptions(model=tmp_path / "model")
    with pytest.raises(UsageError, match="lies in, the input"):
        multideid.deidentify_folder(notes, tmp_path / "model" / "out", options)


@pytest.mark.parametrize(("delimiter", "suffix"), [(None, ".csv"), (None, ".tsv"), (";", ".dat")])
def test_csv_keeps_every_byte_outside_the_column(options, tmp_path, delimiter, suffix) -> None:
    mark = delimiter or {".csv": ",", ".tsv": "\t"}[suffix]
    table = f'id{mark}note\r\n"1"{mark}by B-1234\r\n2{mark}\r\n'
    source, target = tmp_path / f"in{suffix}", tmp_path / "new" / f"out{suffix}"
    source.write_bytes(table.encode())
    result = multideid.deidentify_csv(source, target, options, column="note", delimiter=delimiter)
    assert target.read_bytes().decode() == table.replace("B-1234", "[ID]")
    assert (result.documents, result.labels) == (1, {"ID": 1})


def test_row_of_a_csv_that_fails_is_empty_and_named(options, tmp_path) -> None:
    (tmp_path / "in.csv").write_text("text\nUNBEARABLE\nB-1234\n")
    result = multideid.deidentify_csv(tmp_path / "in.csv", tmp_path / "out.csv", options)
    assert (tmp_path / "out.csv").read_text() == 'text\n""\n[ID]\n'
    assert [failure.name for failure in result.failures] == [f"{tmp_path / 'in.csv'} row 1"]


def test_parquet_keeps_other_columns_and_types(options, tmp_path) -> None:
    table = pa.table({"n": pa.array([1, 2], pa.int16()), "text": ["B-1234", None]})
    parquet.write_table(table, tmp_path / "in.parquet")
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    result = multideid.deidentify_parquet(source, target, options)
    read = parquet.read_table(target)
    assert read.schema.equals(table.schema)
    assert read["text"].to_pylist() == ["[ID]", None]
    assert result.documents == 1


@pytest.mark.parametrize("function", [multideid.deidentify_csv, multideid.deidentify_parquet])
def test_table_that_cannot_be_read_raises_and_writes_nothing(options, tmp_path, function) -> None:
    (tmp_path / "in").write_text("Zanzibar,Alder\n")
    with pytest.raises(CorpusError) as caught:
        function(tmp_path / "in", tmp_path / "out", options)
    assert "Zanzibar" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_table_is_not_written_over_itself_or_another_file(options, tmp_path) -> None:
    (tmp_path / "in.csv").write_text("text\nB-1234\n")
    (tmp_path / "other.csv").write_text("mine")
    for target, problem in (("in.csv", "is an input"), ("other.csv", "exists")):
        with pytest.raises(UsageError, match=problem):
            multideid.deidentify_csv(tmp_path / "in.csv", tmp_path / target, options)


@pytest.mark.parametrize("dtype", ["object", "string", "category"])
def test_data_frame_is_copied_with_its_index_types_and_missing_values(options, dtype) -> None:
    text = pd.Series(["by B-1234", None, "", "hello"], index=[3, 1, 4, 1], dtype=dtype)
    frame = pd.DataFrame({"n": [1, 2, 3, 4], "text": text})
    before = frame.copy()
    result = multideid.deidentify_frame(frame, "text", options)
    pd.testing.assert_frame_equal(frame, before)
    pd.testing.assert_series_equal(result.frame["n"], frame["n"])
    assert result.frame["text"].dtype == ("category" if dtype == "category" else text.dtype)
    assert result.frame["text"].isna().tolist() == [False, True, False, False]
    assert result.frame["text"].dropna().tolist() == ["by [ID]", "", "hello"]
    assert (result.documents, result.labels) == (2, {"ID": 1})


def test_attributes_of_a_data_frame_do_not_come_out(options) -> None:
    frame = pd.DataFrame({"text": ["B-1234"]})
    frame.attrs = {"patient": "Martha Alder"}
    assert multideid.deidentify_frame(frame, "text", options).frame.attrs == {}
    assert frame.attrs == {"patient": "Martha Alder"}


def test_several_columns_are_rewritten_and_fail_together(options) -> None:
    frame = pd.DataFrame({"a": ["by B-1234", "x"], "b": [None, "UNBEARABLE"], "n": ["B-9999"] * 2})
    result = multideid.deidentify_frame(frame, ["a", "b"], options)
    assert result.frame["a"].tolist() == ["by [ID]", ""]
    assert result.frame["b"].isna().tolist() == [True, False]
    assert result.frame["b"].tolist()[1] == ""
    assert result.frame["n"].tolist() == ["B-9999"] * 2
    assert [failure.name for failure in result.failures] == ["data frame row 2"]
    assert result.documents == 1
    assert result.labels == {"ID": 1}


def test_cells_of_a_row_are_found_in_its_other_columns_as_in_a_csv_file(options, tmp_path) -> None:
    frame = pd.DataFrame({"note": ["Ms Quokka came, quokka left."], "last_name": ["Quokka"]})
    found = multideid.deidentify_frame(frame, ["note", "last_name"], options)
    frame.to_csv(tmp_path / "in.csv", index=False)
    multideid.deidentify_csv(
        tmp_path / "in.csv", tmp_path / "out.csv", options, column=["note", "last_name"]
    )
    pd.testing.assert_frame_equal(found.frame, pd.read_csv(tmp_path / "out.csv"))
    assert "uokka" not in found.frame["note"][0]
    assert found.documents == 1


def test_rows_are_named_by_a_column(options) -> None:
    frame = pd.DataFrame({"note": ["n7", "n8"], "text": ["x", "UNBEARABLE"]})
    result = multideid.deidentify_frame(frame, options=options, id="note")
    assert [failure.name for failure in result.failures] == ["data frame row n8"]


def test_surrogates_of_a_row_agree_in_its_columns(model, monkeypatch) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    key = Key.from_secret(b"a secret of sixteen bytes")
    options = DeidOptions(model=model, mode="surrogate", key=key)
    frame = pd.DataFrame({"a": ["B-1234"] * 2, "b": ["B-1234"] * 2, "mrn": [7, 7]})
    new = multideid.deidentify_frame(frame, ["a", "b"], options).frame
    assert new["a"].tolist() == new["b"].tolist()
    assert new["a"][0] != new["a"][1]
    same = multideid.deidentify_frame(frame, ["a", "b"], options, patient="mrn").frame
    assert same["a"][0] == same["a"][1] == same["b"][1]


def test_columns_that_are_kept_and_look_like_identifiers_are_named(options) -> None:
    frame = pd.DataFrame({
        "text": ["x"], "PatientName": ["A"], "when": ["3/14/2007"], "bp": ["120/80"],
    })  # fmt: skip
    with pytest.warns(IdentifierWarning, match="'PatientName', 'when'; leave them out") as caught:
        multideid.deidentify_frame(frame, options=options)
    assert "bp" not in str(caught[0].message)


@pytest.mark.parametrize(
    ("index", "named"),
    [
        (pd.Index(["A"], name="PatientName"), "'PatientName'"),
        (pd.Index(["a.b@c.org"]), "'index'"),
        (pd.MultiIndex.from_tuples([(1, "A")], names=["row", "mrn"]), "'mrn'"),
    ],
)
def test_identifiers_in_the_index_are_named_in_a_warning(options, index, named) -> None:
    frame = pd.DataFrame({"text": ["x"]}, index=index)
    with pytest.warns(IdentifierWarning, match=f"identifiers: {named};"):
        multideid.deidentify_frame(frame, options=options)


@pytest.mark.parametrize("name", [0, ("note", "text")])
def test_a_column_may_have_a_name_that_is_no_string(options, name) -> None:
    frame = pd.DataFrame({name: ["by B-1234"]})
    for columns in (name, [name]):
        new = multideid.deidentify_frame(frame, columns, options).frame
        assert new[name].tolist() == ["by [ID]"]


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (pl.DataFrame({"text": ["B-1234"]}), "DataFrame of polars"),
        (pd.Series(["B-1234"]), "Series of pandas"),
        ({"text": ["B-1234"]}, "dict of builtins"),
        (None, "NoneType of builtins"),
    ],
)
def test_other_tables_are_refused_by_their_type(options, frame, kind) -> None:
    with pytest.raises(UsageError, match=f"must be one of pandas; got {kind}: convert it"):
        multideid.deidentify_frame(frame, options=options)


def test_options_of_another_type_are_refused() -> None:
    with pytest.raises(UsageError, match=r"options must be a DeidOptions.*, not a str"):
        multideid.deidentify_frame(pd.DataFrame({"text": ["x"]}), "text", "surrogate")


def test_a_frame_needs_a_column_that_is_named_once(options) -> None:
    with pytest.raises(UsageError, match="no column is named"):
        multideid.deidentify_frame(pd.DataFrame({"text": ["x"]}), [], options)
    with pytest.raises(UsageError, match="must have one column 'note'"):
        multideid.deidentify_frame(pd.DataFrame({"text": ["x"]}), options=options, id="note")


def test_row_of_a_data_frame_that_fails_is_empty_and_named(options) -> None:
    frame = pd.DataFrame({"text": ["B-1234", "UNBEARABLE"]})
    result = multideid.deidentify_frame(frame, options=options)
    assert result.frame["text"].tolist() == ["[ID]", ""]
    assert [failure.name for failure in result.failures] == ["data frame row 2"]


def test_data_frame_without_rows_stays_empty(options) -> None:
    result = multideid.deidentify_frame(pd.DataFrame({"text": []}), options=options)
    assert (len(result.frame), result.documents) == (0, 0)


@pytest.mark.parametrize(
    ("frame", "problem"),
    [
        (pd.DataFrame({"note": ["x"]}), "must have one column 'text'"),
        (pd.DataFrame([["x", "y"]], columns=["text", "text"]), "must have one column 'text'"),
        (pd.DataFrame({"text": ["x", 7]}), "value 2 of column 'text' is of type int"),
    ],
)
def test_invalid_data_frame_is_refused(options, frame, problem) -> None:
    with pytest.raises(UsageError, match=problem):
        multideid.deidentify_frame(frame, options=options)


def test_surrogates_of_one_patient_agree_in_tables_and_data_frames(
    model, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    key = Key.from_secret(b"a secret of sixteen bytes")
    options = DeidOptions(model=model, mode="surrogate", key=key, patient_field="mrn")
    frame = pd.DataFrame({"mrn": ["7", "7", "8"], "text": ["B-1234", "B-1234", "B-1234"]})
    first, second, other = multideid.deidentify_frame(frame, options=options).frame["text"]
    assert first == second != other
    frame.to_csv(tmp_path / "in.csv", index=False)
    multideid.deidentify_csv(tmp_path / "in.csv", tmp_path / "out.csv", options)
    assert pd.read_csv(tmp_path / "out.csv")["text"].tolist() == [first, second, other]


def test_surrogates_without_a_key_come_with_a_warning(model, monkeypatch) -> None:
    monkeypatch.delenv("MULTIDEID_KEY", raising=False)
    options = DeidOptions(model=model, mode="surrogate")
    with pytest.warns(NoKeyWarning, match="no key was given"):
        multideid.deidentify_frame(pd.DataFrame({"text": ["B-1234"]}), options=options)


@pytest.mark.parametrize(("option", "value"), [("mode", "surogate"), ("recall", "hi")])
def test_unknown_names_are_refused_with_those_that_are_known(option, value) -> None:
    with pytest.raises(UsageError, match=f"{option} must be one of .*; got '{value}'"):
        DeidOptions(**{option: value})


def test_a_function_can_replace_phi(model) -> None:
    options = DeidOptions(model=model, mode=lambda document, span: "*" * (span.end - span.start))
    result = multideid.deidentify_frame(pd.DataFrame({"text": ["B-1234"]}), options=options)
    assert result.frame["text"].tolist() == ["******"]


def test_report_lists_rows_of_a_data_frame(model, tmp_path) -> None:
    options = DeidOptions(model=model, report=tmp_path / "report.json")
    multideid.deidentify_frame(pd.DataFrame({"text": ["B-1234"]}), options=options)
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["documents"][0]["document"] == "data frame row 1"
    assert report["documents"][0]["spans"][0]["systems"] == ["ward-badge"]


def test_stream_is_rewritten_or_nothing_is_written(options) -> None:
    target = io.BytesIO()
    result = deidentify_stream(io.BytesIO(b"by B-1234\r\n"), target, options)
    assert (target.getvalue(), result.documents) == (b"by [ID]\r\n", 1)
    failed = deidentify_stream(io.BytesIO(b"\xff"), nothing := io.BytesIO(), options)
    assert (nothing.getvalue(), len(failed.failures)) == (b"", 1)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"keep_weekday": True}, "for surrogates only"),
        ({"key": "file"}, "for surrogates, hashes and vaults only"),
        ({"show_phi": True}, "for reports only"),
    ],
)
def test_options_that_do_not_go_together_are_refused(given, problem) -> None:
    with pytest.raises(UsageError, match=problem):
        DeidOptions(**given)


def test_data_frame_has_no_vault(model, tmp_path) -> None:
    options = DeidOptions(model=model, vault=tmp_path / "vault", key="file")
    with pytest.raises(UsageError, match="a vault restores files"):
        multideid.deidentify_frame(pd.DataFrame({"text": ["x"]}), options=options)


def test_recall_of_a_model_without_thresholds_is_refused(model) -> None:
    options = DeidOptions(model=model, recall="high")
    with pytest.raises(UsageError, match="recall is for multi models"):
        multideid.deidentify_frame(pd.DataFrame({"text": ["x"]}), options=options)


def test_csv_with_a_vault_is_restored_under_its_new_name(model, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    key = Key.from_secret(b"a secret of sixteen bytes")
    (tmp_path / "in.csv").write_text("text\nB-1234\n")
    options = DeidOptions(model=model, key=key, vault=tmp_path / "vault")
    multideid.deidentify_csv(tmp_path / "in.csv", tmp_path / "new.csv", options)
    plan = plan_files([tmp_path / "new.csv"], tmp_path / "back", tables=True, overwrite=False)
    result = restore_files(plan, read_records(tmp_path / "vault", key))
    assert (result.documents, result.failures) == (1, ())
    assert (tmp_path / "back" / "new.csv").read_text() == "text\nB-1234\n"
