"""A page of a PDF: its text, what people wrote on it, and why it cannot be read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple

_DRAWING = re.compile(rb"(?<!\S)(?:Do|BI|S|s|f|F|f\*|B\*?|b\*?|sh)(?!\S)")
_OCR = "recognise its text (OCR) first"
_LETTER = 612.0 * 792.0  # Points.
_LARGE = 0.4  # Of a page that an image covers.
_FEW = 200  # Characters of text beside such an image: a scan with a stamp or a footer.
_MOST_UNKNOWN = 0.1  # Of characters that the fonts do not explain.
_UNKNOWN = ("Co", "Cn", "Cs", "Cc")
_ON_PAGES = "Text FreeText Highlight Underline Squiggly StrikeOut Stamp Caret Line Square".split()
_DEEPEST = 20  # Fields inside of fields.


class Page(NamedTuple):
    """A page.

    Parameters
    ----------
    text : str
    problem : str
        Why it cannot be read; empty if it can.
    """

    text: str
    problem: str = ""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.


def unread_part(reader: Any) -> str:
    """Return what a PDF holds besides pages and is not read; empty if there is nothing."""
    root = reader.trailer["/Root"]
    form = _object(root.get("/AcroForm"))
    if form is not None and "/XFA" in form:
        return "is an XFA form, which only programs of Adobe show: print it to a PDF first"
    names = _object(root.get("/Names")) or {}
    files = [annotation for page in reader.pages for annotation in _annotations(page)]
    kinds = {str(annotation.get("/Subtype")) for annotation in files}
    if "/EmbeddedFiles" in names or "/Collection" in root or "/FileAttachment" in kinds:
        return "holds attached files, which are not read: save them, and the PDF without them"
    return ""


def read_page(page: Any) -> Page:
    """Read a page of pypdf."""
    images = _Images(page)
    text = str(page.extract_text(visitor_operand_before=images.visit))
    written = list(_written(page))
    if not text.strip():
        drawn = page.get_contents()
        if drawn is not None and _DRAWING.search(drawn.get_data()):
            return Page("", f"this page has no text, only an image or drawing: {_OCR}")
    elif _is_unknown(text):
        return Page("", f"the fonts of this page do not say which letters they show: {_OCR}")
    elif images.share > _LARGE and len(text.strip()) < _FEW:
        return Page("", f"this page is an image for the most part, with little text: {_OCR}")
    return Page("\n".join([text, *written]))


class _Images:
    """Adds up the area of the images that a page draws."""

    def __init__(self, page: Any) -> None:
        resources = _object(page.get("/Resources")) or {}
        self._objects = _object(resources.get("/XObject")) or {}
        self._area = 0.0
        self._page = _area(page)

    @property
    def share(self) -> float:
        """The area as a part of the page's; more than 1 if images lie upon each other."""
        return self._area / max(self._page, 1.0)

    def visit(self, operator: Any, operands: Any, matrix: Any, text_matrix: Any) -> None:
        """Look at an operator of the page before it is carried out."""
        if operator == b"INLINE IMAGE" or (operator == b"Do" and self._is_image(operands[0])):
            a, b, c, d = map(float, matrix[:4])
            self._area += abs(a * d - b * c)

    def _is_image(self, name: Any) -> bool:
        found = _object(self._objects.get(name))
        # Names that the page does not know are those of images in its forms.
        return found is None or found.get("/Subtype") == "/Image"


def _area(page: Any) -> float:
    try:
        return abs(float(page.mediabox.width) * float(page.mediabox.height))
    except ValueError:  # The page does not say it.
        return _LETTER


def _is_unknown(text: str) -> bool:
    letters = [c for c in text if not c.isspace()]
    unknown = sum(c == "\ufffd" or unicodedata.category(c) in _UNKNOWN for c in letters)
    return unknown > _MOST_UNKNOWN * len(letters)


def _written(page: Any) -> Iterator[str]:
    """Yield what people wrote on a page: notes, and values of form fields after their names."""
    for annotation in _annotations(page):
        kind = str(annotation.get("/Subtype")).removeprefix("/")
        if kind == "Widget":
            yield from _field(annotation)
        elif kind in _ON_PAGES:
            yield from _text(annotation.get("/Contents"))


def _field(widget: Any) -> Iterator[str]:
    value, name, field = None, "", widget
    for _ in range(_DEEPEST):
        if field is None:
            break
        value = field.get("/V") if value is None else value
        name = name or str(_object(field.get("/TU")) or _object(field.get("/T")) or "")
        field = _object(field.get("/Parent"))
    for text in _text(value):
        yield f"{name}: {text}" if name else text


def _text(value: Any) -> Iterator[str]:
    """Yield a text, or those of a list; names such as /Off are states, not texts."""
    value = _object(value)
    if isinstance(value, list):
        for part in value:
            yield from _text(part)
    elif hasattr(value, "get_data"):
        yield value.get_data().decode("utf-8", "replace")
    elif isinstance(value, str) and value.strip() and not value.startswith("/"):
        yield re.sub(r"\r\n?", "\n", value)


def _annotations(page: Any) -> Iterator[Any]:
    found = (_object(each) for each in _object(page.get("/Annots")) or ())
    yield from (each for each in found if each is not None)


def _object(value: Any) -> Any:
    """Return what a reference of a PDF refers to."""
    return value.get_object() if hasattr(value, "get_object") else value
