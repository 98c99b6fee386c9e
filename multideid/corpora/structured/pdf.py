"""PDF files with a text layer: the text comes out as plain text, without the PDF."""

from __future__ import annotations

import logging
import re
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
from multideid.corpora.structured.slots import Source
from multideid.errors import CorpusError

_DRAWING = re.compile(rb"(?<!\S)(?:Do|BI|S|s|f|F|f\*|B\*?|b\*?|sh)(?!\S)")
_BETWEEN_PAGES = "\n\f"


def read(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield the text of all pages as one record.

    Raises
    ------
    CorpusError
        If the file is damaged or encrypted, a page has no text, or pypdf is not
        installed.
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
        encrypted = reader.is_encrypted and not reader.decrypt("")
        pages = [] if encrypted else list(reader.pages)
    except Exception as error:
        raise _unreadable(content, error) from None
    if encrypted:
        raise content.error("is an encrypted PDF: save it without a password first")
    if not pages:
        raise content.error("is a PDF without pages")
    return pages


def _page_text(content: Content, number: int, page: Any) -> str:
    try:
        text = str(page.extract_text())
        drawn = None if text.strip() else page.get_contents()
        is_drawing = drawn is not None and bool(_DRAWING.search(drawn.get_data()))
    except Exception as error:
        raise _unreadable(content, error, number) from None
    if is_drawing:
        problem = "this page has no text, only an image or drawing: recognise its text (OCR) first"
        raise content.error(problem, f"page {number}")
    return text


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
