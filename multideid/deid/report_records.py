"""The replaced spans of each document as records: in JSON, or as a table."""

from __future__ import annotations

import csv
import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from typing import IO, Any

from multideid.document import Document
from multideid.evidence import evidence_of

_DIGITS = 4  # Of scores; the curve that they come from is not known better.


class Report(ABC):
    """Writes the spans of each document as it comes, so that none is kept in memory.

    Parameters
    ----------
    file : text file
    show_phi : bool
        Whether to quote the PHI.
    """

    def __init__(self, file: IO[str], show_phi: bool) -> None:
        self._file = file
        self._show_phi = show_phi

    @abstractmethod
    def add(self, document: Document) -> None:
        """Write the spans of a document, with their votes and scores."""

    def finish(self) -> None:  # noqa: B027 (a table has no end)
        """Write the end of the file."""

    def _rows(self, document: Document) -> Iterator[dict[str, Any]]:
        for span in document.spans:
            score, _, votes = evidence_of(document, span)
            rounded = None if score is None else round(score, _DIGITS)
            row = {**span._asdict(), "score": rounded, "systems": list(votes or ())}
            yield {**row, "text": document.span_text(span)} if self._show_phi else row


class JsonReport(Report):
    """One JSON object: the documents with their spans, and the totals by type."""

    def __init__(self, file: IO[str], show_phi: bool) -> None:
        super().__init__(file, show_phi)
        self._by_type: Counter[str] = Counter()
        self._file.write('{"documents": [')
        self._between = "\n"

    def add(self, document: Document) -> None:
        """Write a document's spans."""
        by_type = Counter(span.label for span in document.spans)
        self._by_type += by_type
        entry = {
            "document": document.id,
            "by_type": dict(sorted(by_type.items())),
            "spans": list(self._rows(document)),
        }
        self._file.write(f"{self._between}{json.dumps(entry)}")
        self._between = ",\n"

    def finish(self) -> None:
        """Write the totals by type."""
        totals = json.dumps(dict(sorted(self._by_type.items())))
        self._file.write(f'\n], "by_type": {totals}}}\n')


class CsvReport(Report):
    """A table with one row per span; an apostrophe precedes what looks like a formula."""

    def __init__(self, file: IO[str], show_phi: bool) -> None:
        super().__init__(file, show_phi)
        self._writer = csv.writer(file)
        columns = ["document", "start", "end", "label", "score", "systems"]
        self._writer.writerow([*columns, "text"] if show_phi else columns)

    def add(self, document: Document) -> None:
        """Write a document's spans."""
        for row in self._rows(document):
            values = {**row, "systems": " ".join(row["systems"])}
            if "text" in values:
                values["text"] = _no_formula(values["text"])
            self._writer.writerow([_no_formula(document.id), *values.values()])


def _no_formula(cell: str) -> str:
    """Return a cell that spreadsheets show as text, whatever the note says."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else cell
