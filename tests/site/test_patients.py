"""Known patients: their values are found in their notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from multideid.document import Document, Span
from multideid.errors import ResourceError, UsageError
from multideid.site import Patients, PatientsWarning, Site
from multideid.site.patients import as_patients
from multideid.stacking import Deidentifier, ParallelPredictor, SingleDeidentifier
from multideid.taggers import registry

ALDER = {
    "first_name": "Mária José",
    "last_name": "Alder-Beech",
    "mrn": "77123456",
    "dob": "1950-03-14",
    "phone": "+1 (617) 555-0123",
    "email": "m.alder@mail.example",
    "doctor": "Will Cedar; Ann Birch",
}


@pytest.fixture(scope="module")
def model() -> Iterator[Deidentifier]:
    """Return a model that finds badges only, with the labels of the bundled model."""

    class Badges:
        name = "badges"

        def tag(self, document: Document) -> list[Span]:
            return [Span(*m.span(), "ID") for m in re.finditer(r"B-[0-9]+", document.text)]

    registry.register(Badges)
    labels = ["ID", "PATIENT", "DOCTOR", "DATE", "PHONE", "EMAIL"]
    gold = tuple(Span(2 * n + 4, 2 * n + 5, label) for n, label in enumerate(labels[1:]))
    yield SingleDeidentifier("badges").fit(
        [Document("n", "B-1 b c d e f", (Span(0, 3, "ID"), *gold))]
    )
    registry._SESSION.pop("badges")


def _found(model: Deidentifier, text: str, patient: object = "7") -> list[tuple[str, str]]:
    known = model.with_site(Site(patients={"7": ALDER, "8": {"last_name": "Dogwood"}}))
    document = known.predict(Document("n", text, meta={"patient": patient}))
    return [(document.span_text(span), span.label) for span in document.spans]


@pytest.mark.parametrize(
    ("text", "found", "label"),
    [
        ("seen MARIA today", "MARIA", "PATIENT"),
        ("ALDER, Maria J.", "ALDER, Maria J", "PATIENT"),
        ("by M. Alder again", "M. Alder", "PATIENT"),
        ("Alder A fib", "Alder", "PATIENT"),
        ("maria jose beech", "maria jose beech", "PATIENT"),
        ("MRN 771-23456", "771-23456", "ID"),
        ("born 3/14/50", "3/14/50", "DATE"),
        ("born 14.03.1950", "14.03.1950", "DATE"),
        ("born March 14, 1950", "March 14, 1950", "DATE"),
        ("call 617.555.0123", "617.555.0123", "PHONE"),
        ("call 1-617-555-0123", "1-617-555-0123", "PHONE"),
        ("to M.Alder@mail.example", "M.Alder@mail.example", "EMAIL"),
        ("d/w Cedar", "Cedar", "DOCTOR"),
    ],
)
def test_values_are_found_in_other_forms(model, text, found, label) -> None:
    assert _found(model, text) == [(found, label)]


@pytest.mark.parametrize(
    "text", ["he will return", "in maritime air", "1951-03-14", "617 555 0124", "77123457", "A fib"]
)
def test_words_and_other_numbers_are_not_taken_for_values(model, text) -> None:
    assert _found(model, text) == []


def test_a_note_has_the_values_of_its_own_patient_only(model) -> None:
    assert _found(model, "Maria Dogwood", "8") == [("Dogwood", "PATIENT")]
    assert _found(model, "Maria Dogwood", 8.0) == [("Dogwood", "PATIENT")]
    assert _found(model, "Maria Dogwood", "9") == []


def test_a_record_number_in_the_note_tells_its_patient(model) -> None:
    text = "77123456: Maria Dogwood"
    assert _found(model, text, None) == [("77123456", "ID"), ("Maria", "PATIENT")]


@pytest.mark.parametrize(
    ("known", "written"),
    [("771-23-456", "77123456"), ("0077123456", "77123456"), ("AB-77123", "ab77123"),
     ("77123456", "771-23456")],
)  # fmt: skip
def test_a_record_number_tells_its_patient_whatever_its_marks_and_zeros(known, written) -> None:
    table = Patients(["patient", "mrn", "name"], [["7", known, "Maria Dogwood"]])
    for text in (f"no. {written}: seen", f"MRN {known}"):
        assert table.values(None, text)["PATIENT"] == {"Maria Dogwood"}


def test_each_record_number_of_a_cell_tells_its_patient() -> None:
    table = Patients(["patient", "mrn", "name"], [["7", "123456; 00789012", "Maria Dogwood"]])
    for text in ("MRN 123456", "MRN 789012"):
        assert table.values(None, text)["PATIENT"] == {"Maria Dogwood"}
    assert table.values(None, "MRN 12345600789012") == {}


@pytest.mark.parametrize("known", ["00000012", "0000000"])
def test_a_record_number_of_zeros_tells_its_patient_with_them_only(known) -> None:
    table = Patients(["patient", "mrn", "name"], [["7", known, "Maria Dogwood"]])
    assert table.values(None, "took 12 mg, 0 of 0012") == {}
    assert table.values(None, f"MRN {known}")["PATIENT"] == {"Maria Dogwood"}


def test_a_date_is_no_record_number() -> None:
    table = Patients(["patient", "mrn"], [["7", "20070314"]])
    assert table.values(None, "on 2007-03-14") == {}


def test_numbers_of_a_column_with_gaps_are_whole() -> None:
    columns = {"patient": [7.0, 8.0], "mrn": [4471920.0, None], "phone": [6175550123.0, None]}
    values = Patients.of_frame(pd.DataFrame(columns)).values(7, "")
    assert values["MEDICALRECORD"] == {"4471920"}
    assert "6175550123" in values["PHONE"]


def test_known_values_vote_and_are_not_shown(model) -> None:
    known = model.with_site(Site(patients={"7": ALDER}))
    documents = known.predict([Document("n", "Maria B-1", meta={"patient": "7"})])
    assert known.votes(documents) == [(("known-values",), ("badges",))]
    assert "Alder" not in repr(known.site) + repr(known.site.patients)


@pytest.mark.end_to_end
def test_processes_know_the_patient_of_each_document(model, monkeypatch) -> None:
    monkeypatch.setattr("multideid.stacking.deidentifier._BATCH_CHARACTERS", 150)
    known = model.with_site(Site(patients={str(n): {"last_name": f"Alder{n}x"} for n in range(4)}))
    notes = [Document(str(n), f"with Alder{n}x", meta={"patient": n}) for n in range(4)]
    with ParallelPredictor(known, 2) as predictor:
        results = list(predictor.predict_each(notes))
    assert [len(r.spans) for r in results] == [len(d.spans) for d in known.predict(notes)]


def test_tables_of_all_kinds_give_the_same(tmp_path: Path) -> None:
    frame = pd.DataFrame({"patient": [7], "Last Name": ["Alder"], "dob": ["1950-03-14"]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "t.tsv", index=False, sep="\t")
    frame.to_parquet(tmp_path / "t.parquet")
    tables = [Patients.read(tmp_path / f"t.{kind}") for kind in ("csv", "tsv", "parquet")]
    wanted = {"PATIENT": {"Alder"}, "DATE": {"1950-03-14"}}
    for table in (*tables, Patients.of_frame(frame)):
        assert table.values("7", "") == wanted


def test_a_list_in_a_cell_of_a_data_frame_has_several_values(tmp_path: Path) -> None:
    phones = ["617-555-1234", "617-555-9999"]
    frame = pd.DataFrame({"patient": ["7"], "phone": [phones]})
    frame.to_parquet(tmp_path / "patients.parquet")
    for source in (frame, tmp_path / "patients.parquet"):
        table = as_patients(source)
        assert {"6175551234", "6175559999"} <= table.values("7", "")["PHONE"]


def test_several_rows_of_a_patient_are_joined() -> None:
    table = Patients(["id", "street"], [["7", "1 Elm St"], ["7", "2 Oak St"]])
    assert table.values("7", "") == {"STREET": {"1 Elm St", "Elm St", "2 Oak St", "Oak St"}}


def test_tables_without_use_are_refused_and_unused_columns_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs a column patient"):
        Patients(["last_name"], [])
    with pytest.raises(UsageError, match="no column to look for"):
        Patients(["patient", "ward"], [])
    with pytest.warns(PatientsWarning, match="not used: ward"):
        Patients(["patient", "ward", "dob"], [])
    (tmp_path / "t.csv").write_text("patient,dob\n1,1950-01-01\n2,Alder,x\n")
    with pytest.raises(ResourceError, match="line 3: has 3 cells") as caught:
        Patients.read(tmp_path / "t.csv")
    assert "Alder" not in str(caught.value)


def test_a_table_of_a_spreadsheet_is_read_with_semicolons_and_named_if_it_is_none(
    tmp_path: Path,
) -> None:
    (tmp_path / "t.csv").write_text('patient;last_name;phone\n7;Alder;"1234567;7654321"\n')
    values = Patients.read(tmp_path / "t.csv").values("7", "")
    assert values["PATIENT"] == {"Alder"}
    assert {"1234567", "7654321"} <= values["PHONE"]
    (tmp_path / "t.xlsx").write_bytes(b"PK")
    with pytest.raises(ResourceError, match="is a spreadsheet; save the table as CSV"):
        Patients.read(tmp_path / "t.xlsx")


def test_rows_without_an_id_are_counted_in_a_warning() -> None:
    with pytest.warns(PatientsWarning, match="2 rows of the patients have no id"):
        table = Patients(["patient", "dob"], [["", "1950-01-01"], ["7", "1951-01-01"], [" ", ""]])
    assert len(table) == 1
