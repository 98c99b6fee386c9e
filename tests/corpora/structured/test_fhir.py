"""FHIR: the types of fields decide, narratives and attachments are text, JSON keeps its form.

The resources follow the examples of the standard, with invented values.
"""

from __future__ import annotations

import base64
import io
import json

import pytest

from multideid.corpora.structure import HEAD, Content
from multideid.corpora.structured.fhir import FORMAT
from multideid.errors import CorpusError

PATIENT = """{
  "resourceType" : "Patient",
  "id" : "4458812",
  "meta" : {"versionId": "1", "lastUpdated": "2020-01-05T10:00:00Z"},
  "text" : {"status": "generated", "div": "<div xmlns=\\"http://www.w3.org/1999/xhtml\\"><p>John \
<b>Q.</b> Smith &amp; wife,<br/>born June 15, 1961</p></div>"},
  "extension": [
    {"url": "http://hl7.org/fhir/StructureDefinition/patient-mothersMaidenName",
     "valueString": "Leonie"},
    {"url": "http://hl7.org/fhir/StructureDefinition/patient-birthPlace",
     "valueAddress": {"city": "Salem", "country": "US"}}],
  "identifier" : [
    {"use": "usual", "system": "urn:oid:1.2.36.146.595.217.0.1", "value": "MRN-00123",
     "type": {"coding": [{"system": "http://terminology.hl7.org/CodeSystem/v2-0203",
                          "code": "MR", "display": "Medical record number"}]},
     "assigner": {"display": "Acme Healthcare"}},
    {"system": "http://hl7.org/fhir/sid/us-ssn", "value": "987-65-4321"}],
  "active" : true,
  "name" : [{"use": "official", "family": "Smith", "given": ["John", "Q"], "prefix": ["Mr."]},
            {"text": "Johnny Smith"}],
  "telecom" : [{"system": "phone", "value": "(617) 555-1234"},
               {"system": "email", "value": "jq@example.org"}],
  "gender" : "male",
  "birthDate" : "1961-06-15",
  "deceasedBoolean": false,
  "address" : [{"use": "home", "line": ["1234 Main St"], "city": "Boston", "state": "MA",
                "postalCode": "02114", "period": {"start": "1974-12"}}],
  "multipleBirthInteger": 2,
  "contact" : [{"name": {"family": "Smythe", "given": ["Ann"]}}],
  "photo": [{"contentType": "image/jpeg", "data": "/9j/4AAQSkZJRgABAQAAAQABAAD/"}],
  "generalPractitioner" : [{"reference": "Practitioner/88", "display": "Dr. Martha Alder"}],
  "managingOrganization" : {"reference": "Organization/1", "display": "Good Health Clinic"}
}
"""
NOTE = "John Smith was seen by Dr. Alder on 3/14/07."
OBSERVATION = {
    "resourceType": "Observation",
    "id": "o1",
    "status": "final",
    "code": {
        "coding": [{"system": "http://loinc.org", "code": "718-7", "display": "Hemoglobin"}],
        "text": "Hb",
    },
    "subject": {"reference": "https://ehr.example.org/fhir/Patient/4458812", "display": "J. Smith"},
    "performer": [{"reference": "#lab"}],
    "effectiveDateTime": "2007-03-14T15:30:00-05:00",
    "valueQuantity": {"value": 13.5, "unit": "g/dL", "system": "http://unitsofmeasure.org"},
    "note": [{"text": "Called Mr. Smith.", "time": "2007-03-15"}],
    "contained": [{"resourceType": "Organization", "id": "lab", "name": "Acme Labs"}],
}
DOCUMENT = {
    "resourceType": "DocumentReference",
    "id": "d1",
    "subject": {"reference": "Patient/4458812"},
    "author": [{"display": "M. Alder"}],
    "content": [
        {
            "attachment": {
                "contentType": "text/plain",
                "data": base64.b64encode(NOTE.encode()).decode(),
                "title": "Letter",
            }
        }
    ],
}


