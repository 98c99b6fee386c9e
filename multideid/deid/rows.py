"""Rows of tables as documents: the chosen cells of a row, one below the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from multideid.corpora.identifier_names import field_label
from multideid.corpora.structure import Record, Value, is_title
from multideid.corpora.structured.dates import compact_date, iso_date
from multideid.corpora.structured.slots import Slot
from multideid.deid.record_text import FIELDS, RecordText
from multideid.deid.run import NAME, Rewritten, Run
from multideid.document import Document, Span
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
    """
    path, name = names
    waiting: deque[RecordText | None] = deque()

    def documents() -> Iterator[Document]:
        numbers = map(str, count(1)) if labels is None else labels
        for (texts, patient), row in zip(rows, numbers, strict=False):
            fields = None
            if any(texts) or (run.reads_empty and any(text is not None for text in texts)):
                fields = _fields(columns, texts)
            waiting.append(fields)
            if fields is not None:
                meta = {NAME: f"{name} row {row}", PATIENT: patient}
                meta |= {} if fields.is_plain else {FIELDS: fields}
                yield Document(f"{path} row {row}", fields.text, meta=meta)

    done, empty = 0, ("",) * len(columns)
    run.advance(done, total, Path(path).name)
    for _, new in run.rewrite_each(documents()):
        while (fields := waiting.popleft()) is None:
            done += 1
            yield empty
        done += 1
        run.advance(done, total, Path(path).name)
        yield empty if new is None else _contents(fields, new)
    yield from (empty for _ in waiting)


def _contents(fields: RecordText, new: Rewritten) -> tuple[str, ...]:
    return (new.text,) if fields.is_plain else tuple(fields.changed(new.changes))


def _fields(columns: Sequence[str], texts: Sequence[str | None]) -> RecordText:
    pairs = zip(columns, texts, strict=True)
    # The table renders its rows by itself.
    return RecordText(Record(tuple(_value(name, text or "") for name, text in pairs), _no_bytes))


def _value(column: str, text: str) -> Value:
    slot = Slot(0, len(text), text)
    label = field_label(column, text)
    if label is None:
        return Value((slot,), place=column, title=is_title(text))
    # The time of day stays, as everywhere.
    days = (compact_date(text) or iso_date(text)) if label == "DATE" else ()
    return Value((slot,), days or (Span(0, len(text), label),), free=False, place=column)


def _no_bytes(changes: object) -> bytes:
    return b""
