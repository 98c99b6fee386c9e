"""PDF documents: all their text is read, or they are refused."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
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
from structured_records import NAME, record_of, texts_of, with_masked

from multideid.corpora.structured import pdf
from multideid.errors import CorpusError


def test_text_of_pdf_comes_out_page_by_page() -> None:
    record = record_of(pdf, pdf_file("Joan Smith was seen.", "Page two."))
    assert texts_of(record) == ["Joan Smith was seen.\n\fPage two.\n"]
    assert with_masked(record, NAME) == b"[X] was seen.\n\fPage two.\n"


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
        record_of(pdf, data)
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
    record = record_of(pdf, _pdf(_annotated(Rect=rectangle, **entries)))
    assert texts_of(record) == ["\n".join(["Seen by Lee.", *filter(None, [text])]) + "\n"]


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
        record_of(pdf, _pdf(change))


def test_image_beside_much_text_is_no_scan() -> None:
    record = record_of(pdf, _pdf(_with_image, "Seen by Lee. " * 30))
    assert len(record.values) == 1


def test_letters_that_fonts_do_not_explain_are_refused(monkeypatch) -> None:
    monkeypatch.setattr(PageObject, "extract_text", lambda page, **_: "\ue001\ue002 abc")
    with pytest.raises(CorpusError, match="page 1: the fonts of this page do not say"):
        record_of(pdf, pdf_file("abc"))


def test_nothing_of_a_damaged_pdf_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(CorpusError, match="cannot be read"):
        record_of(pdf, b"%PDF-1.4 Joan Smith")
    assert caplog.records == []
