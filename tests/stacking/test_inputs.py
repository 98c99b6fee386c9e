"""De-identifiers take strings, documents, lists and columns, and give results in the same form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from template_notes import sample_corpus

from multideid.document import Document, Span
from multideid.errors import DocumentError, UsageError
from multideid.stacking import Deidentifier, LabelWarning, SingleDeidentifier

NOTE = "Seen by Dr. Smith today."
CLEAN = "Seen by Dr. [DOCTOR] today."
FOUND = (Span(12, 17, "DOCTOR"),)


@pytest.fixture(scope="module")
def model() -> Deidentifier:
    return SingleDeidentifier("mimic").fit(sample_corpus(6, seed=9))


def test_a_string_gives_a_document_and_a_string(model: Deidentifier) -> None:
    assert model.predict(NOTE) == Document("text", NOTE, FOUND)
    assert model.deidentify(NOTE) == CLEAN
    assert model.deidentify(Document("n1", NOTE)) == CLEAN
    assert model.predict(Document("n1", NOTE)).id == "n1"


def test_a_list_gives_a_list(model: Deidentifier) -> None:
    assert model.predict([NOTE, Document("n1", NOTE)]) == [
        Document("0", NOTE, FOUND),
        Document("n1", NOTE, FOUND),
    ]
    assert model.deidentify([NOTE, "x"]) == [CLEAN, "x"]
    assert model.deidentify(text for text in (NOTE, "x")) == [CLEAN, "x"]
    assert model.deidentify(np.array([NOTE, "x"])) == [CLEAN, "x"]
    assert model.predict([]) == model.deidentify([]) == []


@pytest.mark.parametrize("dtype", ["object", "str", "string", "category"])
@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_column_of_pandas_keeps_index_name_and_missing_values(
    model: Deidentifier, dtype: str, missing: object
) -> None:
    column = pd.Series([NOTE, missing, "x"], index=[7, 5, 7], name="note").astype(dtype)
    new = model.deidentify(column)
    expected = pd.Series([CLEAN, missing, "x"], index=[7, 5, 7], name="note").astype(dtype)
    pd.testing.assert_series_equal(new, expected)
    assert column.tolist()[0] == NOTE


def test_a_column_of_pandas_gives_documents_with_its_index(model: Deidentifier) -> None:
    found = model.predict(pd.Series([NOTE, np.nan], index=["a", "b"], name="note"))
    assert found["a"] == Document("a", NOTE, FOUND)
    assert np.isnan(found["b"])
    assert model.deidentify(found).tolist()[0] == CLEAN


def test_a_column_without_texts_stays_as_it_is(model: Deidentifier) -> None:
    column = pd.Series([np.nan, np.nan])
    pd.testing.assert_series_equal(model.deidentify(column), column)


def test_a_column_of_polars_keeps_its_name_and_nulls(model: Deidentifier) -> None:
    column = pl.Series("note", [NOTE, None, "x"])
    assert model.deidentify(column).equals(pl.Series("note", [CLEAN, None, "x"]), check_names=True)
    found = model.predict(column)
    assert found.to_list() == [[{"start": 12, "end": 17, "label": "DOCTOR"}], None, []]
    assert found.name == "note"
    nothing = pl.Series("note", [None], dtype=pl.String)
    assert model.deidentify(nothing).equals(nothing)


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
)
@pytest.mark.parametrize("make", [pa.array, lambda values, kind: pa.chunked_array([values], kind)])
def test_an_array_of_pyarrow_keeps_its_type_and_nulls(
    model: Deidentifier, make: Any, kind: Any
) -> None:
    column = make([NOTE, None, "x"], kind)
    new = model.deidentify(column)
    assert type(new) is type(column)
    assert new.equals(make([CLEAN, None, "x"], kind))
    found = model.predict(column)
    assert found.to_pylist() == [[{"start": 12, "end": 17, "label": "DOCTOR"}], None, []]
    for nothing in (make([None], kind), pa.nulls(2)):
        assert model.deidentify(nothing).equals(nothing)


@pytest.mark.parametrize(
    "column",
    [
        pl.Series("note", [NOTE], dtype=pl.String),
        pa.array([NOTE], pa.string()),
        pa.chunked_array([[NOTE]], pa.large_string()),
        pd.Series([NOTE], dtype="string", name="note"),
        pd.Series([NOTE], dtype="category"),
    ],
    ids=["polars", "pyarrow array", "chunked array", "pandas string", "pandas category"],
)
@pytest.mark.parametrize("n_rows", [0, 2])
def test_the_type_of_a_result_does_not_depend_on_the_data(
    model: Deidentifier, column: Any, n_rows: int
) -> None:
    missing = _without_texts(column, n_rows)
    for use in (model.predict, model.deidentify):
        result, expected = use(missing), use(column)
        assert type(result) is type(expected)
        assert _element_type(result) == _element_type(expected)
        assert len(result) == n_rows


def _without_texts(column: Any, n_rows: int) -> Any:
    """Return a column of that kind with missing values only."""
    nothing = [None] * n_rows
    if isinstance(column, pl.Series):
        return pl.Series(column.name, nothing, dtype=column.dtype)
    if isinstance(column, pd.Series):
        return pd.Series(nothing, dtype=column.dtype, name=column.name)
    array = pa.array(nothing, column.type)
    return pa.chunked_array([array]) if isinstance(column, pa.ChunkedArray) else array


def _element_type(column: Any) -> str:
    """Return the type of a column; categories differ with the values."""
    kind = column.type if isinstance(column, pa.Array | pa.ChunkedArray) else column.dtype
    return "category" if isinstance(kind, pd.CategoricalDtype) else str(kind)


def test_a_stream_may_hold_strings(model: Deidentifier) -> None:
    found = model.predict_each(iter([NOTE, Document("b", "x")]))
    assert [(document.id, len(document.spans)) for document in found] == [("0", 1), ("b", 0)]
    with pytest.raises(UsageError, match="type str: put it into a list"):
        list(model.predict_each(NOTE))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"text", "got an object of type bytes: decode it"),
        (None, "got an object of type NoneType"),
        (3.5, "notes must be a string, a Document, a list of them, or a column .* type float"),
        ({"a": NOTE}, "type dict: give its values"),
        (Path("notes"), "type PosixPath: read the file first"),
        ([NOTE, None], r"element 1 is missing \(None\): leave it out, or give a pandas"),
        ([float("nan")], r"element 0 is missing \(nan\)"),
        ([NOTE, 7], "element 1 is of type int; every one must be a string or a Document"),
        ([[NOTE]], "element 0 is of type list"),
        (np.array(NOTE), "got an object of type ndarray"),
        (np.zeros((2, 2)), "element 0 is of type ndarray"),
        (pd.Series([NOTE, 7], index=["a", "b"]), "row b is of type int"),
        (pd.DataFrame({"text": [NOTE]}), r"got a DataFrame: give its column of texts"),
        (pl.DataFrame({"text": [NOTE]}), r"got a DataFrame: give its column of texts"),
        (pl.LazyFrame({"text": [NOTE]}), r"got a LazyFrame: give its column of texts"),
        (pa.table({"text": [NOTE]}), r"got a Table: give its column of texts"),
        (pl.Series([1, 2]), "row 0 is of type int"),
        (pa.array([1, 2]), "row 0 is of type int"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_other_input_is_refused_without_its_text(
    model: Deidentifier, data: object, problem: str
) -> None:
    for use in (model.predict, model.deidentify, model.fit, model.score):
        with pytest.raises(UsageError, match=problem) as error:
            use(data)  # type: ignore[operator]
        assert "Smith" not in str(error.value)


def test_texts_with_spans_teach_what_documents_teach() -> None:
    corpus = sample_corpus(5)
    texts = pd.Series([document.text for document in corpus])
    spans = [[tuple(span) for span in document.spans] for document in corpus]
    there = SingleDeidentifier("stat-deid").fit(corpus)
    for y in (spans, pd.Series(spans), corpus):
        here = SingleDeidentifier("stat-deid").fit(texts, y)
        assert here.labels_ == there.labels_
        assert [d.spans for d in here.predict(corpus)] == [d.spans for d in there.predict(corpus)]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([NOTE, None, "x"], index=[7, 5, 7]),
        pl.Series([NOTE, None, "x"]),
        pa.array([NOTE, None, "x"]),
        pa.chunked_array([[NOTE], [None, "x"]]),
    ],
    ids=["pandas", "polars", "pyarrow", "chunked"],
)
def test_columns_of_predictions_are_taken_as_gold_spans(model: Deidentifier, column: Any) -> None:
    found = model.predict(column)
    assert model.score(column, found) == 1
    assert SingleDeidentifier("mimic").fit(column, found).labels_ == ("DOCTOR",)


def test_a_missing_text_takes_its_place_of_y_with_it(model: Deidentifier) -> None:
    column = pd.Series([None, NOTE])
    assert model.score(column, [[], FOUND]) == model.score(column, [FOUND]) == 1
    with pytest.raises(UsageError, match="element 1 of y is of type NoneType"):
        model.score(column, [FOUND, None])


@pytest.mark.parametrize(
    ("y", "problem"),
    [
        ([[], [{"start": 12, "end": 17}]], "element 1 of y is of type list"),
        (None, "none of the corpus's 2 documents has a span: training needs annotated PHI"),
        ([[]], "y has the spans of 1 texts; there are 2 texts"),
        (7, "y must hold the spans of each text; got int"),
        ([[], [(12, 17)]], r"element 1 of y is of type list; it must hold \(start, end, label\)"),
        ([[], None], "element 1 of y is of type NoneType"),
        ([[], [("12", 17, "DOCTOR")]], "element 1 of y is of type list"),
        ([[], [(12, 17, None)]], "element 1 of y is of type list"),
    ],
)
def test_wrong_gold_spans_are_refused(y: object, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        SingleDeidentifier("stat-deid").fit([NOTE, NOTE], y)


def test_gold_spans_outside_the_text_are_refused() -> None:
    with pytest.raises(DocumentError, match="document '0': span 12-99 is empty or outside"):
        SingleDeidentifier("stat-deid").fit([NOTE], [[(12, 99, "DOCTOR")]])


def test_unknown_labels_are_reported_before_training() -> None:
    corpus = [
        Document("a", NOTE, FOUND),
        Document("b", NOTE, (Span(12, 17, "DOCTR"),)),
        Document("c", "Gate B-7.", (Span(5, 8, "GATE"),)),
    ]
    with pytest.warns(LabelWarning) as caught, pytest.raises(UsageError, match="no system"):
        SingleDeidentifier("no-such-system").fit(corpus)
    assert str(caught[0].message) == (
        "labels of no PHI class, which are learned as they are: "
        "'DOCTR' (1 span, did you mean DOCTOR?); 'GATE' (1 span)"
    )
    assert caught[0].filename == __file__
