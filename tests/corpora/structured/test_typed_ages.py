"""Ages over 89 in FHIR, HL7 and CDA: the type or code of a number says that it is an age."""

from __future__ import annotations

import json

import pytest

from multideid.corpora.structured.age_values import Measure, is_age_text

LOINC = {"system": "http://loinc.org"}


def _fhir(kind: str, **fields: object) -> str:
    return json.dumps({"resourceType": kind, **fields})


def _observation(of: object, **value: object) -> str:
    return _fhir("Observation", code=of, valueQuantity=value)


def _answer(value: object, **item: object) -> str:
    answer = [{"valueInteger": value}]
    return _fhir("QuestionnaireResponse", item=[{**item, "answer": answer}])


def _hl7(*fields: str) -> str:
    kind, code, value, unit = fields
    return f"MSH|^~\\&|A|B|||20070314||ORU^R01|1|P|2.4\rOBX|1|{kind}|{code}||{value}|{unit}|||||F\r"


def _cda(value: str, code: str = 'code="445518008" displayName="Age At Onset"') -> str:
    return (
        '<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/'
        f'XMLSchema-instance"><observation><code {code}/>{value}</observation></ClinicalDocument>'
    )


OVER = {
    "onsetAge": (_fhir("Condition", onsetAge={"value": 94, "unit": "years", "code": "a"}), "94"),
    "no unit": (_fhir("FamilyMemberHistory", ageAge={"value": 94}), "94"),
    "decimal": (_fhir("FamilyMemberHistory", deceasedAge={"value": 94.5}), "94.5"),
    "exponent": (_fhir("Condition", abatementAge={"value": 0}).replace("0", "9.4E1"), "94"),
    "months": (_fhir("Condition", onsetAge={"value": 1100, "code": "mo"}), "1100 months"),
    "range": (_fhir("Condition", onsetRange={"high": {"value": 96, "code": "a"}}), "96"),
    "text": (_fhir("Condition", onsetString="94 years"), "94 years"),
    "extension": (
        _fhir("Basic", extension=[{"url": "http://example.org/x", "valueAge": {"value": 94}}]),
        "94",
    ),
    "named extension": (
        _fhir("Basic", extension=[{"url": "http://example.org/patient-age", "valueInteger": 94}]),
        "94",
    ),
    "code": (_observation({"coding": [{**LOINC, "code": "21612-7"}]}, value=94), "94"),
    "display": (_observation({"coding": [{"display": "Patient age"}]}, value=94, code="a"), "94"),
    "exactly 90": (_observation({"text": "Age"}, value=90, unit="a"), "90+"),
    "component": (
        _fhir("Observation", component=[{"code": {"text": "Age"}, "valueInteger": 94}]),
        "94",
    ),
    "question": (_answer(103, linkId="1", text="Age"), "103"),
    "linkId": (_answer(103, linkId="/30525-0"), "103"),
    "parameter": (_fhir("Parameters", parameter=[{"name": "age", "valueDecimal": 94.0}]), "94.0"),
    "NM": (_hl7("NM", "30525-0^Age^LN", "93", "a"), "93"),
    "local code": (_hl7("NM", "AGE^Patient age^L", "93", ""), "93"),
    "SN": (_hl7("SN", "AGE^Patient age^L", "^93", "a"), "93"),
    "SN range": (_hl7("SN", "X^Age^L", "^45^-^96", "a^year^UCUM"), "96"),
    "HL7 months": (_hl7("NM", "21612-7^Age^LN", "1100", "mo"), "1100 months"),
    "ST": (_hl7("ST", "30525-0^Age^LN", "94 years", ""), "94 years"),
    "PQ": (_cda('<value xsi:type="PQ" value="94" unit="a"/>'), "94"),
    "INT": (_cda('<value xsi:type="INT" value="103"/>', 'code="30525-0"'), "103"),
    "IVL_PQ": (_cda('<value xsi:type="IVL_PQ"><high value="95.5" unit="a"/></value>'), "95.5"),
    "ST in CDA": (_cda('<value xsi:type="ST">94 years</value>'), "94 years"),
}


