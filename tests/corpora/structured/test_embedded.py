"""Files in base64 inside of messages and resources are read by their own structure."""

from __future__ import annotations

import base64
import io
import json

import pytest

CDA = (
    b"<ClinicalDocument xmlns='urn:hl7-org:v3'><recordTarget><patientRole>"
    b"<id extension='8823107' root='1.2'/><telecom value='tel:617-555-0142'/><patient>"
    b"<name><family>Vandermolen</family></name><birthTime value='19580203'/>"
    b"</patient></patientRole></recordTarget></ClinicalDocument>"
)
RTF = rb"{\rtf1\ansi{\info{\author Osei, Kwabena}}\pard Seen by Kwab\b ena Osei.\par}"
PHI = (b"8823107", b"617-555-0142", b"Vandermolen", b"19580203")


def _fhir(data: bytes, content_type: str = "application/xml") -> str:
    attachment = {"contentType": content_type, "data": base64.b64encode(data).decode()}
    resource = {"resourceType": "DocumentReference", "content": [{"attachment": attachment}]}
    return json.dumps(resource)


def _data(fhir: bytes) -> str:
    return str(json.loads(fhir)["content"][0]["attachment"]["data"])


def test_identifiers_of_a_cda_document_in_a_fhir_attachment_are_replaced(opened) -> None:
    new = base64.b64decode(_data(opened(_fhir(CDA)).masked()))
    assert not [each for each in PHI if each in new]
    assert b"<birthTime value='[DATE]'/>" in new
    assert b"<id extension='[MEDICALRECORD]' root='1.2'/>" in new


def test_identifiers_of_a_cda_document_in_an_hl7_message_are_replaced(opened) -> None:
    pytest.importorskip("hl7apy")
    message = (
        "MSH|^~\\&|A|B|||20190314||MDM^T02|1|P|2.5.1\r"
        f"OBX|1|ED|CDA||^text^xml^Base64^{base64.b64encode(CDA).decode()}\r"
    )
    masked = opened(message).masked().decode()
    new = base64.b64decode(masked.rsplit("^", 1)[1].strip())
    assert not [each for each in PHI if each in new]


def test_rtf_in_an_attachment_is_read_as_rtf(opened) -> None:
    read = opened(_fhir(RTF, "text/rtf"))
    assert "Seen by Kwabena Osei." in read.free
    new = base64.b64decode(_data(read.masked()))
    assert new.startswith(rb"{\rtf1\ansi{\info{\author [DOCTOR]}}")


def test_a_word_document_in_an_attachment_is_read_as_one(opened) -> None:
    docx = pytest.importorskip("docx")
    document, file = docx.Document(), io.BytesIO()
    document.core_properties.author = "Kwabena Osei"
    document.add_paragraph("Seen today.")
    document.save(file)
    read = opened(_fhir(file.getvalue(), "application/msword"))
    assert "Seen today." in read.free
    new = docx.Document(io.BytesIO(base64.b64decode(_data(read.masked()))))
    assert new.core_properties.author == "[DOCTOR]"


@pytest.mark.parametrize(
    "data",
    [
        rb"{\rtf1 a{\object\objemb x}}",
        rb"{\rtf1 Osei",
        b"%PDF-1.4\nOsei",
        b"\x1f\x8b\x08\x00Osei",
        b'<Patient xmlns="http://hl7.org/fhir"><id value="8823107"/></Patient>',
        b"\xff\xfeO\0s\0e\0i\0",
    ],
    ids=["object in RTF", "damaged RTF", "PDF", "archive", "FHIR in XML", "UTF-16"],
)
def test_an_attachment_that_cannot_be_read_is_withheld_as_a_whole(opened, data: bytes) -> None:
    assert _data(opened(_fhir(data)).masked()) == "[OTHER]"


@pytest.mark.parametrize("data", [CDA, RTF, b"No complaints.", b"<p>One<br>Two</p>", b'{"a": 1}'])
def test_an_attachment_without_changes_stays_byte_for_byte(opened, data: bytes) -> None:
    read = opened(_fhir(data))
    assert read.unchanged() == read.data


