"""Descriptor files: all formats give the same headings, and damaged files are refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from multideid.errors import ResourceError
from multideid.knowledge.mesh import Descriptor, read_descriptors

XML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "nowhere.dtd">
<DescriptorRecordSet LanguageCode="eng">
<DescriptorRecord DescriptorClass="1">
  <DescriptorUI>D900001</DescriptorUI>
  <DescriptorName><String>Sorrow, Acute</String></DescriptorName>
  <PharmacologicalActionList><PharmacologicalAction><DescriptorReferredTo>
    <DescriptorUI>D900009</DescriptorUI><DescriptorName><String>Cheer</String></DescriptorName>
  </DescriptorReferredTo></PharmacologicalAction></PharmacologicalActionList>
  <TreeNumberList><TreeNumber>F01.100</TreeNumber><TreeNumber>C23.200.300</TreeNumber>
  </TreeNumberList>
  <ConceptList><Concept PreferredConceptYN="Y">
    <ConceptName><String>not this one</String></ConceptName>
    <TermList>
      <Term><String>Sorrow, Acute</String></Term><Term><String>Grief &amp; Woe</String></Term>
    </TermList>
  </Concept></ConceptList>
</DescriptorRecord>
<DescriptorRecord DescriptorClass="1">
  <DescriptorUI>D900002</DescriptorUI>
  <DescriptorName><String>Caf\u00e9 Chairs</String></DescriptorName>
</DescriptorRecord>
</DescriptorRecordSet>
"""
ASCII = """*NEWRECORD
RECTYPE = D
MH = Sorrow, Acute
ENTRY = Grief & Woe|T055|NON|EQV|NLM (1999)|abcdef
MN = F01.100
MN = C23.200.300
MS = A note = with a sign.
UI = D900001

*NEWRECORD
RECTYPE = Q
SH = sadness
UI = Q000001

*NEWRECORD
RECTYPE = D
MH = Caf\u00e9 Chairs
UI = D900002
"""
TABLE = """mesh_id\tmesh_name\tmesh_tree_number
D900001\tSorrow, Acute\tF01.100
D900001\tSorrow, Acute\tC23.200.300

D900002\tCaf\u00e9 Chairs\t
"""
WANTED = [
    Descriptor("D900001", ("Sorrow, Acute", "Grief & Woe"), ("F01.100", "C23.200.300")),
    Descriptor("D900002", ("Caf\u00e9 Chairs",), ()),
]


def read(folder: Path, content: str | bytes) -> list[Descriptor]:
    path = folder / "descriptors"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_descriptors(path))


@pytest.mark.parametrize("content", [XML, ASCII], ids=["xml", "ascii"])
def test_the_formats_of_nlm_give_the_same_descriptors(tmp_path: Path, content: str) -> None:
    assert read(tmp_path, content) == WANTED
    assert read(tmp_path, gzip.compress(content.encode())) == WANTED
    assert read(tmp_path, b"\xef\xbb\xbf" + content.replace("\n", "\r\n").encode()) == WANTED


def test_a_table_gives_one_partial_descriptor_per_row(tmp_path: Path) -> None:
    assert read(tmp_path, TABLE) == [
        Descriptor("D900001", ("Sorrow, Acute",), ("F01.100",)),
        Descriptor("D900001", ("Sorrow, Acute",), ("C23.200.300",)),
        WANTED[1],
    ]


def test_a_large_file_is_read_piece_by_piece(tmp_path: Path) -> None:
    path = tmp_path / "descriptors"
    record = XML.partition("<DescriptorRecord ")[2].partition("</DescriptorRecordSet>")[0]
    cut = XML.replace(record, (record + "<DescriptorRecord ") * 2000 + record)
    path.write_text(cut[: -len("</DescriptorRecordSet>\n")], "utf-8")
    descriptors = read_descriptors(path)
    assert next(descriptors) == WANTED[0]
    with pytest.raises(ResourceError, match="not well-formed"):
        list(descriptors)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (XML.replace("</TermList>", ""), "line 17: not well-formed XML"),
        (XML[:-30], "not well-formed XML"),
        (XML.replace("D900002", "Q900002"), "line 22: a descriptor's identifier"),
        (XML.replace("C23.200", "C23/200"), "descriptor D900001 has a tree number"),
        (XML.replace("RecordSet", "RecordBag"), "root element is not DescriptorRecordSet"),
        (XML.replace("<DescriptorName><String>Caf\u00e9 Chairs</String></DescriptorName>", ""),
         "descriptor D900002 has no name"),
        (XML.replace('SYSTEM "nowhere.dtd"', '[<!ENTITY a "b">]'), "declares an entity"),
        (XML.replace("UTF-8", "no-such"), "unknown XML encoding|unknown encoding"),
        (ASCII.replace("UI = D900002", ""), "record of line 15: a descriptor's identifier"),
        (ASCII.replace("RECTYPE = Q\n", ""), "line 10: a record has no RECTYPE"),
        (ASCII.replace("MN = F01.100", "MN = F1"), "record of line 1: descriptor D900001 has a"),
        (ASCII.encode("latin-1"), "line 17: is not UTF-8"),
        (TABLE.replace("D900002", "D9"), "line 5: a descriptor's identifier"),
        (TABLE.replace("\tF01.100", ""), "line 2: has 2 columns where the first line has 3"),
        (TABLE.replace("mesh_name", "name"), "line 1: has no column mesh_name"),
        ("a,b\n1,2\n", "not in a supported format"),
        ("", "not in a supported format"),
        (gzip.compress(TABLE.encode(), mtime=0)[:-9], "damaged gzip"),
    ],
)  # fmt: skip
def test_damaged_files_are_refused_with_the_line(
    tmp_path: Path, content: str | bytes, problem: str
) -> None:
    with pytest.raises(ResourceError, match=problem) as caught:
        read(tmp_path, content)
    assert str(tmp_path / "descriptors") in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"none\.xml: cannot be read: No such file"):
        list(read_descriptors(tmp_path / "none.xml"))
