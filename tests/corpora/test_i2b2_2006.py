"""i2b2-2006 inline XML."""

from __future__ import annotations

from pathlib import Path

import pytest

from multideid.corpora import Report, read_corpus, write_corpus
from multideid.document import Document, Span
from multideid.errors import CorpusError


def _file(path: Path, content: str) -> Path:
    file = path / "corpus.xml"
    file.write_bytes(content.encode())
    return file


def _record(text: str) -> str:
    return f'<ROOT>\n<RECORD ID="7">\n<TEXT>{text}</TEXT>\n</RECORD>\n</ROOT>\n'


@pytest.mark.parametrize("element", ["RECORD", "DOCUMENT"])
def test_text_and_spans_are_read(tmp_path: Path, element: str) -> None:
    content = (
        f'<?xml version="1.0"?>\n<ROOT>\n<{element} ID="7">\n<TEXT>\nSeen by '
        f'<PHI TYPE="DOCTOR">Lee &amp; <![CDATA[Co]]></PHI>.\n</TEXT></{element}></ROOT>'
    )
    (document,) = read_corpus(_file(tmp_path, content))
    assert document == Document("7", "\nSeen by Lee & Co.\n", (Span(9, 17, "DOCTOR"),))


def test_the_outer_of_nested_phi_is_kept_and_reported(tmp_path: Path) -> None:
    reports: list[Report] = []
    text = '<PHI TYPE="HOSPITAL">St. <PHI TYPE="LOCATION">Gall</PHI> Clinic</PHI>'
    (document,) = read_corpus(_file(tmp_path, _record(text)), on_report=reports.append)
    assert document.spans == (Span(0, 15, "HOSPITAL"),)
    assert reports == [Report("7", "overlapping", 1)]


def test_other_encodings_are_read_as_they_are_declared(tmp_path: Path) -> None:
    file = tmp_path / "c.xml"
    file.write_bytes(
        b'<?xml version="1.0" encoding="ISO-8859-1"?>' + _record("é").encode("latin-1")
    )
    assert read_corpus(file)[0].text == "é"
    file.write_bytes(f'<?xml version="1.0" encoding="UTF-16"?>{_record("é")}'.encode("utf-16"))
    assert read_corpus(file)[0].text == "é"


def test_line_ends_are_as_xml_says_and_references_are_kept(tmp_path: Path) -> None:
    (document,) = read_corpus(_file(tmp_path, _record("a\r\nb\rc&#13;&#10;d")))
    assert document.text == "a\nb\nc\r\nd"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (_record("Anna <b"), "line 3: not well-formed"),
        (_record("Anna &bob;"), "line 3: not well-formed XML (undefined entity)"),
        (_record("Anna")[:-8], "line 5: not well-formed XML (no element found)"),
        (_record('<PHI TYPE="X"></PHI>'), "line 3: <PHI> is empty"),
        (_record("<PHI>Anna</PHI>"), "line 3: <PHI> has no TYPE"),
        (_record("<Anna/>"), "line 3: an element other than <PHI>"),
        ("<ROOT>\n<RECORD>\n<TEXT>Anna</TEXT></RECORD></ROOT>", "line 2: a record has no ID"),
        ('<ROOT>\n<RECORD ID="7"></RECORD></ROOT>', "line 2: record '7' has no <TEXT>"),
        ("<ROOT>\n<TEXT>Anna</TEXT></ROOT>", "line 2: <TEXT> is outside a record"),
        ("<ROOT></ROOT>", "contains no documents"),
        ("", "line 1: not well-formed XML (no element found)"),
    ],
)
def test_a_malformed_file_gives_one_line(tmp_path: Path, content: str, problem: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read_corpus(_file(tmp_path, content), "i2b2-2006")
    message = str(caught.value)
    assert problem in message
    assert "\n" not in message
    assert "Anna" not in message
    assert "bob" not in message
    assert caught.value.__cause__ is None


def test_entities_are_refused(tmp_path: Path) -> None:
    content = '<!DOCTYPE ROOT [\n<!ENTITY a SYSTEM "file:///etc/hostname">]>' + _record("&a;")
    with pytest.raises(CorpusError, match="line 2: declares an entity"):
        read_corpus(_file(tmp_path, content), "i2b2-2006")


def test_a_byte_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    file = tmp_path / "c.xml"
    file.write_bytes(_record("x").encode().replace(b"x", b"\xf1"))
    with pytest.raises(CorpusError, match="byte 29: not UTF-8"):
        read_corpus(file)


@pytest.mark.parametrize("name", ["i2b2-2006", "i2b2-2014"])
@pytest.mark.parametrize("character", ["\0", "\x0b", "\x1f", "\ufffe", "\ud800"])
def test_what_xml_cannot_hold_is_named_and_not_dropped(
    tmp_path: Path, name: str, character: str
) -> None:
    documents = [Document("d1", "fine"), Document("d2", f"Anna{character}")]
    with pytest.raises(CorpusError) as caught:
        write_corpus(documents, tmp_path / "out", name)
    assert (
        f"document 'd2': XML cannot represent the character U+{ord(character):04X} at offset 4"
        in str(caught.value)
    )
    assert list(tmp_path.iterdir()) == []


def test_ids_and_labels_are_escaped(tmp_path: Path) -> None:
    gold = [Document('a"<&\n', "x", (Span(0, 1, 'L"&'),))]
    write_corpus(gold, tmp_path / "c.xml", "i2b2-2006")
    assert read_corpus(tmp_path / "c.xml") == gold
