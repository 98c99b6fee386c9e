"""HL7 v2: the type of a field decides, and messages keep their form.

The messages follow the examples of the standard, with invented values.
"""

from __future__ import annotations

import pytest

from multideid.corpora.structured.slots import Change
from multideid.errors import CorpusError

MESSAGE = "\r".join(
    (
        r"MSH|^~\&|GHH LAB|ELAB-3|GHH OE|BLDG4|200202150930||ORU^R01|CNTRL-3456|P|2.4",
        "PID|||555-44-4444^^^GHH^MR||EVERYWOMAN^EVE^E^^^^L|JONES|19620320|F|||153 FERNWOOD DR.^^"
        "STATESVILLE^OH^35292||(206)3345232~^^^eve@example.org|(206)752-121||||AC555444444|"
        "987-65-4321|67-A4335^OH^20030520",
        "NK1|1|EVERYMAN^ADAM|SPO^Spouse^HL70063|153 FERNWOOD DR.^^STATESVILLE^OH^35292",
        "PV1||I|2EAST^201^B^GHH||||1173^MATTHEWS^JAMES^A^^^MD|||MED|||||||||V1234",
        "OBR|1|845439^GHH OE|1045813^GHH LAB|15545^GLUCOSE^LN|||200202150730",
        "OBX|1|SN|1554-5^GLUCOSE^LN||^182|mg/dl|70_105|H|||F",
        r"OBX|2|TX|IMP^Impression^L||Eve Everywoman, seen by Dr. Matthews\.br\born 3/20/1962, "
        r"Tom \T\ Ann||||||F",
        "NTE|1||Call (206) 334-5232.~Lives in Statesville.",
        "",
    )
)


@pytest.mark.parametrize("year", ["1926", "2007"])
def test_a_year_alone_in_a_field_of_time_is_a_date(opened, year) -> None:
    message = MESSAGE.replace("19620320", year) + f"OBX|3|DT|1^Born^LN||{year}||||||F\r"
    file = opened(message)
    assert file.known.count((year, "DATE")) == 2
    assert year.encode() not in file.masked()


def test_four_digits_in_other_fields_are_no_date(opened) -> None:
    segments = "OBX|3|NM|1^Volume^LN||1926||||||F\rOBX|4|TM|1^Seen^LN||0930||||||F\r"
    assert opened(MESSAGE + segments).masked().decode().endswith(segments)


def test_fields_are_phi_by_their_types(opened) -> None:
    file = opened(MESSAGE)
    assert file.format == "hl7"
    for known in (
        ("ELAB-3", "HOSPITAL"),
        ("20020215", "DATE"),
        ("CNTRL-3456", "IDNUM"),
        ("555-44-4444", "MEDICALRECORD"),
        ("EVERYWOMAN", "PATIENT"),
        ("JONES", "PATIENT"),
        ("19620320", "DATE"),
        ("153 FERNWOOD DR.", "STREET"),
        ("STATESVILLE", "CITY"),
        ("OH", "STATE"),
        ("35292", "ZIP"),
        ("(206)3345232", "PHONE"),
        ("eve@example.org", "EMAIL"),
        ("AC555444444", "ACCOUNT"),
        ("987-65-4321", "SSN"),
        ("67-A4335", "LICENSE"),
        ("ADAM", "PATIENT"),
        ("201", "ROOM"),
        ("MATTHEWS", "DOCTOR"),
        ("1173", "IDNUM"),
        ("V1234", "IDNUM"),
        ("845439", "IDNUM"),
    ):
        assert known in file.known


def test_message_comes_out_with_its_form_and_only_values_changed(opened) -> None:
    lines = opened(MESSAGE).masked().decode().split("\r")
    assert lines[0] == (
        r"MSH|^~\&|[HOSPITAL]|[HOSPITAL]|[HOSPITAL]|[HOSPITAL]|[DATE]0930||ORU^R01|[IDNUM]|P|2.4"
    )
    assert lines[1] == (
        "PID|||[MEDICALRECORD]^^^[HOSPITAL]^MR||[PATIENT]^[PATIENT]^[PATIENT]^^^^L|[PATIENT]|[DATE]|F|||"
        "[STREET]^^[CITY]^[STATE]^[ZIP]||[PHONE]~^^^[EMAIL]|[PHONE]||||[ACCOUNT]|[SSN]|"
        "[LICENSE]^OH^[DATE]"
    )
    assert lines[5] == "OBX|1|SN|1554-5^GLUCOSE^LN||^182|mg/dl|70_105|H|||F"
    assert lines[8:] == [""]


