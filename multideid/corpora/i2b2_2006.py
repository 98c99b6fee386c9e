"""i2b2-2006 inline XML: all documents of a corpus in one file.

::

    <ROOT>
    <RECORD ID="7">
    <TEXT>Seen by Dr. <PHI TYPE="DOCTOR">Lee</PHI></TEXT>
    </RECORD>
    </ROOT>

``<DOCUMENT ID="...">`` (thesis 4.1.1) is read as well. The text of a document is
exactly the content of ``<TEXT>``, including the line end after the start tag. As
XML requires, CR LF in the file is read as LF; a carriage return in a text is
written as ``&#13;``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from multideid.corpora.assembly import Assembler
from multideid.corpora.contract import Format
from multideid.corpora.output import Output
from multideid.corpora.reports import OnReport
from multideid.corpora.safe_xml import (
    XmlReader,
    escape_attribute,
    escape_text,
    require_xml_characters,
    require_xml_labels,
    xml_beginning,
)
from multideid.corpora.source import corpus_files, read_chunks
from multideid.corpora.structured.annotated_xml import INLINE, RECORDS, has_records
from multideid.document import Document, Span
from multideid.spans import splice


def read(path: Path, report: OnReport) -> Iterator[Document]:
    """Yield the documents of a file, or of all ``.xml`` files of a folder.

    Raises
    ------
    CorpusError
        If a file is malformed; names the line.
    """
    for _, file in corpus_files(path, ".xml"):
        reader = _Reader(file, report)
        for chunk in read_chunks(file):
            reader.feed(chunk)
            yield from reader.take()
        reader.feed(b"", final=True)
        yield from reader.take()


class _Reader(XmlReader):
    def __init__(self, path: Path, report: OnReport) -> None:
        super().__init__(path)
        self._assembler = Assembler(path, report)
        self._finished: list[Document] = []
        self._id: str | None = None
        self._pieces: list[str] | None = None
        self._had_text = False
        self._length = 0
        self._spans: list[Span] = []
        self._open: list[tuple[int, str]] = []

    def take(self) -> list[Document]:
        """Return the documents completed since the last call."""
        finished, self._finished = self._finished, []
        return finished

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._pieces is not None:
            self._start_phi(name, attributes)
        elif name in RECORDS:
            self._start_record(attributes)
        elif name == "TEXT":
            self._start_text()

    def _start_record(self, attributes: dict[str, str]) -> None:
        if self._id is not None:
            raise self.error("a record begins inside another")
        if not attributes.get("ID"):
            raise self.error("a record has no ID")
        self._id = attributes["ID"]
        self._had_text = False

    def _start_text(self) -> None:
        if self._id is None or self._had_text:
            raise self.error("<TEXT> is outside a record, or a second one in it")
        self._had_text = True
        self._pieces, self._length, self._spans = [], 0, []

    def _start_phi(self, name: str, attributes: dict[str, str]) -> None:
        if name != "PHI":
            raise self.error("an element other than <PHI> is inside <TEXT>")
        if not attributes.get("TYPE"):
            raise self.error("<PHI> has no TYPE")
        self._open.append((self._length, attributes["TYPE"]))

    def data(self, text: str) -> None:
        if self._pieces is not None:
            self._pieces.append(text)
            self._length += len(text)

    def end(self, name: str) -> None:
        if name == "PHI" and self._open:
            self._end_phi()
        elif name == "TEXT" and self._pieces is not None:
            self._end_text()
        elif name in RECORDS:
            if not self._had_text:
                raise self.error(f"record {self._id!r} has no <TEXT>")
            self._id = None

    def _end_phi(self) -> None:
        start, label = self._open.pop()
        if start == self._length:
            raise self.error("<PHI> is empty")
        self._spans.append(Span(start, self._length, label))

    def _end_text(self) -> None:
        text = "".join(self._pieces or [])
        self._pieces = None
        self._finished.append(self._assembler.build(self._id or "", text, self._spans))


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write one file with one ``<RECORD>`` per document.

    Raises
    ------
    CorpusError
        If a text, label or id contains a character that XML 1.0 cannot represent.
    """
    with output.temporary.open("wb") as file:
        file.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n')
        for document in documents:
            file.write(output.encode(_record(document, output), document.id))
        file.write(b"</ROOT>\n")


def _record(document: Document, output: Output) -> str:
    require_xml_characters(document.id, document.text, output)
    require_xml_labels(document.id, (s.label for s in document.spans), output)
    identifier = escape_attribute(document.id)
    return f'<RECORD ID="{identifier}">\n<TEXT>{_inline(document)}</TEXT>\n</RECORD>\n'


def _inline(document: Document) -> str:
    tagged = ((span.start, span.end, _tagged(document, span)) for span in document.spans)
    return splice(document.text, tagged, between=escape_text)


def _tagged(document: Document, span: Span) -> str:
    label, covered = escape_attribute(span.label), escape_text(document.span_text(span))
    return f'<PHI TYPE="{label}">{covered}</PHI>'


def _detect(path: Path) -> bool:
    content = xml_beginning(path)
    return content is not None and has_records(content)


FORMAT = Format(
    "i2b2-2006",
    "XML with inline <PHI TYPE>; all documents in one file",
    read,
    write,
    meta=False,
    folder=False,
    detect=_detect,
    structure=INLINE,
)
