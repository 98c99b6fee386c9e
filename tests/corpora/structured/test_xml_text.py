"""XML of any kind: texts, attributes and comments are read, markup stays."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.corpora.structure import HEAD, Content, ReadingOptions
from multideid.corpora.structured.html_text import holds_html
from multideid.corpora.structured.slots import Change
from multideid.corpora.structured.xml_text import FORMAT
from multideid.deid.record_text import RecordText
from multideid.document import Span
from multideid.errors import CorpusError

EXPORT = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE export SYSTEM "export.dtd">
<export xmlns:x="urn:x" version="1.2">
  <!-- by Lee -->
  <note id='n1' author="Dr. O&apos;Brien">
    <title>Letter</title>
    <body>Seen by <b>Dr.</b> <i>Lee</i> &amp; Co.<br/>on Monday &#233;</body>
    <raw><![CDATA[x < Lee ]]></raw>
    <empty/><n>7</n>
  </note>
</export>
"""


def _records(data: str | bytes):
    raw = data.encode() if isinstance(data, str) else data
    return list(FORMAT.structure.records(Content(io.BytesIO(raw), "file"), ReadingOptions()))


def test_texts_attributes_and_comments_are_read(opened) -> None:
    text = EXPORT.replace('<!DOCTYPE export SYSTEM "export.dtd">\n', "")
    file = opened(text)
    assert file.format == "xml"
    assert file.free == [
        " by Lee ",
        "Letter",
        "Seen by Dr. Lee & Co.",
        "on Monday é",
        "x < Lee ",
        "7",
    ]
    assert file.known == [("n1", "IDNUM"), ("Dr. O'Brien", "DOCTOR")]
    assert file.unchanged() == file.data


def test_change_over_inline_elements_keeps_the_markup(opened) -> None:
    file = opened(EXPORT.replace('<!DOCTYPE export SYSTEM "export.dtd">\n', ""))
    text = RecordText(file.records[0])
    start = text.text.index("Dr. Lee")
    new = text.rendered([Change(start, start + 7, "<X>")]).decode()
    assert "Seen by <b>&lt;X&gt;</b><i></i> &amp; Co.<br/>on Monday &#233;" in new


# "<a>" is markup inside of a text.
TEXTS = st.text(st.sampled_from("ab <>&\"'é\n😀]"), max_size=6).filter(lambda t: not holds_html(t))


@given(st.lists(TEXTS, min_size=1, max_size=4), TEXTS)
def test_any_text_is_read_and_written_back(texts, new) -> None:
    from xml.sax.saxutils import escape, quoteattr

    inner = "".join(f"<p a={quoteattr(t)}>{escape(t)}</p>" for t in texts)
    (record,) = _records(f"<r>{inner}</r>")
    assert record.render({}) == f"<r>{inner}</r>".encode()
    read = [v.text for v in record.values if not v.place]
    assert read == [t for t in texts if t.strip()]
    fields = RecordText(record)
    changes = [Change(s, s + len(v.text), new) for s, v in zip(fields.starts, record.values)]  # noqa: B905
    (again,) = _records(fields.rendered(changes))
    assert [v.text for v in again.values if not v.place] == [new for _ in read if new.strip()]


@pytest.mark.parametrize(
    ("root", "problem"),
    [
        ('<Patient xmlns="http://hl7.org/fhir"><id value="1"/></Patient>', "convert it to JSON"),
        (f"<a><b>{'x' * HEAD}</b><f:Patient xmlns:f='http://hl7.org/fhir'/></a>", "to JSON"),
        ('<ADT_A01 xmlns="urn:hl7-org:v2xml"/>', "HL7 v2 in XML"),
        ('<PRPA_IN201305UV02 xmlns="urn:hl7-org:v3"/>', "an HL7 v3 message"),
        ("<?xml version='1.0'?><a>", "line 1: not well-formed XML"),
        ("<!DOCTYPE a [<!ELEMENT a ANY>]><a>x</a>", "has a document type with declarations"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "declares an entity"),
    ],
)
def test_xml_that_cannot_be_read_is_refused(root, problem) -> None:
    with pytest.raises(CorpusError, match=problem):
        _records(root)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ("<a>x</a>", True),
        ("\ufeff<?xml version='1.0'?>\n<a/>", True),
        ("<?xml version='1.0'?><a>", True),  # To be refused with the line.
        ("<1 cm lesion", False),
        ("<Lee> was seen", False),
        ("plain <b>x</b>", False),
    ],
)
def test_xml_is_recognised_and_notes_are_not_taken_for_it(data, found) -> None:
    assert FORMAT.structure.recognise(Content(io.BytesIO(data.encode()), "file")) is found


def _masked(data: str, *phi: str) -> str:
    """Return XML with names that a model would find masked."""
    (record,) = _records(data)
    fields = RecordText(record)
    places = [(fields.text.index(p), p) for p in phi]
    spans = fields.spans([Span(i, i + len(p), "PATIENT") for i, p in places], str)
    return fields.rendered([Change(s.start, s.end, "[X]") for s in spans]).decode()


@pytest.mark.parametrize(
    ("structure", "new"),
    [
        ("<p>Smith</p>", "<p>[X]</p>"),
        ('<p by="SMITH_JOHN"/>', '<p by="[X]"/>'),
        ('<p xml:id="SmithJohn1961"/>', '<p xml:id="[X]1961"/>'),
        ('<p version="for John Smith"/>', '<p version="for [X]"/>'),
        ('<p xmlns:x="urn:JohnSmith"/>', '<p xmlns:x="urn:[X]"/>'),
        ("<!-- of Smith -->", "<!-- of [X] -->"),
        ("<?out of Smith?>", "<?out of [X]?>"),
        ('<?xml-stylesheet href="smith-john.xsl"?>', '<?xml-stylesheet href="[X].xsl"?>'),
    ],
)
def test_what_repeats_phi_of_the_text_loses_it(structure, new) -> None:
    data = f"<r><text>For years, John Smith\nwas well.</text>{structure}</r>"
    assert _masked(data, "John Smith").split("</text>")[1] == f"{new}</r>"


def test_names_of_stylesheets_are_not_read_as_text(opened) -> None:
    assert opened('<?xml-stylesheet href="CDA.xsl"?><a>by Lee</a>').free == ["by Lee"]
