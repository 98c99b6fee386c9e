"""CoNLL: a token and its BIO tag on each line, an empty line between sentences.

::

    # id = 7
    # text = "Dr. Lee"
    Dr	O
    .	O
    Lee	B-DOCTOR

The first column is the token, the last one the tag, as in CoNLL-2003 with its
``-DOCSTART-`` lines. Tags are BIO, also IOB1, BIOES, BILOU or IO. The format has no white
space: without a comment that holds the text, as ``# text`` in JSON, tokens are joined by
spaces and sentences by line feeds. Both comments are written, so that the text stays the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from multideid.corpora.assembly import Assembler
from multideid.corpora.contract import Format
from multideid.corpora.output import Output
from multideid.corpora.reports import OnReport
from multideid.corpora.source import read_beginning, read_text, require_file
from multideid.document import Document, Span
from multideid.errors import CorpusError
from multideid.spans import overlapping

_START = "-DOCSTART-"
_COMMENT = re.compile(r"# (id|text) = (.*)")
_TAG = re.compile(r"([BIESLU])-(.+)|O")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_LOOKS_LIKE = re.compile(
    r'# id = ".*"\n# text = ".*"\n\n|'
    rf"(?:# (?:id|text) = .*\n|{_START}.*\n|[^\S\n]*\n)*\S+[\t ](?:\S+[\t ])*(?:O|[BIESLU]-\S+)\n"
)


@dataclass(slots=True)
class _Lines:
    """The lines of one document so far: tokens by sentence, with their tags."""

    id: str | None = None
    text: str | None = field(default=None, repr=False)
    sentences: list[list[tuple[str, str, int]]] = field(default_factory=lambda: [[]], repr=False)

    def __bool__(self) -> bool:
        return self.text is not None or any(self.sentences)


def read(path: Path, report: OnReport) -> Iterator[Document]:
    """Yield the documents of a file, which is read as a whole.

    Raises
    ------
    CorpusError
        If a tag is of an unknown kind, or a token is not in the text that is given.
    """
    content = read_text(require_file(path)).removeprefix("\ufeff")
    assembler = Assembler(path, report)
    for number, lines in enumerate(_documents(path, content), start=1):
        text, places = _laid_out(path, lines)
        document_id = str(number) if lines.id is None else lines.id
        yield assembler.build(document_id, text, _spans(lines, places))


def _documents(path: Path, content: str) -> Iterator[_Lines]:
    lines = _Lines()
    for number, raw in enumerate(content.split("\n"), start=1):
        line = raw.removesuffix("\r")
        comment = _COMMENT.fullmatch(line)
        if lines and (line.startswith(_START) or (comment and comment[1] == "id")):
            yield lines
            lines = _Lines()
        if comment:
            _note(path, number, comment[1], comment[2], lines)
        elif not line.strip():
            lines.sentences.append([])
        elif not line.startswith(_START) and not _is_comment(line):
            lines.sentences[-1].append(_token(path, number, line))
    if lines:
        yield lines


def _is_comment(line: str) -> bool:
    last = line.rpartition(" ")[2]
    return line.startswith("# ") and "\t" not in line and not _TAG.fullmatch(last)


def _note(path: Path, number: int, name: str, value: str, lines: _Lines) -> None:
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        # As in CoNLL-U, where it is the sentence only.
        return
    if name == "text" and isinstance(found, str):
        if lines.text is not None:
            raise CorpusError(path, "a document has two texts", f"line {number}")
        lines.text = found
    elif name == "id":
        lines.id = str(found)


def _token(path: Path, number: int, line: str) -> tuple[str, str, int]:
    fields = line.split("\t") if "\t" in line else line.split(" ")
    if len(fields) < 2 or not fields[0] or not _TAG.fullmatch(fields[-1]):
        problem = "is not a token and a tag: O, or B-, I-, E-, S-, L- or U- and a label"
        raise CorpusError(path, problem, f"line {number}")
    return fields[0], fields[-1], number


def _laid_out(path: Path, lines: _Lines) -> tuple[str, list[tuple[int, int]]]:
    """Return the text, and the offsets of each token in it."""
    text = lines.text
    if text is None:
        sentences = (" ".join(token for token, _, _ in s) for s in lines.sentences if s)
        text = "\n".join(sentences)
    places, end = [], 0
    for token, _, number in (token for sentence in lines.sentences for token in sentence):
        start = text.find(token, end)
        if start < 0 or text[end:start].strip():
            raise CorpusError(path, "this token does not follow in the text", f"line {number}")
        end = start + len(token)
        places.append((start, end))
    return text, places


def _spans(lines: _Lines, places: Iterable[tuple[int, int]]) -> list[Span]:
    spans: list[Span] = []
    remaining = iter(places)
    for sentence in lines.sentences:
        inside = ""
        for _, tag, _ in sentence:
            start, end = next(remaining)
            kind, label = (tag[0], tag[2:]) if tag != "O" else ("O", "")
            if kind in "IEL" and inside == label:
                spans[-1] = Span(spans[-1].start, end, label)
            elif kind != "O":
                spans.append(Span(start, end, label))
            inside = "" if kind in "OESLU" else label
    return spans


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write one file.

    Raises
    ------
    CorpusError
        If a span begins or ends with white space, or a label has any: the format cannot
        hold it.
    """
    with output.temporary.open("wb") as file:
        for document in documents:
            _check(document, output)
            output.encode(document.text, document.id)
            # Escaped, so that no line end of another kind ends the comment.
            head = f"# id = {json.dumps(document.id)}\n# text = {json.dumps(document.text)}\n"
            file.write(output.encode(head + _body(document) + "\n", document.id))


def _check(document: Document, output: Output) -> None:
    for start, end, label in document.spans:
        if document.text[start].isspace() or document.text[end - 1].isspace():
            problem = f"span {start}-{end} begins or ends with white space, which CoNLL cannot hold"
            raise output.error(problem, document.id)
        if any(character.isspace() for character in label):
            raise output.error("a label with white space cannot be written", document.id)


def _body(document: Document) -> str:
    lines: list[str] = []
    end = 0
    for start, stop, tag in _tagged(document):
        # A line that ends inside a span does not end its sentence.
        if "\n" in document.text[end:start] and lines and not tag.startswith("I-"):
            lines.append("")
        lines.append(f"{document.text[start:stop]}\t{tag}")
        end = stop
    return "".join(f"{line}\n" for line in lines)


def _tagged(document: Document) -> Iterator[tuple[int, int, str]]:
    text, spans = document.text, document.spans
    cuts = {place for span in spans for place in (span.start, span.end)}
    for match in _TOKEN.finditer(text):
        inner = sorted({match.start(), match.end()} | _between(cuts, match.start(), match.end()))
        for start, end in pairwise(inner):
            span = next(iter(overlapping(spans, start, end)), None)
            tag = "O" if span is None else f"{'B' if start == span.start else 'I'}-{span.label}"
            yield start, end, tag


def _between(cuts: set[int], start: int, end: int) -> set[int]:
    return {place for place in range(start + 1, end) if place in cuts}


def _detect(path: Path) -> bool:
    return path.is_file() and _LOOKS_LIKE.match(read_beginning(path)) is not None


FORMAT = Format(
    "conll",
    "CoNLL: a token and its BIO tag on each line",
    read,
    write,
    meta=False,
    detect=_detect,
)
