"""PDF files with a text layer: the text comes out as plain text, without the PDF.

Notes that people stick on pages and values of form fields come below the text of
their page; the title and other properties, bookmarks and links are left out.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from multideid.corpora.contract import Format
from multideid.corpora.structure import (
    Changes,
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
)
from multideid.corpora.structured.pdf_pages import read_page, unread_part
from multideid.corpora.structured.slots import Source
from multideid.errors import CorpusError

_BETWEEN_PAGES = "\n\f"


def read(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield the text of all pages as one record.

    Raises
    ------
    CorpusError
        If the file is damaged or encrypted, holds other files, a page has no text or
        is an image for the most part, or pypdf is not installed.
    """
    with _quiet():
        pages = [_page_text(content, n, page) for n, page in enumerate(_pages(content), start=1)]
    # Characters that the fonts do not explain may be halves of characters.
    text = _BETWEEN_PAGES.join(pages).encode("utf-8", "replace").decode("utf-8") + "\n"
    source = Source(text)
    value = Value((source.slot(0, len(text)),))

    def render(changes: Changes) -> bytes:
        return source.rendered(changes).encode("utf-8")

    yield Record((value,), render)


def _pages(content: Content) -> list[Any]:
    try:
        from pypdf import PdfReader
    except ImportError:
        raise content.error("PDF needs the package pypdf: pip install 'multideid[pdf]'") from None
    try:
        reader = PdfReader(BytesIO(content.read()))
        encrypted = reader.is_encrypted and not _is_opened(reader)
        pages = [] if encrypted else list(reader.pages)
        problem = "" if encrypted else unread_part(reader)
    except Exception as error:
        raise _unreadable(content, error) from None
    if encrypted:
        raise content.error("is an encrypted PDF: save it without a password first")
    if not pages:
        raise content.error("is a PDF without pages")
    if problem:
        raise content.error(problem)
    return pages


def _is_opened(reader: Any) -> bool:
    try:
        return bool(reader.decrypt(""))
    except Exception:  # Such as a cipher that is not installed.
        return False


def _page_text(content: Content, number: int, page: Any) -> str:
    try:
        read = read_page(page)
    except Exception as error:
        raise _unreadable(content, error, number) from None
    if read.problem:
        raise content.error(read.problem, f"page {number}")
    return read.text


def _unreadable(content: Content, error: Exception, page: int | None = None) -> CorpusError:
    # Messages of pypdf may quote the file.
    problem = f"is a PDF that cannot be read ({type(error).__name__}): save it as text"
    return content.error(problem, None if page is None else f"page {page}")


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep pypdf from logging what it finds in a file."""
    # Its modules have loggers of their own, which inherit the level, but would not be disabled.
    logger = logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


def _recognise(content: Content) -> bool:
    return content.head.lstrip(b"\xef\xbb\xbf \t\r\n")[:5] == b"%PDF-"


FORMAT = Format(
    "pdf",
    "PDF with a text layer; deid writes its text to NAME.pdf.txt",
    structure=Structure(_recognise, read, (".pdf",), writes_text=True),
)
