"""i2b2-2014 and MEDDOCAN standoff XML."""

from __future__ import annotations

from pathlib import Path

import pytest

from multideid.corpora import Report, read_corpus, write_corpus
from multideid.document import Document, Span
from multideid.errors import CorpusError


def _file(path: Path, content: str) -> Path:
    file = path / "110-01.xml"
    file.write_bytes(content.encode())
    return file


def _content(text: str, *tags: str) -> str:
    lines = "\n".join(tags)
    return f"<deIdi2b2>\n<TEXT><![CDATA[{text}]]></TEXT>\n<TAGS>\n{lines}\n</TAGS>\n</deIdi2b2>\n"


def _tag(start: object, end: object, text: str, name: str = "NAME", kind: str = "DOCTOR") -> str:
    return f'<{name} id="P0" start="{start}" end="{end}" text="{text}" TYPE="{kind}" comment=""/>'


def test_text_and_spans_are_read_with_the_type_as_label(tmp_path: Path) -> None:
    content = _content("\n<Dr.> Lee &amp; I", _tag(7, 10, "Lee"), _tag(3, 4, "r", "ID", "IDNUM"))
    (document,) = read_corpus(_file(tmp_path, content))
    assert document.id == "110-01"
    assert document.text == "\n<Dr.> Lee &amp; I"
    assert document.spans == (Span(3, 4, "IDNUM"), Span(7, 10, "DOCTOR"))


def test_element_and_root_names_are_written_again(tmp_path: Path) -> None:
    content = _content("Lee", _tag(0, 3, "Lee", "PERSON", "WHO")).replace("deIdi2b2", "MEDDOCAN")
    documents = read_corpus(_file(tmp_path, content))
    write_corpus(documents, tmp_path / "out", "i2b2-2014")
    written = (tmp_path / "out" / "110-01.xml").read_text()
    assert "<MEDDOCAN>" in written
    assert '<PERSON id="P0" start="0" end="3" text="Lee" TYPE="WHO"' in written
    assert read_corpus(tmp_path / "out") == documents


@pytest.mark.parametrize(
    ("label", "element"),
    [("CALLE", "LOCATION"), ("PHONE", "CONTACT"), ("PATIENT", "NAME"), ("MYLABEL", "OTHER")],
)
def test_without_names_the_element_is_the_category(
    tmp_path: Path, label: str, element: str
) -> None:
    write_corpus([Document("n", "x", (Span(0, 1, label),))], tmp_path / "out", "i2b2-2014")
    assert f"<{element} id=" in (tmp_path / "out" / "n.xml").read_text()


def test_a_name_from_meta_cannot_break_the_file(tmp_path: Path) -> None:
    meta = {"i2b2-2014": {"root": "a><b", "elements": {"X": "x y"}}}
    write_corpus([Document("n", "x", (Span(0, 1, "X"),), meta)], tmp_path / "out", "i2b2-2014")
    assert read_corpus(tmp_path / "out")[0].spans == (Span(0, 1, "X"),)


def test_a_byte_order_mark_in_the_text_counts(tmp_path: Path) -> None:
    (document,) = read_corpus(_file(tmp_path, _content("\ufeffLee", _tag(1, 4, "Lee"))))
    assert document.text == "\ufeffLee"


def test_offsets_count_line_ends_as_xml_reads_them(tmp_path: Path) -> None:
    (document,) = read_corpus(_file(tmp_path, _content("Dr.\r\nLee", _tag(4, 7, "Lee"))))
    assert document.text == "Dr.\nLee"


def test_offsets_that_count_carriage_returns_are_understood_and_reported(tmp_path: Path) -> None:
    reports: list[Report] = []
    file = _file(
        tmp_path, _content("Dr.\nLee", _tag(5, 8, "Lee").replace(" ", "\n")).replace("\n", "\r\n")
    )
    (document,) = read_corpus(file, on_report=reports.append)
    assert document.text == "Dr.\r\nLee"
    assert document.span_text(document.spans[0]) == "Lee"
    assert reports == [Report("110-01", "carriage returns", 1)]


def test_a_tag_without_text_is_taken_at_its_offsets(tmp_path: Path) -> None:
    tag = '<NAME start="0" end="3" TYPE="DOCTOR"/>'
    assert read_corpus(_file(tmp_path, _content("Lee", tag)))[0].spans == (Span(0, 3, "DOCTOR"),)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (_content("Anna", _tag(0, 4, "Otto")), "line 4: a text attribute is not the text"),
        (_content("Anna", _tag(0, 5, "Anna")), "document '110-01': span 0-5 is outside"),
        (_content("Anna", _tag(2, 2, "")), "document '110-01': span 2-2 is empty"),
        (_content("Anna", _tag("x", 2, "An")), "line 4: a tag lacks TYPE, or start and end"),
        (_content("Anna", '<NAME start="0" end="2"/>'), "line 4: a tag lacks TYPE"),
        ("<deIdi2b2>\n<TAGS></TAGS></deIdi2b2>", "has no <TEXT> element"),
        ("<deIdi2b2>\n<TEXT>Anna<b/></TEXT></deIdi2b2>", "line 2: an element is inside"),
        (_content("Anna")[:-8], "line 6: not well-formed"),
    ],
)
def test_a_malformed_file_gives_one_line(tmp_path: Path, content: str, problem: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read_corpus(_file(tmp_path, content), "i2b2-2014")
    message = str(caught.value)
    assert problem in message
    assert "\n" not in message
    assert "Anna" not in message
    assert "Otto" not in message


def test_overlapping_tags_are_resolved_and_reported(tmp_path: Path) -> None:
    reports: list[Report] = []
    file = _file(tmp_path, _content("Anna Lee", _tag(0, 4, "Anna"), _tag(0, 8, "Anna Lee")))
    (document,) = read_corpus(file, on_report=reports.append)
    assert document.spans == (Span(0, 8, "DOCTOR"),)
    assert reports == [Report("110-01", "overlapping", 1)]