def test_phi_of_fields_is_found_in_texts_and_escapes_stay(opened) -> None:
    lines = opened(MESSAGE).masked().decode().split("\r")
    assert lines[6] == (
        r"OBX|2|TX|IMP^Impression^L||[PATIENT], seen by Dr. [DOCTOR]\.br\born [DATE], "
        r"Tom \T\ Ann||||||F"
    )
    assert lines[7] == "NTE|1||Call [PHONE].~Lives in [CITY]."


@pytest.mark.parametrize("line_end", ["\r", "\n", "\r\n"])
@pytest.mark.parametrize("frame", [("", ""), ("\x0b", "\x1c\r")])
def test_line_ends_frames_and_unchanged_messages_stay(opened, line_end, frame) -> None:
    text = frame[0] + MESSAGE.replace("\r", line_end) + frame[1]
    file = opened(text)
    assert file.unchanged() == file.data
    assert file.masked().count(line_end.encode()) >= MESSAGE.count("\r")
    assert len(file.records) == 1


def test_new_text_is_escaped(opened) -> None:
    written = opened(MESSAGE).changed(lambda text, label: r"a|b^c&d~e\f").decode()
    assert r"||a\F\b\S\c\T\d\R\e\E\f^a\F\b" in written
    values, old = opened(written).records[0].values, opened(MESSAGE).records[0].values
    assert [value.place for value in values] == [value.place for value in old]
    assert values[0].text == r"a|b^c&d~e\f"


def test_each_message_of_a_batch_is_a_record_with_its_patient(opened) -> None:
    second = MESSAGE.replace("555-44-4444", "666-55-5555")
    file = opened(f"FHS|^~\\&|A|B\rBHS|^~\\&|A|B\r{MESSAGE}{second}BTS|2\rFTS|1\r")
    assert [record.name for record in file.records] == ["message 1", "message 2"]
    assert [record.patient for record in file.records] == ["555-44-4444", "666-55-5555"]
    assert file.unchanged() == file.data
    assert file.masked().decode().startswith("FHS|^~\\&|A|[HOSPITAL]\rBHS|")


def test_segments_and_fields_of_no_standard_are_phi_as_a_whole(opened) -> None:
    file = opened(MESSAGE + "ZPI|1|Zanzibar^7~Y|\r")
    assert file.masked().decode().endswith("\rZPI|[OTHER]|[OTHER]^[OTHER]~[OTHER]|\r")


@pytest.mark.parametrize("place", ["|||200202150730", "|mg/dl|"])
def test_misplaced_names_in_coded_fields_are_read_by_the_model(opened, place) -> None:
    free = opened(MESSAGE.replace(place, "|444-44-4444^Hippocrates^Howard H|")).free
    assert all(part in " ".join(free) for part in ("444-44-4444", "Hippocrates", "Howard H"))


@pytest.mark.parametrize("value", ["B-7390", "4458812", "12a"])
def test_numbers_of_segments_that_are_none_are_phi(opened, value) -> None:
    masked = opened(MESSAGE.replace("PID||", f"PID|{value}|", 1)).masked().decode()
    assert "\rPID|[OTHER]|" in masked
    assert "\rNK1|1|" in masked


def test_other_separators_are_those_that_the_header_declares(opened) -> None:
    text = MESSAGE.replace("|^~\\&|", "#*%!+#").replace("|", "#").replace("^", "*")
    file = opened(text.replace("\\", "!").replace("!T!", "!T!"))
    assert ("EVERYWOMAN", "PATIENT") in file.known
    assert file.unchanged() == file.data


@pytest.mark.parametrize("version", ["2.1", "2.3", "2.5.1", "2.7", "2.8.2", "2.9", "", "D 2.4"])
def test_names_and_dates_are_known_in_every_version(opened, version) -> None:
    file = opened(MESSAGE.replace("|P|2.4", f"|P|{version}"))
    assert {("EVERYWOMAN", "PATIENT"), ("19620320", "DATE"), ("MATTHEWS", "DOCTOR")} <= set(
        file.known
    )
    assert ("987-65-4321", "SSN") in file.known


