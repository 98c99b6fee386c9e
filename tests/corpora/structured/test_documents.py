"""Word, RTF, PDF and Excel documents: texts change, structure and style stay."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime

import docx
import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.formatting.rule import FormulaRule
from openpyxl.packaging.custom import StringProperty
from openpyxl.styles import NamedStyle
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.table import Table
from pdf_files import pdf_file
from pypdf import PageObject, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    StreamObject,
    TextStringObject,
)

from multideid.corpora.structure import Content, ReadingOptions, Record
from multideid.corpora.structured import docx as docx_format
from multideid.corpora.structured import pdf, rtf, xlsx
from multideid.corpora.structured.slots import Change
from multideid.deid.record_text import RecordText
from multideid.document import Span
from multideid.errors import CorpusError

NAME = "Joan Smith"


def _record(module, data: bytes) -> Record:
    content = Content(io.BytesIO(data), "file")
    assert module.FORMAT.structure.recognise(content)
    (record,) = module.FORMAT.structure.records(content, ReadingOptions())
    return record


def _masked(record: Record, *phi: str, label: str = "X") -> bytes:
    """Return the document with its fields, and some texts that a model would find, masked."""
    fields = RecordText(record)
    found = [Span(i, i + len(p), label) for p in phi for i in _places(fields.text, p)]
    changes = [Change(s.start, s.end, f"[{s.label}]") for s in fields.spans(found, str)]
    return fields.rendered(changes)


def _places(text: str, part: str) -> list[int]:
    return [i for i in range(len(text)) if text.startswith(part, i)]


def _texts(record: Record, *, free: bool = True) -> list[str]:
    return [value.text for value in record.values if value.free is free]


# Word documents.


def _docx(change: Callable[[docx.document.Document], None] = lambda d: None) -> bytes:
    document = docx.Document()
    document.core_properties.author = "Martha Alder"
    document.core_properties.title = f"Letter for {NAME}"
    paragraph = document.add_paragraph("Ms. ")
    paragraph.add_run("Jo").bold = True
    paragraph.add_run("an Smith").italic = True
    paragraph.add_run(" was seen\ton 3/14/2007\nby Dr. Lee & Co.")
    row = document.add_table(1, 2).rows[0]
    row.cells[0].text, row.cells[1].text = "MRN", "4458812"
    document.sections[0].header.paragraphs[0].text = "St. Elsewhere Hospital"
    change(document)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def _with_parts(data: bytes, **parts: bytes) -> bytes:
    """Return a ZIP file with additional or other members."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, content in parts.items():
            new.writestr(name, content)
    return file.getvalue()


def test_paragraphs_rows_headers_and_properties_of_word_are_read() -> None:
    record = _record(docx_format, _docx())
    assert _texts(record)[:2] == [
        "Ms. Joan Smith was seen\ton 3/14/2007\nby Dr. Lee & Co.",
        "MRN\t4458812",
    ]
    assert {"St. Elsewhere Hospital", f"Letter for {NAME}"} <= set(_texts(record))
    known = [value.text[span.start : span.end] for value in record.values for span in value.known]
    assert known == ["Martha Alder"]


def test_runs_of_word_keep_their_style() -> None:
    data = _masked(_record(docx_format, _docx()), NAME, "4458812", "Elsewhere", "Lee")
    written = docx.Document(io.BytesIO(data))
    runs = [(run.text, run.bold, run.italic) for run in written.paragraphs[0].runs]
    assert runs == [
        ("Ms. ", None, None),
        ("[X]", True, None),
        ("", None, True),
        (" was seen\ton 3/14/2007\nby Dr. [X] & Co.", None, None),
    ]
    assert [cell.text for cell in written.tables[0].rows[0].cells] == ["MRN", "[X]"]
    assert written.sections[0].header.paragraphs[0].text == "St. [X] Hospital"
    properties = written.core_properties
    assert (properties.author, properties.title) == ("[DOCTOR]", "Letter for [X]")
    assert properties.created.year == 1900
    everything = b"".join(_members(data).values())
    assert not any(p in everything for p in (b"Alder", b"Elsewhere", b"4458812", b"Joan"))


def _members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_unchanged_word_document_keeps_its_parts() -> None:
    data = _docx()
    old, new = _members(data), _members(_record(docx_format, data).render({}))
    assert old.keys() == new.keys()
    times = ("docProps/core.xml", "docProps/thumbnail.jpeg")
    assert {n: d for n, d in old.items() if n not in times} == {
        n: d for n, d in new.items() if n not in times
    }


