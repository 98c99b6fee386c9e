"""CSV, TSV and Parquet tables."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from multideid import deidentify_parquet
from multideid.corpora import (
    csv_table,
    parquet_batches,
    parquet_table,
    read_corpus,
    write_corpus,
)
from multideid.corpora.tabular import documents_from_frame
from multideid.document import Document, Span
from multideid.errors import CorpusError, MissingPackageError, UsageError
from multideid.site.patients import Patients


def _csv(path: Path, content: str, name: str = "c.csv") -> Path:
    file = path / name
    file.write_bytes(content.encode())
    return file


def test_cells_are_text_and_nothing_else(tmp_path: Path) -> None:
    file = _csv(tmp_path, 'id,text\n007,NA\nnull,"1.0"\n')
    assert [(d.id, d.text) for d in read_corpus(file)] == [("007", "NA"), ("null", "1.0")]


def test_columns_can_be_named(tmp_path: Path) -> None:
    file = _csv(tmp_path, 'note,key\n"Lee\r\nsaw",a\n')
    (document,) = read_corpus(file, text_column="note", id_column="key")
    assert document == Document("a", "Lee\r\nsaw")


def test_rows_without_an_id_are_numbered(tmp_path: Path) -> None:
    assert [d.id for d in read_corpus(_csv(tmp_path, "text\na\nb\n"))] == ["1", "2"]


@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_other_columns_are_kept_and_written_again(tmp_path: Path, name: str) -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "text": ["x", "y"], "ward": ["W1", "W2"]})
    documents = list(documents_from_frame(frame, print))
    write_corpus(documents, tmp_path / "out", name)
    back = read_corpus(tmp_path / "out", name)
    assert back == documents
    assert [d.meta["columns"]["ward"] for d in back] == ["W1", "W2"]


def test_columns_with_the_names_of_others_are_kept(tmp_path: Path) -> None:
    file = _csv(tmp_path, "note_id,id,text,note,ward\nN1,77,title,Dr. Lee,3\n")
    documents = read_corpus(file, id_column="note_id", text_column="note")
    kept = {"id": "77", "text": "title", "ward": "3"}
    assert documents == [Document("N1", "Dr. Lee", meta={"columns": kept})]
    for name in ("csv", "parquet"):
        write_corpus(documents, tmp_path / name, name)
        assert read_corpus(tmp_path / name) == documents
    header = (tmp_path / "csv").read_text().splitlines()[0]
    assert header == '"id","text","spans","ward","meta"'


@pytest.mark.parametrize("name", ["csv", "parquet"])
@pytest.mark.parametrize("value", [3, None, "Zqx", ["a"]])
def test_columns_that_are_none_are_refused(tmp_path: Path, name: str, value: object) -> None:
    notes = [Document("d", "a", meta={"columns": value})]
    with pytest.raises(CorpusError, match="'columns' of its meta, which is for") as caught:
        write_corpus(notes, tmp_path / "out", name)
    assert "Zqx" not in str(caught.value)


@pytest.mark.parametrize(
    ("meta", "problem"),
    [
        ('{""columns"": 3}', "row 1: 'columns' of its meta is not an object"),
        ('{""columns"": {""ward"": ""Zqx""}}', "row 1: column 'ward' is also among"),
    ],
)
def test_columns_in_a_meta_cell_that_collide_are_refused(
    tmp_path: Path, meta: str, problem: str
) -> None:
    file = _csv(tmp_path, f'text,ward,meta\nx,3,"{meta}"\n')
    with pytest.raises(CorpusError, match=problem) as caught:
        read_corpus(file)
    assert "Zqx" not in str(caught.value)


def test_the_index_of_pandas_keeps_its_empty_heading(tmp_path: Path) -> None:
    pd.DataFrame({"id": ["a", "b"], "text": ["x", "y"]}).to_csv(tmp_path / "c.csv")
    documents = read_corpus(tmp_path / "c.csv")
    assert [d.meta for d in documents] == [{"columns": {"": n}} for n in "01"]
    for name in ("csv", "parquet"):
        write_corpus(documents, tmp_path / name, name)
        assert read_corpus(tmp_path / name) == documents
    assert (tmp_path / "csv").read_text().startswith('"id","text","spans",""\n')


def test_an_empty_heading_may_be_anywhere(tmp_path: Path) -> None:
    (document,) = read_corpus(_csv(tmp_path, "\ufeffid,text,ward,\na,x,W,3\n"))
    assert document == Document("a", "x", meta={"columns": {"ward": "W", "": "3"}})


def test_several_empty_headings_get_names(tmp_path: Path) -> None:
    (document,) = read_corpus(_csv(tmp_path, "id,text,,\na,x,3,4\n"))
    assert document.meta == {"columns": {"Unnamed: 2": "3", "Unnamed: 3": "4"}}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["", "\n\n"])
def test_an_empty_line_of_a_single_column_is_an_empty_note(
    tmp_path: Path, end: str, before: str
) -> None:
    content = f'{before}text\na\n\n""\n \n"b\n\nc"\nd'.replace("\n", end)
    documents = read_corpus(_csv(tmp_path, content), "csv")
    texts = ["a", "", "", " ", f"b{end}{end}c", "d"]
    assert [(d.id, d.text) for d in documents] == [(str(n), t) for n, t in enumerate(texts, 1)]


def test_an_empty_line_of_several_columns_is_no_row(tmp_path: Path) -> None:
    file = _csv(tmp_path, "\n\ntext,ward\n\na,1\n\nb,2\n\n")
    assert [(d.id, d.text) for d in read_corpus(file)] == [("1", "a"), ("2", "b")]


def test_a_tsv_file_has_tabs(tmp_path: Path) -> None:
    gold = [Document("a", "x\ty,z", (Span(0, 1, "D"),))]
    write_corpus(gold, tmp_path / "c.tsv", "csv")
    assert (tmp_path / "c.tsv").read_text().startswith('"id"\t"text"\t"spans"\n')
    assert read_corpus(tmp_path / "c.tsv") == gold


def test_numbers_are_ids_in_parquet(tmp_path: Path) -> None:
    pd.DataFrame({"id": [3, 4], "text": ["x", "y"]}).to_parquet(tmp_path / "c.parquet")
    assert [d.id for d in read_corpus(tmp_path / "c.parquet")] == ["3", "4"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("1,Anna\n2,Anna\n", "has no column 'text' among its 2; name it with text_column"),
        ("id,text,spans\n1,Anna,Anna\n", "row 1: column 'spans' is not JSON"),
        ('id,text,spans\n1,Anna,"{""a"": 1}"\n', "row 1: spans is not a list"),
        ("id,text\n1,Anna,Anna,Anna\n", "as many cells in each row"),
        ("id,text,more\n1,Anna\n", "as many cells in each row"),
        ("id,text,text\n1,Anna,Anna\n", "columns 2 and 3 have the same heading"),
        ("Anna,,Anna\n1,2,Anna\n", "columns 1 and 3 have the same heading"),
        ('id,text\n1,"Anna\n', "as many cells in each row"),
        ("id,text\n,Anna\n", "row 1: id is not a string or whole number, or is empty"),
        ("", "has no header and no rows"),
        ("id,text\n", "contains no documents"),
    ],
)
def test_a_malformed_table_gives_one_line(tmp_path: Path, content: str, problem: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read_corpus(_csv(tmp_path, content), "csv")
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "Anna" not in str(caught.value)


def test_a_missing_text_is_named(tmp_path: Path) -> None:
    pd.DataFrame({"text": ["x", None]}).to_parquet(tmp_path / "c.parquet")
    with pytest.raises(CorpusError, match="row 2: has no text"):
        read_corpus(tmp_path / "c.parquet")


def test_spans_that_are_not_json_text_are_not_lost(tmp_path: Path) -> None:
    frame = pd.DataFrame({"text": ["x"], "spans": [[{"start": 0, "end": 1, "label": "D"}]]})
    frame.to_parquet(tmp_path / "c.parquet")
    with pytest.raises(CorpusError, match="row 1: column 'spans' is not JSON text"):
        read_corpus(tmp_path / "c.parquet")


def test_a_damaged_parquet_file_gives_one_line(tmp_path: Path) -> None:
    write_corpus([Document("a", "x" * 500)], tmp_path / "c.parquet", "parquet")
    data = (tmp_path / "c.parquet").read_bytes()
    for size in (4, len(data) // 2, len(data) - 1):
        (tmp_path / "c.parquet").write_bytes(data[:size])
        with pytest.raises(CorpusError, match="not a readable Parquet file"):
            read_corpus(tmp_path / "c.parquet")


def test_an_unknown_option_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no option 'column'; it has text_column"):
        read_corpus(_csv(tmp_path, "text\nx\n"), column="text")


def test_a_parquet_cell_that_is_not_utf8_is_not_shown(tmp_path: Path) -> None:
    write_corpus([Document("a", "Anna Zqxjk")], tmp_path / "c.parquet", "parquet")
    data = (tmp_path / "c.parquet").read_bytes()
    (tmp_path / "c.parquet").write_bytes(data.replace(b"Anna Zqxjk", b"Anna\xffZqxjk"))
    with pytest.raises(CorpusError) as caught:
        read_corpus(tmp_path / "c.parquet")
    assert "Zqxjk" not in str(caught.value)


def test_an_index_that_was_named_id_is_the_id(tmp_path: Path) -> None:
    frame = pd.DataFrame({"text": ["x"]}, index=pd.Index(["a"], name="id"))
    frame.to_parquet(tmp_path / "c.parquet")
    assert read_corpus(tmp_path / "c.parquet") == [Document("a", "x")]


@pytest.fixture
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables be read and written two rows at a time."""
    monkeypatch.setattr(csv_table, "_ROWS", 2)
    monkeypatch.setattr(parquet_table, "_ROWS", 2)
    monkeypatch.setattr(parquet_batches, "_BATCH_ROWS", 2)


