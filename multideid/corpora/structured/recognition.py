"""Files that are not plain text are recognised by their content, whatever their name."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from contextlib import suppress
from io import StringIO
from typing import NamedTuple

from multideid.corpora.identifier_names import identifier_label
from multideid.corpora.structure import HEAD, Content, ReadingOptions
from multideid.corpora.structured.coded_text import Problem, coded
from multideid.corpora.structured.encodings import mark_of

AS_TEXT = "to read it as plain text all the same, use --as-text"


class _Kind(NamedTuple):
    """Files that are not read, and a remedy."""

    name: str
    remedy: str
    starts: tuple[bytes, ...]
    offset: int = 0


_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_OCR = "only text is read; extract the text (OCR) first"
_UNPACK = "unpack it first"

_KINDS = (
    _Kind("an image", _OCR, (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"BM")),
    _Kind("a DICOM image", _OCR, (b"DICM",), 128),
    _Kind(
        "an old Office file or Outlook message",
        "save it as .docx, .xlsx or text",
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",),
    ),
    _Kind("a 7z archive", _UNPACK, (b"7z\xbc\xaf\x27\x1c",)),
    _Kind("a RAR archive", _UNPACK, (b"Rar!\x1a\x07",)),
    _Kind("compressed with bzip2", _UNPACK, tuple(b"BZh%d1AY&SY" % n for n in range(1, 10))),
    _Kind("compressed with xz", _UNPACK, (b"\xfd7zXZ",)),
    _Kind("compressed with Zstandard", _UNPACK, (b"\x28\xb5\x2f\xfd",)),
    _Kind("a tar archive", _UNPACK, (b"ustar",), 257),
    _Kind("a Parquet table", "name it .parquet and its column with --column", (b"PAR1",)),
    _Kind("a SQLite database", "export its notes as text or CSV", (b"SQLite format 3",)),
    _Kind("PostScript", "convert it to text", (b"%!PS",)),
    _Kind("a program", "only text is read", (b"\x7fELF", b"MZ\x90")),
)

_INTERCHANGES = (
    ("an X12 interchange", re.compile(r"ISA([^\w\s])\d\d\1")),
    ("an EDIFACT interchange", re.compile(r"(?:UNA.{6}\s?)?UNB\+UNO[A-Z][:+]")),
    ("a message of a laboratory instrument (ASTM)", re.compile(r"H\|\\\^&\|")),
)
_HL7_SEGMENT = re.compile(r"(?:EVN|PID|PV1|NK1|OBR|OBX|ORC)\|")
_DATA = (
    ("an address card (vCard)", re.compile(r"^BEGIN:VCARD\s*$", re.IGNORECASE | re.MULTILINE)),
    (
        "a calendar (iCalendar)",
        re.compile(r"^BEGIN:V(?:CALENDAR|EVENT)\s*$", re.IGNORECASE | re.MULTILINE),
    ),
    (
        "a dump of a database (SQL)",
        re.compile(
            r"^[ \t]*(?:(?:INSERT|REPLACE)(?: IGNORE)? INTO NAME(?:\([^\n)]{0,2000}\) ?)?"
            r"VALUES\s?\("
            r"|CREATE (?:TEMPORARY )?TABLE (?:IF NOT EXISTS )?NAME\("
            r"|COPY NAME\([^\n)]{0,2000}\) FROM stdin;)".replace("NAME", r"[\w.`\"\[\]]{1,100} ?"),
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
)
_HL7_LINE = re.compile(r"^\W{0,3}MSH\|\^~\\&", re.MULTILINE)
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body|div|p|table)\b", re.IGNORECASE)
_TAG = re.compile(r"<(?:[?!]|[A-Za-z_][\w.:-]*[\s/>])")
_JSON = re.compile(r'\{\s*"|\[\s*(?:\{|"(?:[^"\\]|\\.)*"\s*[,\]])')
_DELIMITERS = (",", ";", "\t", "|")
_FEWEST_ROWS = 3
_FEWEST_DELIMITERS = 2
_COLUMN = re.compile(r"[^\W\d][\w .#/()\-]{0,39}")


def refuse_binary(content: Content, options: ReadingOptions) -> None:
    """Raise CorpusError if a file is of a kind that is not read, or no text at all."""
    head = content.head
    wide = bool(mark_of(head)[0]) or (options.encoding or "").startswith(("utf-16", "utf-32"))
    for kind in _KINDS:
        start = next((s for s in kind.starts if head.startswith(s, kind.offset)), None)
        # Letters may begin a note: BM is a movement of bowels, PAR1 a receptor.
        if start and (not start.isalnum() or kind.name == "PostScript" or _BINARY.search(head)):
            raise content.error(f"is {kind.name}: {kind.remedy}")
    if not wide and b"\0" in content.read():
        problem = "is binary, not text; if it is UTF-16, name it with --encoding utf-16"
        raise content.error(problem)


def refuse_structured_text(content: Content, text: str) -> None:
    """Raise CorpusError if a text is in a format that was not understood.

    Parameters
    ----------
    content : Content
    text : str
        The whole text.
    """
    start = text.lstrip("\ufeff \t\r\n")
    checks = (
        _broken_markup,
        _broken_json,
        _hl7_inside,
        _interchange,
        _data,
        _table,
        _coded,
    )
    for check in checks:
        problem, place = check(text, start) or ("", 0)
        if problem:
            where = f"line {text.count(chr(10), 0, place) + 1}"
            raise content.error(f"{problem}; {AS_TEXT}", where)


def refuse_named_columns(content: Content, text: str, columns: Sequence[str]) -> None:
    """Raise CorpusError if the first line of a text has all columns that the user named."""
    header = text.lstrip("\ufeff \t\r\n").partition("\n")[0]
    for delimiter in _DELIMITERS if columns else ():
        names = [cell.strip() for row in _rows(header, delimiter) for cell in row]
        if len(names) > 1 and set(columns) <= set(names):
            remedy = "name it .csv or .tsv"
            raise content.error(f"is a table with the columns named: {remedy}; {AS_TEXT}")


def _broken_markup(text: str, start: str) -> Problem | None:
    if start.startswith("{\\rtf"):
        return "is RTF that cannot be read", 0
    if _HTML.match(start):
        return "looks like HTML that is not well-formed XML: save it as text", 0
    if _TAG.match(start):
        return "looks like XML, but is not well-formed: correct it", 0
    return None


def _broken_json(text: str, start: str) -> Problem | None:
    if _JSON.match(start):
        return "looks like JSON, but is not valid: correct it", 0
    return None


def _hl7_inside(text: str, start: str) -> Problem | None:
    match = _HL7_LINE.search(text)
    if match is None:
        return None
    return "an HL7 message begins here, after other text: put messages in files of their own", (
        match.start()
    )


def _interchange(text: str, start: str) -> Problem | None:
    """Find messages whose fields nobody can tell from their values."""
    if _HL7_SEGMENT.match(start):
        return "is a part of an HL7 message, without its header (MSH): add the header", 0
    for kind, pattern in _INTERCHANGES:
        if pattern.match(start):
            return f"is {kind}, which is not read: export its text, or its fields as a table", 0
    return None


def _data(text: str, start: str) -> Problem | None:
    """Find data in which values stand without their context."""
    for kind, pattern in _DATA:
        if match := pattern.search(text):
            return f"holds {kind}, which is not read: export its texts, as text or CSV", (
                match.start()
            )
    return None


def _table(text: str, start: str) -> Problem | None:
    """Find tables, of which the model would read lines of values without their context."""
    header = start.partition("\n")[0]
    for delimiter in _DELIMITERS:
        if header.count(delimiter) < _FEWEST_DELIMITERS:
            continue
        rows = _rows(start, delimiter)
        widths = {len(row) for row in rows}
        if len(rows) >= _FEWEST_ROWS and len(widths) == 1 and _names_columns(rows[0]):
            remedy = "name it .csv or .tsv, and its column of text with --column"
            return f"looks like a table: {remedy}", 0
    return None


def _rows(text: str, delimiter: str) -> list[list[str]]:
    """Return the first rows of a table that are not empty, as many as tell that it is one."""
    rows: list[list[str]] = []
    size = 0
    with suppress(csv.Error):
        for row in csv.reader(StringIO(text, newline=""), delimiter=delimiter):
            size += sum(map(len, row))
            if any(cell.strip() for cell in row):
                rows.append(row)
            if size > HEAD and len(rows) > _FEWEST_ROWS:
                break
    return rows


def _names_columns(header: Sequence[str]) -> bool:
    """Return whether the cells of a line are names of columns, identifiers among them."""
    names = [cell.strip() for cell in header]
    plain = all(_COLUMN.fullmatch(name) for name in names)
    return plain and len(set(names)) == len(names) and any(map(identifier_label, names))


def _coded(text: str, start: str) -> Problem | None:
    return coded(text)
