"""brat standoff: a folder of ``.txt`` files with an ``.ann`` file each.

Only text-bound annotations (lines that begin with ``T``) are spans; relations,
events, attributes and notes are ignored. Offsets count characters of the
``.txt`` file, including line ends and a byte order mark. A third column that is
not empty must agree with the text at the offsets, except for white space.

Each fragment of a discontinuous annotation (``T1 DATE 0 5;8 10``) becomes a
separate span, except that fragments separated by white space only are joined.
Discontinuous annotations are reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

from multideid.corpora.assembly import Assembler, agrees
from multideid.corpora.contract import Format
from multideid.corpora.output import Output
from multideid.corpora.reports import OnReport, Report
from multideid.corpora.source import corpus_names, id_of_file, read_text
from multideid.document import Document, Span
from multideid.errors import CorpusError

# Python refuses to read numbers of thousands of digits.
_NUMBER = "[0-9]{1,18}"
_TYPE_AND_OFFSETS = re.compile(rf"(\S+) ({_NUMBER} {_NUMBER}(?:;{_NUMBER} {_NUMBER})*)")
# Relations, events, attributes, normalisations, notes and equivalences.
_NO_SPANS = ("R", "E", "A", "M", "N", "#", "*")
_WHITE_SPACE = re.compile(r"\s")


def read(path: Path, report: OnReport) -> Iterator[Document]:
    """Yield the documents of a folder, or the one of a ``.txt`` or ``.ann`` file.

    Raises
    ------
    CorpusError
        If the ``.txt`` or ``.ann`` file of a pair is missing, or a line is malformed.
    """
    for document_id, text_file, annotation_file in _pairs(path):
        text = read_text(text_file)
        spans = _read_spans(annotation_file, document_id, text, report)
        yield Assembler(annotation_file, report).build(document_id, text, spans)


def _pairs(path: Path) -> Iterator[tuple[str, Path, Path]]:
    if path.is_dir():
        folder = path
        texts, annotations = (corpus_names(path, s) for s in (".txt", ".ann"))
    else:
        folder = path.parent
        halves = [path.with_suffix(s) for s in (".txt", ".ann")]
        texts, annotations = ([half.name] if half.is_file() else [] for half in halves)
    if single := _without_other_half(texts, annotations):
        is_text = single.lower().endswith(".txt")
        problem = "has no .ann file; create an empty one if it has no spans"
        raise CorpusError(folder / single, problem if is_text else "has no .txt file")
    for text, annotation in zip(texts, annotations, strict=True):
        yield id_of_file(text), folder / text, folder / annotation


def _without_other_half(texts: list[str], annotations: list[str]) -> str | None:
    """Return the first file without a counterpart; both lists are sorted by id."""
    for pair in zip_longest(texts, annotations):
        halves = [name for name in pair if name is not None]
        if len(halves) == 1 or id_of_file(halves[0]) != id_of_file(halves[1]):
            return min(halves, key=id_of_file)
    return None


def _read_spans(path: Path, document_id: str, text: str, report: OnReport) -> list[Span]:
    spans: list[Span] = []
    discontinuous = 0
    for number, line in enumerate(_lines(path), start=1):
        if not line.startswith("T"):
            if line.strip() and not line.startswith(_NO_SPANS):
                problem = "an annotation of an unknown kind; spans are lines that begin with T"
                raise CorpusError(path, problem, f"line {number}")
            continue
        label, fragments, noted = _parse_line(path, number, line)
        _check_fragments(path, number, text, fragments)
        if not agrees(noted, " ".join(text[start:end] for start, end in fragments)):
            raise CorpusError(
                path,
                "the text in the third column is not the text at the offsets; "
                "offsets must count characters (an empty column is ignored)",
                f"line {number}",
            )
        discontinuous += len(fragments) > 1
        spans += [Span(start, end, label) for start, end in _joined(text, fragments)]
    if discontinuous:
        report(Report(document_id, "discontinuous", discontinuous))
    return spans


def _lines(path: Path) -> list[str]:
    return read_text(path).removeprefix("\ufeff").split("\n")


def _parse_line(path: Path, number: int, line: str) -> tuple[str, list[tuple[int, int]], str]:
    columns = line.split("\t", 2)
    match = _TYPE_AND_OFFSETS.fullmatch(columns[1].strip()) if len(columns) > 1 else None
    if match is None:
        problem = "not an annotation of the form T1<tab>LABEL START END<tab>TEXT"
        raise CorpusError(path, problem, f"line {number}")
    pairs = (pair.split(" ") for pair in match[2].split(";"))
    fragments = [(int(start), int(end)) for start, end in pairs]
    return match[1], fragments, columns[2] if len(columns) > 2 else ""


def _check_fragments(path: Path, number: int, text: str, fragments: list[tuple[int, int]]) -> None:
    for start, end in fragments:
        if not start < end <= len(text):
            problem = f"span {start}-{end} is empty or outside the text of {len(text)} characters"
            raise CorpusError(path, problem, f"line {number}")


def _joined(text: str, fragments: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(fragments):
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write a folder of ``.txt`` and ``.ann`` files.

    Raises
    ------
    CorpusError
        If a label is empty or contains white space.
    """
    for document in documents:
        lines = [_line(document, n, span, output) for n, span in enumerate(document.spans, 1)]
        output.write_file(document.id, ".txt", output.encode(document.text, document.id))
        output.write_file(document.id, ".ann", output.encode("".join(lines), document.id))


def _line(document: Document, number: int, span: Span, output: Output) -> str:
    if not span.label or _WHITE_SPACE.search(span.label):
        raise output.error("brat labels cannot be empty or contain white space", document.id)
    covered = _WHITE_SPACE.sub(" ", document.span_text(span))
    return f"T{number}\t{span.label} {span.start} {span.end}\t{covered}\n"


def _detect(path: Path) -> bool:
    if path.is_dir():
        return bool(corpus_names(path, ".ann"))
    halves = [path.with_suffix(suffix) for suffix in (".txt", ".ann")]
    return path.suffix.lower() in (".txt", ".ann") and all(half.is_file() for half in halves)


FORMAT = Format(
    "brat",
    "brat standoff; a folder of .txt and .ann files",
    read,
    write,
    meta=False,
    folder=True,
    suffixes=(".txt", ".ann"),
    detect=_detect,
)