VALUES = st.one_of(st.none(), st.text(st.sampled_from('a",\n\ré'), max_size=3))
METAS = st.dictionaries(st.sampled_from(["ward", "x", "note"]), VALUES, max_size=3)


@pytest.mark.parametrize("name", ["csv", "parquet"])
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(METAS, min_size=1, max_size=7))
def test_columns_that_only_some_documents_have_are_written(few_at_once, name, metas) -> None:
    gold = [Document(f"d{n}", "a\n", meta={"columns": m}) for n, m in enumerate(metas)]
    with TemporaryDirectory() as folder:
        write_corpus(gold, Path(folder) / "out", name)
        back = read_corpus(Path(folder) / "out", name)
    assert [(d.id, d.text) for d in back] == [(d.id, d.text) for d in gold]
    for document, meta in zip(back, metas, strict=True):
        found = {key: value for key, value in document.meta.get("columns", {}).items() if value}
        assert found == {key: value for key, value in meta.items() if value}


def test_rows_are_numbered_through_all_batches(tmp_path: Path, few_at_once: None) -> None:
    file = _csv(tmp_path, "text,spans\na,\nb,\nc,\nd,\ne,Anna\n")
    with pytest.raises(CorpusError, match="row 5: column 'spans' is not JSON"):
        read_corpus(file)
    frame = pd.DataFrame({"text": list("abcde")})
    frame.to_parquet(tmp_path / "c.parquet")
    assert [d.id for d in read_corpus(tmp_path / "c.parquet")] == ["1", "2", "3", "4", "5"]


