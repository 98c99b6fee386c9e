"""``multideid deid`` on files of hospital systems, recognised by their content."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pytest

from multideid.redact import keys

MESSAGE = (
    "MSH|^~\\&|LAB|ACME|||20070314||ORU^R01|7|P|2.5\r"
    "PID|||B-1000^^^ACME||ALDER^MARTHA||19610615\r"
    "OBX|1|TX|N^Note^L||Martha Alder has badge B-1234.||||||F\r"
)
MASKED = (
    "MSH|^~\\&|LAB|[HOSPITAL]|||[DATE]||ORU^R01|[ID]|P|2.5\r"
    "PID|||[ID]^^^[HOSPITAL]||[PATIENT]^[PATIENT]||[DATE]\r"
    "OBX|1|TX|N^Note^L||[PATIENT] has badge [ID].||||||F\r"
)
LINES = '{"id": 1, "text": "by B-1234"}\n{"id": 2, "text": "UNBEARABLE"}\n{"id": 3, "text": "x"}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a file of each format, and a note."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "note.txt").write_text("by B-1234")
    (folder / "message.hl7").write_bytes(MESSAGE.encode())
    (folder / "hidden-message.txt").write_bytes(MESSAGE.encode())
    resource = {"resourceType": "Patient", "id": "7", "name": [{"family": "Alder"}]}
    (folder / "patient.json").write_text(json.dumps(resource))
    (folder / "notes.jsonl").write_text(LINES.replace("UNBEARABLE", "y"))
    (folder / "export.xml").write_text("<notes><note>by B-1234</note></notes>")
    return folder


def test_files_are_read_by_their_content_whatever_their_name(deid, folder, tmp_path) -> None:
    result = deid(folder, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    written = {path.name: path.read_bytes().decode() for path in (tmp_path / "out").iterdir()}
    assert written == {
        "note.txt": "by [ID]",
        "message.hl7": MASKED,
        "hidden-message.txt": MASKED,
        "patient.json": '{"resourceType": "Patient", "id": "[ID]", "name": [{"family": "[NAME]"}]}'
        .replace("[NAME]", "[PATIENT]"),
        "notes.jsonl": LINES.replace("B-1234", "[ID]").replace("UNBEARABLE", "y"),
        "export.xml": "<notes><note>by [ID]</note></notes>",
    }  # fmt: skip


def test_as_text_insists(deid, folder, tmp_path) -> None:
    result = deid(folder / "message.hl7", "--as-text", "--out", tmp_path / "out")
    assert result.exit_code == 0
    written = (tmp_path / "out" / "message.hl7").read_bytes().decode()
    assert written == MESSAGE.replace("B-1000", "[ID]").replace("B-1234", "[ID]")


def test_standard_input_is_read_by_structure_too(deid) -> None:
    result = deid("-", stdin=MESSAGE.encode())
    assert result.stdout_bytes.decode() == MASKED
    keyed = deid("-", "--json-path", "note", stdin=b'{"note": "B-1234", "text": "B-1234"}')
    assert keyed.stdout_bytes == b'{"note": "[ID]", "text": "B-1234"}'


def test_line_that_fails_is_left_out_and_named(deid, tmp_path) -> None:
    (tmp_path / "notes.jsonl").write_text(LINES)
    result = deid(tmp_path / "notes.jsonl", "--json-id", "id", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "notes.jsonl id 2: " in result.stderr
    written = (tmp_path / "out" / "notes.jsonl").read_text()
    assert written == '{"id": 1, "text": "by [ID]"}\n{"id": 3, "text": "x"}\n'


def test_file_that_is_broken_in_the_middle_is_not_written(deid, tmp_path) -> None:
    (tmp_path / "notes.jsonl").write_text(LINES.replace("UNBEARABLE", "y") + '{"id": Zanzibar\n')
    result = deid(tmp_path / "notes.jsonl", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "notes.jsonl: line 4: not valid JSON" in result.stderr
    assert "Zanzibar" not in result.output
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [tmp_path / "notes.jsonl"]


def test_surrogates_of_a_patient_agree_in_messages_and_lines(deid, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    (tmp_path / "key").write_bytes(b"a secret of sixteen bytes")
    (tmp_path / "batch.hl7").write_bytes((MESSAGE + MESSAGE.replace("B-1234", "B-9999")).encode())
    options = ("--as", "surrogate", "--key-file", tmp_path / "key", "--out", tmp_path / "out")
    assert deid(tmp_path / "batch.hl7", *options).exit_code == 0
    first, second = (tmp_path / "out" / "batch.hl7").read_text().split("MSH")[1:]
    lines = zip(first.split("\r")[1:2], second.split("\r")[1:2], strict=True)
    assert all(one == other for one, other in lines)
    assert "ALDER" not in first
    (tmp_path / "n.jsonl").write_text('{"text": "B-1234", "p": 7}\n{"text": "B-1234", "p": 7}\n')
    assert deid(tmp_path / "n.jsonl", "--patient-field", "p", *options).exit_code == 0
    one, other = (tmp_path / "out" / "n.jsonl").read_text().splitlines()
    assert one == other


def test_structured_files_are_restored_from_a_vault(
    deid, invoke, folder, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    monkeypatch.setenv("MULTIDEID_KEY", "a secret of sixteen bytes")
    vault = ("--vault", tmp_path / "vault")
    assert deid(folder, "--out", tmp_path / "out", *vault).exit_code == 0
    result = invoke("restore", tmp_path / "out", "--out", tmp_path / "back", *vault)
    assert result.exit_code == 0, result.output
    for path in folder.iterdir():
        assert (tmp_path / "back" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("mode", ["mask", "tag", "hash", "surrogate"])
def test_names_of_sheets_are_restored(deid, invoke, tmp_path, monkeypatch, mode) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    monkeypatch.setenv("MULTIDEID_KEY", "a secret of sixteen bytes")
    workbook = openpyxl.Workbook()
    workbook.active.title = "MRN B-1234"
    workbook.create_sheet("B-1234 and all that is of it")["A1"] = "='MRN B-1234'!A2"
    workbook.save(tmp_path / "notes.xlsx")
    vault = ("--vault", tmp_path / "vault")
    redacted = deid(tmp_path / "notes.xlsx", "--as", mode, "--out", tmp_path / "out", *vault)
    assert redacted.exit_code == 0
    masked = openpyxl.load_workbook(tmp_path / "out" / "notes.xlsx")
    assert not set(masked.sheetnames) & set(workbook.sheetnames)
    result = invoke("restore", tmp_path / "out", "--out", tmp_path / "back", *vault)
    assert result.exit_code == 0, result.output
    restored = openpyxl.load_workbook(tmp_path / "back" / "notes.xlsx")
    assert restored.sheetnames == workbook.sheetnames
    assert restored.worksheets[1]["A1"].value == "='MRN B-1234'!A2"


def test_letters_in_hexadecimal_of_a_message_are_restored(
    deid, invoke, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    monkeypatch.setenv("MULTIDEID_KEY", "a secret of sixteen bytes")
    message = MESSAGE.replace("ALDER", r"M\XFC\LLER").replace("badge", r"\H\a \XE4\\N\ badge")
    (tmp_path / "m.hl7").write_bytes(message.encode())
    vault = ("--vault", tmp_path / "vault")
    assert deid(tmp_path / "m.hl7", "--out", tmp_path / "out", *vault).exit_code == 0
    assert "LLER" not in (tmp_path / "out" / "m.hl7").read_text()
    assert invoke("restore", tmp_path / "out", "--out", tmp_path / "back", *vault).exit_code == 0
    assert (tmp_path / "back" / "m.hl7").read_bytes() == message.encode()


def test_removed_values_of_structured_files_have_no_vault(
    deid, folder, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    monkeypatch.setenv("MULTIDEID_KEY", "a secret of sixteen bytes")
    options = ("--as", "remove", "--vault", tmp_path / "vault", "--out", tmp_path / "out")
    result = deid(folder / "message.hl7", folder / "note.txt", *options)
    assert "message.hl7: a vault cannot restore what is removed" in result.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["note.txt"]


def test_report_names_votes_of_fields(deid, folder, tmp_path) -> None:
    report = tmp_path / "report.json"
    deid(folder / "message.hl7", "--out", tmp_path / "out", "--report", report)
    (document,) = json.loads(report.read_text())["documents"]
    assert [span["systems"] for span in document["spans"]].count(["badge"]) == 2
    assert ["field"] in [span["systems"] for span in document["spans"]]


def test_formats_are_listed(invoke) -> None:
    listed = json.loads(invoke("formats", "--json").stdout)
    assert {"hl7", "fhir", "json", "cda", "xml", "brat"} <= listed.keys()


def test_format_of_messages_is_none_of_corpora(invoke, tmp_path, corpus) -> None:
    result = invoke("convert", corpus, tmp_path / "out", "--to", "hl7")
    assert result.exit_code == 2
    assert "format 'hl7' is for the files of multideid deid, not for corpora" in result.stderr


def test_text_in_windows_1252_is_named_and_read_if_asked(deid, tmp_path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9 B-1234 \x93x\x94")
    refused = deid(tmp_path / "a.txt", "--out", tmp_path / "out")
    assert refused.exit_code == 1
    assert "looks like Windows-1252: read it with --encoding windows-1252" in refused.stderr
    deid(tmp_path / "a.txt", "--encoding", "windows-1252", "--out", tmp_path / "out")
    assert (tmp_path / "out" / "a.txt").read_bytes() == b"caf\xe9 [ID] \x93x\x94"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "is an image: only text is read"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "is an image"),
        (b"\0" * 128 + b"DICM\2\0", "is a DICOM image"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "is an old Office file or Outlook message: save"),
        (b"7z\xbc\xaf\x27\x1c\0\4", "is a 7z archive: unpack it first"),
        (b"BZh91AY&SY", "is compressed with bzip2"),
        (b"PAR1\x15\4", "is a Parquet table: name it .parquet"),
        (b"note\0with NUL", "is binary, not text"),
        ("note B-1234".encode("utf-16"), "is UTF-16 text; read it with --encoding utf-16"),
        (b'{"text": "B-1234"', "line 1: looks like JSON, but is not valid"),
        (b"<note>B-1234", "line 1: looks like XML, but is not well-formed"),
        (b'<!DOCTYPE a [<!ENTITY d "B-1234">]><a>&d;</a>', "line 1: declares an entity"),
        (b"<!DOCTYPE a [<!ELEMENT a ANY>]><a>B-1234</a>", "has a document type with declarations"),
        (b'<!DOCTYPE a [\n<!ATTLIST a b CDATA "c">]><a/>', "line 2: declares a default value"),
        (b'<!DOCTYPE a SYSTEM "a.dtd"><a>B-1234</a>', "line 1: has a DOCTYPE outside the file"),
        (
            b'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"\n'
            b'"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html>B-1234</html>',
            "line 2: has a DOCTYPE outside the file",
        ),
        (
            b'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"\n'
            b'"http://www.w3.org/TR/html4/strict.dtd"><html>B-1234<br></html>',
            "line 1: looks like HTML that is not well-formed XML",
        ),
        (b"<html><p>B-1234<br></html>", "line 1: looks like HTML"),
        (b"log\nMSH|^~\\&|A|B", "line 2: an HL7 message begins here"),
        (b"letter\n" + b"QWxkZXIgaXMgaGVyZSAx" * 4 + b"\n" * 1, None),
        ((b"QWxkZXIgaXMgaGVyZSAx" * 4 + b"\n") * 4, "line 1: holds encoded data (base64)"),
        (b"Scan: " + b"QWxkZXIgaXMgaGVyZSAx" * 30, "line 1: holds encoded data (base64)"),
        (b"\xff\xfe\x00", "is UTF-16 text"),
        (b"ISA*00*   *00*  *ZZ*A*ZZ*B*030101*1253~NM1*IL*1*ALDER", "line 1: is an X12 interchange"),
        (b"UNA:+.? 'UNB+UNOC:3+A+B'PNA+PAT++++SU:Alder", "line 1: is an EDIFACT interchange"),
        (b"UNB+UNOC:3+A+B'PNA+PAT++++SU:Alder", "line 1: is an EDIFACT interchange"),
        (b"H|\\^&|||LIS\rP|1|445|||Alder^Ann", "line 1: is a message of a laboratory instrument"),
        (b"PID|1||445^^^A||ALDER^ANN", "line 1: is a part of an HL7 message"),
        (
            b"Subject: x\nContent-Transfer-Encoding: quoted-printable\n\nMs. Al=\nder",
            "line 2: holds an e-mail message in a transfer encoding",
        ),
        (b"\nDr. M=C3=BCller", "line 2: holds letters as codes"),
        (b"by Dr. O=E2=80=99Brien", "line 1: holds letters as codes"),
        (b"From: =?iso-8859-1?Q?Andr=E9_Alder?= <a@x.org>", "line 1: holds an e-mail message"),
        (b"x\nSubject: =?UTF-8?b?QWxkZXI=?=", "line 2: holds an e-mail message"),
        (b"\nDr. M=FCller", "line 2: holds letters as codes, such as =FC"),
        (b"Dr. Garc=EDa", "line 1: holds letters as codes"),
        (b"Ms. =C5kesson", "line 1: holds letters as codes"),
        (b"MS. M=DCLLER, GR=D6NING", "line 1: holds letters as codes"),
        (b"on 3/14=\n/2007", "line 1: holds an e-mail message"),
        (b"x" * 46 + b" she said to me that Ms. Al=\r\nder", "line 1: holds an e-mail message"),
        (b"\nSeen by Jos=E9 today,=20\nwell", "line 2: holds an e-mail message"),
        (b"Jos=E9 was see=\nn", "line 1: holds an e-mail message"),
        (b"name=M%c3%bcller", "line 1: holds letters as codes"),
        (b"Dr. M&uuml;ller", "line 1: holds letters as codes"),
        (b"Mr. M&amp;uuml;ller", "line 1: holds letters as codes"),
        (b"Mr. O&#39;Brien", "line 1: holds letters as codes"),
        (b"Dr. Mu+AN8-ler", "line 1: holds letters as codes of UTF-7"),
        (b"Dr. M\\u00fcller", "line 1: holds letters as codes, such as \\u00fc"),
        (b"Martha_x0020_Alder", "line 1: holds letters as codes"),
        (
            b"\nForm: name=Martha%20Alder&mrn=%234458812&note=Seen%20on%203%2F14%2F2007",
            "line 2: holds text in percent-encoding, such as %20",
        ),
        (b"name=Martha+Alder&mrn=%23445&on=3%2f14%2f2007", "line 1: holds text in percent-"),
        (b"BM\x36\0\0\0\0\0", "is an image"),
        (b"\nBEGIN:VCARD\r\nN:Alder;Ann\r\nEND:VCARD", "line 2: holds an address card (vCard)"),
        (b"BEGIN:VCALENDAR\nSUMMARY:Ann Alder", "line 1: holds a calendar (iCalendar)"),
        (
            b"-- dump\nINSERT INTO `pat` (`a`) VALUES ('B-1234');",
            "line 2: holds a dump of a database",
        ),
        (b"INSERT INTO pat VALUES\n('B-1234');", "line 1: holds a dump of a database"),
        (b"CREATE TABLE pat (\n name text);", "line 1: holds a dump of a database"),
        (b"COPY pat (id, name) FROM stdin;\n1\tAlder", "line 1: holds a dump of a database"),
        (b"mrn,name,note\n1,Alder,x\n2,Lee,y\n", "line 1: looks like a table: name it .csv"),
        (b"MRN\tLast Name\tNote\n1\tAlder\tx\n2\tLee\ty\n", "line 1: looks like a table"),
        (b"id;name;dob\n1;'B-1234';1961\n2;Lee;1970\n", "line 1: looks like a table"),
        (b"mrn,name,note\n" + 3 * (b"1,Lee,%b\n" % (40_000 * b"x ")), "line 1: looks like a table"),
        (
            b"mrn,note,by\n" + 90 * (b'1,"%b",Lee\n' % (200 * b"seen\n")),
            "line 1: looks like a table",
        ),
        (70_000 * b"x " + b"B\0-\x001\0", "is binary, not text"),
        (
            b"Jos\x8e Mu\x96oz and Ren\x8ee",
            "byte 3: not UTF-8, but it looks like Mac Roman",
        ),
    ],
)
def test_data_that_is_not_understood_is_refused_with_a_remedy(
    deid, tmp_path, data, problem
) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    result = deid(tmp_path / "a.txt", "--out", tmp_path / "out")
    if problem is None:
        assert result.exit_code == 0
        return
    assert result.exit_code == 1
    assert f"failed: {tmp_path / 'a.txt'}: {problem}" in result.stderr
    assert not (tmp_path / "out" / "a.txt").exists()
    assert "B-1234" not in result.output


CODED = {
    "quoted-printable": "Dr. M=C3=BCller",
    "header": "=?utf-8?Q?Andr=C3=A9?= wrote",
    "codes of codes": "Dr. M&amp;uuml;ller",
    "percent": "Martha%20Alder%20%284458812%29 Müller",
    "base64": "Scan: " + "QWxkZXIgaXMgaGVyZSAx" * 30,
}


@pytest.mark.parametrize("text", CODED.values(), ids=CODED)
def test_values_with_text_as_codes_are_withheld_and_rows_fail(deid, tmp_path, text) -> None:
    cell = text.replace("&", "&amp;")
    (tmp_path / "a.hl7").write_text(MESSAGE.replace("Martha Alder has", text.replace("&", "\\T\\")))
    (tmp_path / "a.xml").write_text(f"<a><b>{cell} B-1234</b><b c='{cell}'>well</b></a>")
    (tmp_path / "a.json").write_text(json.dumps([{"text": text}, {"text": "by B-1234"}]))
    (tmp_path / "a.csv").write_text(f"id,text\n1,{text}\n2,by B-1234\n")
    result = deid(*tmp_path.glob("a.*"), "--column", "text", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "a.csv row 1: holds" in result.stderr
    written = {path.suffix: path.read_text() for path in (tmp_path / "out").iterdir()}
    assert not [each for each in written.values() if text[-5:] in each or "ller" in each]
    assert written[".csv"] == 'id,text\n1,""\n2,by [ID]\n'
    assert written[".json"].endswith('{"text": "by [ID]"}]')
    assert written[".xml"].endswith("'>well</b></a>")


def test_html_in_values_is_read_by_its_structure(deid, tmp_path) -> None:
    html, masked = "by <b>B-</b>1&#50;34<br>R&amp;D", "by <b>[ID]</b><br>R&amp;D"
    (tmp_path / "a.json").write_text(json.dumps({"text": html}))
    (tmp_path / "a.csv").write_text(f"id,text\n1,{html}\n")
    result = deid(*tmp_path.glob("a.*"), "--column", "text", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "out" / "a.json").read_text()) == {"text": masked}
    assert (tmp_path / "out" / "a.csv").read_text() == f"id,text\n1,{masked}\n"


def test_html_in_cells_is_no_markup_if_read_as_text(deid, tmp_path) -> None:
    (tmp_path / "a.csv").write_text("id,text\n1,Dr. M=C3=BCller has <b>B-1234</b>\n")
    options = ("--column", "text", "--as-text", "--out", tmp_path / "out")
    assert deid(tmp_path / "a.csv", *options).exit_code == 0
    assert "=BCller has <b>[ID]</b>" in (tmp_path / "out" / "a.csv").read_text()


def test_ordinary_notes_are_not_refused(deid, tmp_path) -> None:
    notes = {
        "brackets": "[**2007-3-14**] seen by [**Lee**]",
        "braces": "{plan} home",
        "angle": "<1 cm lesion, <b> not bold",
        "rule": "-" * 200 + "\n" + "=" * 100 + "\n" + "x" * 500,
        "sequence": "ACGT" * 300,
        "url": "https://example.org/" + "path/" * 100,
        "json inside": 'the lab sent {"a": 1} again',
        "references": "R&amp;D, BP&lt;90, a&nbsp;b, &quot;well&quot; &#8211; T&A; &uuml",
        "equals": "C3=C5=A8, ER=C8 = 90, 50%C30, ISA*, UNB, PID 4",
        "laboratory": "pH=7.4, Na=14, K=4.1, x=FF, HR=20\nEF=DECREASED RR=20\nD5=C3 BE=E2\n",
        "codes": "IVF=D5NS, fluid=D5ns, stage=C2a, grade=E1 Bed=E8, Child=C10, mask=FFFF",
        "forms": "weight=\nheight=\nage=\nTotal=\n40\n300=\n800, echo=3D image",
        "questions": "x=?utf? a=?b?c?=d, level =C5 nerve, =DNR",
        "mail": "Content-Transfer-Encoding: 8bit, said the mail",
        "movement": "BM x2 today, soft. Seen by Lee.",
        "receptor": "PAR1 antagonist stopped.",
        "infarct": "STEMI+AMI-related, old+ACE-inhibitor, on digoxin +AMI- x",
        "quoted": "They sent me this: PID|1||445 and nothing else",
        "sql": "insert into wound; create table in chart. Values (old) below",
        "percent": "Neut 100%20 bands, 50% of 20, sat.%95, EF 55%2D echo, segs%60lymph%20mono%5",
        "web": "https://x.org/scan%20of%20Alder%2Fb, www.x.org/?name=Martha%20Alder",
        "lists": "Na, K, Cl\n140, 4, 100\n139, 4, 99\n",
        "prose": "Name, age, and date.\nSmith, 61, today.\nLee, 70, now, then.\n",
        "columns": "Name | Dose | When\nASA | 81 | daily\n\nSeen today.\n",
    }
    (tmp_path / "in").mkdir()
    for name, text in notes.items():
        (tmp_path / "in" / f"{name}.txt").write_text(text)
    (tmp_path / "in" / "all.json").write_text(json.dumps([{"text": t} for t in notes.values()]))
    result = deid(tmp_path / "in", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    assert [note["text"] for note in json.loads((tmp_path / "out" / "all.json").read_text())] == [
        (tmp_path / "out" / f"{name}.txt").read_text() for name in notes
    ]


SPANISH = (
    "El paciente refiere dolor en el pecho desde hace tres días, sin fiebre. Fue visto por la "
    "doctora y se le dio el alta con tratamiento para la tensión."
)


def test_notes_in_another_language_are_refused_unless_asked(invoke, tmp_path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "es.txt").write_text(SPANISH)
    (tmp_path / "in" / "en.txt").write_text("Seen by Dr. Lee.")
    result = invoke("deid", tmp_path / "in", "--out", tmp_path / "out", "--jobs", 1)
    assert result.exit_code == 1
    assert f"failed: {tmp_path / 'in' / 'es.txt'}: is in Spanish" in result.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["en.txt"]
    predicted = invoke(
        "predict", "en-default", tmp_path / "in", "--out", tmp_path / "p", "--jobs", 1
    )
    assert "es: is in Spanish" in predicted.stderr
    options = ("--language-check", "off", "--out", tmp_path / "all", "--jobs", 1)
    assert invoke("deid", tmp_path / "in", *options).exit_code == 0
