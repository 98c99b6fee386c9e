"""A site's knowledge on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTE = "Seen by B-1234 and zwick in Wd7.\n"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text(NOTE)
    return folder


def _list(folder: Path, name: str, *entries: str) -> Path:
    path = folder / name
    path.write_text("".join(f"{entry}\n" for entry in entries))
    return path


def test_lists_and_labels_are_options(deid, notes, tmp_path) -> None:
    staff, allowed = _list(tmp_path, "staff", "Zwick"), _list(tmp_path, "allow", "/B-1[0-9]+/")
    deid(notes, "--deny", f"ID={staff}", "--out", tmp_path / "a")
    assert (tmp_path / "a" / "a.txt").read_text() == "Seen by [ID] and [ID] in Wd7.\n"
    deid(notes, "--deny", f"ID={staff}", "--allow", allowed, "--out", tmp_path / "b")
    assert (tmp_path / "b" / "a.txt").read_text() == "Seen by B-1234 and [ID] in Wd7.\n"
    deid(notes, "--deny", f"PLACE={staff}", "--labels", "PLACE", "--out", tmp_path / "c")
    assert (tmp_path / "c" / "a.txt").read_text() == "Seen by B-1234 and [PLACE] in Wd7.\n"


def test_a_site_file_is_joined_with_the_options(deid, notes, tmp_path) -> None:
    site = _list(tmp_path, "site.toml", "[allow]", 'entries = ["B-1234"]', "[[patterns]]",
                 'name = "ward"', 'label = "ID"', "regex = 'Wd[0-9]+'")  # fmt: skip
    staff = _list(tmp_path, "staff", "Zwick")
    result = deid(notes, "--site", site, "--deny", f"ID={staff}", "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert (tmp_path / "out" / "a.txt").read_text() == "Seen by B-1234 and [ID] in [ID].\n"


def test_reports_name_the_knowledge_and_no_value(deid, notes, tmp_path) -> None:
    staff = _list(tmp_path, "staff", "Zwick")
    report = tmp_path / "report.json"
    deid(notes, "--deny", f"ID={staff}", "--out", tmp_path / "out", "--report", report)
    (document,) = json.loads(report.read_text())["documents"]
    assert [span["systems"] for span in document["spans"]] == [["badge"], ["deny-list"]]
    assert "zwick" not in report.read_text().lower()


def test_a_wrong_file_is_refused_with_its_line_before_anything_is_written(
    deid, notes, tmp_path
) -> None:
    site = _list(tmp_path, "site.toml", 'recall = "high"', "", "[deny.ID]", 'entrys = ["Zwick"]')
    result = deid(notes, "--site", site, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert f"error: {site}: line 4: deny.ID.entrys: unknown key" in result.stderr
    assert "Zwick" not in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["staff", "=staff", "ID="])
def test_a_malformed_list_option_is_refused(deid, notes, tmp_path, option) -> None:
    result = deid(notes, "--deny", option, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "--deny is LABEL=FILE" in result.stderr


def test_predictions_in_json_lines_have_scores_and_sources(invoke, model, notes, tmp_path) -> None:
    staff, out = _list(tmp_path, "staff", "Zwick"), tmp_path / "found.jsonl"
    result = invoke("predict", model, notes, "--deny", f"ID={staff}", "--to", "jsonl", "--out", out)
    assert result.exit_code == 0, result.output
    record = json.loads(out.read_text())
    assert record["spans"] == [
        {"start": 8, "end": 14, "label": "ID"},
        {"start": 19, "end": 24, "label": "ID", "score": 1.0, "sources": ["deny-list"]},
    ]
    assert "meta" not in record


def test_known_patients_are_joined_by_the_patient_field(deid, tmp_path) -> None:
    table, notes = tmp_path / "patients.csv", tmp_path / "notes.csv"
    table.write_text("patient,last_name\n7,Alder\n8,Beech\n")
    notes.write_text("pat,text\n7,Alder and Beech\n8,ALDER and BEECH\n")
    result = deid(notes, "--patients", table, "--patient-field", "pat", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    written = (tmp_path / "out" / "notes.csv").read_text()
    assert written == "pat,text\n7,[PATIENT] and Beech\n8,ALDER and [PATIENT]\n"


def test_a_site_file_may_name_the_table_of_patients(deid, notes, tmp_path) -> None:
    _list(tmp_path, "p.csv", "mrn,last_name", "99887766,Zwick")
    site = _list(tmp_path, "site.toml", 'patients = "p.csv"')
    (notes / "a.txt").write_text("MRN 99887766, Zwick")
    deid(notes, "--site", site, "--out", tmp_path / "out")
    assert (tmp_path / "out" / "a.txt").read_text() == "MRN [ID], [PATIENT]"