def test_encoded_text_is_read_and_encoded_data_withheld(opened) -> None:
    text = "OBX|3|ED|R^Report^L||GHH^TEXT^^Base64^RXZlIEV2ZXJ5d29tYW4gaGVyZQ==||||||F\r"
    data = "OBX|4|ED|R^Report^L||GHH^IM^PNG^Base64^iVBORw0KGgo=||||||F\r"
    file = opened(MESSAGE + text + data)
    assert "Eve Everywoman here" in file.free
    lines = file.masked().decode().split("\r")
    assert lines[8].split("^")[-1] == "W1BBVElFTlRdIGhlcmU=||||||F"  # [PATIENT] here
    assert lines[9].split("^")[-1] == "[OTHER]||||||F"


def test_declared_character_set_is_used(opened) -> None:
    header = r"MSH|^~\&|A|B|C|D|20020215||ORU^R01|7|P|2.4||||||8859/1"
    data = f"{header}\rPID|||1||M\u00fcller^Zo\u00eb\r".encode("latin-1")
    file = opened(data)
    assert ("M\u00fcller", "PATIENT") in file.known
    assert file.unchanged() == data
    with pytest.raises(CorpusError, match="--encoding windows-1252"):
        opened(data.replace(b"8859/1", b"ASCII"))


@pytest.mark.parametrize(
    "framed",
    [
        lambda message: message.replace(b"\r", b"\n"),
        lambda message: message.replace(b"\r", b"\r\n"),
        lambda message: b"\x0b" + message + b"\x1c\r",
        lambda message: b"\n" + message,
        lambda message: b"FHS|^~\\&|A\rBHS|^~\\&|A\r" + message + b"BTS|1\rFTS|1\r",
    ],
    ids=["LF", "CRLF", "MLLP", "empty line", "batch"],
)
def test_declared_character_set_is_used_whatever_the_frame_and_the_line_ends(
    opened, framed
) -> None:
    header = r"MSH|^~\&|A|B|C|D|20020215||ORU^R01|7|P|2.4||||||8859/1"
    data = framed(f"{header}\rPID|||1||M\u00fcller^Zo\u00eb\r".encode("latin-1"))
    file = opened(data)
    assert ("M\u00fcller", "PATIENT") in file.known
    assert file.unchanged() == data


def test_lines_that_are_no_segments_are_read_as_text(opened) -> None:
    broken = MESSAGE.replace("Call (206)", "Call\nEve Everywoman at (206)")
    assert any("Eve Everywoman at" in text for text in opened(broken).free)


@pytest.mark.parametrize(
    "segment",
    [
        "OBX|3|NM|718-7^Hemoglobin^LN||Hippocrates||||||F",
        "OBX|3|NM|718-7^Hemoglobin^LN||4458812||||||F",
        "OBX|3|CE|718-7^Hemoglobin^LN||7^for Hippocrates^L||||||F",
        "OBX|3|CE|718-7^for Hippocrates^99LAB||7||||||F",
        "OBX|3|DT|718-7^Hemoglobin^LN||by Hippocrates||||||F",
        "EVN|A01|20070314 by Hippocrates",
    ],
)
def test_text_in_a_field_of_another_type_is_read_by_the_model(opened, segment) -> None:
    free = " ".join(opened(f"{MESSAGE}{segment}\r").free)
    assert "Hippocrates" in free or "4458812" in free


def test_codes_that_repeat_phi_lose_it(opened) -> None:
    segments = "OBX|3|CE|718-7^EVERYWOMAN protein^LN||EVERYWOMAN^of 987-65-4321^LN||||||F\r"
    line = opened(MESSAGE + segments).masked().decode().split("\r")[8]
    assert line == ("OBX|3|CE|718-7^[PATIENT] protein^LN||[PATIENT]^of [SSN]^LN||||||F")


def test_ordinary_codes_and_numbers_stay(opened) -> None:
    segment = "OBX|3|NM|718-7^Hemoglobin^LN||-13.50|g/dL|12-16|N|||F|||20070314"
    assert opened(f"{MESSAGE}{segment}\r").free == opened(MESSAGE).free


def test_message_without_its_header_is_read_with_the_usual_separators(opened) -> None:
    file = opened(MESSAGE.split("\r", 1)[1])
    assert {("EVERYWOMAN", "PATIENT"), ("19620320", "DATE")} <= set(file.known)
    assert file.unchanged() == file.data


