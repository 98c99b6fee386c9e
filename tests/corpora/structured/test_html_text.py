"""HTML in a value is read as its reader sees it, and stays around what is replaced."""

from __future__ import annotations

import json

import pytest

from multideid.corpora.structured.html_text import holds_html

READ = [
    ("Dr. M&uuml;ller, Ms. K&#225;rolyi", ["Dr. Müller, Ms. Károlyi"]),
    ("O&rsquo;Brien O&#x2019;Brien O&#146;Brien", ["O\u2019Brien O\u2019Brien O\u2019Brien"]),
    ("Ms. <b>Karl</b>sson <FONT COLOR=red>no", ["Ms. Karlsson no"]),
    ("One<br>two<BR/><p class=Note>three <i>f</i>our", ["One", "two", "three four"]),
    ("a < b, <Alder>, <mark Ann>, <MARK> &amp; co", ["a < b, <Alder>, <mark Ann>, <MARK> & co"]),
    ("<td>Ann</td><td>Alder</td>", ["Ann\tAlder"]),
    ("seen<!-- by Lee --> today", ["seen", " by Lee ", " today"]),
    (
        "<a href='mailto:a@x.org' title=Alder class=x>here</a>",
        ["here", "mailto:a@x.org", "Alder"],
    ),
    ('<span title="M&uuml;ller" nowrap>x', ["x", "Müller"]),
    ("<!DOCTYPE html><html><p>x", ["x"]),
    ("&foo; & &ampere; <b>x</b>", ["&foo; & &ampere; x"]),
]


@pytest.mark.parametrize(("text", "read"), READ)
def test_values_are_what_a_reader_sees_and_all_stays(opened, text: str, read: list[str]) -> None:
    file = opened(json.dumps({"text": text}))
    assert file.free == read
    assert file.unchanged() == file.data


@pytest.mark.parametrize("text", ["AT&T", "a < b > c", "R&D; <5 cm, x <Alder>", "&uuml", "<3"])
def test_other_text_is_no_html(text: str) -> None:
    assert not holds_html(text)


HTML = "Dr. <b>Al</b>d&eacute;r &amp; co, a < b &nbsp;x"
ESCAPED = HTML.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
MESSAGE = "MSH|^~\\&|A|B|||20190314||ORU^R01|1|P|2.5.1\rPID|||7||Aldér\rOBX|1|TX|N||{}\r"


def test_html_is_read_and_kept_in_a_message(opened) -> None:
    pytest.importorskip("hl7apy")
    file = opened(MESSAGE.format(HTML.replace("&", "\\T\\")))
    assert file.free[-1] == "Dr. Aldér & co, a < b \xa0x"
    new = file.masked().decode().replace("\\T\\", "&")
    assert new.endswith("|Dr. <b>[PATIENT]</b> &amp; co, a < b &nbsp;x\r")


@pytest.mark.parametrize("text", [ESCAPED, f"<![CDATA[{HTML}]]>"])
def test_html_is_read_and_kept_in_a_text_of_xml(opened, text: str) -> None:
    file = opened(f"<a><b>Seen by <i>the</i> {text}</b></a>")
    assert file.free == ["Seen by the Dr. Aldér & co, a < b \xa0x"]
    assert file.unchanged() == file.data


def test_html_is_read_in_fhir_narratives_and_annotations(opened) -> None:
    div = "<div>Dr. M&uuml;ller<br>today</div>"
    resource = {"resourceType": "Patient", "text": {"div": div}, "note": [{"text": HTML}]}
    free = opened(json.dumps(resource)).free
    assert free == ["Dr. Müller", "today", "Dr. Aldér & co, a < b \xa0x"]


def test_html_is_read_in_cells_of_a_workbook(opened, tmp_path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    workbook = openpyxl.Workbook()
    workbook.active.append([HTML])
    workbook.save(tmp_path / "a.xlsx")
    assert "Dr. Aldér & co, a < b \xa0x" in opened((tmp_path / "a.xlsx").read_bytes()).free


def test_new_text_in_html_is_escaped(opened) -> None:
    file = opened(json.dumps({"resourceType": "Patient", "name": [{"family": "Aldér"}],
                              "note": [{"text": HTML}]}))  # fmt: skip
    new = json.loads(file.changed(lambda text, label: "a<b"))["note"][0]["text"]
    assert new == "Dr. <b>a&lt;b</b> &amp; co, a < b &nbsp;x"
