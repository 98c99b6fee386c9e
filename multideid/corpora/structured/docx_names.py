"""Names in Word documents that nobody sees in the text: bookmarks, form fields and styles.

People name them, and so they may hold anything: ``SMITH_JOHN_1961``, ``Letter Dr
Lee``. Those that Word does not give itself become neutral, wherever they are used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import unquote

from multideid.corpora.safe_xml import escape_text
from multideid.corpora.structured.docx_fields import value_of
from multideid.corpora.structured.xml_source import End, Start, XmlSource

_BOOKMARKS = {"bookmarkStart": "name", "moveFromRangeStart": "name", "moveToRangeStart": "name"}
_BOOKMARKS_USED = {**_BOOKMARKS, "hyperlink": "anchor", "property": "linkTarget"}
_STYLES_USED = frozenset(
    """
    pStyle rStyle tblStyle basedOn next link numStyleLink styleLink clickAndTypeStyle
    defaultTableStyle
    """.split()
)
# Words make their own bookmarks for headings, references, moved text and form fields.
_OWN_BOOKMARK = re.compile(
    r"_?(?:GoBack|Toc|Ref|Hlk|Hlt|MON|Int|bookmark|PictureBullets|heading=h|OLE_LINK|move|h"
    r"|Text|Check|Dropdown|_RefHeading__|_DdeLink__)[._]*(?:\d[\d_]*|[a-z0-9]{8,14}|)"
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W_]")
# The words of which the names of Word's and LibreOffice's own styles are made.
_OF_STYLES = frozenset(
    """
    accent acronym address annotation authorities balloon bibliography block body book bottom bullet
    caption cell char cite classic closing code colorful columns contemporary content contents
    continue dark date default definition document effects elegant email e emphasis end endnote
    envelope figures first followed followedhyperlink font footer footnote form frame grid hanging
    hashtag header heading horizontal html hyperlink indent index intense internet keyboard label
    light line link list macro map medium mention message no normal note number numbering of
    outline page paragraph placeholder plain preformatted professional quotations quote reference
    return revision salutation sample section separator shading signature simple smart spacing
    strong subject subtitle subtle table text theme title toa toc top typewriter unresolved
    variable visited web mail
    """.split()
)
# Words that are numbered in headings and lists.
_NUMBERED = frozenset(
    """
    annex answer appendix article chapter clause exhibit figure item level note page paragraph part
    question schedule section step table volume abschnitt anhang artikel kapitel teil annexe
    chapitre partie anexo artículo capítulo parte sección
    """.split()
)
_OF_NUMBER = re.compile(r"%\d|[^\W\d_]{2,}|\d{2,}")

IMAGES = tuple(
    ".png .jpg .jpeg .jfif .gif .bmp .dib .tif .tiff .emf .wmf .emz .wmz .svg .ico .wdp".split()
)
_MEDIA = "/media/"


def neutral_media(names: Iterable[str]) -> dict[str, str]:
    """Return neutral names for the pictures in a document, by the names that they have."""
    media = (name for name in names if _MEDIA in name and name.lower().endswith(IMAGES))
    new = {}
    for number, name in enumerate(media, start=1):
        folder, _, file = name.rpartition("/")
        new[name] = f"{folder}/image{number}{file[file.rfind('.') :].lower()}"
    return new


def target_of(target: str, media: Mapping[str, str]) -> str | None:
    """Return the new target of a relation to a picture; None if it is to something else."""
    path = unquote(target).removeprefix("../").removeprefix("./")
    found = (new for old, new in media.items() if old == path[1:] or old.endswith(f"/{path}"))
    new = next(found, None)
    return None if new is None or new.endswith(f"/{path}") else f"/{new}"


def neutral_number(text: str) -> str:
    """Return the text of numbers in a list, such as ``Step %1:``, without words of people's own."""

    def kept(match: re.Match[str]) -> str:
        is_plain = match[0][0] == "%" or match[0].lower() in _NUMBERED
        return match[0] if is_plain else ""

    return _OF_NUMBER.sub(kept, text)


class Names:
    """The names in a document that become neutral.

    Parameters
    ----------
    parts : iterable of XmlSource
        All XML parts of the document, in order.
    """

    def __init__(self, parts: Iterable[XmlSource]) -> None:
        self._bookmarks: dict[str, str] = {}
        self._styles: dict[str, str] = {}
        self._style_ids: dict[str, str] = {}
        for part in parts:
            self._declare(part)
        used = {**self._styles, **self._bookmarks}
        self._in_codes = {escape_text(old): new for old, new in used.items()}
        longest = sorted(map(re.escape, self._in_codes), key=len, reverse=True)
        self._code = re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)")

    def neutral(self, start: Start, attribute: str, value: str, parent: str) -> str | None:
        """Return the neutral name for an attribute's value, which may be Word's own; else None."""
        if _BOOKMARKS_USED.get(start.local) == attribute or _is_field(start, parent):
            return value if _is_own_bookmark(value) else self._bookmarks.get(value, "bookmark_0")
        if (start.local, attribute) == ("style", "styleId") or start.local in _STYLES_USED:
            return self._style_ids.get(value, value if _is_own_style(value) else "Style0")
        if (start.local, parent) == ("name", "style") or start.local == "lsdException":
            return self._styles.get(value, value if _is_own_style(value) else "Style 0")
        return None

    def in_code(self, code: str) -> Iterator[tuple[int, int, str]]:
        """Yield half-open offsets and neutral names in the code of a field, as it is escaped."""
        if self._in_codes:
            for match in self._code.finditer(code):
                yield *match.span(), self._in_codes[match[0]]

    def _declare(self, part: XmlSource) -> None:
        style = ""
        for start, parent in _starts(part):
            attribute = _BOOKMARKS.get(start.local, "")
            if _is_field(start, parent):
                attribute = "val"
            if value := value_of(part, start, attribute):
                self._add_bookmark(value)
            if start.local == "style":
                style = value_of(part, start, "styleId")
                self._add_style("", style)
            elif (start.local, parent) == ("name", "style"):
                self._add_style(value_of(part, start, "val"), style)

    def _add_bookmark(self, name: str) -> None:
        if not _is_own_bookmark(name):
            self._bookmarks.setdefault(name, f"bookmark_{len(self._bookmarks) + 1}")

    def _add_style(self, name: str, style: str) -> None:
        """Add a style whose name or id is not one of Word's."""
        if style and not (_is_own_style(style) and _is_own_style(name)):
            number = len(self._style_ids) + 1
            new = self._style_ids.setdefault(style, f"Style{number}")
            if not _is_own_style(name):
                self._styles.setdefault(name, f"Style {new.removeprefix('Style')}")


def _starts(part: XmlSource) -> Iterator[tuple[Start, str]]:
    """Yield the starts of elements, and the local names of the elements around them."""
    parents = [""]
    for event in part.events():
        if isinstance(event, Start):
            yield event, parents[-1]
            parents.append(event.local)
        elif isinstance(event, End):
            parents.pop()


def _is_field(start: Start, parent: str) -> bool:
    """Return whether an element names a form field, which is a bookmark too."""
    return (start.local, parent) == ("name", "ffData")


def _is_own_bookmark(name: str) -> bool:
    return not name or bool(_OWN_BOOKMARK.fullmatch(name))


def _is_own_style(name: str) -> bool:
    """Return whether a style's name or id is made of the words of Word's own."""
    return all(word.isdigit() or word.lower() in _OF_STYLES for word in _WORDS.findall(name))
