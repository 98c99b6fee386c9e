"""Word documents: texts change, structure and style stay."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import docx
import pytest
from structured_records import NAME, members_of, record_of, texts_of, with_masked, with_parts

from multideid.corpora.structured import docx as docx_format
from multideid.errors import CorpusError


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


def test_paragraphs_rows_headers_and_properties_of_word_are_read() -> None:
    record = record_of(docx_format, _docx())
    assert texts_of(record)[:2] == [
        "Ms. Joan Smith was seen\ton 3/14/2007\nby Dr. Lee & Co.",
        "MRN\t4458812",
    ]
    assert {"St. Elsewhere Hospital", f"Letter for {NAME}"} <= set(texts_of(record))
    known = [value.text[span.start : span.end] for value in record.values for span in value.known]
    assert known == ["Martha Alder"]


def test_runs_of_word_keep_their_style() -> None:
    data = with_masked(record_of(docx_format, _docx()), NAME, "4458812", "Elsewhere", "Lee")
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
    everything = b"".join(members_of(data).values())
    assert not any(p in everything for p in (b"Alder", b"Elsewhere", b"4458812", b"Joan"))


def test_unchanged_word_document_keeps_its_parts() -> None:
    data = _docx()
    old, new = members_of(data), members_of(record_of(docx_format, data).render({}))
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
    data = with_parts(
        _docx(),
        **{
            "word/document.xml": body.encode(),
            "word/comments.xml": comments.encode(),
            "word/_rels/document.xml.rels": links.encode(),
        },
    )
    record = record_of(docx_format, data)
    assert texts_of(record)[:3] == [
        "in a box",
        ' HYPERLINK "mailto:j@example.org" ',
        "before Joan gone",
    ]
    assert "ask Joan" in texts_of(record)
    masked = members_of(with_masked(record, "Joan", "j@example.org"))
    assert b'w:author="[DOCTOR]" w:date="1900-01-01T00:00:00Z"' in masked["word/document.xml"]
    assert b'w:initials="[DOCTOR]"' in masked["word/comments.xml"]
    assert b'Target="mailto:%5BEMAIL%5D"' in masked["word/_rels/document.xml.rels"]
    again = record_of(docx_format, with_masked(record, "Joan"))
    assert "mailto:[EMAIL]" in texts_of(again, free=False)


def test_pictures_of_word_become_empty_and_objects_are_refused() -> None:
    image = with_parts(_docx(), **{"word/media/image1.png": b"\x89PNG face"})
    written = members_of(record_of(docx_format, image).render({}))
    assert written["word/media/image1.png"].startswith(b"\x89PNG\r\n")
    assert b"face" not in written["word/media/image1.png"]
    for name in ("word/embeddings/sheet.xlsx", "word/vbaProject.bin", "word/afchunk.mht"):
        with pytest.raises(CorpusError, match=f"holds {name}, which is not read"):
            record_of(docx_format, with_parts(_docx(), **{name: b"x"}))


def _document(body: str, **parts: str) -> bytes:
    """Return a Word document with this body, and other parts."""
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    document = f"<w:document {space}><w:body>{body}</w:body></w:document>"
    named = {name: text.replace("NS", space).encode() for name, text in parts.items()}
    return with_parts(_docx(), **{"word/document.xml": document.encode(), **named})


def test_bookmarks_of_word_get_neutral_names_wherever_they_are_used() -> None:
    body = (
        '<w:p><w:bookmarkStart w:id="0" w:name="SMITH_JOAN"/><w:bookmarkStart w:name="_Toc123"/>'
        '<w:hyperlink w:anchor="SMITH_JOAN"><w:r><w:t>x</w:t></w:r></w:hyperlink>'
        "<w:r><w:instrText> REF SMITH_JO</w:instrText></w:r>"
        r"<w:r><w:instrText>AN \h </w:instrText></w:r>"
        '<w:r><w:fldChar/></w:r><w:hyperlink w:anchor="of_nobody"/>'
        '<w:ffData><w:name w:val="Visit_Smith"/></w:ffData></w:p>'
    )
    written = members_of(record_of(docx_format, _document(body)).render({}))["word/document.xml"]
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

    members = members_of(record_of(docx_format, _docx(change)).render({}))
    written = docx.Document(io.BytesIO(record_of(docx_format, _docx(change)).render({})))
    assert [p.style.name for p in written.paragraphs[-2:]] == ["Style 1", "Heading 1"]
    assert not any(b"Joan" in members[name] for name in ("word/styles.xml",))
    assert b'w:pStyle w:val="Style1"' in members["word/document.xml"]


@pytest.mark.parametrize(
    "part",
    [
        '<w:tbl><w:tblPr><w:tblCaption w:val="of Joan"/></w:tblPr></w:tbl>',
        '<w:tbl><w:tblPr><w:tblDescription w:val="of Joan"/></w:tblPr></w:tbl>',
        '<w:ddList><w:listEntry w:val="Joan"/></w:ddList>',
        '<w:docPartPr><w:name w:val="Note of Joan"/></w:docPartPr>',
        '<v:rect xmlns:v="v" alt="Joan"/>',
        '<wp:docPr xmlns:wp="wp" id="1" name="Picture 1" descr="Joan at home"/>',
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Joan</w:t></w:r></w:p>",
        "<w:p><!-- of Joan --></w:p>",
        "<w:p><?mso of Joan?></w:p>",
    ],
)
def test_what_people_write_into_word_is_read_wherever_it_is(part: str) -> None:
    record = record_of(docx_format, _document(part))
    assert any("Joan" in text for text in texts_of(record))
    assert b"Joan" not in members_of(with_masked(record, "Joan"))["word/document.xml"]


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
    members = members_of(with_masked(record_of(docx_format, _document(part))))
    assert b"1961" not in members["word/document.xml"]


def test_attributes_of_word_that_repeat_phi_lose_it() -> None:
    body = (
        "<w:p><w:r><w:t>Joan Smith</w:t></w:r></w:p>"
        '<w:dataBinding w:xpath="/Case/Smith/Joan"/><w:docPartGallery w:val="Other"/>'
    )
    data = with_masked(record_of(docx_format, _document(body)), NAME, label="PATIENT")
    written = members_of(data)["word/document.xml"]
    assert b"Joan" not in written
    assert b"Smith" not in written
    assert b'<w:docPartGallery w:val="Other"/>' in written


def test_short_paragraphs_of_word_lose_what_is_found_in_the_text() -> None:
    body = "".join(f"<w:p><w:r><w:t>{t}</w:t></w:r></w:p>" for t in ("of Joan Smith", "SMITH"))
    data = with_masked(record_of(docx_format, _document(body)), NAME, label="PATIENT")
    texts = [p.text for p in docx.Document(io.BytesIO(data)).paragraphs]
    assert texts == ["of [PATIENT]", "[PATIENT]"]


def test_pictures_of_word_get_neutral_names() -> None:
    links = (
        '<Relationships xmlns="r"><Relationship Id="rId1" Target="media/Joan%20Smith.PNG"/>'
        "</Relationships>"
    )
    data = _document("", **{"word/_rels/document.xml.rels": links})
    data = with_parts(data, **{"word/media/Joan Smith.PNG": b"x"})
    members = members_of(record_of(docx_format, data).render({}))
    assert "word/media/image1.png" in members
    assert not any("Smith" in name for name in members)
    assert b'Target="/word/media/image1.png"' in members["word/_rels/document.xml.rels"]


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
    record = record_of(docx_format, file.getvalue())
    known = [v.text for v in record.values if v.known and v.place.startswith("docProps/custom")]
    assert known == ["Alder"]
    assert "green" in texts_of(record)