def test_comments_revisions_links_and_text_boxes_of_word_are_read() -> None:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = (
        f'<w:document xmlns:w="{space}"><w:body><w:p><w:r><w:t>before </w:t></w:r>'
        '<w:ins w:author="Ann Lee" w:date="2007-03-14T09:30:00Z"><w:r><w:t>Joan</w:t></w:r></w:ins>'
        '<w:del w:author="Ann Lee"><w:r><w:delText> gone</w:delText></w:r></w:del>'
        "<w:r><w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></w:r>"
        '<w:r><w:instrText> HYPERLINK "mailto:j@exam</w:instrText></w:r><w:r><w:instrText>ple.org" '
        '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
        "<w:r><w:instrText> PAGE </w:instrText></w:r></w:p></w:body></w:document>"
    )
    comments = (
        f'<w:comments xmlns:w="{space}"><w:comment w:author="Ann Lee" w:initials="AL"><w:p><w:r>'
        "<w:t>ask Joan</w:t></w:r></w:p></w:comment></w:comments>"
    )
    links = (
        '<Relationships xmlns="r"><Relationship Id="rId1" TargetMode="External" '
        'Target="mailto:j%20s@example.org"/><Relationship Id="rId2" Target="styles.xml"/>'
        "</Relationships>"
    )
    data = _with_parts(
        _docx(),
        **{
            "word/document.xml": body.encode(),
            "word/comments.xml": comments.encode(),
            "word/_rels/document.xml.rels": links.encode(),
        },
    )
    record = _record(docx_format, data)
    assert _texts(record)[:3] == [
        "in a box",
        ' HYPERLINK "mailto:j@example.org" ',
        "before Joan gone",
    ]
    assert "ask Joan" in _texts(record)
    masked = _members(_masked(record, "Joan", "j@example.org"))
    assert b'w:author="[DOCTOR]" w:date="1900-01-01T00:00:00Z"' in masked["word/document.xml"]
    assert b'w:initials="[DOCTOR]"' in masked["word/comments.xml"]
    assert b'Target="mailto:%5BEMAIL%5D"' in masked["word/_rels/document.xml.rels"]
    again = _record(docx_format, _masked(record, "Joan"))
    assert "mailto:[EMAIL]" in _texts(again, free=False)


def test_pictures_of_word_become_empty_and_objects_are_refused() -> None:
    image = _with_parts(_docx(), **{"word/media/image1.png": b"\x89PNG face"})
    written = _members(_record(docx_format, image).render({}))
    assert written["word/media/image1.png"].startswith(b"\x89PNG\r\n")
    assert b"face" not in written["word/media/image1.png"]
    for name in ("word/embeddings/sheet.xlsx", "word/vbaProject.bin", "word/afchunk.mht"):
        with pytest.raises(CorpusError, match=f"holds {name}, which is not read"):
            _record(docx_format, _with_parts(_docx(), **{name: b"x"}))


def _document(body: str, **parts: str) -> bytes:
    """Return a Word document with this body, and other parts."""
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    document = f"<w:document {space}><w:body>{body}</w:body></w:document>"
    named = {name: text.replace("NS", space).encode() for name, text in parts.items()}
    return _with_parts(_docx(), **{"word/document.xml": document.encode(), **named})


def test_bookmarks_of_word_get_neutral_names_wherever_they_are_used() -> None:
    body = (
        '<w:p><w:bookmarkStart w:id="0" w:name="SMITH_JOAN"/><w:bookmarkStart w:name="_Toc123"/>'
        '<w:hyperlink w:anchor="SMITH_JOAN"><w:r><w:t>x</w:t></w:r></w:hyperlink>'
        "<w:r><w:instrText> REF SMITH_JO</w:instrText></w:r>"
        r"<w:r><w:instrText>AN \h </w:instrText></w:r>"
        '<w:r><w:fldChar/></w:r><w:hyperlink w:anchor="of_nobody"/>'
        '<w:ffData><w:name w:val="Visit_Smith"/></w:ffData></w:p>'
    )
    written = _members(_record(docx_format, _document(body)).render({}))["word/document.xml"]
    for part in (
        'w:id="0" w:name="bookmark_1"/><w:bookmarkStart w:name="_Toc123"/>',
        '<w:hyperlink w:anchor="bookmark_1">',
        r"> REF bookmark_1</w:instrText></w:r><w:r><w:instrText> \h </w:instrText>",
        '<w:hyperlink w:anchor="bookmark_0"/>',
        '<w:name w:val="bookmark_2"/>',
    ):
        assert part in written.decode()


