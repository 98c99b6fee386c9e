"""Files with one JSON object per document: a list of them, or one on each line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from multideid.corpora.assembly import Assembler, agrees
from multideid.corpora.output import Output
from multideid.corpora.records import document_of_record, to_json
from multideid.corpora.reports import OnReport
from multideid.corpora.source import read_beginning, read_text, require_file
from multideid.document import Document
from multideid.errors import CorpusError

Item = dict[str, Any]
_OFFSET_LIMIT = 1 << 60


def json_items(path: Path) -> Iterator[tuple[str, Item]]:
    """Yield the place and the object of each document; the file is read as a whole.

    Raises
    ------
    CorpusError
        If the file is not JSON, or an item is no object.
    """
    text = read_text(require_file(path)).removeprefix("\ufeff")
    if text.lstrip().startswith("["):
        items = [(f"item {n}", item) for n, item in enumerate(parse_json(path, text, 1), start=1)]
    else:
        lines = enumerate(text.split("\n"), start=1)
        items = [(f"line {n}", parse_json(path, line, n)) for n, line in lines if line.strip()]
    for where, item in items:
        if not isinstance(item, dict):
            raise CorpusError(path, "not a JSON object", where)
        yield where, item


def parse_json(path: Path, text: str, line: int) -> Any:
    """Return the value of a JSON text.

    Parameters
    ----------
    path : Path
        The file, for errors.
    text : str
    line : int
        Where the text begins in the file.

    Raises
    ------
    CorpusError
        If it is not JSON; names the line and the column.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {line + error.lineno - 1}"
        raise CorpusError(path, f"not valid JSON at column {error.colno}", where) from None
    except (ValueError, RecursionError):
        problem = "JSON with too long a number or too deep nesting"
        raise CorpusError(path, problem, f"line {line}") from None


def read_items(
    path: Path, report: OnReport, record_of: Callable[[Path, str, Item], Item]
) -> Iterator[Document]:
    """Yield the documents of a file, each made into a record as of JSON Lines.

    Parameters
    ----------
    path : Path
    report : callable
    record_of : callable
        ``record_of(path, where, item)`` returns the record of an item.
    """
    assembler = Assembler(path, report)
    for number, (where, item) in enumerate(json_items(path), start=1):
        record = record_of(path, where, item)
        document = document_of_record(assembler, where, str(number), record)
        _check_quotes(path, where, document.text, record.get("spans") or [])
        yield document


def _check_quotes(path: Path, where: str, text: str, spans: Iterable[Item]) -> None:
    """Check the text that a tool repeats for a span, under ``quote``."""
    for number, span in enumerate(spans, start=1):
        if not agrees(span.get("quote"), text[span["start"] : span["end"]]):
            problem = f"the text that is given for span {number} is not the one at its offsets"
            raise CorpusError(path, f"{problem}; line ends may have been changed", where)


def span_item(path: Path, where: str, values: Iterable[Any], quote: object = None) -> Item:
    """Return the record of a span from its start, end and label.

    Raises
    ------
    CorpusError
        If they are no offsets and label: an annotation of another kind.
    """
    match list(values):
        case [int(start), int(end), str(label)] if max(abs(start), abs(end)) < _OFFSET_LIMIT:
            kept = {"quote": quote} if isinstance(quote, str) else {}
            return {"start": start, "end": end, "label": label, **kept}
    problem = "has an annotation of an unknown kind: not two offsets and one label"
    raise CorpusError(path, problem, where)


def listed(path: Path, where: str, value: object, what: str) -> list[Any]:
    """Return a value that must be a list, or missing."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise CorpusError(path, f"{what} is not a list", where)
    return value


def write_lines(
    documents: Iterable[Document], output: Output, item_of: Callable[[Document], Item]
) -> None:
    """Write one line per document."""
    with output.temporary.open("wb") as file:
        for document in documents:
            output.encode(document.text, document.id)
            file.write(output.encode(f"{to_json(item_of(document))}\n", document.id))


def write_list(
    documents: Iterable[Document], output: Output, item_of: Callable[[Document], Item]
) -> None:
    """Write a list with one item per document."""
    with output.temporary.open("wb") as file:
        separator = "[\n"
        for document in documents:
            output.encode(document.text, document.id)
            file.write(output.encode(separator + to_json(item_of(document)), document.id))
            separator = ",\n"
        file.write(b"\n]\n")


def looks_like(pattern: str, without: str = r"(?!)") -> Callable[[Path], bool]:
    """Return a function that recognises JSON files by what is at their beginning."""
    wanted, other = re.compile(pattern), re.compile(without)

    def detect(path: Path) -> bool:
        if not path.is_file():
            return False
        beginning = read_beginning(path)
        is_json = beginning.lstrip()[:1] in ("{", "[")
        return is_json and bool(wanted.search(beginning)) and not other.search(beginning)

    return detect