@pytest.mark.parametrize(("file", "age"), OVER.values(), ids=OVER)
def test_age_over_89_is_known_from_its_type_or_code(opened, file, age) -> None:
    read = opened(file)
    assert (age, "AGE") in read.known
    assert read.unchanged() == read.data
    assert read.changed(lambda text, label: text) == read.data.replace(b"9.4E1", b"94")


OTHERS = {
    "89": _fhir("Condition", onsetAge={"value": 89, "code": "a"}),
    "89.9": _fhir("Condition", onsetAge={"value": 89.9, "code": "a"}),
    "months": _fhir("Condition", onsetAge={"value": 1000, "code": "mo"}),
    "hours": _fhir("Condition", onsetAge={"value": 96, "code": "h"}),
    "pulse": _observation({"text": "Pulse"}, value=94, unit="/min"),
    "GFR": _observation({"text": "GFR, by age"}, value=94, unit="mL/min"),
    "for age": _observation({"text": "Weight-for-age percentile"}, value=94),
    "gestational age": _observation({"text": "Gestational age"}, value=280, code="d"),
    "question": _answer(103, linkId="1", text="Average pulse"),
    "normal values": _fhir(
        "Observation", code={"text": "Age"}, referenceRange=[{"age": {"high": {"value": 120}}}]
    ),
    "page": _fhir("Observation", code={"text": "Page"}, valueInteger=94),
    "HL7": _hl7("NM", "30525-0^Age^LN", "89", "a"),
    "HL7 pulse": _hl7("NM", "8867-4^Heart rate^LN", "94", "/min"),
    "HL7 GFR": _hl7("NM", "X^GFR by age^L", "94", "mL/min"),
    "CDA": _cda('<value xsi:type="PQ" value="67" unit="a"/>'),
    "CDA pulse": _cda('<value xsi:type="PQ" value="94" unit="/min"/>', 'code="8867-4"'),
    "other element": _cda('<referenceRange><value value="94"/></referenceRange>'),
}


@pytest.mark.parametrize("file", OTHERS.values(), ids=OTHERS)
def test_younger_ages_and_other_numbers_stay(opened, file) -> None:
    assert not [text for text, label in opened(file).known if label == "AGE"]


@pytest.mark.parametrize("new", ["90+", "[AGE]", "88", ""])
@pytest.mark.parametrize("name", ["onsetAge", "question", "months", "exactly 90"])
def test_new_age_in_fhir_is_a_number_if_it_can_be_and_is_read_again(opened, name, new) -> None:
    file, age = OVER[name]
    written = opened(file).changed(lambda text, label: new)
    json.loads(written)
    again = opened(written.decode())
    assert [v.text for r in again.records for v in r.values if v.place.endswith(("ue", "ger"))] == [
        f"{new} months" if (name, new) in (("months", "88"),) else new
    ]
    if new == "90+" and name != "months":
        assert b": 90" in written
        restored = again.changed(lambda text, label: age)
        assert json.loads(restored) == json.loads(file)


def test_age_of_90_and_over_is_a_number_in_hl7_and_cda(opened) -> None:
    for name in ("NM", "SN", "PQ", "INT"):
        file, age = OVER[name]
        new = opened(file).changed(lambda text, label: "90+" if label == "AGE" else text)
        assert new.decode() == file.replace(age, "90")


@pytest.mark.parametrize(
    ("text", "is_age"),
    [("94", True), ("> 94 y/o", True), ("P94Y2M", True), ("90-95 years", True), ("45", False),
     ("1926", False), ("stroke at 94, then home", False), ("94 mL", True)],
)  # fmt: skip
def test_texts_that_are_ages(text, is_age) -> None:
    assert is_age_text(text) == is_age


def test_unit_of_what_only_mentions_age_decides() -> None:
    assert Measure(("GFR by age",)).unit("mL/min") is None
    assert Measure((), ("30525-0",)).unit("?") == "years"
    assert Measure(("Age in months",)).unit("") == "months"