def test_styles_of_people_get_neutral_names_wherever_they_are_used() -> None:
    def change(document: docx.document.Document) -> None:
        style = document.styles.add_style("Letter of Joan Smith", 1)
        document.add_paragraph("styled", style=style)
        document.add_paragraph("title", style="Heading 1")

    members = _members(_record(docx_format, _docx(change)).render({}))
    written = docx.Document(io.BytesIO(_record(docx_format, _docx(change)).render({})))
    assert [p.style.name for p in written.paragraphs[-2:]] == ["Style 1", "Heading 1"]
    assert not any(b"Joan" in members[name] for name in ("word/styles.xml",))
    assert b'w:pStyle w:val="Style1"' in members["word/document.xml"]


@pytest.mark.parametrize(
    "part",
    [
        '<w:lvlText w:val="Joan %1"/>',
        '<w:tbl><w:tblPr><w:tblCaption w:val="of Joan"/></w:tblPr></w:tbl>',
        '<w:tbl><w:tblPr><w:tblDescription w:val="of Joan"/></w:tblPr></w:tbl>',
        '<w:ddList><w:listEntry w:val="Joan"/></w:ddList>',
        '<w:docPartPr><w:name w:val="Note of Joan"/></w:docPartPr>',
        '<w:mailMerge><w:query w:val="SELECT Joan"/></w:mailMerge>',
        '<v:rect xmlns:v="v" alt="Joan"/>',
        '<wp:docPr xmlns:wp="wp" id="1" name="Picture 1" descr="Joan at home"/>',
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Joan</w:t></w:r></w:p>",
        "<w:p><!-- of Joan --></w:p>",
        "<w:p><?mso of Joan?></w:p>",
    ],
)
def test_what_people_write_into_word_is_read_wherever_it_is(part: str) -> None:
    record = _record(docx_format, _document(part))
    assert any("Joan" in text for text in _texts(record))
    assert b"Joan" not in _members(_masked(record, "Joan"))["word/document.xml"]


@pytest.mark.parametrize(
    "part",
    [
        '<w:smartTagPr><w:attr w:name="Year" w:val="1961"/></w:smartTagPr>',
        "<w:p><w:r><w:fldChar><w:fldData>MTk2MQ1961==</w:fldData></w:fldChar></w:r></w:p>",
        '<w:permStart w:ed="ward1961"/>',
        '<o:signatureline xmlns:o="o" o:suggestedsigner="of 1961 Street"/>',
    ],
)
def test_what_repeats_or_signs_in_word_is_removed(part: str) -> None:
    members = _members(_masked(_record(docx_format, _document(part))))
    assert b"1961" not in members["word/document.xml"]


def test_attributes_of_word_that_repeat_phi_lose_it() -> None:
    body = (
        "<w:p><w:r><w:t>Joan Smith</w:t></w:r></w:p>"
        '<w:dataBinding w:xpath="/Case/Smith/Joan"/><w:docPartGallery w:val="Other"/>'
    )
    data = _masked(_record(docx_format, _document(body)), NAME, label="PATIENT")
    written = _members(data)["word/document.xml"]
    assert b"Joan" not in written
    assert b"Smith" not in written
    assert b'<w:docPartGallery w:val="Other"/>' in written


def test_short_paragraphs_of_word_lose_what_is_found_in_the_text() -> None:
    body = "".join(f"<w:p><w:r><w:t>{t}</w:t></w:r></w:p>" for t in ("of Joan Smith", "SMITH"))
    data = _masked(_record(docx_format, _document(body)), NAME, label="PATIENT")
    texts = [p.text for p in docx.Document(io.BytesIO(data)).paragraphs]
    assert texts == ["of [PATIENT]", "[PATIENT]"]


def test_pictures_of_word_get_neutral_names() -> None:
    links = (
        '<Relationships xmlns="r"><Relationship Id="rId1" Target="media/Joan%20Smith.PNG"/>'
        "</Relationships>"
    )
    data = _document("", **{"word/_rels/document.xml.rels": links})
    data = _with_parts(data, **{"word/media/Joan Smith.PNG": b"x"})
    members = _members(_record(docx_format, data).render({}))
    assert "word/media/image1.png" in members
    assert not any("Smith" in name for name in members)
    assert b'Target="/word/media/image1.png"' in members["word/_rels/document.xml.rels"]


