"""WebAnno TSV 3, of WebAnno and INCEpTION: a folder with a ``.tsv`` file per document.

::

    #FORMAT=WebAnno TSV 3.3
    #T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value

    #Text=Dr. Anna Lee
    1-1	0-3	Dr.	_	_
    1-2	4-8	Anna	*[1]	DOCTOR[1]
    1-3	9-12	Lee	*[1]	DOCTOR[1]

Spans are those of the feature ``value`` of named entities; the options ``layer`` and
``feature`` name others. Without them, a file with other span layers than those of tokens (such
as lemmas) is refused. Relations and chains are no spans. Offsets count units of UTF-16. The
format does not hold what is between sentences: line feeds take its place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from multideid.corpora.assembly import Assembler
from multideid.corpora.contract import Format
from multideid.corpora.output import Output
from multideid.corpora.reports import OnReport
from multideid.corpora.source import corpus_files, corpus_names, read_beginning, read_text
from multideid.document import Document, Span
from multideid.errors import CorpusError
from multideid.spans import overlapping, utf16_offsets

LAYER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
FEATURE = "value"
_TOKEN_LAYERS = ("Lemma", "POS", "Stem", "MorphologicalFeatures", "SurfaceForm")
_HEAD = "#FORMAT=WebAnno TSV 3."
_VALUE = re.compile(r"((?:[^\\\[\]|]|\\.)*)(?:\[([0-9]{1,9})\])?")
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r"}
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class _Row:
    """A token or a part of one: its offsets in UTF-16, its text and the values of the feature."""

    line: int
    begin: int
    end: int
    form: str = field(repr=False)
    values: tuple[tuple[str, str], ...] = field(repr=False)


def read(
    path: Path, report: OnReport, layer: str | None = None, feature: str | None = None
) -> Iterator[Document]:
    """Yield the documents of a folder, or of one file.

    Parameters
    ----------
    path : Path
    report : callable
    layer : str, optional
        Full name of the layer whose annotations are spans. Default: named entities.
    feature : str, optional
        The feature that is the label. Default: ``value``.

    Raises
    ------
    CorpusError
        If a line is malformed, or there are annotations of another layer.
    """
    for document_id, file in corpus_files(path, ".tsv"):
        lines = read_text(file).removeprefix("\ufeff").split("\n")
        column = _column(file, lines, layer, feature or FEATURE)
        sentences = list(_sentences(file, lines, column))
        text = _text(file, sentences)
        yield Assembler(file, report).build(document_id, text, _spans(file, text, sentences))


def _column(path: Path, lines: list[str], layer: str | None, feature: str) -> int | None:
    """Return the column of the feature, None if the file has no such layer."""
    if not lines[0].startswith(_HEAD):
        raise CorpusError(path, "does not begin with WebAnno TSV 3", "line 1")
    place, found = 3, None
    for line in lines[1:]:
        if not line.startswith("#T_"):
            if line.startswith("#Text="):
                break
            continue
        kind, _, described = line.rstrip("\r").partition("=")
        name, *features = described.split("|")
        if kind == "#T_SP" and name == (layer or LAYER):
            if feature not in features:
                raise CorpusError(path, f"the layer {name} has no feature {feature}")
            found = place + features.index(feature)
        elif kind == "#T_SP" and layer is None and name.rpartition(".")[2] not in _TOKEN_LAYERS:
            raise CorpusError(path, f"has annotations of {name}; name the layer to read")
        place += max(len(features), 1) + (kind in ("#T_RL", "#T_CH"))
    if found is None and layer is not None:
        raise CorpusError(path, f"has no layer {layer}")
    return found


def _sentences(
    path: Path, lines: list[str], column: int | None
) -> Iterator[tuple[str, list[_Row]]]:
    text: str | None = None
    rows: list[_Row] = []
    for number, raw in enumerate(lines, start=1):
        line = raw.removesuffix("\r")
        if line.startswith("#Text="):
            if rows:
                yield text or "", rows
                text, rows = None, []
            part = _unescaped(line.removeprefix("#Text="))
            # Before version 3.3, each line of a sentence has its own.
            text = part if text is None else f"{text}\n{part}"
        elif line and not line.startswith("#"):
            rows.append(_row(path, number, line, column))
    if rows:
        yield text or "", rows


def _row(path: Path, number: int, line: str, column: int | None) -> _Row:
    fields = line.split("\t")
    offsets = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", fields[1]) if len(fields) > 2 else None
    if offsets is None or (column is not None and len(fields) <= column):
        raise CorpusError(path, "is not a token with offsets and all columns", f"line {number}")
    values = () if column is None else _values(path, number, fields[column])
    return _Row(number, int(offsets[1]), int(offsets[2]), _unescaped(fields[2]), values)


def _values(path: Path, number: int, cell: str) -> tuple[tuple[str, str], ...]:
    """Return the labels of a cell, each with the number that ties tokens together."""
    if cell == "_":
        return ()
    found = []
    for part in re.split(r"(?<!\\)\|", cell):
        match = _VALUE.fullmatch(part)
        if match is None or match[1] in ("", "*", "_"):
            raise CorpusError(path, "has an annotation without a label", f"line {number}")
        found.append((_unescaped(match[1]), match[2] or ""))
    return tuple(found)


def _text(path: Path, sentences: Iterable[tuple[str, list[_Row]]]) -> str:
    """Return the text, with line feeds where no sentence is."""
    units = bytearray()
    for text, rows in sentences:
        lead = text.find(rows[0].form)
        start = 2 * (rows[0].begin - len(text[: max(lead, 0)].encode("utf-16-le")) // 2)
        if lead < 0 or text[:lead].strip() or start < len(units):
            problem = "the offsets do not fit the text of the sentence"
            raise CorpusError(path, problem, f"line {rows[0].line}")
        units += "\n".encode("utf-16-le") * ((start - len(units)) // 2)
        units += text.encode("utf-16-le")
    return units.decode("utf-16-le")


def _spans(path: Path, text: str, sentences: Iterable[tuple[str, list[_Row]]]) -> list[Span]:
    offsets = utf16_offsets(text)
    tied: dict[tuple[str, str], Span] = {}
    single: list[Span] = []
    for row in (row for _, rows in sentences for row in rows):
        start, end = bisect_left(offsets, row.begin), bisect_left(offsets, row.end)
        if text[start:end] != row.form:
            raise CorpusError(path, "is not the token at its offsets", f"line {row.line}")
        for label, number in row.values:
            if number:
                first = tied.get((label, number), Span(start, end, label))
                tied[label, number] = Span(first.start, end, label)
            else:
                single.append(Span(start, end, label))
    return [*tied.values(), *single]


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write one file per document.

    Raises
    ------
    CorpusError
        If a document has no token, or a span begins or ends with white space: the format
        cannot hold it.
    """
    for document in documents:
        output.encode(document.text, document.id)
        _check(document, output)
        layer = f"#T_SP={LAYER}|identifier|{FEATURE}"
        head = f"{_HEAD}3\n{layer}\n\n"
        data = output.encode(head + _body(document), document.id)
        output.write_file(document.id, ".tsv", data)