def _observed(text: str, separators: str = r"|^~\&", charset: str = "") -> str:
    lines = f"MSH|^~\\&|A|B|C|D|20020215||ORU^R01|7|P|2.4||||||{charset}\rOBX|1|TX|N||TEXT\r"
    for usual, other in zip("|^~\\&", separators, strict=True):
        lines = lines.replace(usual, other)
    return lines.replace("TEXT", text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (r"Gr\XE4\tel M\XFC\ller", "Gr\u00e4tel M\u00fcller"),
        (r"M\XC3BC\ller M\xc3bc\ller", "M\u00fcller M\\xc3bc\\ller"),
        (r"M\XC3\\XBC\ller, \X4d61\x", "M\u00fcller, Max"),
        (r"O\X92\Brien", "O\u2019Brien"),
        (r"one\X0D0A\two\X0D\three\X0a\four", "one\ntwo\nthree\nfour"),
        (r"\H\Green\N\berg", "Greenberg"),
        (r"Green\C2842\\M244A50\\M2842\\Z\\ZA1\berg", "Greenberg"),
        (r"one\.sp+2\two\.ce\three\.BR\four", "one\ntwo\nthree\nfour"),
        (r"\.in+4\\.ti-4\\.nf\one\.sk3\two\.fi\\E\\F\\S\\R\\T\.", r"one two\|^~&."),
        (r"\ZJohn Smith\ \X4\ \C1\ either\or", r"\ZJohn Smith\ \X4\ \C1\ either\or"),
    ],
)
def test_escape_sequences_are_decoded_and_stay(opened, text: str, read: str) -> None:
    for separators in (r"|^~\&", "#!@$%"):
        mark = separators[3]
        expected = read.replace("|^~&", separators[:3] + separators[4]).replace("\\", mark)
        file = opened(_observed(text.replace("\\", mark), separators))
        assert file.free[-1] == expected
        assert file.unchanged() == file.data


def test_quotes_of_windows_1252_are_read_in_a_message_of_latin_1(opened) -> None:
    assert opened(_observed(r"O\X92\Brien", charset="8859/1")).free[-1] == "O\u2019Brien"


def _masked(record, name: str, new: str = "[X]") -> str:
    """Return the message with a name in its last value replaced."""
    start = record.values[-1].text.index(name)
    changes = [[] for _ in record.values[:-1]]
    return record.rendered([*changes, [Change(start, start + len(name), new)]]).decode()


@pytest.mark.parametrize(
    ("text", "name", "new"),
    [
        (r"Gr\XE4\tel M\XFC\ller \H\today\N\.", "M\u00fcller", r"Gr\XE4\tel [X] \H\today\N\."),
        (r"\H\Green\C2842\berg\N\ M\.sp\ x", "Greenberg", r"\H\[X]\C2842\\N\ M\.sp\ x"),
        (r"\X4D61782069732068657265\.", "Max", "[X] is here."),
        (r"see \XC3A44D6178C3BC\.", "Max", r"see \XC3A4\[X]\XC3BC\."),
    ],
)
def test_escape_sequences_around_replaced_text_stay(opened, text, name, new) -> None:
    (record,) = opened(_observed(text)).records
    assert _masked(record, name) == _observed(new)


@pytest.mark.parametrize(
    ("text", "charset", "new"),
    [
        (r"\XE4\ Max.", "", r"\XE4\ Zo\XEB\."),
        (r"\XC3A4\ Max.", "", r"\XC3A4\ Zo\XC3AB\."),
        (r"\XE4\ Max.", "8859/1", r"\XE4\ Zo\XEB\."),
        ("Max.", "", r"Zo\XEB\."),
        ("Max.", "UNICODE UTF-8", r"Zo\XC3AB\."),
        ("\u00e4 \\XC3A4\\ Max", "", "\u00e4 \\XC3A4\\ Zo\u00eb"),
    ],
)
def test_new_letters_are_written_as_the_message_writes_them(opened, text, charset, new) -> None:
    (record,) = opened(_observed(text, charset=charset)).records
    assert _masked(record, "Max", "Zo\u00eb") == _observed(new, charset=charset)


def test_names_in_fields_are_known_without_their_escapes(opened) -> None:
    file = opened(MESSAGE.replace("EVERYWOMAN^", r"\H\M\XFC\ller\N\^"))
    assert ("M\u00fcller", "PATIENT") in file.known
    assert r"||\H\[PATIENT]\N\^[PATIENT]^" in file.masked().decode()


def test_binary_data_in_hexadecimal_is_withheld(opened) -> None:
    assert opened(_observed(r"\X89504E470D0A1A0A0000\.")).known[-1][1] == "OTHER"
