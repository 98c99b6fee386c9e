"""CDA: the header by its types, narratives as text; the document keeps its form.

The document follows the examples of the standard, with invented values.
"""

from __future__ import annotations

import base64
import io

import pytest

from multideid.corpora.structure import Content, ReadingOptions
from multideid.corpora.structured.cda import FORMAT
from multideid.errors import CorpusError

HEADER = """<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="CDA.xsl"?>
<!-- made for John Smith -->
<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
  <templateId root='2.16.840.1.113883.10.20.22.1.1'/>
  <id extension="TT988" root="2.16.840.1.113883.19.5.99999.1"/>
  <code code="34133-9" codeSystem="2.16.840.1.113883.6.1" displayName="Summarization"/>
  <title>Consultation Note for Mr. Smith</title>
  <effectiveTime value="20070314153000-0500"/>
  <recordTarget><patientRole>
    <id extension="4458812" root="2.16.840.1.113883.19.5"/>
    <id extension="987-65-4321" root="2.16.840.1.113883.4.1"/>
    <addr use="HP"><streetAddressLine>1234 Main St</streetAddressLine><city>Boston</city>
      <state>MA</state><postalCode>02114</postalCode><country>US</country></addr>
    <telecom value="tel:+1(617)555-1234" use="HP"/><telecom value="mailto:jq@example.org"/>
    <patient><name><prefix>Mr.</prefix><given>John</given><given>Q</given>
      <family>Smith</family></name>
      <administrativeGenderCode code="M" codeSystem="2.16.840.1.113883.5.1"/>
      <birthTime value="19610615"/></patient>
    <providerOrganization><name>Good Health Clinic</name></providerOrganization>
  </patientRole></recordTarget>
  <author><time value="20070314"/><assignedAuthor>
    <id extension="1234567893" root="2.16.840.1.113883.4.6"/>
    <assignedPerson><name><given>Martha</given><family>Alder</family></name></assignedPerson>
  </assignedAuthor></author>
"""
BODY = """  <component><structuredBody><component><section>
    <code code="10164-2" codeSystem="2.16.840.1.113883.6.1"/><title>HPI</title>
    <text><paragraph>Mr. <content styleCode="Bold">John</content> Smith &amp; wife, born
      June 15, 1961, was seen by Dr. Alder.</paragraph>
      <table border="1"><tr><th>MRN</th><td>4458812</td></tr></table>
      <list><item>HR 72</item><item>BP <![CDATA[120<130]]></item></list></text>
    <entry><observation classCode="OBS" moodCode="EVN">
      <value xsi:type="PQ" value="132" unit="mm[Hg]"/>
      <value xsi:type="ST">told Mrs. Smith</value>
      <referenceRange><observationRange><value><low value="100" unit="mm[Hg]"/></value>
      </observationRange></referenceRange></observation></entry>
    <entry><substanceAdministration><consumable><manufacturedProduct><manufacturedMaterial>
      <name>Proventil</name></manufacturedMaterial></manufacturedProduct></consumable>
    </substanceAdministration></entry>
  </section></component></structuredBody></component>
</ClinicalDocument>
"""


def test_header_is_phi_by_its_types(opened) -> None:
    file = opened(HEADER + BODY)
    assert file.format == "cda"
    assert file.known == [
        ("TT988", "IDNUM"),
        ("20070314", "DATE"),
        ("4458812", "MEDICALRECORD"),
        ("987-65-4321", "SSN"),
        ("1234 Main St", "STREET"),
        ("Boston", "CITY"),
        ("MA", "STATE"),
        ("02114", "ZIP"),
        ("US", "COUNTRY"),
        ("+1(617)555-1234", "PHONE"),
        ("jq@example.org", "EMAIL"),
        ("John", "PATIENT"),
        ("Q", "PATIENT"),
        ("Smith", "PATIENT"),
        ("19610615", "DATE"),
        ("Good Health Clinic", "HOSPITAL"),
        ("20070314", "DATE"),
        ("1234567893", "LICENSE"),
        ("Martha", "DOCTOR"),
        ("Alder", "DOCTOR"),
    ]
    assert file.records[0].patient == "4458812"


@pytest.mark.parametrize(
    "element",
    [
        '<birthTime value="1926"/>',
        "<effectiveTime><low value='1926'/></effectiveTime>",
        '<expirationTime value="1926"/>',
        '<useablePeriod><high value="1926"/></useablePeriod>',
        '<value xsi:type="TS" value="1926"/>',
        '<value xsi:type="IVL_TS"><low value="1926"/></value>',
    ],
)
def test_a_year_alone_in_an_element_of_time_is_a_date(opened, element) -> None:
    file = opened(HEADER + element + BODY)
    assert ("1926", "DATE") in file.known
    assert b"1926" not in file.masked()


