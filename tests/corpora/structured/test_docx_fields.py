"""Values in Word documents that have names: properties, variables, controls and form fields."""

from __future__ import annotations

import io

import docx
import pytest
from structured_records import members_of, record_of, with_masked, with_parts

from multideid.corpora.structured import docx as docx_format
from multideid.deid.record_text import RecordText

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"


@pytest.fixture(scope="module")
def empty() -> bytes:
    file = io.BytesIO()
    docx.Document().save(file)
    return file.getvalue()


def masked(data: bytes, name: str, content: str) -> str:
    """Return a part of a Word document whose fields are masked."""
    record = record_of(docx_format, with_parts(data, **{name: content.encode()}))
    return members_of(with_masked(record))[name].decode()


def body(content: str) -> str:
    """Return the document part."""
    return f"<w:document {_W}><w:body>{content}</w:body></w:document>"


def run(text: str) -> str:
    """Return a run of text."""
    return f"<w:r><w:t>{text}</w:t></w:r>"


@pytest.mark.parametrize(
    ("name", "value", "new"),
    [
        ("Age", "95", "[AGE]"),
        ("Age", "45", "45"),
        ("MRN", "4482", "[MEDICALRECORD]"),
        ("PatientName", "Docvarby", "[PATIENT]"),
        ("Colour", "green", "green"),
    ],
)
def test_document_variables_are_known_by_their_names(
    empty: bytes, name: str, value: str, new: str
) -> None:
    variable = '<w:docVar w:name="{}" w:val="{}"/>'
    settings = f"<w:settings {_W}><w:docVars>{variable}</w:docVars></w:settings>"
    written = masked(empty, "word/settings.xml", settings.format(name, value))
    assert variable.format(name, new) in written


@pytest.mark.parametrize(
    ("name", "value", "new"),
    [
        ("Age", "<vt:i4>95</vt:i4>", "<vt:lpwstr>[AGE]</vt:lpwstr>"),
        ("Age", "<vt:i4>45</vt:i4>", "<vt:i4>45</vt:i4>"),
        ("MRN", "<vt:r8>8812</vt:r8>", "<vt:lpwstr>[MEDICALRECORD]</vt:lpwstr>"),
        ("MRN", "<vt:lpwstr>8812</vt:lpwstr>", "<vt:lpwstr>[MEDICALRECORD]</vt:lpwstr>"),
        ("Visits", "<vt:i4>3</vt:i4>", "<vt:i4>3</vt:i4>"),
        ("Patient name", "<vt:bool>true</vt:bool>", "<vt:bool>true</vt:bool>"),
    ],
)
def test_custom_properties_of_word_are_known_by_their_names(
    empty: bytes, name: str, value: str, new: str
) -> None:
    spaces = f'xmlns="{_OFFICE}/custom-properties" xmlns:vt="{_OFFICE}/docPropsVTypes"'
    properties = f'<Properties {spaces}><property name="{name}">{{}}</property></Properties>'
    written = masked(empty, "docProps/custom.xml", properties.format(value))
    assert written == properties.format(new)


def test_a_property_that_becomes_another_number_keeps_its_type(empty: bytes) -> None:
    properties = (
        '<Properties xmlns:vt="v"><property name="MRN"><vt:i4>{}</vt:i4></property></Properties>'
    )
    parts = {"docProps/custom.xml": properties.format(8812).encode()}
    fields = RecordText(record_of(docx_format, with_parts(empty, **parts)))
    (span,) = (span for span in fields.spans([], str) if span.label == "MEDICALRECORD")
    data = fields.rendered([(span.start, span.end, "4471")])
    assert members_of(data)["docProps/custom.xml"].decode() == properties.format(4471)


@pytest.mark.parametrize(
    ("names", "content", "new"),
    [
        ('<w:alias w:val="Patient name"/>', "Young", "[PATIENT]"),
        ('<w:alias w:val="1"/><w:tag w:val="mrn"/>', "8812", "[MEDICALRECORD]"),
        ('<w:alias w:val="Age"/>', "97", "[AGE]"),
        ('<w:alias w:val="Age"/>', "67", "67"),
        ('<w:alias w:val="MRN"/><w:showingPlcHdr/>', "Enter text", "Enter text"),
        ('<w:alias w:val="Ward"/>', "West", "West"),
    ],
)
def test_content_controls_are_known_by_their_names(
    empty: bytes, names: str, content: str, new: str
) -> None:
    def control(inner: str) -> str:
        return f"<w:sdt><w:sdtPr>{names}</w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>"

    inside = body(f"<w:p>{run('for ')}{control(run(content))}{run(' here')}</w:p>")
    assert run(new) in masked(empty, "word/document.xml", inside)
    around = body(control(f"<w:p>{run(content)}</w:p>"))
    assert run(new) in masked(empty, "word/document.xml", around)


def test_form_fields_are_known_by_their_names(empty: bytes) -> None:
    def char(kind: str, inner: str = "") -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}">{inner}</w:fldChar></w:r>'

    default = '<w:textInput><w:default w:val="{}"/></w:textInput>'
    data = f'<w:ffData><w:name w:val="MRN"/>{default}</w:ffData>'
    field = "".join(
        [char("begin", data.format(77)), char("separate"), run("{}"), char("end"), run(" 8812 x")]
    )
    written = masked(empty, "word/document.xml", body(f"<w:p>{field.format(7744)}</w:p>"))
    assert 'w:default w:val="[MEDICALRECORD]"' in written
    assert f"{run('[MEDICALRECORD]')}{char('end')}{run(' 8812 x')}" in written


def test_data_of_word_is_known_by_its_names(empty: bytes) -> None:
    data = '<case mrn="{}" name="x"><age>{}</age><patientName>{}</patientName><ward>7</ward></case>'
    written = masked(empty, "customXml/item1.xml", data.format(8812, 97, "Young"))
    assert written == data.format("[MEDICALRECORD]", "[AGE]", "[PATIENT]")


@pytest.mark.parametrize(
    ("part", "new"),
    [
        ('<w:lvlText w:val="Joan %1."/>', '<w:lvlText w:val=" %1."/>'),
        ('<w:lvlText w:val="Step %1.%2 o"/>', '<w:lvlText w:val="Step %1.%2 o"/>'),
        ('<w:lvlText w:val="%1 of 1961"/>', '<w:lvlText w:val="%1  "/>'),
        (
            r'<w:mailMerge><w:connectString w:val="Source=C:\Joan.mdb"/></w:mailMerge>',
            '<w:mailMerge><w:connectString w:val=""/></w:mailMerge>',
        ),
        (
            '<w:mailMerge><w:query w:val="SELECT Joan"/></w:mailMerge>',
            '<w:mailMerge><w:query w:val=""/></w:mailMerge>',
        ),
        ('<w:odso><w:table w:val="Joan$"/></w:odso>', '<w:odso><w:table w:val=""/></w:odso>'),
    ],
)
def test_sources_of_mail_merges_and_words_in_numbers_go(empty: bytes, part: str, new: str) -> None:
    assert new in masked(empty, "word/document.xml", body(part))
