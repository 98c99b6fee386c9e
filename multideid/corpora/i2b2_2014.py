"""i2b2-2014 and MEDDOCAN standoff XML: a folder with one file per document.

::

    <deIdi2b2>
    <TEXT><![CDATA[Seen by Dr. Lee]]></TEXT>
    <TAGS>
    <NAME id="P0" start="12" end="15" text="Lee" TYPE="DOCTOR" comment="" />
    </TAGS>
    </deIdi2b2>

The label of a span is its ``TYPE``. The names of the root and of each label's
element are kept in ``meta`` under ``"i2b2-2014"`` and used again for writing; by
default, an element is named by the label's category in the 2014 scheme, or
``OTHER``. Offsets count the characters of the text after XML line-end
normalisation (CR LF becomes LF). If the ``text`` attributes of a file agree only
without that normalisation, the file is read with its carriage returns, and
reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from multideid.corpora.assembly import Assembler, agrees
from multideid.corpora.contract import Format
from multideid.corpora.output import Output
from multideid.corpora.reports import OnReport, Report
from multideid.corpora.safe_xml import (
    XmlReader,
    cdata,
    escape_attribute,
    require_xml_characters,
    require_xml_labels,
    xml_beginning,
)
from multideid.corpora.source import corpus_files, read_bytes
from multideid.corpora.structured.annotated_xml import STANDOFF, has_standoff
from multideid.document import Document, Span
from multideid.errors import CorpusError
from multideid.label_schemes import I2B2_2014_CATEGORIES, SCHEMES, mapping

META_KEY = "i2b2-2014"


class _Tag(NamedTuple):
    element: str
    span: Span
    noted: str | None
    line: int


def read(path: Path, report: OnReport) -> Iterator[Document]:
    """Yield the documents of a folder of ``.xml`` files, or the one of a file.

    Raises
    ------
    CorpusError
        If a file is malformed, or a ``text`` attribute is not the text at its
        offsets; the message names the line.
    """
    for document_id, file in corpus_files(path, ".xml"):
        yield _read_file(file, document_id, report)


def _read_file(path: Path, document_id: str, report: OnReport) -> Document:
    data = read_bytes(path)
    parsed = _parse(path, data)
    text = parsed.text
    wrong = _disagreeing(parsed.tags, text)
    if wrong and b"\r" in data:
        text = _with_carriage_returns(path, data) or text
        wrong = _disagreeing(parsed.tags, text)
        if not wrong:
            report(Report(document_id, "carriage returns", 1))
    # For a span outside the text, Assembler raises a more precise error.
    if wrong and wrong[0].span.end <= len(text):
        raise CorpusError(
            path,
            "a text attribute is not the text at its offsets; offsets must count "
            "characters (a tag without text is not checked)",
            f"line {wrong[0].line}",
        )
    elements = {tag.span.label: tag.element for tag in reversed(parsed.tags)}
    meta = {META_KEY: {"root": parsed.root, "elements": elements}}
    return Assembler(path, report).build(document_id, text, [t.span for t in parsed.tags], meta)


def _disagreeing(tags: list[_Tag], text: str) -> list[_Tag]:
    return [t for t in tags if not agrees(t.noted, text[t.span.start : t.span.end])]


def _parse(path: Path, data: bytes) -> _Reader:
    reader = _Reader(path)
    reader.feed(data, final=True)
    if not reader.has_text:
        raise CorpusError(path, "has no <TEXT> element")
    return reader


def _with_carriage_returns(path: Path, data: bytes) -> str | None:
    """Parse with a placeholder for carriage returns, which XML parsers remove."""
    try:
        content = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    placeholder = next(c for c in map(chr, range(0xE000, 0xF8FF)) if c not in content)
    start, end = content.find("<TEXT"), content.rfind("</TEXT")
    marked = content[start:end].replace("\r\n", f"{placeholder}\n")
    reader = _parse(path, (content[:start] + marked + content[end:]).encode())
    return reader.text.replace(placeholder, "\r")


class _Reader(XmlReader):
    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.root = ""
        self.tags: list[_Tag] = []
        self.has_text = False
        self._pieces: list[str] = []
        self._open: list[str] = []

    @property
    def text(self) -> str:
        """The document's text."""
        return "".join(self._pieces)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._open:
            self.root = name
        elif self._open[-1] == "TEXT":
            raise self.error("an element is inside <TEXT>")
        elif self._open[-1] == "TAGS":
            self.tags.append(self._tag(name, attributes))
        elif name == "TEXT":
            if self.has_text:
                raise self.error("a second <TEXT>")
            self.has_text = True
        elif name != "TAGS":
            raise self.error(f"<{name}> holds annotations of an unknown kind, or none: remove it")
        self._open.append(name)

    def _tag(self, name: str, attributes: dict[str, str]) -> _Tag:
        try:
            start, end = int(attributes["start"]), int(attributes["end"])
            span = Span(start, end, attributes["TYPE"])
        except (KeyError, ValueError):
            raise self.error("a tag lacks TYPE, or start and end as whole numbers") from None
        return _Tag(name, span, attributes.get("text"), self._expat.CurrentLineNumber)

    def data(self, text: str) -> None:
        if self._open[-1] == "TEXT":
            self._pieces.append(text)

    def end(self, name: str) -> None:
        self._open.pop()


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write a folder with one ``.xml`` file per document.

    Raises
    ------
    CorpusError
        If a text or label contains a character that XML 1.0 cannot represent.
    """
    for document in documents:
        require_xml_characters(document.id, document.text, output)
        require_xml_labels(document.id, (s.label for s in document.spans), output)
        output.write_file(document.id, ".xml", output.encode(_file(document), document.id))


def _file(document: Document) -> str:
    root, elements = _names(document.meta)
    tags = "".join(_tag_line(document, n, s, elements) for n, s in enumerate(document.spans))
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<{root}>\n'
        f"<TEXT>{cdata(document.text)}</TEXT>\n<TAGS>\n{tags}</TAGS>\n</{root}>\n"
    )


def _names(meta: Mapping[str, Any]) -> tuple[str, Mapping[str, str]]:
    kept = meta.get(META_KEY)
    if not isinstance(kept, Mapping):
        return "deIdi2b2", {}
    elements = kept.get("elements")
    root = _element_name(kept.get("root"), "deIdi2b2")
    return root, elements if isinstance(elements, Mapping) else {}


def _element_name(name: object, default: str) -> str:
    # Values in meta are not trusted: they could break the file.
    return name if isinstance(name, str) and name.isascii() and name.isidentifier() else default


def _tag_line(document: Document, number: int, span: Span, elements: Mapping[str, str]) -> str:
    element = _element_name(elements.get(span.label), _CATEGORY.get(span.label, "OTHER"))
    covered, label = escape_attribute(document.span_text(span)), escape_attribute(span.label)
    return (
        f'<{element} id="P{number}" start="{span.start}" end="{span.end}" '
        f'text="{covered}" TYPE="{label}" comment="" />\n'
    )


_CATEGORY = {
    label: category
    for name in ("meddocan", "thesis", "i2b2-2014")
    for label, category in mapping(SCHEMES[name], I2B2_2014_CATEGORIES).items()
}


def _detect(path: Path) -> bool:
    content = xml_beginning(path)
    return content is not None and has_standoff(content)


FORMAT = Format(
    "i2b2-2014",
    "XML with standoff <TAGS>, also MEDDOCAN; a folder with a file for each document",
    read,
    write,
    meta=False,
    folder=True,
    suffixes=(".xml",),
    detect=_detect,
    structure=STANDOFF,
)
