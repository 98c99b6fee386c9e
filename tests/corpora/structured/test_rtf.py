"""RTF documents: texts change, structure and style stay."""

from __future__ import annotations

import pytest
from structured_records import NAME, record_of, texts_of, with_masked

from multideid.corpora.structured import rtf
from multideid.corpora.structured.slots import Change
from multideid.deid.record_text import RecordText
from multideid.errors import CorpusError

RTF = r"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset204 Arial;}}
{\colortbl;\red0\green0\blue0;}{\stylesheet{\s0 Smith style;}}
{\info{\author Martha Alder}{\title Letter for Joan Smith}{\creatim\yr2007\mo3\dy14\hr9\min30}}
{\*\revtbl {Unknown;}{Ann Lee;}}
{\header\pard St. Elsewhere Hospital\par}
\pard\f0\fs24 Ms. \b Jo\b0 an Smith \u8212?
 was in Z\'fcrich \f1\'cc\f0  \u-10179?\u-8704? by\tab{\i Dr.} O\rquote Brien \{x\}.\par
MRN\cell 4458812\cell\row
{\field{\*\fldinst HYPERLINK "mailto:joan@example.org"}{\fldrslt mail}}{\field{\*\fldinst PAGE}}\par
{\pict\pngblip\picw10 89504e470d0a1a0a}{\*\unknown hidden}
\uc0\b\u233 t\'e9\par
}
""".encode("latin-1")


def test_paragraphs_and_properties_of_rtf_are_read() -> None:
    record = record_of(rtf, RTF)
    assert texts_of(record) == [
        "Letter for Joan Smith",
        "St. Elsewhere Hospital",
        "Ms. Joan Smith \u2014 was in Z\u00fcrich \u041c \U0001f600 by\tDr. O\u2019Brien {x}.",
        "MRN\t4458812\t",
        'HYPERLINK "mailto:joan@example.org"',
        "mail",
        "hidden",
        "\u00e9t\u00e9",
    ]
    known = [v.text[s.start : s.end] for v in record.values for s in v.known]
    assert known == ["Martha Alder", "Unknown", "Ann Lee"]


def test_formatting_of_rtf_stays() -> None:
    written = with_masked(
        record_of(rtf, RTF), NAME, "Z\u00fcrich", "O\u2019Brien", "4458812"
    ).decode()
    for part in (
        r"{\author [DOCTOR]}{\title Letter for [X]}{\creatim\yr1900 \mo1 \dy1 \hr0 \min0 }",
        r"{\*\revtbl {[DOCTOR];}{[DOCTOR];}}",
        "\\fs24 Ms. \\b [X]\\b0  \\u8212?\n was in [X] \\f1\\'cc\\f0  \\u-10179?\\u-8704? by",
        r"\tab{\i Dr.} [X] \{x\}.\par",
        r"MRN\cell [X]\cell\row",
        r"{\pict\pngblip\picw10 }",
        r"{\stylesheet{\s0 Smith style;}}",
    ):
        assert part in written


def test_unchanged_rtf_stays_but_for_pictures_and_times() -> None:
    plain = RTF.replace(b"89504e470d0a1a0a", b"").replace(
        rb"\yr2007\mo3\dy14\hr9\min30", rb"\yr1900 \mo1 \dy1 \hr0 \min0 "
    )
    assert record_of(rtf, RTF).render({}) == plain


@pytest.mark.parametrize(
    "part",
    [
        r"{\stylesheet{\s1 Letter of Joan;}}",
        r"{\*\bkmkstart JoanSmith_1}{\*\bkmkend JoanSmith_1}",
        r"{\field{\*\fldinst REF SMITH_JOAN \\h}}",
        r"{\filetbl{\file\fid0 C:\\Joan\\letter.rtf;}}",
    ],
)
def test_names_in_rtf_that_repeat_phi_lose_it(part) -> None:
    data = rf"{{\rtf1 {part}\pard For Joan Smith, who was seen.\par}}".encode()
    written = with_masked(record_of(rtf, data), NAME, label="PATIENT").decode().lower()
    assert "joan" not in written
    assert "smith" not in written


def test_new_text_is_written_as_rtf_writes_it() -> None:
    new = "a{\\}\u00e9\U0001f600\nB"
    record = record_of(rtf, RTF)
    fields = RecordText(record)
    start = fields.text.index("O\u2019Brien")
    again = record_of(rtf, fields.rendered([Change(start, start + 7, new)]))
    assert f"Dr. {new} {{x}}." in RecordText(again).text
    # After a control word without a space, text would become a part of it.
    start = fields.text.index("\u00e9t\u00e9")
    again = record_of(rtf, fields.rendered([Change(start, start + 3, "Lee")]))
    assert texts_of(again)[-1] == "Lee"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (rb"{\rtf1 a{\object\objemb x}}", "holds an embedded object"),
        (rb"{\rtf1 a{b}", "braces do not match"),
        (rb"{\rtf1 a}} b", "braces do not match"),
        (rb"{\rtf1 a\'g}", "broken escape"),
    ],
)
def test_rtf_that_cannot_be_read_is_refused(data, problem) -> None:
    with pytest.raises(CorpusError, match=problem):
        record_of(rtf, data)


@pytest.mark.parametrize(
    ("name", "value", "new"),
    [
        ("MRN", "4458812", "[MEDICALRECORD]"),
        ("MRN", "88", "[MEDICALRECORD]"),
        ("Age", "95", "[AGE]"),
        ("Age", "45", "45"),
        ("PatientName", "Docvarby", "[PATIENT]"),
    ],
)
def test_properties_and_variables_of_rtf_named_as_identifiers_are_known(
    name: str, value: str, new: str
) -> None:
    properties = rf"{{\*\userprops{{\propname {name}}}\proptype30{{\staticval {value}}}}}"
    variables = rf"{{\*\docvar {{X}}{{}}}}{{\*\docvar {{{name}}}{{{value}}}}}"
    data = rf"{{\rtf1{properties}{variables}x\par}}"
    written = with_masked(record_of(rtf, data.encode())).decode()
    assert written == data.replace(f"{value}}}", f"{new}}}")


def test_a_paragraph_of_digits_alone_is_read_in_rtf() -> None:
    record = record_of(rtf, rb"{\rtf1{\header 4458812\par}{\info{\title 55120}}x\par}")
    assert texts_of(record) == ["4458812", "55120", "x"]
