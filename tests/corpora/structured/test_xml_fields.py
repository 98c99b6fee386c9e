"""Elements and attributes of XML that are named as identifiers hold PHI as a whole."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("xml", "known"),
    [
        ("<age>95</age>", ["95 AGE"]),
        ("<age>45</age>", []),
        ('<age unit="months">95</age>', []),
        ("<age><value>95</value><unit>a</unit></age>", ["95 AGE"]),
        ("<dob>19310304</dob>", ["19310304 DATE"]),
        ("<dateOfBirth>1931</dateOfBirth>", ["1931 DATE"]),
        ('<birthDate value="1931"/>', ["1931 DATE"]),
        ("<birth><date>4 March 1931</date></birth>", ["4 March 1931 DATE"]),
        ("<doctor>Brown</doctor>", ["Brown DOCTOR"]),
        ("<doctor>\n  Brown\n</doctor>", ["Brown DOCTOR"]),
        ("<doctor><![CDATA[Brown]]></doctor>", ["Brown DOCTOR"]),
        ("<doctor>Bro<![CDATA[wn]]></doctor>", ["Brown DOCTOR"]),
        ("<doctor>Rose &amp; Lee</doctor>", ["Rose & Lee DOCTOR"]),
        ("<doctor>D<b>r</b></doctor>", []),
        ("<x:city xmlns:x='urn:x'>Reading</x:city>", ["Reading CITY"]),
        ("<a x:city='Reading' xmlns:x='urn:x'/>", ["Reading CITY"]),
        ("<PAT_MRN_ID>7</PAT_MRN_ID>", ["7 MEDICALRECORD"]),
        ("<address>\n 12 Elm Street\n Reading\n</address>", ["12 Elm Street\n Reading STREET"]),
        ("<phone><number>617-555-1234</number></phone>", ["617-555-1234 PHONE"]),
        ("<seen>3/14/2007</seen>", ["3/14/2007 DATE"]),
        ("<orderNumber>8812345</orderNumber>", ["8812345 IDNUM"]),
        ("<line number='12'/>", []),
        ("<section id='s2007112'/>", []),
        ("<city>true</city><hospital>-</hospital><town/>", []),
        ('<field name="city">Reading</field>', ["Reading CITY"]),
        ('<column name="PAT_ID" value="12"/>', ["12 IDNUM"]),
    ],
)
def test_names_of_elements_and_attributes_say_what_their_values_are(opened, xml, known) -> None:
    file = opened(f"<export>{xml}</export>")
    assert [" ".join(pair) for pair in file.known] == known
    assert file.unchanged() == file.data


@pytest.mark.parametrize(
    ("xml", "known"),
    [
        ("<patient><name>Brown</name></patient>", ["Brown PATIENT"]),
        ('<patient id="7" name="Brown"/>', ["7 IDNUM", "Brown PATIENT"]),
        ("<doctor><name>Brown</name></doctor>", ["Brown DOCTOR"]),
        ("<doctors><item><name>Brown</name></item></doctors>", ["Brown DOCTOR"]),
        ("<doctor><firstName>Rose</firstName></doctor>", ["Rose DOCTOR"]),
        ("<paciente><nombre>Rosa</nombre><edad>95</edad></paciente>", ["Rosa PATIENT", "95 AGE"]),
        ("<paciente><id>7</id></paciente>", ["7 IDNUM"]),
        (
            "<médecin><nom>Brun</nom><prénom>Rose</prénom></médecin>",
            ["Brun DOCTOR", "Rose DOCTOR"],
        ),
        ("<Patient><Vorname>Rosa</Vorname><Alter>45</Alter></Patient>", ["Rosa PATIENT"]),
        ("<arts><naam>Bruin</naam></arts>", ["Bruin DOCTOR"]),
        ("<x><nombre>Rosa</nombre><sexo>M</sexo></x>", ["Rosa PATIENT"]),
        ("<farmaco><nombre>Rosa</nombre></farmaco>", []),
        ("<hospital><name>Birchmont</name></hospital>", ["Birchmont HOSPITAL"]),
        ("<user><name>Brown</name></user>", ["Brown USERNAME"]),
        (
            "<patient><info><name><given>Rose</given><family>Brown</family></name></info></patient>",
            ["Rose PATIENT", "Brown PATIENT"],
        ),
        (
            "<patient><given>Rose</given><family>Brown</family></patient>",
            ["Rose PATIENT", "Brown PATIENT"],
        ),
        ("<patient><family>Mother had gout</family></patient>", []),
        ("<row><name>Brown</name><sex>F</sex></row>", ["Brown PATIENT"]),
        ('<row name="Brown" dob="1931"/>', ["Brown PATIENT", "1931 DATE"]),
        ("<form><name>Admission</name></form>", []),
        ("<patient><form><name>Admission</name></form></patient>", []),
        ('<parameter name="timeout" value="30"/>', []),
        ("<field><name>age</name><code>95</code><version>1.2</version></field>", []),
        ('<element name="doctor" type="string"/>', []),
    ],
)
def test_names_are_those_of_people_below_people(opened, xml, known) -> None:
    file = opened(f"<export>{xml}</export>")
    assert [" ".join(pair) for pair in file.known] == known


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("Mr. Brown was seen by the doctor on duty and left.", True),
        (f"Brown {'x' * 100}", True),
        ("Dr. Henry van der Lee, attending physician", False),
        ("henry lee, birchmont general hospital, department of surgery", False),
    ],
)
def test_sentences_are_left_to_the_model(opened, text, is_read) -> None:
    for xml in (f"<r><doctor>{text}</doctor></r>", f'<r doctor="{text}"/>'):
        file = opened(xml)
        assert (file.free, file.known) == (([text], []) if is_read else ([], [(text, "DOCTOR")]))


def test_fields_in_the_middle_of_a_line_do_not_break_it(opened) -> None:
    file = opened("<p>Seen by <doctor>Brown</doctor> in <city>Reading</city>.</p>")
    assert file.free == ["Seen by Brown in Reading."]
    assert file.masked() == b"<p>Seen by <doctor>[DOCTOR]</doctor> in <city>[CITY]</city>.</p>"


def test_values_of_fields_are_found_in_texts(opened) -> None:
    file = opened('<r><patient name="Brown"/><note>Brown was well.</note></r>')
    assert file.masked() == b'<r><patient name="[PATIENT]"/><note>[PATIENT] was well.</note></r>'