# RTF.

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
    record = _record(rtf, RTF)
    assert _texts(record) == [
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
    written = _masked(_record(rtf, RTF), NAME, "Z\u00fcrich", "O\u2019Brien", "4458812").decode()
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
    assert _record(rtf, RTF).render({}) == plain


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
    written = _masked(_record(rtf, data), NAME, label="PATIENT").decode().lower()
    assert "joan" not in written
    assert "smith" not in written


def test_new_text_is_written_as_rtf_writes_it() -> None:
    new = "a{\\}\u00e9\U0001f600\nB"
    record = _record(rtf, RTF)
    fields = RecordText(record)
    start = fields.text.index("O\u2019Brien")
    again = _record(rtf, fields.rendered([Change(start, start + 7, new)]))
    assert f"Dr. {new} {{x}}." in RecordText(again).text
    # After a control word without a space, text would become a part of it.
    start = fields.text.index("\u00e9t\u00e9")
    again = _record(rtf, fields.rendered([Change(start, start + 3, "Lee")]))
    assert _texts(again)[-1] == "Lee"


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
        _record(rtf, data)


# PDF.


def test_text_of_pdf_comes_out_page_by_page() -> None:
    record = _record(pdf, pdf_file("Joan Smith was seen.", "Page two."))
    assert _texts(record) == ["Joan Smith was seen.\n\fPage two.\n"]
    assert _masked(record, NAME) == b"[X] was seen.\n\fPage two.\n"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (pdf_file("text", None), "page 2: this page has no text"),
        (b"%PDF-1.4\nZanzibar", "is a PDF that cannot be read"),
        (pdf_file(), "is a PDF without pages"),
    ],
)
def test_pdf_without_text_is_refused(data, problem) -> None:
    with pytest.raises(CorpusError, match=problem) as caught:
        _record(pdf, data)
    assert "Zanzibar" not in str(caught.value)


def _pdf(change: Callable[[PdfWriter], object], text: str = "Seen by Lee.") -> bytes:
    """Return a PDF with a page, and a change."""
    writer = PdfWriter(clone_from=io.BytesIO(pdf_file(text)))
    change(writer)
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def _annotated(**entries: object) -> Callable[[PdfWriter], object]:
    names = {f"/{key}": value for key, value in entries.items()}
    annotation = DictionaryObject({NameObject(k): v for k, v in names.items()})
    return lambda writer: writer.add_annotation(0, annotation)


def _name(text: str) -> NameObject:
    return NameObject(f"/{text}")


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        ({"Subtype": _name("Text"), "Contents": TextStringObject("Call Joan")}, "Call Joan"),
        ({"Subtype": _name("FreeText"), "Contents": TextStringObject("a\rb")}, "a\nb"),
        (
            {
                "Subtype": _name("Widget"),
                "T": TextStringObject("patient"),
                "V": TextStringObject(NAME),
            },
            "patient: Joan Smith",
        ),
        ({"Subtype": _name("Widget"), "V": _name("Off")}, ""),
    ],
)
def test_notes_and_form_fields_of_pdf_come_below_the_text(entries, text) -> None:
    rectangle = ArrayObject([FloatObject(n) for n in (0, 0, 9, 9)])
    record = _record(pdf, _pdf(_annotated(Rect=rectangle, **entries)))
    assert _texts(record) == ["\n".join(["Seen by Lee.", *filter(None, [text])]) + "\n"]


def _with_image(writer: PdfWriter) -> None:
    """Draw an image over the whole page."""
    image = StreamObject()
    image.set_data(b"\0")
    names = {"Type": _name("XObject"), "Subtype": _name("Image")}
    image.update({NameObject(f"/{key}"): value for key, value in names.items()})
    page = writer.pages[0]
    resources = page["/Resources"]
    objects = DictionaryObject({NameObject("/I"): writer._add_object(image)})
    resources[NameObject("/XObject")] = objects
    contents = page.get_contents()
    contents.set_data(contents.get_data() + b" q 600 0 0 800 0 0 cm /I Do Q")
    page[NameObject("/Contents")] = writer._add_object(contents)
    page[NameObject("/MediaBox")] = ArrayObject([FloatObject(n) for n in (0, 0, 612, 792)])


