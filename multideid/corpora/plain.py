"""Plain text: a folder of ``.txt`` files, or one such file. Holds no spans.

Files are UTF-8, and every character of them is text: line ends and a byte
order mark too. A document's id is its path from the folder without ``.txt``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from multideid.corpora.output import Output
from multideid.corpora.reports import OnReport, Report
from multideid.corpora.source import corpus_files, read_text
from multideid.document import Document


def read(path: Path, report: OnReport) -> Iterator[Document]:
    """Yield the documents of a folder, or the one of a file."""
    for document_id, file in corpus_files(path, ".txt"):
        yield Document(document_id, read_text(file))


def write(documents: Iterable[Document], output: Output, report: OnReport) -> None:
    """Write a folder of ``.txt`` files; spans are reported and left out."""
    for document in documents:
        if document.spans:
            report(Report(document.id, "spans not written", len(document.spans)))
        output.write_file(document.id, ".txt", output.encode(document.text, document.id))
