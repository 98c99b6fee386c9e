"""Read XML safely and write it without loss.

The reader uses expat directly, for line numbers and speed, and refuses declarations
of entities, of default values of attributes, and of anything outside the file, so that
no document can make it fetch, expand or leave out anything. The
writer preserves every character that XML 1.0 can represent, including carriage
returns, and refuses all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from xml.parsers import expat

from multideid.corpora.output import Output
from multideid.corpora.source import Utf8Check, corpus_names, read_beginning
from multideid.errors import CorpusError

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENCODING = re.compile(rb"""^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']""")
_OPENING = re.compile(r"<!--|<\?")
_CLOSING = {"<!--": "-->", "<?": "?>"}
_ESCAPES = {
    ord(c): f"&#{ord(c)};" if c in "\t\n\r" else f"&{name};"
    for c, name in zip('\t\n\r&<>"', ["", "", "", "amp", "lt", "gt", "quot"], strict=True)
}
_TEXT_ESCAPES = {c: e for c, e in _ESCAPES.items() if chr(c) not in '\t\n"'}


def xml_beginning(path: Path) -> str | None:
    """Return the beginning of an XML file, or of the first one in a folder, without comments.

    None if there is no such file, or it is not XML.
    """
    if path.is_dir():
        names = corpus_names(path, ".xml")
        return xml_beginning(path / names[0]) if names else None
    start = read_beginning(path).lstrip()
    return without_comments(start) if start.startswith("<") else None


def without_comments(text: str) -> str:
    """Return XML text without its comments and processing instructions, but open ones."""
    kept, place, never_closed = [], 0, set()
    for opening in _OPENING.finditer(text):
        if opening.start() < place or opening[0] in never_closed:
            continue
        closing = _CLOSING[opening[0]]
        end = text.find(closing, opening.end())
        if end < 0:
            never_closed.add(opening[0])
            continue
        kept.append(text[place : opening.start()])
        place = end + len(closing)
    return "".join([*kept, text[place:]])


class DeclarationError(CorpusError):
    """XML with a declaration that is not read for safety; it may be well-formed."""


class XmlReader:
    """Base class of XML readers, with callbacks for elements and character data.

    Parameters
    ----------
    path : Path
        The file, named in errors.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._expat = expat.ParserCreate()
        self._expat.buffer_text = True
        self._expat.buffer_size = 1 << 16
        self._expat.StartElementHandler = self.start
        self._expat.EndElementHandler = self.end
        self._expat.CharacterDataHandler = self.data
        self._expat.EntityDeclHandler = self._refuse_entity
        self._expat.StartDoctypeDeclHandler = self._refuse_external
        self._expat.AttlistDeclHandler = self._refuse_default
        self._utf8: Utf8Check | None = None
        self._begun = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        raise NotImplementedError

    def end(self, name: str) -> None:
        """Handle the end of an element."""
        raise NotImplementedError

    def data(self, text: str) -> None:
        """Handle character data."""
        raise NotImplementedError

    def feed(self, chunk: bytes, final: bool = False) -> None:
        """Parse the next piece of the file.

        Raises
        ------
        CorpusError
            If it is not well-formed, or is not in its declared encoding.
        DeclarationError
            If it declares an entity or a default value, or has a DOCTYPE outside the file.
        """
        if not self._begun:
            self._begun = True
            self._utf8 = Utf8Check(self.path) if _is_utf8(chunk) else None
        if self._utf8 is not None:
            self._utf8.feed(chunk, final)
        try:
            self._expat.Parse(chunk, final)
        except expat.ExpatError as exc:
            problem = f"not well-formed XML ({expat.ErrorString(exc.code)})"
            raise CorpusError(self.path, problem, f"line {exc.lineno}") from None
        except (LookupError, UnicodeError, ValueError):
            raise CorpusError(self.path, "its XML encoding is unknown") from None

    def error(self, problem: str) -> CorpusError:
        """Return an error that names the current line."""
        return CorpusError(self.path, problem, f"line {self._expat.CurrentLineNumber}")

    def _refuse_entity(self, *_: object) -> None:
        raise self._refusal(
            "declares an entity, which is not allowed for safety; remove the declaration, and "
            "write characters instead of the entity"
        )

    def _refuse_external(self, name: str, system: str | None, public: str | None, _: int) -> None:
        # Entities that are declared there would vanish from the text.
        if system is not None or public is not None:
            raise self._refusal(
                "has a DOCTYPE outside the file, which is never read; remove it, and write "
                "characters instead of entities"
            )

    def _refuse_default(
        self, element: str, name: str, kind: str, default: str | None, required: int
    ) -> None:
        # Repeated in every element, a default makes a small file fill the memory.
        if default is not None:
            raise self._refusal("declares a default value of an attribute; remove the declaration")

    def _refusal(self, problem: str) -> DeclarationError:
        return DeclarationError(self.path, problem, self.error(problem).where)


def _is_utf8(beginning: bytes) -> bool:
    declared = _ENCODING.match(beginning)
    if declared:
        return declared[1].lower() in (b"utf-8", b"utf8")
    return not beginning.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00<", b"<\x00"))


def escape_text(text: str) -> str:
    """Return `text` as element content."""
    return text.translate(_TEXT_ESCAPES)


def escape_attribute(text: str) -> str:
    """Return `text` as the value of an attribute in double quotes."""
    return text.translate(_ESCAPES)


def cdata(text: str) -> str:
    """Return `text` as CDATA sections; carriage returns are written between them."""
    inside = text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<![CDATA[{inside}]]>"


def require_xml_characters(document_id: str, text: str, output: Output) -> None:
    """Check that XML 1.0 can represent the text and the id of a document.

    Raises
    ------
    CorpusError
        If it cannot; the message gives document, code point and offset.
    """
    if found := _NOT_XML.search(text):
        raise output.error(
            f"XML cannot represent the character U+{ord(found[0]):04X} at offset {found.start()}; "
            "choose another format or remove it",
            document_id,
        )
    if _NOT_XML.search(document_id):
        raise output.error("XML cannot represent a character of the document's id", document_id)


def require_xml_labels(document_id: str, labels: Iterable[str], output: Output) -> None:
    """Check that labels can be attribute values.

    Raises
    ------
    CorpusError
        If one is empty or contains characters that XML 1.0 cannot represent.
    """
    for label in labels:
        if not label or _NOT_XML.search(label):
            raise output.error("a label is empty or XML cannot represent it", document_id)
