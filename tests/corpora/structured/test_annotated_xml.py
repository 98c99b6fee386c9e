"""Annotated XML given to deid: what is marked is PHI, and no annotation quotes it any more."""

from __future__ import annotations

import io

import pytest

from multideid.corpora import iter_corpus, write_corpus
from multideid.corpora.structure import Content, ReadingOptions
from multideid.corpora.structured.annotated_xml import STANDOFF
from multideid.document import Document, Span
from multideid.errors import CorpusError

STANDOFF_FILE = """<?xml version="1.0" encoding="UTF-8"?>
<MEDDOCAN>
<!-- annotated by Ernesto -->
<TEXT><![CDATA[Nombre: Ernesto.
Visto por Ernesto & B-1 el 3/14.]]></TEXT>
<TAGS>
<NAME id="T1" start="8" end="15" text="Ernesto" TYPE="NOMBRE_SUJETO_ASISTENCIA" comment=""/>
<DATE id="T2" start="44" end="48" text="3/14" TYPE="FECHAS" comment=""/>
</TAGS>
</MEDDOCAN>
"""
INLINE_FILE = """<ROOT>
<RECORD ID="7"><!-- by Lee -->
<TEXT>Seen by Dr. <PHI TYPE="DOCTOR">Lee</PHI> &amp; Lee
on <PHI TYPE="DATE">3/14</PHI>.</TEXT>
</RECORD>
<RECORD ID="8"><NOTE>hidden</NOTE><TEXT>plain</TEXT></RECORD>
</ROOT>
"""


def test_standoff_annotations_are_phi_and_left_out(opened) -> None:
    file = opened(STANDOFF_FILE)
    assert file.format == "i2b2-2014"
    assert file.known == [("Ernesto", "NOMBRE_SUJETO_ASISTENCIA"), ("3/14", "FECHAS")]
    written = file.masked().decode()
    assert "Ernesto" not in written
    assert "<TAGS></TAGS>\n</MEDDOCAN>" in written
    assert (
        "<TEXT><![CDATA[Nombre: [NOMBRE_SUJETO_ASISTENCIA].\n"
        "Visto por [NOMBRE_SUJETO_ASISTENCIA] & B-1 el [FECHAS].]]></TEXT>"
    ) in written


def test_standoff_offsets_may_count_carriage_returns_or_not(opened) -> None:
    windows = STANDOFF_FILE.replace("\n", "\r\n")
    assert opened(windows).known == opened(STANDOFF_FILE).known
    counted = windows.replace('"44" end="48"', '"45" end="49"')
    assert opened(counted).known == opened(STANDOFF_FILE).known
    assert "\r\nVisto" in opened(counted).masked().decode()


def test_inline_annotations_are_phi_and_stay_around_the_new_text(opened) -> None:
    file = opened(INLINE_FILE)
    assert file.format == "i2b2-2006"
    assert file.unchanged() == file.data
    assert [record.name for record in file.records] == ["record 7", "record 8", "end"]
    written = file.masked().decode()
    assert '<PHI TYPE="DOCTOR">[DOCTOR]</PHI> &amp; [DOCTOR]\non <PHI TYPE="DATE">[DATE]' in written
    assert "<!-- by [DOCTOR] -->" in written
    assert "hidden" in file.free


@pytest.mark.parametrize("format", ["i2b2-2014", "i2b2-2006"])
def test_texts_are_those_that_corpora_have(opened, tmp_path, format) -> None:
    note = Document("a", "Dr. Lee & <b>\r\n\u00e9 ]]> 3/14", (Span(4, 7, "DOCTOR"),))
    write_corpus([note], tmp_path / "corpus", format)
    (path,) = [p for p in (tmp_path / "corpus", tmp_path / "corpus" / "a.xml") if p.is_file()]
    file = opened(path.read_bytes())
    assert file.records[0].values[0].text == note.text
    assert file.known == [("Lee", "DOCTOR")]
    path.write_bytes(file.masked())
    (again,) = iter_corpus(path, format)
    assert again.text == note.text.replace("Lee", "[DOCTOR]")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('start="8"', 'start="9"', "not at its text"),
        ('end="48"', 'end="4800"', "not at its text"),
        (' TYPE="FECHAS"', "", "lacks TYPE"),
    ],
)
def test_wrong_annotations_are_refused(old, new, problem) -> None:
    content = Content(io.BytesIO(STANDOFF_FILE.replace(old, new).encode()), "file")
    with pytest.raises(CorpusError, match=problem):
        list(STANDOFF.records(content, ReadingOptions()))
