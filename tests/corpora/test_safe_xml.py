"""XML that fetches, expands or leaves out anything is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.corpora import read_corpus
from multideid.corpora.safe_xml import without_comments
from multideid.errors import CorpusError

BODY = "<deIdi2b2><TEXT><![CDATA[Seen today.]]></TEXT><TAGS></TAGS></deIdi2b2>"


def _read(tmp_path: Path, doctype: str) -> int:
    (tmp_path / "a.xml").write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{doctype}\n{BODY}')
    return len(list(read_corpus(tmp_path / "a.xml", "i2b2-2014")))


@pytest.mark.parametrize(
    "doctype", ["", "<!DOCTYPE deIdi2b2>", "<!DOCTYPE deIdi2b2 [<!ELEMENT TEXT ANY>]>"]
)
def test_a_doctype_that_adds_nothing_is_read(tmp_path: Path, doctype: str) -> None:
    assert _read(tmp_path, doctype) == 1


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE deIdi2b2 SYSTEM "note.dtd">',
        '<!DOCTYPE deIdi2b2 PUBLIC "-//X//DTD note//EN" "http://127.0.0.1:9/note.dtd">',
        '<!DOCTYPE deIdi2b2 SYSTEM "note.dtd" [<!ELEMENT TEXT ANY>]>',
    ],
)
def test_a_doctype_outside_the_file_is_refused(tmp_path: Path, doctype: str) -> None:
    with pytest.raises(CorpusError, match=r"a\.xml: line 2: has a DOCTYPE outside the file"):
        _read(tmp_path, doctype)


def test_a_default_value_of_an_attribute_is_refused(tmp_path: Path) -> None:
    doctype = f'<!DOCTYPE deIdi2b2 [<!ATTLIST TEXT a CDATA "{"x" * 1000}">]>'
    with pytest.raises(CorpusError, match=r"a\.xml: line 2: declares a default value"):
        _read(tmp_path, doctype)


@given(st.lists(st.sampled_from(["<!--", "-->", "<?", "?>", "-", ">", "a", "\n"])).map("".join))
def test_comments_and_instructions_are_left_out(text: str) -> None:
    expected = re.sub(r"<!--.*?-->|<\?.*?\?>", "", text, flags=re.DOTALL)
    assert without_comments(text) == expected
