"""PhysioNet deid: all notes in ``NAME.text``, their spans in a second file.

::

    START_OF_RECORD=1||||2||||
    the text of note 2 of patient 1
    ||||END_OF_RECORD

The text of a note begins after the header line and ends before the line end that
precedes the end marker; offsets are relative to its beginning. Spans are read
from the first of these files that exists:

- ``NAME-phi.phrase``: lines ``PATIENT NOTE START END TYPE PHRASE``;
- ``NAME.deid`` (the gold standard of the original) or ``NAME.phi`` (the output of
  its program): a line ``Patient P<tab>Note N``, then lines ``START START END``.
  These have no types, so every label is ``PHI``.

The files written are ``id.text``, ``id.phi`` and ``id-phi.phrase``. The id of a
document is ``PATIENT-NOTE``; an id that does not end in a hyphen and a number
becomes the patient of note 0. White space, ``|`` and ``%`` in an id are escaped as
``%`` and hexadecimal digits. Files are read as a whole.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

from multideid.corpora.assembly import Assembler
from multideid.corpora.contract import Format
from multideid.corpora.output import Output
from multideid.corpora.reports import OnReport
from multideid.corpora.source import read_beginning, read_text
from multideid.document import Document, Span
from multideid.errors import CorpusError

LABEL = "PHI"
"""The label of spans from a file without types."""

_START = re.compile(r"START_OF_RECORD=([^\n|]+)\|\|\|\|([^\n|]+)\|\|\|\|\r?\n")
_END = re.compile(r"\n\|\|\|\|END_OF_RECORD[ \r]*(?:\n|\Z)")
_BLANK = re.compile(r"\s*")
_NOTE_HEADER = re.compile(r"Patient\s+(\S+)\s+Note\s+(\S+)")
_WRITTEN = ("id.text", "id.phi", "id-phi.phrase")
# Python refuses to read numbers of thousands of digits.
_NUMBER = "[0-9]{1,18}"
_OFFSETS = re.compile(rf"({_NUMBER})\s+{_NUMBER}\s+({_NUMBER})")
_PHRASE = re.compile(rf"(\S+) (\S+) ({_NUMBER}) ({_NUMBER}) (\S+)(?: .*)?")
_NUMBERED = re.compile(r"(.+)-([0-9]+)", re.DOTALL)
_ESCAPED = re.compile(r"[\s|%\x00-\x1f]")

_Spans = dict[str, list[Span]]


def read(path: Path, report: OnReport) -> Iterator[Document]:
    """Yield the notes of a ``.text`` file, or of the one in a folder.

    Raises
    ------
    CorpusError
        If a record is not closed, a line is malformed, or there are spans for a
        note that does not exist.
    """
    text_file = _text_file(path)
    spans, assembler = _read_spans(text_file), Assembler(text_file, report)
    for document_id, text in _records(text_file):
        found = spans.pop(document_id, [])
        yield assembler.build(document_id, text, found)
    if missing := next(iter(spans), None):
        raise CorpusError(text_file, f"has no record {missing!r}, but there are spans for it")


def _text_file(path: Path) -> Path:
    if not path.is_dir():
        return path
    found = sorted(path.glob("*.text"))
    if len(found) != 1:
        raise CorpusError(path, f"contains {len(found)} .text files; name one")
    return found[0]


def _records(path: Path) -> Iterator[tuple[str, str]]:
    content = read_text(path).removeprefix("\ufeff")
    position = _skip_blank(content, 0)
    while position < len(content):
        start = _START.match(content, position)
        # The line end of the header is also the one before the end marker of an empty note.
        end = _END.search(content, start.end() - 1) if start else None
        if start is None or end is None:
            line = content.count("\n", 0, position) + 1
            problem = "a record does not begin with START_OF_RECORD=, or has no ||||END_OF_RECORD"
            raise CorpusError(path, problem, f"line {line}")
        yield _document_id(start[1], start[2]), content[start.end() : end.start()]
        position = _skip_blank(content, end.end())


def _skip_blank(content: str, position: int) -> int:
    match = _BLANK.match(content, position)
    return match.end() if match else position


def _document_id(patient: str, note: str) -> str:
    return unquote(patient) if note == "0" else f"{unquote(patient)}-{unquote(note)}"


def _patient_and_note(document_id: str) -> tuple[str, str]:
    match = _NUMBERED.fullmatch(document_id)
    patient, note = match.groups() if match and match[2] != "0" else (document_id, "0")
    return _ESCAPED.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), patient), note


def _read_spans(text_file: Path) -> _Spans:
    phrases = text_file.with_name(f"{text_file.stem}-phi.phrase")
    if phrases.is_file():
        return _read_phrases(phrases)
    for suffix in (".deid", ".phi"):
        if text_file.with_suffix(suffix).is_file():
            return _read_offsets(text_file.with_suffix(suffix))
    return {}


def _read_phrases(path: Path) -> _Spans:
    spans: _Spans = defaultdict(list)
    for number, line in _lines(path):
        match = _PHRASE.fullmatch(line)
        if match is None:
            problem = "not a line of the form PATIENT NOTE START END TYPE PHRASE"
            raise CorpusError(path, problem, f"line {number}")
        span = Span(int(match[3]), int(match[4]), match[5])
        spans[_document_id(match[1], match[2])].append(span)
    return spans


def _read_offsets(path: Path) -> _Spans:
    spans: _Spans = defaultdict(list)
    document_id = ""
    for number, line in _lines(path):
        if header := _NOTE_HEADER.fullmatch(line):
            document_id = _document_id(header[1], header[2])
        elif (match := _OFFSETS.fullmatch(line)) and document_id:
            spans[document_id].append(Span(int(match[1]), int(match[2]), LABEL))
        else:
            problem = "neither 'Patient P<tab>Note N' nor, after such a line, 'START START END'"
            raise CorpusError(path, problem, f"line {number}")
    return spans


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            yield number, line.strip()


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write ``id.text``, ``id.phi`` and ``id-phi.phrase`` into a folder.

    Raises
    ------
    CorpusError
        If a text contains the line that ends records, or a label contains white space.
    """
    texts, offsets, phrases = (output.temporary / name for name in _WRITTEN)
    with texts.open("wb") as t, offsets.open("wb") as o, phrases.open("wb") as p:
        for document in documents:
            _check(document, output)
            patient, note = _patient_and_note(document.id)
            t.write(output.encode(_record(patient, note, document.text), document.id))
            o.write(output.encode(_offset_lines(patient, note, document), document.id))
            p.write(output.encode(_phrase_lines(patient, note, document), document.id))