def test_addresses_and_titles_in_a_narrative_are_read_and_its_layout_stays(opened) -> None:
    div = (
        '<div xmlns="http://www.w3.org/1999/xhtml"><p class="Osei" style="color: red">See '
        '<a href="mailto:kosei@example.org" title="Kwabena Osei">this</a>'
        '<img alt="Kwabena" src="data:image/png;base64,iVBORw0KGgo="/></p></div>'
    )
    resource = {"resourceType": "Patient", "text": {"div": div}, "name": [{"family": "Osei"}]}
    read = opened(json.dumps(resource))
    assert {"mailto:kosei@example.org", "Kwabena Osei", "Kwabena"} <= set(read.free)
    assert "color: red" not in read.free
    new = json.loads(read.masked())["text"]["div"]
    assert 'class="[PATIENT]" style="color: red"' in new
    assert 'src="[OTHER]"' in new


@pytest.mark.parametrize("kind", ["text/plain; charset=utf-8", 'text/html;charset="UTF-8"'])
def test_the_character_set_of_an_attachment_is_no_text(opened, kind: str) -> None:
    assert opened(_fhir(b"No complaints.", kind)).free == ["No complaints."]


NAMES = r"{\rtf1\ansi\ansicpg1252 Seen by Kwab\b ena\b0  Pe\'f1a \u8364? €.\par}"


def _message(value: str, kind: str = "FT") -> str:
    return f"MSH|^~\\&|A|B|||20190314||ORU^R01|1|P|2.5.1\rOBX|1|{kind}|N||{value}\r"


@pytest.mark.parametrize("kind", ["FT", "TX", "ST", "ED"])
@pytest.mark.parametrize("escape", ["\\E\\", "\\"])
def test_rtf_in_the_text_of_an_observation_is_read_as_rtf(opened, kind: str, escape: str) -> None:
    pytest.importorskip("hl7apy")
    value = RTF.decode().replace("\\", escape)
    read = opened(_message(f"^text^rtf^A^{value}" if kind == "ED" else value, kind))
    assert "Seen by Kwabena Osei." in read.free
    assert read.unchanged() == read.data
    new = read.masked().decode().replace("\\E\\", "\\")
    assert r"{\rtf1\ansi{\info{\author [DOCTOR]}}\pard Seen by [DOCTOR]\b .\par}" in new
    assert ("\\E" in read.masked().decode()) == ("E" in escape)


def test_a_cda_document_in_the_text_of_an_observation_is_read_as_one(opened) -> None:
    pytest.importorskip("hl7apy")
    new = opened(_message(CDA.decode())).masked()
    assert not [each for each in PHI if each in new]


def test_files_in_strings_of_json_are_read_by_their_structure(opened) -> None:
    notes = [{"text": NAMES}, {"text": CDA.decode()}, {"text": r"{\rtf1 Osei"}, {"text": "<5 mg"}]
    read = opened(json.dumps(notes))
    assert "Seen by Kwabena Peña € €." in read.free
    new = [note["text"] for note in json.loads(read.masked())]
    assert not [each for each in PHI if each.decode() in new[1]]
    assert new[2:] == ["[OTHER]", "<5 mg"]
    assert read.unchanged() == read.data


def test_xml_in_a_string_is_read_whatever_encoding_it_declares(opened) -> None:
    text = '<?xml version="1.0" encoding="ENC"?><a b="Osei">Größe</a>'
    for encoding in ("utf-16", "ISO-8859-1", "utf-8"):
        read = opened(json.dumps([{"text": text.replace("ENC", encoding)}]))
        assert {"Osei", "Größe"} <= set(read.free)
        assert read.unchanged() == read.data


def test_files_in_texts_of_xml_are_read_by_their_structure(opened) -> None:
    html = "<p>Ms. <b>Vander</b>molen<br/></p>"
    escaped = html.replace("<", "&lt;").replace(">", "&gt;")
    rtf = NAMES.replace("€", "")
    text = (
        f"<a><b><![CDATA[{rtf}]]></b><b>{escaped}</b><b><![CDATA[{html}]]></b><b>&lt;5 mg</b></a>"
    )
    read = opened(text)
    assert [free for free in read.free if "Seen" not in free] == [*["Ms. Vandermolen"] * 2, "<5 mg"]
    assert "Seen by Kwabena Peña € ." in read.free
    assert read.unchanged() == read.data