def _check(document: Document, output: Output) -> None:
    if not _TOKEN.search(document.text):
        raise output.error("WebAnno TSV cannot hold a document without a token", document.id)
    for start, end, _ in document.spans:
        if document.text[start].isspace() or document.text[end - 1].isspace():
            problem = f"span {start}-{end} begins or ends with white space"
            raise output.error(f"{problem}, which WebAnno TSV cannot hold", document.id)


def _body(document: Document) -> str:
    text, offsets = document.text, utf16_offsets(document.text)
    tokens = list(_tokens(document))
    starts = _sentence_starts(document, [start for start, _, _ in tokens])
    lines: list[str] = []
    sentence = number = 0
    for start, end, place in tokens:
        if sentence < len(starts) and start >= starts[sentence]:
            stop = starts[sentence + 1] - 1 if sentence + 1 < len(starts) else len(text)
            lines += [f"\n#Text={_escaped(text[starts[sentence] : stop])}"]
            sentence, number = sentence + 1, 0
        number += 1
        form = _escaped(text[start:end])
        label = "_" if place is None else f"{_value(document.spans[place].label)}[{place + 1}]"
        tied = "_" if place is None else f"*[{place + 1}]"
        where = f"{sentence}-{number}\t{offsets[start]}-{offsets[end]}"
        lines.append(f"{where}\t{form}\t{tied}\t{label}")
    return "".join(f"{line}\n" for line in lines)


def _sentence_starts(document: Document, tokens: list[int]) -> list[int]:
    """Return where sentences start: at lines, so that only line feeds are between them."""
    starts = [0]
    for before, token in pairwise(tokens):
        cut = document.text.rfind("\n", before, token)
        if cut >= 0 and not overlapping(document.spans, cut, cut + 1):
            starts.append(cut + 1)
    return starts


def _tokens(document: Document) -> Iterator[tuple[int, int, int | None]]:
    """Yield tokens, cut at the borders of spans, each with the place of its span."""
    spans = document.spans
    borders = sorted({place for span in spans for place in (span.start, span.end)})
    for match in _TOKEN.finditer(document.text):
        low, high = bisect_left(borders, match.start() + 1), bisect_left(borders, match.end())
        for start, end in pairwise([match.start(), *borders[low:high], match.end()]):
            place = bisect_left(spans, (start + 1,)) - 1
            yield start, end, place if place >= 0 and start < spans[place].end else None


def _escaped(text: str) -> str:
    for plain, escaped in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(plain, escaped)
    return text


def _value(label: str) -> str:
    return re.sub(r"([\\\[\]|_;*]|->)", r"\\\1", label).replace("\t", "\\t").replace("\n", "\\n")


def _unescaped(text: str) -> str:
    return re.sub(
        r"\\(->|.)", lambda match: _ESCAPES.get(match[1], match[1]), text, flags=re.DOTALL
    )


def _detect(path: Path) -> bool:
    if path.is_dir():
        return any(_detect(path / name) for name in corpus_names(path, ".tsv")[:1])
    return path.is_file() and read_beginning(path).startswith(_HEAD)


FORMAT = Format(
    "webanno-tsv",
    "WebAnno TSV 3, of WebAnno and INCEpTION; a folder of .tsv files",
    read,
    write,
    meta=False,
    folder=True,
    suffixes=(".tsv",),
    options=("layer", "feature"),
    detect=_detect,
)