def test_fields_are_phi_by_their_types(opened) -> None:
    file = opened(PATIENT)
    assert file.format == "fhir"
    assert set(file.known) == {
        ("4458812", "IDNUM"),
        ("2020-01-05", "DATE"),
        ("Leonie", "PATIENT"),
        ("Salem", "CITY"),
        ("US", "COUNTRY"),
        ("MRN-00123", "MEDICALRECORD"),
        ("Acme Healthcare", "HOSPITAL"),
        ("987-65-4321", "SSN"),
        ("Smith", "PATIENT"),
        ("John", "PATIENT"),
        ("Q", "PATIENT"),
        ("Johnny Smith", "PATIENT"),
        ("(617) 555-1234", "PHONE"),
        ("jq@example.org", "EMAIL"),
        ("1961-06-15", "DATE"),
        ("1234 Main St", "STREET"),
        ("Boston", "CITY"),
        ("MA", "STATE"),
        ("02114", "ZIP"),
        ("1974-12", "DATE"),
        ("Smythe", "PATIENT"),
        ("Ann", "PATIENT"),
        ("/9j/4AAQSkZJRgABAQAAAQABAAD/", "OTHER"),
        ("88", "IDNUM"),
        ("Dr. Martha Alder", "DOCTOR"),
        ("1", "IDNUM"),
        ("Good Health Clinic", "HOSPITAL"),
    }
    assert file.free == ["John Q. Smith & wife,", "born June 15, 1961"]


def test_resource_comes_out_as_json_with_its_form_and_only_values_changed(opened) -> None:
    file = opened(PATIENT)
    assert file.unchanged() == file.data
    written = file.masked().decode()
    old, new = json.loads(PATIENT), json.loads(written)
    assert _shape(old) == _shape(new)
    assert (new["gender"], new["active"], new["identifier"][0]["type"]) == (
        "male",
        True,
        old["identifier"][0]["type"],
    )
    assert '"resourceType" : "Patient",\n  "id" : "[IDNUM]",' in written
    for phi, label in file.known:
        assert label == "IDNUM" or f'"{phi}"' not in written


def _shape(value: object) -> object:
    """Return a value with its strings left out."""
    if isinstance(value, dict):
        return {key: _shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_shape(inner) for inner in value]
    return "" if isinstance(value, str) else value


@pytest.mark.parametrize(
    "fields",
    [
        {"birthDate": "1926"},
        {"deceasedDateTime": "1926"},
        {"onsetPeriod": {"start": "1926", "end": "1926"}},
        {"onsetString": "1926"},
        {"authoredOn": "1926"},
        {"issued": "1926"},
        {"occurrenceTiming": {"event": ["1926"]}},
        {"_birthDate": {"extension": [{"url": "http://example.org", "valueDateTime": "1926"}]}},
    ],
)
def test_a_year_alone_in_a_field_of_time_is_a_date(opened, fields) -> None:
    file = opened(json.dumps({"resourceType": "Patient", **fields}))
    assert set(file.known) == {("1926", "DATE")}
    assert b"1926" not in file.masked()


def test_the_time_of_a_signature_is_a_date_and_that_of_a_dose_a_code(opened) -> None:
    signature = {"when": "2007-03-14T15:30:00Z"}
    dose = {"timing": {"repeat": {"when": ["MORN"]}}}
    file = opened(json.dumps({"resourceType": "Basic", "signature": signature, "dose": dose}))
    assert (file.known, file.free) == ([("2007-03-14", "DATE")], [])


def test_four_digits_in_other_fields_are_no_date(opened) -> None:
    resource = {
        "resourceType": "Observation",
        "code": {"coding": [{"system": "http://loinc.org", "version": "2007", "code": "2000"}]},
        "valueString": "1926",
    }
    file = opened(json.dumps(resource))
    assert (file.known, file.free) == ([], ["1926"])


def test_narrative_keeps_its_markup(opened) -> None:
    div = json.loads(opened(PATIENT).masked())["text"]["div"]
    assert div == (
        '<div xmlns="http://www.w3.org/1999/xhtml"><p>[PATIENT]<b></b> &amp; wife,<br/>'
        "born [DATE]</p></div>"
    )