def _with_xfa(writer: PdfWriter) -> None:
    form = DictionaryObject({NameObject("/XFA"): ArrayObject()})
    writer.root_object[NameObject("/AcroForm")] = form


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda writer: writer.encrypt("secret", algorithm="RC4-128"), "is an encrypted PDF"),
        (lambda writer: writer.add_attachment("a.txt", b"Joan"), "holds attached files"),
        (_annotated(Subtype=_name("FileAttachment")), "holds attached files"),
        (_with_xfa, "is an XFA form"),
        (_with_image, "page 1: this page is an image for the most part"),
    ],
)
def test_pdf_of_which_a_part_is_not_read_is_refused(change, problem) -> None:
    with pytest.raises(CorpusError, match=problem):
        _record(pdf, _pdf(change))


def test_image_beside_much_text_is_no_scan() -> None:
    record = _record(pdf, _pdf(_with_image, "Seen by Lee. " * 30))
    assert len(record.values) == 1


def test_letters_that_fonts_do_not_explain_are_refused(monkeypatch) -> None:
    monkeypatch.setattr(PageObject, "extract_text", lambda page, **_: "\ue001\ue002 abc")
    with pytest.raises(CorpusError, match="page 1: the fonts of this page do not say"):
        _record(pdf, pdf_file("abc"))


# Excel workbooks.


def _xlsx(change: Callable[[openpyxl.Workbook], None] = lambda w: None) -> bytes:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Notes"
    sheet.append(["MRN", "Patient name", "Seen", "Score", "Note"])
    note = "Ms. Alder (4458812) saw Dr. Lee."
    sheet.append([4458812, "Alder, Martha", date(2007, 3, 14), 3, note])
    sheet.append([None, None, datetime(2007, 3, 15, 9, 30), 123456, '=IF(D2>2,"call ""Lee""",E2)'])
    sheet["A2"].font = openpyxl.styles.Font(bold=True)
    sheet["E2"].comment = Comment("ask Martha", "Ann Lee")
    sheet["B2"].hyperlink = "mailto:alder@example.org"
    sheet.oddHeader.center.text = "St. Elsewhere Hospital"
    workbook.properties.creator = "Ann Lee"
    change(workbook)
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def test_cells_are_read_and_columns_known_by_their_headings() -> None:
    record = _record(xlsx, _xlsx())
    known = [(v.text[s.start : s.end], s.label) for v in record.values for s in v.known]
    assert known == [
        ("Ann Lee", "DOCTOR"),
        ("4458812", "MEDICALRECORD"),
        ("Alder, Martha", "PATIENT"),
        ("alder@example.org", "EMAIL"),
        ("2007-03-14", "DATE"),
        ("Ann Lee", "DOCTOR"),
        ("2007-03-15", "DATE"),
    ]
    headings = ["MRN", "Patient name", "Seen", "Score", "Note"]
    texts = ["Ms. Alder (4458812) saw Dr. Lee.", "ask Martha", "123456", 'call "Lee"']
    assert _texts(record) == ["Notes", "St. Elsewhere Hospital", *headings, *texts]


def test_workbook_comes_out_with_its_formulas_and_styles() -> None:
    data = _masked(_record(xlsx, _xlsx()), "Elsewhere")
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active
    assert [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)] == [
        ["[MEDICALRECORD]", "[PATIENT]", "[DATE]", 3, "Ms. [PATIENT] ([MEDICALRECORD]) saw Dr. "
         "[DOCTOR]."],
        [None, None, "[DATE] 09:30:00", 123456, '=IF(D2>2,"call ""[DOCTOR]""",E2)'],
    ]  # fmt: skip
    assert sheet["A2"].font.bold
    assert (sheet["E2"].comment.text, sheet["E2"].comment.author) == ("ask [PATIENT]", "[DOCTOR]")
    assert sheet["B2"].hyperlink.target == "mailto:%5BEMAIL%5D"
    assert sheet.oddHeader.center.text == "St. [X] Hospital"
    everything = b"".join(_members(data).values())
    assert not any(p in everything for p in (b"Alder", b"4458812", b"Ann Lee"))


