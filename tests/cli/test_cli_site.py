"""A site's knowledge on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from multideid.document import Document, Span
from multideid.taggers import registry

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


def test_known_values_vote_in_reports_beside_the_systems(deid, tmp_path) -> None:
    table, notes, report = tmp_path / "p.csv", tmp_path / "n.csv", tmp_path / "report.json"
    table.write_text("patient,mrn,last_name\n7,B-1234,Alder\n")
    notes.write_text("pat,text\n7,B-1234 Alder B-5678\n")
    options = ("--patients", table, "--patient-field", "pat", "--report", report)
    result = deid(notes, *options, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    (document,) = json.loads(report.read_text())["documents"]
    votes = [span["systems"] for span in document["spans"]]
    assert votes == [["badge", "known-values"], ["known-values"], ["badge"]]
    assert "alder" not in report.read_text().lower()


class OwnNumber:
    name, summary = "own-number", "The id of the note's patient, or badge numbers without one."

    def tag(self, document: Document) -> list[Span]:
        own = re.escape(str(document.meta.get("patient") or "")) or "B-[0-9]{4}"
        return [Span(*match.span(), "ID") for match in re.finditer(own, document.text)]


def test_a_plug_in_sees_the_patient_field(invoke, corpus, tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(registry._SESSION, "own-number", OwnNumber)
    model, notes = tmp_path / "own", tmp_path / "n.csv"
    assert invoke("train", corpus, "--mode", "own-number", "--out", model).exit_code == 0
    notes.write_text("pat,text\n771,771 and 882\n882,771 and 882\n")
    options = ("--model", model, "--patient-field", "pat", "--out", tmp_path / "out")
    result = invoke("deid", notes, "--column", "text", *options)
    assert result.exit_code == 0, result.output
    written = (tmp_path / "out" / "n.csv").read_text()
    assert written == "pat,text\n771,[ID] and 882\n882,771 and [ID]\n"


def test_a_site_file_may_name_the_table_of_patients(deid, notes, tmp_path) -> None:
    _list(tmp_path, "p.csv", "mrn,last_name", "99887766,Zwick")
    site = _list(tmp_path, "site.toml", 'patients = "p.csv"')
    (notes / "a.txt").write_text("MRN 99887766, Zwick")
    deid(notes, "--site", site, "--out", tmp_path / "out")
    assert (tmp_path / "out" / "a.txt").read_text() == "MRN [ID], [PATIENT]"


PRESET_NOTE = "Martha Alder, 94, was seen on 3/14/2007 in Oslo by B-1234; call 617 555 0134.\n"
PRESET_LISTS = {
    "PATIENT": "Martha Alder",
    "AGE": "94",
    "DATE": "3/14/2007",
    "CITY": "Oslo",
    "PHONE": "617 555 0134",
}


@pytest.fixture
def preset_site(tmp_path: Path) -> Path:
    """Return a site with lists from which the notes' PHI is found."""
    lists = [f'[deny.{label}]\nentries = ["{entry}"]' for label, entry in PRESET_LISTS.items()]
    return _list(tmp_path, "site.toml", *lists)


@pytest.fixture
def preset_notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.csv"
    path.write_text(f'mrn,text\n7,"{PRESET_NOTE.strip()}"\n')
    return path


def _deidentified(deid, notes: Path, *options: object) -> str:
    out = notes.parent / "out"
    result = deid(notes, "--out", out, *options)
    assert result.exit_code == 0, result.output
    return (out / notes.name).read_text()


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("safe-harbor", "[PATIENT], 90+, was seen on [DATE] in [CITY] by [ID]; call [PHONE]."),
        (
            "limited-data-set",
            "[PATIENT], 94, was seen on 3/14/2007 in Oslo by [ID]; call [PHONE].",
        ),
    ],
)
def test_presets_do_what_they_promise(deid, preset_notes, preset_site, preset, expected) -> None:
    text = _deidentified(deid, preset_notes, "--site", preset_site, "--preset", preset)
    assert text == f'mrn,text\n7,"{expected}"\n'


def test_pseudonyms_agree_between_runs_with_a_key_and_dates_are_shifted(
    deid, preset_notes, preset_site, tmp_path
) -> None:
    key = _list(tmp_path, "key", "sixteen bytes or more")
    options = ("--site", preset_site, "--preset", "gdpr-pseudonymous", "--key-file", key,
               "--patient-field", "mrn")  # fmt: skip
    text = _deidentified(deid, preset_notes, *options)
    shape = (
        r"\[PATIENT-\w{8}\], 90\+, was seen on (\d+/\d+/\d{4}) in \[CITY-\w{8}\] "
        r"by \[ID-\w{8}\]; call \[PHONE-\w{8}\]\."
    )
    match = re.search(shape, text)
    assert match is not None
    assert match[1] != "3/14/2007"
    assert _deidentified(deid, preset_notes, *options, "--overwrite") == text


def test_actions_go_over_those_of_the_site_and_its_preset(deid, preset_notes, preset_site) -> None:
    preset_site.write_text(
        f'preset = "safe-harbor"\n[actions]\nDATE = "remove"\n{preset_site.read_text()}'
    )
    text = _deidentified(
        deid, preset_notes, "--site", preset_site, "--action", "PATIENT=keep,CITY=remove"
    )
    assert "Martha Alder, 90+, was seen on  in  by [ID]; call [PHONE]." in text


def test_kept_phi_is_neither_counted_nor_reported_and_the_output_is_private(
    deid, preset_notes, preset_site, tmp_path
) -> None:
    report = tmp_path / "report.json"
    options = ("--site", preset_site, "--action", "PATIENT=keep,*=tag", "--report", report)
    text = _deidentified(deid, preset_notes, *options)
    assert "Martha Alder, <AGE>94</AGE>, was" in text
    (document,) = json.loads(report.read_text())["documents"]
    assert {span["label"] for span in document["spans"]} == {*PRESET_LISTS, "ID"} - {"PATIENT"}
    assert (preset_notes.parent / "out" / "notes.csv").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--action", "DATE"), "--action is LABEL=ACTION"),
        (("--action", "ID=keep,ID=mask"), "--action has ID twice"),
        (("--action", "ID=kep"), "actions ID: must be one of keep, mask"),
        (("--action", "ID=shift"), "actions ID: shift is for dates"),
        (("--action", "CITY=keep"), "actions has CITY, which is never found; there are ID"),
        (("--preset", "safe-harbor", "--as", "hash"), "give one of them"),
        (("--preset", "safe-harbour"), "safe-harbour"),
    ],
)
def test_actions_that_cannot_be_done_are_refused(deid, notes, tmp_path, options, problem) -> None:
    result = deid(notes, "--out", tmp_path / "out", *options)
    assert result.exit_code == 2
    assert problem in " ".join(result.stderr.replace("│", " ").split())
    assert not list(tmp_path.glob("out/*.txt"))


def test_the_order_of_dates_is_an_option(deid, preset_notes, preset_site, tmp_path) -> None:
    preset_notes.write_text("mrn,text\n7,seen 3/4/2007\n")
    preset_site.write_text('[deny.DATE]\nentries = ["3/4/2007"]\n')
    key = _list(tmp_path, "key", "sixteen bytes or more")
    texts = [
        _deidentified(
            deid, preset_notes, "--site", preset_site, "--as", "surrogate", "--key-file", key,
            "--patient-field", "mrn", "--overwrite", *options,
        )
        for options in ((), ("--date-order", "month-first"), ("--date-order", "day-first"))
    ]  # fmt: skip
    assert texts[0] == texts[1] != texts[2]
