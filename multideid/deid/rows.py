"""Rows of tables as documents: the chosen cells of a row, one below the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from multideid.corpora.identifier_names import field_label
from multideid.corpora.structure import Record, Value, is_title
from multideid.corpora.structured.coded_text import coded
from multideid.corpora.structured.dates import compact_date, iso_date
from multideid.corpora.structured.embedded import TextPart, file_values, html_values
from multideid.corpora.structured.phi_tags import tags_as_text
from multideid.corpora.structured.recognition import AS_TEXT
from multideid.corpora.structured.slots import Source
from multideid.deid.neutral_headings import NeutralHeadings
from multideid.deid.record_text import FIELDS, RecordText
from multideid.deid.run import NAME, Rewritten, Run
from multideid.document import Document, Span
from multideid.errors import CorpusError, MultideidError, failed_with
from multideid.site.patients import PATIENT

Cells = tuple[tuple[str | None, ...], Any]
"""The texts of a row's cells, and the patient."""


def rewrite_rows(  # noqa: PLR0913 (all but three by name)
    rows: Iterable[Cells],
    columns: Sequence[str],
    run: Run,
    *,
    total: int,
    names: tuple[str, str],
    labels: Iterable[str] | None = None,
    headings: NeutralHeadings | None = None,
    encoding: str | None = None,
) -> Iterator[tuple[str, ...]]:
    """Yield the new texts of each row's cells, in order; empty ones if the run fails.

    A cell of a few words in a column whose name, or whose form, says that it is an
    identifier or a date is PHI as a whole; it is also found in the other cells of its row.

    Parameters
    ----------
    rows : iterable of Cells
    columns : sequence of str
        Their names.
    run : Run
    total : int
        Number of rows.
    names : (str, str)
        Of the table, in failures and in the vault.
    labels : iterable of str, optional
        Names of the rows. Default: their numbers, from 1.
    headings : NeutralHeadings, optional
        They look at the PHI of each row.
    encoding : str, optional
        In which the new texts will be written. Default: every text can be.
    """
    path, name = names
    waiting: deque[_Row | None] = deque()
    new_rows = _NewRows(run, name, headings, encoding)

    def documents() -> Iterator[Document]:
        numbers = map(str, count(1)) if labels is None else labels
        for (texts, patient), label in zip(rows, numbers, strict=False):
            row = None
            if any(texts) or (run.reads_empty and any(text is not None for text in texts)):
                row = _readable(columns, texts, run, (f"{path} row {label}", f"{name} row {label}"))
            waiting.append(row)
            if row is not None:
                meta = {NAME: f"{name} row {label}", PATIENT: patient}
                meta |= {} if row.fields.is_plain else {FIELDS: row.fields}
                yield Document(f"{path} row {label}", row.fields.text, meta=meta)

    done, empty = 0, ("",) * len(columns)
    run.advance(done, total, Path(path).name)
    for label, new in run.rewrite_each(documents()):
        while (row := waiting.popleft()) is None:
            done += 1
            yield empty
        done += 1
        run.advance(done, total, Path(path).name)
        yield empty if new is None else new_rows.contents(label, row, new) or empty
    yield from (empty for _ in waiting)


class _NewRows(NamedTuple):
    """Counts the rows of a table that can be written."""

    run: Run
    name: str
    headings: NeutralHeadings | None
    encoding: str | None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.

    def contents(self, label: str, row: _Row, new: Rewritten) -> tuple[str, ...]:
        """Return the new texts of a row's cells; none if they cannot be written."""
        self.run.repeated.check(self.name, row.fields.text, new.spans)
        contents = row.contents(new, self.headings)
        try:
            if self.encoding is not None:
                "".join(contents).encode(self.encoding)
        except UnicodeEncodeError:
            problem = f"its encoding, {self.encoding}, lacks a character of the new text"
            self.run.failures.add(label, problem)
            return ()
        self.run.count(new)
        return contents


def _readable(
    columns: Sequence[str], texts: Sequence[str | None], run: Run, names: tuple[str, str]
) -> _Row | None:
    """Return a row; None if it cannot be read, which is reported."""
    where, name = names
    try:
        return _row(columns, texts, run, name)
    except Exception as error:
        # One odd cell must not keep the other rows and files from being written.
        run.failures.add(where, _problem(error))
        return None


def _row(columns: Sequence[str], texts: Sequence[str | None], run: Run, name: str) -> _Row:
    """Return a row, read as it was read when an earlier run wrote it."""
    as_text = run.reading.as_text
    if not run.finds_phi:
        with tags_as_text(), suppress(MultideidError):
            row = _Row.of(columns, texts, as_text=as_text)
            if run.wrote(name, row.fields.text):
                return row
    return _Row.of(columns, texts, as_text=as_text)


def _problem(error: Exception) -> str:
    match error:
        case CorpusError():
            return error.problem
        case MultideidError():
            return str(error)
    return failed_with(error)


class _Row(NamedTuple):
    """The cells of a row: the source of each, and the values of all."""

    sources: Sequence[Source]
    fields: RecordText

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.

    @classmethod
    def of(cls, columns: Sequence[str], texts: Sequence[str | None], *, as_text: bool) -> _Row:
        """Read the cells of a row.

        Raises
        ------
        MultideidError
            If a cell is a file that cannot be read, or holds text as codes.
        """
        sources = [Source(text or "") for text in texts]
        pairs = zip(columns, sources, strict=True)
        values = tuple(v for name, source in pairs for v in _values(name, source, as_text))
        if not as_text:
            _refuse_codes(values)
        # The table renders its rows by itself.
        return cls(sources, RecordText(Record(values, _no_bytes)))

    def contents(self, new: Rewritten, headings: NeutralHeadings | None) -> tuple[str, ...]:
        """Return the new texts of the cells, after a look at the PHI in them."""
        if headings is not None:
            headings.look(self.fields.text, new.spans)
        changes = self.fields.slot_changes(new.changes)
        return tuple(source.rendered(changes) for source in self.sources)


def _values(column: str, source: Source, as_text: bool) -> list[Value]:
    text = source.text
    found = None if as_text else file_values(TextPart(source, 0, len(text), text), column)
    if found is not None:
        # Without a value, there would be none for the cell of a file without text.
        return found or [Value((), place=column)]
    label = field_label(column, text)
    if label is None:
        return _free(column, source, as_text)
    slot = source.slot(0, len(text))
    # The time of day stays, as everywhere.
    days = (compact_date(text) or iso_date(text)) if label == "DATE" else ()
    return [Value((slot,), days or (Span(0, len(text), label),), free=False, place=column)]


def _free(column: str, source: Source, as_text: bool) -> list[Value]:
    """Return the values of a cell's text, or of the HTML in it."""
    text = source.text
    values = None if as_text else html_values(TextPart(source, 0, len(text), text), column)
    if values is None:
        return [Value((source.slot(0, len(text)),), place=column, title=is_title(text))]
    return values


def _refuse_codes(values: Sequence[Value]) -> None:
    for value in values:
        if value.free and (found := coded(value.text)) is not None:
            raise CorpusError(value.place, f"{found[0]}; {AS_TEXT}")


def _no_bytes(changes: object) -> bytes:
    return b""