def test_references_and_codes(opened) -> None:
    file = opened(json.dumps(OBSERVATION))
    new = json.loads(file.masked())
    assert new["subject"] == {"reference": "[URL]Patient/[IDNUM]", "display": "[PATIENT]"}
    assert new["performer"] == [{"reference": "#lab"}]
    assert new["code"] == OBSERVATION["code"]
    assert new["valueQuantity"] == OBSERVATION["valueQuantity"]
    assert new["effectiveDateTime"] == "[DATE]T15:30:00-05:00"
    assert new["contained"][0]["name"] == "[HOSPITAL]"
    assert new["note"] == [{"text": "Called Mr. [PATIENT].", "time": "[DATE]"}]


def test_text_of_attachments_is_read_and_encoded_again(opened) -> None:
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [{"fullUrl": "urn:uuid:7a-9", "resource": json.loads(PATIENT)},
                  {"resource": DOCUMENT}],
    }  # fmt: skip
    file = opened(json.dumps(bundle))
    assert NOTE in file.free
    new = json.loads(file.masked())["entry"]
    assert new[0]["fullUrl"] == "urn:uuid:[IDNUM]"
    attachment = new[1]["resource"]["content"][0]["attachment"]
    text = base64.b64decode(attachment["data"]).decode()
    assert text == "[PATIENT] was seen by Dr. [DOCTOR] on 3/14/07."
    assert attachment["contentType"] == "text/plain"


def test_each_line_of_ndjson_is_a_record_with_its_patient(opened) -> None:
    lines = [json.dumps(json.loads(PATIENT)), json.dumps(OBSERVATION), json.dumps(DOCUMENT)]
    file = opened("\n".join(lines) + "\n")
    assert file.format == "fhir"
    assert [record.name for record in file.records] == ["line 1", "line 2", "line 3"]
    assert {record.patient for record in file.records} == {"4458812"}
    assert file.unchanged() == file.data
    assert [json.loads(line)["id"] for line in file.masked().splitlines()] == ["[IDNUM]"] * 3


LATE = json.dumps({"birthDate": "1961-06-15", "note": "x" * HEAD, "resourceType": "Patient"})


@pytest.mark.parametrize(
    "data",
    [
        LATE,
        f"{LATE}\n{LATE}\n",
        f"\n{LATE}\n{LATE}\n",
        f'{{"text": "of an export"}}\n{LATE}\n',
        f'[{{"text": "of an export"}}, {LATE}]',
    ],
    ids=["file", "lines", "after an empty line", "after a line", "after an item"],
)
def test_resource_is_recognised_wherever_its_type_stands(opened, data) -> None:
    file = opened(data)
    assert file.format == "fhir"
    assert b"1961" not in file.masked()


def test_resource_is_recognised_in_the_encoding_that_is_named() -> None:
    content = Content(io.BytesIO(LATE.encode("utf-16")), "file", "utf-16")
    assert FORMAT.structure.recognise(content)


def test_bundle_of_several_patients_has_no_patient(opened) -> None:
    entries = [{"resource": {"resourceType": "Patient", "id": each}} for each in "12"]
    file = opened(json.dumps({"resourceType": "Bundle", "entry": entries}))
    assert file.records[0].patient is None


def test_strings_of_no_known_type_are_read_by_the_model(opened) -> None:
    resource = {"resourceType": "Basic", "comment": "Seen by Lee", "made": {"up": ["x Lee"]}}
    assert opened(json.dumps(resource)).free == ["Seen by Lee", "x Lee"]


def test_names_of_staff_and_institutions(opened) -> None:
    practitioner = {"resourceType": "Practitioner", "name": [{"family": "Alder"}]}
    place = {"resourceType": "Location", "name": "South Wing", "address": {"text": "1 Elm Rd"}}
    file = opened(json.dumps([practitioner, place]))
    assert file.known == [("Alder", "DOCTOR"), ("South Wing", "HOSPITAL"), ("1 Elm Rd", "STREET")]


