"""The replaced spans of each document as records: in JSON, or as a table."""

from __future__ import annotations

import csv
import json
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, NamedTuple

from multideid.document import Document
from multideid.evidence import evidence_of

_DIGITS = 4  # Of scores; the curve that they come from is not known better.


class ReportMark(NamedTuple):
    """A place in a report.

    Parameters
    ----------
    place : int
        In the file.
    waiting : int
        Number of documents that are not written yet.
    between : str
        What precedes the next document or span.
    totals : object
        What was counted up to there.
    """

    place: int
    waiting: int
    between: str
    totals: Any


class Report(ABC):
    """Writes the spans of each document as it comes, so that few are kept in memory.

    Parameters
    ----------
    file : text file
    show_phi : bool
        Whether to quote the PHI.
    """

    def __init__(self, file: IO[str], show_phi: bool) -> None:
        self._file = file
        self._show_phi = show_phi
        self._waiting: deque[_Entry] = deque()
        self._names: dict[str, str] = {}
        self._between = "\n"

    def mark(self) -> ReportMark:
        """Return the place up to which the report is written."""
        return ReportMark(self._file.tell(), len(self._waiting), self._between, self._counted())

    def return_to(self, mark: ReportMark) -> None:
        """Take back what was added after a mark."""
        while len(self._waiting) > mark.waiting:
            self._waiting.pop()
        self._file.seek(mark.place)
        self._file.truncate()
        self._between = mark.between
        self._count_as(mark.totals)

    def _counted(self) -> Any:
        """Return a copy of what was counted."""
        return None

    def _count_as(self, counted: Any) -> None:  # noqa: B027 (a table counts nothing)
        """Go back to what was counted."""

    def add(self, document: Document, member: str | None = None) -> None:
        """Write the spans of a document, with their votes and scores.

        Parameters
        ----------
        document : Document
        member : str, optional
            The file of an archive that it is, or that it is in. It is written when the new
            name of this is known, and so is what comes after it.
        """
        self._waiting.append(_Entry(document.id, list(self._rows(document)), member))
        self._write_named()

    def name(self, members: Mapping[str, str]) -> None:
        """Give files of archives their new names."""
        self._names.update(members)
        self._write_named()

    def finish(self) -> None:  # noqa: B027 (a table has no end)
        """Write the end of the file."""

    @abstractmethod
    def _write(self, name: str, rows: Sequence[dict[str, Any]]) -> None:
        """Write the spans of a document."""

    def _write_named(self) -> None:
        while self._waiting:
            name, rows, member = self._waiting[0]
            if member is not None:
                if member not in self._names:
                    return
                name = f"{self._names[member]}{name.removeprefix(member)}"
            self._waiting.popleft()
            self._write(name, rows)

    def _rows(self, document: Document) -> Iterator[dict[str, Any]]:
        for span in document.spans:
            score, _, votes = evidence_of(document, span)
            rounded = None if score is None else round(score, _DIGITS)
            row = {**span._asdict(), "score": rounded, "systems": list(votes or ())}
            yield {**row, "text": document.span_text(span)} if self._show_phi else row


class _Entry(NamedTuple):
    """The spans of a document, by its name, and the file of an archive that it is in."""

    name: str
    rows: list[dict[str, Any]]
    member: str | None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.


class JsonReport(Report):
    """One JSON object: the documents with their spans, and the totals by type."""

    def __init__(self, file: IO[str], show_phi: bool) -> None:
        super().__init__(file, show_phi)
        self._by_type: Counter[str] = Counter()
        self._file.write('{"documents": [')

    def _counted(self) -> Counter[str]:
        return self._by_type.copy()

    def _count_as(self, counted: Counter[str]) -> None:
        self._by_type = counted.copy()

    def _write(self, name: str, rows: Sequence[dict[str, Any]]) -> None:
        by_type = Counter(row["label"] for row in rows)
        self._by_type += by_type
        entry = {"document": name, "by_type": dict(sorted(by_type.items())), "spans": rows}
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

    def _write(self, name: str, rows: Sequence[dict[str, Any]]) -> None:
        for row in rows:
            values = {**row, "systems": " ".join(row["systems"])}
            if "text" in values:
                values["text"] = _no_formula(values["text"])
            self._writer.writerow([_no_formula(name), *values.values()])


def _no_formula(cell: str) -> str:
    """Return a cell that spreadsheets show as text, whatever the note says."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else cell