@pytest.mark.parametrize(
    "element",
    [
        '<value xsi:type="INT" value="1926"/>',
        '<value xsi:type="PQ" value="1926" unit="mL"/>',
        '<value xsi:type="IVL_REAL"><low value="1926"/><high value="2026"/></value>',
        '<repeatNumber><low value="1926"/></repeatNumber>',
    ],
)
def test_four_digits_in_other_elements_are_no_date(opened, element) -> None:
    file = opened(HEADER + element + BODY)
    assert file.known == opened(HEADER + BODY).known
    assert element.encode() in file.masked()


def test_model_reads_narratives_titles_comments_and_strings(opened) -> None:
    assert [" ".join(text.split()) for text in opened(HEADER + BODY).free] == [
        "made for John Smith",
        "Consultation Note for Mr. Smith",
        "Mr.",
        "HPI",
        "Mr. John Smith & wife, born June 15, 1961, was seen by Dr. Alder.",
        "MRN 4458812",
        "HR 72",
        "BP 120<130",
        "told Mrs. Smith",
        "Proventil",
    ]


def test_document_comes_out_with_its_form_and_only_values_changed(opened) -> None:
    file = opened(HEADER + BODY)
    assert file.unchanged() == file.data
    written = file.masked().decode()
    for part in (
        "<!-- made for [PATIENT] -->",
        "<title>Consultation Note for Mr. [PATIENT]</title>",
        '<effectiveTime value="[DATE]153000-0500"/>',
        "<city>[CITY]</city>\n      <state>[STATE]</state>",
        '<telecom value="tel:[PHONE]" use="HP"/><telecom value="mailto:[EMAIL]"/>',
        'Mr. <content styleCode="Bold">[PATIENT]</content> &amp; wife, born\n      [DATE], was',
        "<th>MRN</th><td>[MEDICALRECORD]</td>",
        "<![CDATA[120<130]]>",
        '<value xsi:type="PQ" value="132" unit="mm[Hg]"/>',
        '<low value="100" unit="mm[Hg]"/>',
        "told Mrs. [PATIENT]<",
    ):
        assert part in written
    for phi, _ in file.known:
        assert phi in ("MA", "US", "Q") or phi not in written


def test_new_text_is_escaped(opened) -> None:
    file = opened(HEADER + BODY)
    again = opened(file.changed(lambda text, label: "<a & 'b' \"c\">"))
    assert [v.place for v in again.records[0].values] == [v.place for v in file.records[0].values]
    assert "<a & 'b' \"c\">" in again.records[0].values[1].text


def test_body_that_is_encoded_text_is_read(opened) -> None:
    note = base64.b64encode(b"John Smith went home.").decode()
    image = base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0").decode()
    body = (
        "<component><nonXMLBody><text mediaType='{}' representation='B64'>{}</text></nonXMLBody>"
        "</component></ClinicalDocument>"
    )
    text = opened(HEADER + body.format("text/plain", note))
    assert text.free[-1] == "John Smith went home."
    new = text.masked().decode().partition("'B64'>")[2].partition("<")[0]
    assert base64.b64decode(new) == b"[PATIENT] went home."
    assert opened(HEADER + body.format("image/png", image)).known[-1] == (image, "OTHER")


@pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1252", "utf-16"])
def test_declared_encoding_is_kept(opened, encoding) -> None:
    text = HEADER.replace("UTF-8", encoding).replace("Smith", "M\u00fcller") + BODY
    file = opened(text.encode(encoding))
    assert file.unchanged() == file.data
    written = file.changed(lambda text, label: "\u0141\u00f3d\u017a").decode(encoding)
    expected = "\u0141\u00f3d\u017a" if encoding == "utf-16" else "&#321;\u00f3d&#378;"
    assert f"<family>{expected}</family>" in written


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (HEADER, "line 27: not well-formed XML"),
        (f'<!DOCTYPE a [<!ENTITY x "y">]>{HEADER.partition("?>")[2]}{BODY}', "entity"),
    ],
)
def test_document_that_cannot_be_read_is_refused(document, problem) -> None:
    content = Content(io.BytesIO(document.encode()), "file")
    with pytest.raises(CorpusError, match=problem):
        list(FORMAT.structure.records(content, ReadingOptions()))


def test_names_of_local_codes_are_read_and_those_of_standards_only_searched(opened) -> None:
    local = '<code code="7" codeSystem="1.2.3" displayName="for Lee"/>'
    standard = (
        '<value xsi:type="CD" codeSystem="2.16.840.1.113883.6.96" displayName="Smith fracture"/>'
    )
    file = opened(f"{HEADER}{local}{standard}<code code='of Lee'/>{BODY}")
    assert {"for Lee", "of Lee"} <= set(file.free)
    assert "Smith fracture" not in file.free
    assert b'displayName="[PATIENT] fracture"' in file.masked()


def test_attributes_and_instructions_that_repeat_phi_lose_it(opened) -> None:
    extra = "<?ehr Smith 4458812?><reference value='#SmithJohn'/><x root='1.2.4458812'/>"
    masked = opened(f"{HEADER}{extra}{BODY}").masked().decode()
    assert "<?ehr [PATIENT] [MEDICALRECORD]?>" in masked
    assert "<x root='1.2.[MEDICALRECORD]'/>" in masked
    assert "SmithJohn" not in masked