def test_numbers_of_measurements_are_no_encoded_data(opened) -> None:
    sampled = {"origin": {"value": 0}, "period": 10, "dimensions": 1, "data": "204 -213 E"}
    file = opened(json.dumps({"resourceType": "Observation", "valueSampledData": sampled}))
    assert file.known == []
    assert file.masked() == file.data


def test_broken_resource_is_refused_with_its_line(opened) -> None:
    with pytest.raises(CorpusError, match=r"line 2: not valid JSON at column \d+"):
        opened('{"resourceType":"Patient"}\n{"resourceType":"Patient"\n')


def test_numbers_codes_and_addresses_that_repeat_an_identifier_are_known(opened) -> None:
    resource = {
        "resourceType": "Patient",
        "identifier": [{"system": "http://acme.example/mrn/4458812", "value": "4458812"}],
        "extension": [
            {"url": "http://acme.example/a", "valueInteger": 4458812},
            {"url": "http://acme.example/b", "valueCode": "MRN-4458812"},
            {"url": "http://acme.example/c", "valueInteger": 44588},
        ],
    }
    masked = json.loads(opened(json.dumps(resource)).masked())
    assert masked["identifier"][0]["system"] == "http://acme.example/mrn/[MEDICALRECORD]"
    values = [list(extension.values())[1] for extension in masked["extension"]]
    assert values == ["[MEDICALRECORD]", "MRN-[MEDICALRECORD]", 44588]


def test_the_date_of_an_attachment_is_a_date(opened) -> None:
    content = {"attachment": {"contentType": "text/plain", "creation": "2019-04-05T10:00:00Z"}}
    resource = {"resourceType": "DocumentReference", "content": [content]}
    assert opened(json.dumps(resource)).known == [("2019-04-05", "DATE")]


@pytest.mark.parametrize(
    "element",
    [
        {"status": "Seen by Lee"},
        {"code": {"coding": [{"system": "http://acme.example", "code": "7", "display": "By Lee"}]}},
        {"code": {"coding": [{"code": "by Lee", "system": "http://loinc.org"}]}},
        {"valueDateTime": "2007-03-14T at Lee"},
        {"subject": {"reference": "Patient/of Lee"}},
        {"valueQuantity": {"value": 1, "unit": "mg for Lee"}},
    ],
)
def test_text_in_a_field_of_another_type_is_read_by_the_model(opened, element) -> None:
    free = opened(json.dumps({"resourceType": "Observation", **element})).free
    assert any("Lee" in text for text in free)


def test_names_of_standard_codes_stay_but_for_what_is_found_elsewhere(opened) -> None:
    coding = {"system": "http://snomed.info/sct", "code": "49049000"}
    codes = [{**coding, "display": "Parkinson disease"}, {**coding, "display": "Alder pollen"}]
    condition = {
        "resourceType": "Condition",
        "code": {"coding": codes},
        "subject": {"display": "Martha Alder"},
    }
    new = json.loads(opened(json.dumps(condition)).masked())
    assert [c["display"] for c in new["code"]["coding"]] == [
        "Parkinson disease",
        "[PATIENT] pollen",
    ]
    assert opened(json.dumps(condition)).free == []


def _geolocation(**value: object) -> dict[str, object]:
    parts = [{"url": "latitude", **value}, {"url": "longitude", "valueDecimal": -71.05977}]
    url = "http://hl7.org/fhir/StructureDefinition/geolocation"
    return {"address": [{"extension": [{"url": url, "extension": parts}], "city": "Cambridge"}]}