def _check(document: Document, output: Output) -> None:
    output.encode(document.text, document.id)
    if _END.search(f"\n{document.text}\n"):
        raise output.error("its text contains the line that ends records", document.id)
    if any(not s.label or re.search(r"\s", s.label) for s in document.spans):
        raise output.error("physionet labels cannot be empty or contain white space", document.id)


def _record(patient: str, note: str, text: str) -> str:
    return f"START_OF_RECORD={patient}||||{note}||||\n{text}\n||||END_OF_RECORD\n\n"


def _offset_lines(patient: str, note: str, document: Document) -> str:
    lines = [f"{s.start} {s.start} {s.end}\n" for s in document.spans]
    return "".join([f"Patient {patient}\tNote {note}\n", *lines])


def _phrase_lines(patient: str, note: str, document: Document) -> str:
    rows = ((s, re.sub(r"\s", " ", document.span_text(s))) for s in document.spans)
    return "".join(f"{patient} {note} {s.start} {s.end} {s.label} {text}\n" for s, text in rows)


def _detect(path: Path) -> bool:
    if path.is_dir():
        return any(path.glob("*.text"))
    return read_beginning(path).lstrip().startswith("START_OF_RECORD=")


FORMAT = Format(
    "physionet",
    "PhysioNet deid; a folder with id.text and the spans in id.phi",
    read,
    write,
    meta=False,
    folder=True,
    detect=_detect,
    files=_WRITTEN,
)