def test_new_dates_and_numbers_stay_dates_and_numbers() -> None:
    fields = RecordText(_record(xlsx, _xlsx()))
    new = {"4458812": "7712345", "2007-03-14": "2009-05-01", "2007-03-15": "2009-05-02"}
    changes = [
        Change(s.start, s.end, new.get(fields.text[s.start : s.end], "X"))
        for s in fields.spans([], str)
    ]
    sheet = openpyxl.load_workbook(io.BytesIO(fields.rendered(changes))).active
    assert sheet["A2"].value == 7712345
    assert sheet["C2"].value == datetime(2009, 5, 1)
    assert sheet["C3"].value == datetime(2009, 5, 2, 9, 30)


def test_styles_inside_a_cell_stay() -> None:
    bold = InlineFont(b=True)

    def change(workbook: openpyxl.Workbook) -> None:
        workbook.active["F2"] = CellRichText("Ms. ", TextBlock(bold, "Jo"), "an Smith went")

    record = _record(xlsx, _xlsx(change))
    assert "Ms. Joan Smith went" in _texts(record)
    file = io.BytesIO(_masked(record, NAME))
    parts = openpyxl.load_workbook(file, rich_text=True).active["F2"].value
    assert [str(part) for part in parts] == ["Ms. ", "[X]", " went"]
    assert parts[1].font.b


def test_macros_and_damaged_workbooks_are_refused() -> None:
    with pytest.raises(CorpusError, match=r"holds xl/vbaProject\.bin, which is not read"):
        _record(xlsx, _with_parts(_xlsx(), **{"xl/vbaProject.bin": b"x"}))
    with pytest.raises(CorpusError, match="cannot be read") as caught:
        _record(xlsx, _with_parts(_xlsx(), **{"xl/workbook.xml": b"<Zanzibar"}))
    assert "Zanzibar" not in str(caught.value)


def test_what_repeats_the_content_of_cells_is_left_out() -> None:
    def change(workbook: openpyxl.Workbook) -> None:
        chart = openpyxl.chart.BarChart()
        chart.add_data(openpyxl.chart.Reference(workbook.active, min_col=4, min_row=1, max_row=3))
        workbook.active.add_chart(chart, "H1")
        workbook.active.auto_filter.ref = "A1:E3"
        workbook.active.auto_filter.add_filter_column(1, ["Alder, Martha"])

    members = _members(_masked(_record(xlsx, _xlsx(change))))
    assert not any("chart" in name for name in members)
    assert b"Alder" not in b"".join(members.values())


def test_nothing_of_a_damaged_pdf_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(CorpusError, match="cannot be read"):
        _record(pdf, b"%PDF-1.4 Joan Smith")
    assert caplog.records == []


def test_properties_named_as_identifiers_are_known() -> None:
    property_ = rb"{\rtf1{\*\userprops{\propname MRN}\proptype30{\staticval 4458812}}x\par}"
    assert b"{\\staticval [MEDICALRECORD]}" in _masked(_record(rtf, property_))
    workbook = openpyxl.Workbook()
    workbook.custom_doc_props.append(StringProperty(name="MRN", value="4458812"))
    file = io.BytesIO()
    workbook.save(file)
    masked = openpyxl.load_workbook(io.BytesIO(_masked(_record(xlsx, file.getvalue()))))
    assert masked.custom_doc_props["MRN"].value == "[MEDICALRECORD]"


def test_properties_of_word_named_as_identifiers_are_known() -> None:
    namespace = "http://schemas.openxmlformats.org/officeDocument/2006"
    properties = (
        f'<Properties xmlns="{namespace}/custom-properties" xmlns:vt="{namespace}/docPropsVTypes">'
        '<property name="Patient name"><vt:lpwstr>Alder</vt:lpwstr></property>'
        '<property name="Colour"><vt:lpwstr>green</vt:lpwstr></property></Properties>'
    )
    file = io.BytesIO(_docx())
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("docProps/custom.xml", properties)
    record = _record(docx_format, file.getvalue())
    known = [v.text for v in record.values if v.known and v.place.startswith("docProps/custom")]
    assert known == ["Alder"]
    assert "green" in _texts(record)


def test_a_paragraph_of_digits_alone_is_read_in_rtf() -> None:
    record = _record(rtf, rb"{\rtf1{\header 4458812\par}{\info{\title 55120}}x\par}")
    assert _texts(record) == ["4458812", "55120", "x"]