@pytest.mark.parametrize(
    "fields",
    [
        _geolocation(valueDecimal=42.35843),
        _geolocation(valueString="42.35843"),
        {"position": {"longitude": -71.05977, "latitude": 42.35843, "altitude": 12}},
        {"item": [{"text": "Latitude of home", "answer": [{"valueDecimal": 42.35843}]},
                  {"text": "Longitude", "answer": [{"valueDecimal": -71.05977}]}]},
    ],
    ids=["extension", "text", "position", "questions"],
)  # fmt: skip
def test_coordinates_are_places_and_stay_numbers(opened, fields) -> None:
    for item in fields.get("item", ()):
        item["linkId"] = "1"
    file = opened(json.dumps({"resourceType": "Basic", **fields}))
    found = {text for text, label in file.known if label == "LOCATION-OTHER"}
    assert {"42.35843", "-71.05977"} <= found
    moved = file.changed(lambda text, label: "17.5" if "." in text else "12")
    assert b'"valueDecimal": 17.5' in moved or b'"longitude": 17.5' in moved
    masked = file.masked()
    assert b"42.35" not in masked
    assert b"71.05" not in masked
    again = opened(masked.decode())
    assert len(again.records[0].values) == len(file.records[0].values)


def test_altitude_alone_is_a_number(opened) -> None:
    file = opened(json.dumps({"resourceType": "Basic", "position": {"altitude": 12}}))
    assert not file.known


SERVER = "http://hapi.fhir.org/baseR4"


@pytest.mark.parametrize(
    ("fields", "phi"),
    [
        ({"link": [{"url": f"{SERVER}/Patient?family=Zorkington&birthdate=1931-05-06"}]},
         "hapi.fhir.org/baseR4/Patient?family=Zorkington&birthdate=1931-05-06"),
        ({"link": [{"url": "Patient?family=Zorkington"}]}, "family=Zorkington"),
        ({"reference": "Patient?identifier=x|4458812"}, "identifier=x|4458812"),
        ({"request": {"ifNoneExist": "family=Zorkington"}}, "family=Zorkington"),
        ({"valueUrl": f"{SERVER}/Patient?name=Zorkington"},
         "hapi.fhir.org/baseR4/Patient?name=Zorkington"),
        ({"agent": [{"name": "Zorkington", "requestor": True}]}, "Zorkington"),
        ({"agent": [{"altId": "azork"}]}, "azork"),
        ({"agent": [{"network": {"address": "10.1.2.3"}}]}, "10.1.2.3"),
        ({"contact": [{"name": "Zorkington"}]}, "Zorkington"),
        ({"x": {"name": "Zorkington", "telecom": []}}, "Zorkington"),
        ({"note": [{"authorString": "Zorkington"}]}, "Zorkington"),
        ({"subscriberId": "XQ-17"}, "XQ-17"),
    ],
)  # fmt: skip
def test_searches_and_plain_names_are_known(opened, fields, phi) -> None:
    file = opened(json.dumps({"resourceType": "Basic", **fields}))
    assert phi in [text for text, _ in file.known]


@pytest.mark.parametrize(
    "text", [f"{SERVER}/Patient/Zorkington", f"{SERVER}?q=Zorkington", "http://hl7.org Zorkington"]
)
def test_what_only_begins_as_an_address_of_a_standard_is_read(opened, text) -> None:
    assert opened(json.dumps({"resourceType": "Basic", "valueString": text})).free == [text]
    assert opened(json.dumps({"resourceType": "Basic", "implicitRules": text})).free == [text]


@pytest.mark.parametrize(
    "text",
    [
        "http://snomed.info/sct/731000124108/version/20200901",
        "http://hl7.org/fhir/StructureDefinition/Patient",
        "http://cts.nlm.nih.gov/fhir/ValueSet/2.16.840.1.113883.4.642.3.155|1.0",
        "http://hl7.org/fhir/us/core/StructureDefinition/us-core-race",
        "urn:oid:2.16.840.1.113883.6.238",
    ],
)
def test_addresses_of_standards_stay(opened, text) -> None:
    file = opened(json.dumps({"resourceType": "Basic", "valueUri": text}))
    assert (file.known, file.free) == ([], [])


def test_search_of_an_audit_event_is_read_from_base64(opened) -> None:
    query = base64.b64encode(b"family=Zorkington").decode()
    file = opened(json.dumps({"resourceType": "AuditEvent", "entity": [{"query": query}]}))
    assert file.free == ["family=Zorkington"]
