"""Several columns of a table: identifiers as a whole, texts by the model, all other bytes kept."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pandas as pd
import pytest

import multideid
from multideid import DeidOptions
from multideid.corpora.identifier_names import field_label, identifier_label
from multideid.document import Document, Span
from multideid.errors import CorpusError, UsageError
from multideid.redact import Key
from multideid.stacking import Deidentifier, SingleDeidentifier
from multideid.taggers import registry

COLUMNS = ["PAT_MRN_ID", "CONTACT_DATE", "NOTE_TEXT", "ADDENDUM"]
TABLE = (
    "NOTE_KEY,PAT_MRN_ID,WARD,CONTACT_DATE,NOTE_TEXT,ADDENDUM\r\n"
    '1,0912-88,"7, west",2019-03-14 09:30:00,"He said ""x"".\nMRN 0912-88",\r\n'
    "2,,3,3/17/2019,,none\r\n"
    "3,,3,,,\r\n"
)
MASKED = (
    "NOTE_KEY,PAT_MRN_ID,WARD,CONTACT_DATE,NOTE_TEXT,ADDENDUM\r\n"
    '1,[ID],"7, west",[DATE],"He said ""[NAME]"".\nMRN [ID]",\r\n'
    "2,,3,[DATE],,none\r\n"
    "3,,3,,,\r\n"
)


class Marks:
    name, summary = "marks-x", "The letter x is a name, and fail makes the tagger fail."

    def tag(self, document: Document) -> list[Span]:
        if "fail" in document.text:
            raise ValueError
        place = document.text.find("x")
        return [Span(place, place + 1, "NAME")] if place >= 0 else []


@pytest.fixture
def options() -> DeidOptions:
    registry.register(Marks)
    text = "x 12 3/4"
    spans = ((0, 1, "NAME"), (2, 4, "ID"), (5, 8, "DATE"))
    model: Deidentifier = SingleDeidentifier("marks-x").fit([Document("n", text, spans)])
    yield DeidOptions(model=model, n_jobs=1)
    registry._SESSION.pop("marks-x")


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_columns_of_identifiers_and_text_are_rewritten_and_the_rest_stays(
    options, tmp_path: Path, suffix: str
) -> None:
    source, target = tmp_path / f"in{suffix}", tmp_path / f"out{suffix}"
    source.write_bytes(TABLE.encode())
    multideid.deidentify_csv(source, target, options, column=COLUMNS, delimiter=",")
    assert target.read_bytes().decode() == MASKED


def test_columns_of_a_folder_of_tables_are_rewritten(options, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_bytes(TABLE.encode())
    result = multideid.deidentify_folder(tmp_path / "in", tmp_path / "out", options, column=COLUMNS)
    assert (tmp_path / "out" / "a.csv").read_bytes().decode() == MASKED
    assert result.documents == 2


def test_parquet_has_the_same_cells_as_csv(options, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    table = pd.read_csv(io.StringIO(TABLE), dtype=str)
    table.to_parquet(tmp_path / "in.parquet")
    multideid.deidentify_parquet(
        tmp_path / "in.parquet", tmp_path / "out.parquet", options, column=COLUMNS
    )
    new = pd.read_parquet(tmp_path / "out.parquet")
    pd.testing.assert_frame_equal(new, pd.read_csv(io.StringIO(MASKED), dtype=str))


def test_a_column_of_numbers_in_parquet_is_refused_by_its_type(options, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pd.DataFrame({"mrn": [912], "text": ["x"]}).to_parquet(tmp_path / "in.parquet")
    with pytest.raises(CorpusError, match="'mrn' does not hold text, but int64: make it text"):
        multideid.deidentify_parquet(
            tmp_path / "in.parquet", tmp_path / "out.parquet", options, column=["mrn", "text"]
        )


def test_identifiers_in_a_data_frame_are_replaced_as_a_whole(options) -> None:
    frame = pd.read_csv(io.StringIO(TABLE), dtype=str).drop(columns="NOTE_KEY")
    new = multideid.deidentify_frame(frame, COLUMNS, options).frame
    assert new["PAT_MRN_ID"].tolist()[:1] == ["[ID]"]
    assert new["CONTACT_DATE"].tolist()[:2] == ["[DATE]", "[DATE]"]


def test_all_chosen_cells_of_a_row_that_fails_are_emptied(options, tmp_path: Path) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("mrn,a,b\n7,x,fail\n8,x,ok\n")
    result = multideid.deidentify_csv(source, target, options, column=["b", "mrn", "a"])
    assert [failure.name for failure in result.failures] == [f"{source} row 1"]
    assert target.read_text() == 'mrn,a,b\n"","",""\n[ID],[NAME],ok\n'


def test_several_columns_come_back_from_a_vault(options, tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    from multideid.deid.files import plan_files
    from multideid.deid.restore import read_records, restore_files

    key = Key(b"0123456789abcdef")
    (tmp_path / "in.csv").write_bytes(TABLE.encode())
    kept = {"model": options.model, "n_jobs": 1, "vault": tmp_path / "vault", "key": key}
    with_vault = DeidOptions(**kept, mode="surrogate")
    multideid.deidentify_folder(tmp_path / "in.csv", tmp_path / "out", with_vault, column=COLUMNS)
    assert b"0912-88" not in (tmp_path / "out" / "in.csv").read_bytes()
    plan = plan_files([tmp_path / "out"], tmp_path / "back", tables=True, overwrite=False)
    result = restore_files(plan, read_records(tmp_path / "vault", key), columns=COLUMNS)
    assert not result.failures
    assert (tmp_path / "back" / "in.csv").read_bytes().decode() == TABLE


def test_dates_of_a_row_are_shifted_alike_and_keep_their_form(options, tmp_path: Path) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("seen_dt_tm,iso_date,text\n20190314093000,2019-03-14 00:00:00,none\n")
    columns = ["seen_dt_tm", "iso_date", "text"]
    key = Key(b"0123456789abcdef")
    shifted = DeidOptions(model=options.model, n_jobs=1, mode="surrogate", key=key)
    multideid.deidentify_csv(source, target, shifted, column=columns)
    (row,) = csv.DictReader(io.StringIO(target.read_text()))
    assert row["seen_dt_tm"][8:] == "093000"
    assert row["seen_dt_tm"][:8] == row["iso_date"][:10].replace("-", "") != "20190314"


@pytest.mark.parametrize("column", [[], [7], 7])
def test_columns_that_are_no_names_are_refused(options, tmp_path: Path, column: object) -> None:
    (tmp_path / "in.csv").write_text("text\nx\n")
    with pytest.raises(UsageError, match="column"):
        multideid.deidentify_csv(tmp_path / "in.csv", tmp_path / "o.csv", options, column=column)


@pytest.mark.parametrize(
    ("name", "value", "label"),
    [
        ("NOTE_KEY", "88-31", "IDNUM"),
        ("NOTE_KEY", "see below", None),
        ("UPDATE_DT_TM", "20190314093000", "DATE"),
        ("UPDATE_TIME", "09:30", None),
        ("comment", "617-555-0142", "PHONE"),
        ("attending", "Osei\nKwabena", None),
        ("text", "seen 3/14/2019", None),
        ("mrn", " ", None),
        ("age", "101", "AGE"),
        ("AGE", "94", "AGE"),
        ("Age", "90.0", "AGE"),
        ("PatientAge", "91 y", "AGE"),
        ("Age (years)", "97", "AGE"),
        ("AGEYRS", "97", "AGE"),
        ("age_at_admission", ">= 90", "AGE"),
        ("age_group", "85-94", "AGE"),
        ("age", "1100 months", "AGE"),
        ("age_in_months", "1100", "AGE"),
        ("age_days", "33000", "AGE"),
        ("age", "89", None),
        ("age", "89,9", None),
        ("age", "7", None),
        ("age", "95 days", None),
        ("age_in_months", "95", None),
        ("age", "seen at 101 Main Street, told to come again", None),
        ("gestational_age", "280", None),
        ("stage", "94", None),
        ("dosage", "94", None),
        *((name, "1917", "DATE") for name in ("birth_year", "year_of_birth", "YOB", "BirthYear")),
        ("Year of birth", "1917", "DATE"),
        ("month_of_birth", "5", "DATE"),
        ("death_year", "2009", "DATE"),
        ("model_year", "1917", None),
        *((name, "42.3584", "LOCATION-OTHER") for name in ("latitude", "home_lat", "LNG", "gps")),
        ("lon", "-71.05977", "LOCATION-OTHER"),
        ("lat", "42", "LOCATION-OTHER"),
        ("lat", "42.3584 N", "LOCATION-OTHER"),
        ("GPS_Coordinates", "anything", "LOCATION-OTHER"),
        ("coordinates", "(42.3584, -71.0598)", "LOCATION-OTHER"),
        ("geo", "POINT(-71.0598 42.3584)", "LOCATION-OTHER"),
        ("lat", "lateral view", None),
        ("long", "12", None),
        ("coordinates", "120, 44", None),
    ],
)
def test_the_class_of_a_chosen_value_follows_from_name_or_form(name, value, label) -> None:
    assert field_label(name, value) == label


@pytest.mark.parametrize(
    "name",
    [
        *("PAT_MRN_ID", "MRN_NBR", "ENCNTR_ID", "AUTHOR_USER_ID", "PROV_ID", "hadm_id", "NOTE_ID"),
        *("BIRTH_DT_TM", "CONTACT_DATE", "HOSP_ADMSN_TIME", "charttime", "PCP", "ADD_LINE_1"),
        *("NAME_FULL_FORMATTED", "EMERG_CONTACT", "person_source_value", "visit_occurrence_id"),
    ],
)
def test_names_of_columns_in_extracts_of_record_systems_are_known(name: str) -> None:
    assert identifier_label(name)


@pytest.mark.parametrize("encoding", ["windows-1252", "utf-16", "utf-16-le", "utf-8-sig"])
def test_a_table_in_another_encoding_is_written_in_it(
    options, tmp_path: Path, encoding: str
) -> None:
    text = "mrn,ward,text\r\n7-1,Süd,Größe x\r\n"
    (tmp_path / "in.csv").write_bytes(text.encode(encoding))
    chosen = DeidOptions(model=options.model, n_jobs=1, encoding=encoding)
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    result = multideid.deidentify_csv(source, target, chosen, column=["mrn", "text"])
    assert not result.failures
    new = text.replace("7-1", "[ID]").replace(" x", " [NAME]")
    assert target.read_bytes() == new.encode(encoding)


@pytest.mark.parametrize(
    ("encoding", "problem"),
    [
        ("windows-1252", "byte 21: .* looks like Windows-1252: .* --encoding windows-1252"),
        ("utf-16", "is UTF-16 text; read it with --encoding utf-16"),
    ],
)
def test_the_encoding_to_name_is_told(options, tmp_path: Path, encoding: str, problem: str) -> None:
    (tmp_path / "in.csv").write_bytes("id,text\n1,Die Größe der Läsion\n".encode(encoding))
    with pytest.raises(CorpusError, match=problem.replace("21", r"\d+")):
        multideid.deidentify_csv(tmp_path / "in.csv", tmp_path / "out.csv", options)


def test_a_row_whose_new_text_the_encoding_lacks_fails_alone(options, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes("text,n\nx é,1\ny é,2\n".encode("latin-1"))
    chosen = DeidOptions(
        model=options.model, n_jobs=1, encoding="latin-1", mode=lambda document, span: "山"
    )
    result = multideid.deidentify_csv(tmp_path / "in.csv", tmp_path / "out.csv", chosen)
    assert [failure.name for failure in result.failures] == [f"{tmp_path / 'in.csv'} row 1"]
    assert (tmp_path / "out.csv").read_bytes().decode("latin-1") == 'text,n\n"",1\ny é,2\n'


@pytest.mark.parametrize("delimiter", [";", "|", "\t"])
def test_the_delimiter_is_that_with_which_the_columns_are_found(
    options, tmp_path: Path, delimiter: str
) -> None:
    table = f"mrn{delimiter}text\n7-1{delimiter}a, x\n"
    (tmp_path / "in.csv").write_text(table)
    multideid.deidentify_csv(
        tmp_path / "in.csv", tmp_path / "out.csv", options, column=["mrn", "text"]
    )
    new = table.replace("7-1", "[ID]").replace("x\n", "[NAME]\n")
    assert (tmp_path / "out.csv").read_text() == new.replace("te[NAME]", "text")


RTF = r"{\rtf1\ansi\pard Seen b\b y x\b0 .\par}"


def test_files_in_cells_are_read_by_their_structure(options, tmp_path: Path) -> None:
    cda = '<ClinicalDocument><id root="1.2" extension="77"/></ClinicalDocument>'
    pd.DataFrame({"mrn": ["7", "8"], "text": [RTF, cda]}).to_csv(tmp_path / "in.csv", index=False)
    multideid.deidentify_csv(
        tmp_path / "in.csv", tmp_path / "out.csv", options, column=["text", "mrn"]
    )
    new = pd.read_csv(tmp_path / "out.csv", dtype=str)
    assert new["text"].tolist() == [RTF.replace("x", "[NAME]"), cda.replace("77", "[ID]")]
    assert new["mrn"].tolist() == ["[ID]", "[ID]"]


def test_a_cell_with_a_damaged_file_fails_and_as_text_reads_it(options, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("text\n{\\rtf1 x\ny\n")
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    result = multideid.deidentify_csv(source, target, options)
    assert [tuple(failure) for failure in result.failures] == [
        (f"{source} row 1", "is RTF whose braces do not match")
    ]
    assert target.read_text() == 'text\n""\ny\n'
    as_text = DeidOptions(model=options.model, n_jobs=1, as_text=True, overwrite=True)
    multideid.deidentify_csv(source, target, as_text)
    assert target.read_text() == "text\n{\\rtf1 [NAME]\ny\n"


@pytest.mark.parametrize("declared", ["latin-1", "ALDER1961"])
def test_what_a_cell_declares_of_its_encoding_is_not_in_the_failure(
    options, tmp_path: Path, declared: str
) -> None:
    cell = f'<?xml version="1.0" encoding="{declared}"?><a>x\u0142</a>'
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    pd.DataFrame({"text": [cell]}).to_csv(source, index=False)
    (failure,) = multideid.deidentify_csv(source, target, options).failures
    assert "does not fit" in failure.problem
    assert "--as-text" in failure.problem
    assert not any(text in failure.problem for text in (declared, "\u0142", "\\u"))
