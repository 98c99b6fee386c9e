"""HL7 v2: names of facilities, places of care, and texts of local codes are not left as codes."""

from __future__ import annotations

import pytest

HEADER = "MSH|^~\\&|LAB||EHR||20070314||ORU^R01|7|P|{}\r"


def _field(segment: str, number: int, value: str) -> str:
    return f"{segment}{'|' * number}{value}\r"


@pytest.mark.parametrize("version", ["2.4", "2.5", "2.6", "2.8.2"])
@pytest.mark.parametrize(
    ("place", "values"),
    [
        (("EVN", 7), ("BIRCHMONT", "[HOSPITAL]")),
        (("PID", 34), ("BIRCHMONT^birchmont.org^DNS", "[HOSPITAL]^[HOSPITAL]^DNS")),
        *(
            (place, ("33&BIRCHMONT^44&ALDERTON", "[IDNUM]&[HOSPITAL]^[IDNUM]&[HOSPITAL]"))
            for place in (("ORC", 8), ("OBR", 29), ("SPM", 2), ("SPM", 3))
        ),
        *(
            (place, ("2E^201^B^Birchmont", "[DEPARTMENT]^[ROOM]^[ROOM]^[HOSPITAL]"))
            for place in (("RXA", 11), ("RXO", 8), ("RXE", 8), ("RXD", 13), ("RXG", 11))
        ),
        (("RXA", 11), ("^^^^N^N^T^^Elm St^^Reading", "^^^^N^N^[LOCATION-OTHER]^^[STREET]^^[CITY]")),
        (("RXO", 8), ("^^^^N^N^^^Elm St&&Reading", "^^^^N^N^^^[STREET]&&[CITY]")),
        (("OBR", 32), ("^^^2E^201^B^Birchmont", "^^^[DEPARTMENT]^[ROOM]^[ROOM]^[HOSPITAL]")),
    ],
)
def test_facilities_and_places_are_phi_in_every_field(opened, version, place, values) -> None:
    value, masked = values
    file = opened(HEADER.format(version) + _field(*place, value))
    assert file.masked().decode().split("\r")[1] + "\r" == _field(*place, masked)


@pytest.mark.parametrize("version", ["2.2", "2.3"])
@pytest.mark.parametrize(
    ("segment", "number", "value"),
    [
        ("EVN", 7, "BIRCHMONT"),
        ("ORC", 8, "33^BIRCHMONT"),
        ("ORC", 8, "33&BIRCHMONT"),
        ("RXA", 11, "2E^201^B^BIRCHMONT"),
        ("RXA", 11, "2E&201&B&BIRCHMONT"),
        ("OBR", 32, "^^^2E^201^B^BIRCHMONT"),
    ],
)
def test_facilities_and_places_are_phi_in_old_versions(opened, version, segment, number, value):
    file = opened(HEADER.format(version) + _field(segment, number, value))
    assert "BIRCHMONT" not in file.masked().decode()


@pytest.mark.parametrize("number", [4, 5, 8, 9])
def test_facilities_of_changes_of_systems_are_phi(opened, number) -> None:
    file = opened(HEADER.format("2.5") + _field("NSC", number, "BIRCHMONT"))
    assert ("BIRCHMONT", "HOSPITAL") in file.known


@pytest.mark.parametrize(
    "segment",
    [
        "OBX|1|CWE|600-7^Culture^LN||26^Negative^SCT^NEG1^by Rose Alder^L||||||F",
        "OBX|1|CWE|600-7^Culture^LN^X1^by Rose Alder^L||26^Negative^SCT||||||F",
        "OBX|1|NM|X1^Alder^L||7||||||F",
        "OBX|1|CWE|600-7^Culture^LN||26^Negative^SCT^^^^^^^X2^by Rose Alder^L||||||F",
        "SAC||||||SER&Serum&HL70487&L1&by Rose Alder&L",
        "SAC||||||SER&Serum&HL70487^^by Rose Alder",
        "OBR|||||||||||||||SER&Serum&HL70487^^Alder^by Rose Alder",
        "PV1|||2E^201^B^^by Rose Alder",
        "CER||||||C1^by Rose Alder^LN^A^x",
    ],
)
def test_texts_of_local_codes_and_of_other_types_are_read_by_the_model(opened, segment) -> None:
    assert "Alder" in " ".join(opened(HEADER.format("2.8.2") + segment + "\r").free)


@pytest.mark.parametrize(
    "value",
    [
        "26^by the usual method^SCT^X1^^L",
        "X1^^L^26^by the usual method^SCT",
        "26^by the usual method^SCT^27^by the other method^LN",
    ],
)
def test_texts_of_standard_codes_stay_whatever_their_component(opened, value) -> None:
    segment = f"OBX|1|CWE|600-7^Blood culture^LN||{value}||||||F\r"
    assert opened(HEADER.format("2.6") + segment).free == []


def test_local_alternates_of_encoded_data_are_withheld(opened) -> None:
    file = opened(HEADER.format("2.6") + _field("CER", 6, "C1^Board^LN^C2^by Rose Alder^L"))
    assert ("by Rose Alder^L", "OTHER") in file.known
