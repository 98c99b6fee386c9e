"""A column of a Dask data frame is de-identified in its partitions."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

dd = pytest.importorskip("dask.dataframe", reason="needs multideid[dask]")

from multideid.document import Document, Span  # noqa: E402
from multideid.errors import ModelError, UsageError  # noqa: E402
from multideid.integrations.dask import deidentify  # noqa: E402
from multideid.redact import Key  # noqa: E402
from multideid.stacking import Deidentifier, SingleDeidentifier  # noqa: E402

NOTE, CLEAN = "Seen by Dr. Alder", "Seen by Dr. [DOCTOR]"
FRAME = pd.DataFrame({
    "mrn": ["7", "7", "8", "9"], "note": [NOTE, None, "No fever.", NOTE], "n": range(4),
}, index=[5, 6, 7, 8])  # fmt: skip


@pytest.fixture(scope="module")
def model() -> Deidentifier:
    span = Span(12, 17, "DOCTOR")
    return SingleDeidentifier("majority").fit([Document(str(n), NOTE, (span,)) for n in range(3)])


@pytest.fixture
def notes() -> Any:
    return dd.from_pandas(FRAME, npartitions=2)


def test_missing_values_index_and_other_columns_stay(model: Deidentifier, notes: Any) -> None:
    lazy = deidentify(notes, "note", model)
    found = lazy.compute()
    assert found["note"].fillna("gone").tolist() == [CLEAN, "gone", "No fever.", CLEAN]
    assert found.index.tolist() == FRAME.index.tolist()
    assert found["n"].tolist() == FRAME["n"].tolist()
    assert found["deid_spans"].fillna(-1).tolist() == [1, -1, 0, 1]
    assert found["deid_failure"].isna().all()
    assert found.dtypes.astype(str).tolist() == lazy.dtypes.astype(str).tolist()


def test_attributes_of_the_data_frame_do_not_come_out(model: Deidentifier) -> None:
    frame = FRAME.copy()
    frame.attrs = {"patient": "Martha Alder"}
    lazy = deidentify(dd.from_pandas(frame, npartitions=2), "note", model)
    assert lazy._meta.attrs == lazy.compute().attrs == {}


def test_a_folder_is_opened_where_the_work_is_done(
    model: Deidentifier, notes: Any, tmp_path: Path
) -> None:
    model.save(tmp_path / "model")
    found = deidentify(notes, "note", tmp_path / "model").compute(scheduler="synchronous")
    assert found["note"].iloc[0] == CLEAN


def test_a_note_that_fails_has_no_text(
    model: Deidentifier, notes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lazy = deidentify(notes, "note", model)

    def fail(*_: object) -> None:
        raise ValueError(NOTE)

    monkeypatch.setattr(SingleDeidentifier, "_tags", fail)
    found = lazy.compute(scheduler="synchronous")
    assert found["note"].isna().all()
    assert set(found["deid_failure"].dropna()) == {"failed with ValueError"}


def test_surrogates_of_a_patient_agree_in_all_partitions(model: Deidentifier) -> None:
    frame = pd.DataFrame({"mrn": ["7", "8", "9", "7"], "note": [NOTE] * 4})
    key = Key.from_secret(b"a secret of many bytes")
    notes = dd.from_pandas(frame, npartitions=4)
    found = deidentify(notes, "note", model, mode="surrogate", key=key, patient="mrn").compute()
    first, *others, last = found["note"].tolist()
    assert first == last
    assert "Alder" not in first
    assert any(other != first for other in others)


def test_tasks_can_be_sent_to_other_processes(model: Deidentifier, notes: Any) -> None:
    graph = deidentify(notes, "note", model).__dask_graph__()
    assert pickle.loads(pickle.dumps(dict(graph))).keys() == dict(graph).keys()


@pytest.mark.parametrize(
    ("column", "options", "problem"),
    [
        ("text", {}, "must have one column 'text'"),
        (3, {}, "column must be a text; got 3"),
        ("n", {}, "column 'n' does not hold strings"),
        ("note", {"patient": "who"}, "must have one column 'who'"),
        ("note", {"mode": "surrogate"}, "needs a key"),
        ("note", {"mode": "msk"}, "unknown redaction mode 'msk'"),
        ("note", {"recall": "high"}, "recall is for multi models"),
    ],
)
def test_mistakes_are_reported_before_any_work(
    model: Deidentifier, notes: Any, column: Any, options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        deidentify(notes, column, model, **options)


def test_a_column_of_categories_is_refused_since_they_are_the_notes(model: Deidentifier) -> None:
    frame = FRAME.astype({"note": "category"})
    with pytest.raises(UsageError, match="column 'note' holds categories"):
        deidentify(dd.from_pandas(frame, npartitions=2), "note", model)


def test_other_frames_and_unknown_models_are_refused(notes: Any) -> None:
    with pytest.raises(UsageError, match="must be one of Dask; got a DataFrame"):
        deidentify(FRAME, "note")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="no such model folder"):
        deidentify(notes, "note", "./none")