def test_row_that_is_too_long_is_found_in_any_batch(tmp_path: Path, few_at_once: None) -> None:
    for rows in range(6):
        file = _csv(tmp_path, "id,text\n" + "1,a\n" * rows + "2,Anna,Anna\n" + "3,b\n")
        with pytest.raises(CorpusError, match="as many cells in each row"):
            list(csv_table.read(file, print))


def test_whole_numbers_stay_so_where_some_are_missing(tmp_path: Path, few_at_once: None) -> None:
    numbers = [1, 2, None, 4, 2**60 + 1]
    table = pa.table({"text": list("abcde"), "n": pa.array(numbers)})
    parquet.write_table(table, tmp_path / "c.parquet")
    documents = read_corpus(tmp_path / "c.parquet")
    write_corpus(documents, tmp_path / "d.parquet", "parquet")
    assert [d.meta["columns"]["n"] for d in documents] == numbers
    assert parquet.read_table(tmp_path / "d.parquet").column("n").to_pylist() == numbers


def test_parquet_column_of_different_kinds_is_refused_unquoted(
    tmp_path: Path, few_at_once: None
) -> None:
    for values in (["Anna", 7], ["Anna", "x", 7]):
        gold = [Document(f"d{n}", "a", meta={"columns": {"k": v}}) for n, v in enumerate(values)]
        with pytest.raises(CorpusError, match="values of different types") as caught:
            write_corpus(gold, tmp_path / "c.parquet", "parquet")
        assert "Anna" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_the_message_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = Document("1", "Dr. Lee")
    write_corpus([note], tmp_path / "a.parquet", "parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    advice = r"needs pyarrow.*pip install 'multideid\[parquet\]'"
    with pytest.raises(MissingPackageError, match=advice):
        read_corpus(tmp_path / "a.parquet")
    with pytest.raises(MissingPackageError, match=advice):
        write_corpus([note], tmp_path / "b.parquet", "parquet")
    with pytest.raises(MissingPackageError, match=advice):
        deidentify_parquet(tmp_path / "a.parquet", tmp_path / "c.parquet", column="text")
    with pytest.raises(MissingPackageError, match=advice):
        Patients.read(tmp_path / "a.parquet")
