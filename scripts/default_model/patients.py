"""How much a table of patients, made from the headers of sample notes, leaves standing of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from multideid.document import Document, Span
from multideid.eval import evaluate
from multideid.models import load
from multideid.redact.spelling import WORD, fold
from multideid.samples import sample_corpus
from multideid.site import Site

_HEADER = 600  # Characters.
_BEFORE = 30
_NUMBER = re.compile(
    r"(mrn|\bmr|uhid|nhs|unit|hcn|ohip|hosp(ital)?( case)?|file|folder|chart|patient id|ip|op|our)"
    r"\W*(no|number|id)?[\W_]*$",
    re.IGNORECASE,
)
_BIRTH = re.compile(r"(d\.?o\.?b|birth|born)\W*(age|sex|/|\W)*$", re.IGNORECASE)

Known = Mapping[str, str]
"""The values of a patient, by the column of the table."""


def known_patients(
    model: str | Path, n_documents: int | None = None, split: str = "dev"
) -> Iterator[str]:
    """Yield what is left standing without and with the table, and then what that is.

    Parameters
    ----------
    model : str or Path
    n_documents : int, optional
        Default: all notes of the split.
    split : str
    """
    notes = sample_corpus(n_documents, split=split)
    table = {note.id: header_values(note) for note in notes}
    counts = {column: sum(column in known for known in table.values()) for column in _COLUMNS}
    yield f"{len(notes)} notes; in the table: {', '.join(f'{n} {c}' for c, n in counts.items())}"
    yield "| | identifiers left | P | R |\n|---|---|---|---|"
    plain = load(model)
    site = Site(patients=table)
    asked = [replace(note, meta={"patient": note.id}) for note in notes]
    left: list[str] = []
    for name, used in (("no table", plain), ("table", plain.with_site(site))):
        found = used.predict(asked)
        scores = evaluate(notes, found).tokens.two_way()
        spans = [known_spans(note, table[note.id]) for note in notes]
        left = list(_left(notes, spans, found))
        figures = f"{scores.precision:.4f} | {scores.recall:.4f}"
        yield f"| {name} | {len(left)} of {sum(map(len, spans))} | {figures} |"
    yield from left


_COLUMNS = ("name", "mrn", "dob")


def header_values(note: Document) -> dict[str, str]:
    """Return the patient's name, record number and date of birth in the header of a note.

    The name is the first one of two words or more.
    """
    found: dict[str, str] = {}
    for span in note.spans:
        text, before = note.span_text(span), note.text[max(0, span.start - _BEFORE) : span.start]
        column = _column(span, text, before)
        if column and span.start < _HEADER:
            found.setdefault(column, text)
    return found


def _column(span: Span, text: str, before: str) -> str | None:
    if span.label == "PATIENT" and len(WORD.findall(text)) > 1:
        return "name"
    if span.label == "ID" and _NUMBER.search(before):
        return "mrn"
    return "dob" if span.label == "DATE" and _BIRTH.search(before) else None


def known_spans(note: Document, known: Known) -> list[Span]:
    """Return the gold spans with a part of the patient's name, the number, or the date."""
    parts = {fold(word) for word in WORD.findall(known.get("name", ""))}
    wanted = {"ID": _plain(known.get("mrn", "")), "DATE": _plain(known.get("dob", ""))}
    return [
        span
        for span in note.spans
        if (span.label == "PATIENT" and parts & set(map(fold, WORD.findall(note.span_text(span)))))
        or (wanted.get(span.label) and wanted[span.label] == _plain(note.span_text(span)))
    ]


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _left(
    notes: Sequence[Document], spans: Iterable[Sequence[Span]], found: Iterable[Document]
) -> Iterator[str]:
    for note, own, predicted in zip(notes, spans, found, strict=True):
        covered = {n for span in predicted.spans for n in range(span.start, span.end)}
        for span in own:
            rest = "".join(
                c if n not in covered else "_"
                for n, c in enumerate(note.span_text(span), start=span.start)
            )
            if any(c.isalnum() for c in rest):
                yield f"{note.id} {span.start}: {note.span_text(span)!r}, left {rest!r}"