def test_dates_in_formulas_are_dates() -> None:
    workbook = openpyxl.Workbook()
    workbook.active["A1"] = '=YEAR(TODAY())-YEAR(date(1961,6,15))&"DATE(1,2,3)"'
    file = io.BytesIO()
    workbook.save(file)
    record = _record(xlsx, file.getvalue())
    assert _known(record) == [("1961-06-15", "DATE")]

    def changed(new: str) -> str:
        data = RecordText(record).rendered([_change(record, "1961-06-15", new)])
        return openpyxl.load_workbook(io.BytesIO(data)).active["A1"].value

    rest = '=YEAR(TODAY())-YEAR({})&"DATE(1,2,3)"'
    assert changed("1960-02-03") == rest.format("DATE(1960,2,3)")


def test_a_masked_date_in_a_formula_is_a_text() -> None:
    workbook = openpyxl.Workbook()
    workbook.active["A1"] = "=DATE(1961,6,15)"
    file = io.BytesIO()
    workbook.save(file)
    masked = openpyxl.load_workbook(io.BytesIO(_masked(_record(xlsx, file.getvalue()))))
    assert masked.active["A1"].value == '="[DATE]"'


def _known(record: Record) -> list[tuple[str, str]]:
    return [
        (v.text[s.start : s.end], s.label) for v in record.values for s in v.known if "19" in v.text
    ]


def _change(record: Record, old: str, new: str) -> Change:
    start = RecordText(record).text.index(old)
    return Change(start, start + len(old), new)


def _saved(workbook: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def _named_workbook() -> openpyxl.Workbook:
    """Return a workbook whose names of things are those of people."""
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = NAME
    sheet.append(["Joan's", "Other"])
    sheet.append([1, "x"])
    table = Table(displayName="Joan_Smith", ref="A1:B2")
    sheet.add_table(table)
    workbook.defined_names["Smith_Range"] = DefinedName(
        "Smith_Range", attr_text="'Joan Smith'!$A$1", comment="of Joan"
    )
    sheet.defined_names["Smith_Text"] = DefinedName("Smith_Text", attr_text='"of Joan"')
    other = workbook.create_sheet("other")
    other["A1"] = "=SUM('Joan Smith'!A1,Smith_Range)&Joan_Smith[Joan''s]&\"Smith_Range\""
    other["A2"] = "=VLOOKUP(4458812,A:B,2)"
    other["A3"].hyperlink = Hyperlink("A3", location="'Joan Smith'!A1")
    other["A4"], other["A4"].number_format = 5, '0 "for Joan"'
    rule = DataValidation(type="list", formula1='"Joan,Ann"', formula2='"of Joan"')
    rule.add("A5")
    other.add_data_validation(rule)
    other.conditional_formatting.add("A6", FormulaRule(formula=['A6="Joan"']))
    other.sheet_properties.codeName = "JoanSheet"
    workbook.add_named_style(NamedStyle("Style of Joan"))
    other["A6"].style = "Style of Joan"
    return workbook


def test_names_in_excel_become_neutral_and_formulas_follow() -> None:
    record = _record(xlsx, _saved(_named_workbook()))
    phi = ("Joan Smith", "Joan", "Smith_Range", "4458812")
    data = _masked(record, *phi, label="PATIENT")
    for name, part in _members(data).items():
        assert b"Joan" not in part, name
        assert b"Smith" not in part, name
        assert b"4458812" not in part, name
    written = openpyxl.load_workbook(io.BytesIO(data))
    assert written.sheetnames == ["(PATIENT)", "other"]
    (table,) = written.worksheets[0].tables.values()
    assert [column.name for column in table.tableColumns] == ["[PATIENT]'s", "Other"]
    other = written["other"]
    assert other["A1"].value == (
        "=SUM('(PATIENT)'!A1,Name_2)&Table_1['[PATIENT']''s]&\"[PATIENT]\""
    )
    assert other["A2"].value == '=VLOOKUP("[PATIENT]",A:B,2)'
    assert other["A3"].hyperlink.location == "'(PATIENT)'!A1"
    assert written.defined_names["Name_2"].attr_text == "'(PATIENT)'!$A$1"


def test_names_of_excel_itself_stay() -> None:
    workbook = openpyxl.Workbook()
    workbook.active["A1"] = "=SUM(Sheet!A2:B3)+Sheet!$C$1"
    workbook.active.print_area = "A1:B3"
    record = _record(xlsx, _saved(workbook))
    written = openpyxl.load_workbook(io.BytesIO(record.render({})))
    assert written.active["A1"].value == "=SUM(Sheet!A2:B3)+Sheet!$C$1"
    assert written.active.print_area == "'Sheet'!$A$1:$B$3"
