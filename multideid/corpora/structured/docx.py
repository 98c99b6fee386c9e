"""Word documents (.docx): paragraphs are read as text, and their runs keep their style.

All parts are read: the body, headers and footers, notes, comments, text boxes,
charts, properties and links. Names of authors are PHI; times of editing are
set to a constant, pictures to an empty one; names of bookmarks, of people's own
styles and of pictures' files become neutral. A document with embedded objects or
macros is refused.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import NamedTuple

from multideid.corpora.contract import Format
from multideid.corpora.structure import (
    Changes,
    Content,
    ReadingOptions,
    Record,
    Structure,
    Value,
)
from multideid.corpora.structured.docx_names import IMAGES, Names, neutral_media
from multideid.corpora.structured.docx_xml import XmlPart
from multideid.corpora.structured.empty_image import empty_image
from multideid.corpora.structured.xml_source import XmlSource
from multideid.corpora.structured.zip_files import has_member, zip_members

_BODY = "word/document.xml"
_XML = (".xml", ".rels", ".vml")
_FONTS = (".odttf", ".ttf", ".otf")
_SETTINGS = re.compile(r".*/printerSettings\d*\.bin")


def read(content: Content, options: ReadingOptions) -> Iterator[Record]:
    """Yield the document as one record.

    Raises
    ------
    CorpusError
        If the file is damaged, or holds objects, macros or parts that are not read.
    """
    members = list(zip_members(content))
    xml = {
        info.filename: XmlSource(Content(BytesIO(data), f"{content.name}/{info.filename}"), options)
        for info, data in members
        if _suffix(info.filename) in _XML
    }
    names = Names(xml.values())
    media = neutral_media(info.filename for info, _ in members)
    parts = []
    for info, data in members:
        name = media.get(info.filename, info.filename)
        if info.filename in xml:
            part = XmlPart(xml[info.filename], name, names, media)
            parts.append(_Part(name, list(part.values()), xml[info.filename].rendered))
        else:
            parts.append(_Part(name, [], _other(content, info.filename, data)))
    values = tuple(value for part in sorted(parts, key=_order) for value in part.values)
    yield Record(values, lambda changes: _packed(parts, changes))


class _Part(NamedTuple):
    """A file in the document.

    Parameters
    ----------
    name : str
    values : list of Value
    render : callable
        Returns its bytes with changes.
    """

    name: str
    values: list[Value]
    render: Callable[[Changes], bytes]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.


def _order(part: _Part) -> bool:
    """Put the body first."""
    return part.name != _BODY


def _packed(parts: list[_Part], changes: Changes) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in parts:
            info = zipfile.ZipInfo(part.name)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, part.render(changes))
    return file.getvalue()


def _suffix(name: str) -> str:
    return name[name.rfind(".") :].lower()


def _other(content: Content, name: str, data: bytes) -> Callable[[Changes], bytes]:
    """Return what renders a part that is no XML with text."""
    suffix = _suffix(name)
    if suffix in _FONTS:
        return lambda changes: data
    if suffix in IMAGES:
        return lambda changes: empty_image(suffix)
    if _SETTINGS.fullmatch(name):
        return lambda changes: b""
    raise content.error(f"holds {name}, which is not read: remove the object or macro from it")


def _recognise(content: Content) -> bool:
    return has_member(content, _BODY)


FORMAT = Format(
    "docx",
    "Word documents (.docx); deid reads paragraphs and keeps the style of their runs",
    structure=Structure(_recognise, read, (".docx",)),
)
