"""Plain text without spans: a folder of ``.txt`` files, or one such file.

Files are UTF-8, and all characters belong to the text, including line ends and a
byte order mark. The id of a document is its path in the folder, without ``.txt``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from multideid.corpora.contract import Format
from multideid.corpora.output import Output
from multideid.corpora.reports import OnReport, Report
from multideid.corpora.source import corpus_files, corpus_names, read_text
from multideid.document import Document


def read(path: Path, report: OnReport) -> Iterator[Document]:
    """Yield the documents of a folder, or the one of a file."""
    for document_id, file in corpus_files(path, ".txt"):
        yield Document(document_id, read_text(file))


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write a folder of ``.txt`` files; spans are dropped and reported."""
    for document in documents:
        if document.spans:
            report(Report(document.id, "spans not written", len(document.spans)))
        output.write_file(document.id, ".txt", output.encode(document.text, document.id))


def _detect(path: Path) -> bool:
    if path.is_dir():
        return bool(corpus_names(path, ".txt")) and not corpus_names(path, ".ann")
    return path.suffix.lower() in (".txt", ".ann")


FORMAT = Format(
    "plain",
    "plain text without spans; a folder of .txt files",
    read,
    write,
    meta=False,
    folder=True,
    suffixes=(".txt",),
    detect=_detect,
)
