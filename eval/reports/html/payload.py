"""The list of errors: counts by kind, and data for the script of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from multideid.document import Document, Span
from multideid.eval.metrics.mistakes import KINDS, Mistake
from multideid.tables import Table

_CONTEXT = 70


class _Names:
    """Numbers names in order of first use."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))


def payload(mistakes: Mapping[str, Sequence[Mistake]], first: str | None = None) -> dict[str, Any]:
    """Return the mistakes of all corpora as plain JSON values.

    Parameters
    ----------
    mistakes : mapping of str to sequence of Mistake
        By corpus.
    first : str, optional
        The system to show the mistakes of at first.

    Returns
    -------
    dict
        ``corpora``, ``systems``, ``labels``, ``kinds`` and ``documents`` are
        names. A record of ``records`` is a list of: indices of corpus, system,
        kind and document; start, end; 1 if PHI leaks; the text before, at and
        after the place; and the spans of the gold standard (system -1) and of
        every system as lists of system, label, start, text.
    """
    corpora, systems, documents, labels = _Names(), _Names(), _Names(), _Names()
    records = [
        [
            corpora.number(corpus),
            systems.number(mistake.system),
            KINDS.index(mistake.kind),
            documents.number(mistake.document.id),
            mistake.start,
            mistake.end,
            int(mistake.leaks),
            *_in_context(mistake.document.text, mistake.start, mistake.end),
            _spans(mistake, systems, labels),
        ]
        for corpus, own in mistakes.items()
        for mistake in own
    ]
    return {
        "first": first,
        "corpora": list(corpora.numbers),
        "systems": list(systems.numbers),
        "kinds": list(KINDS),
        "documents": list(documents.numbers),
        "labels": list(labels.numbers),
        "records": records,
    }


def kinds_tables(mistakes: Mapping[str, Sequence[Mistake]]) -> tuple[Table, ...]:
    """Count the errors of each system by kind; one table per corpus."""
    title = "Places where each system is wrong"
    return tuple(
        _kinds_table(own, f"{title}: {corpus}" if len(mistakes) > 1 else title)
        for corpus, own in mistakes.items()
        if own
    )


def _kinds_table(mistakes: Sequence[Mistake], caption: str) -> Table:
    counts = Counter((m.system, m.kind) for m in mistakes)
    leaks = Counter(m.system for m in mistakes if m.leaks)
    rows = []
    for system in dict.fromkeys(m.system for m in mistakes):
        kinds = [counts[system, kind] for kind in KINDS]
        rows.append((system, *(f"{n:,}" for n in (*kinds, sum(kinds), leaks[system]))))
    return Table(caption, ("system", *KINDS, "all", "leaking PHI"), tuple(rows))


def _in_context(text: str, start: int, end: int) -> tuple[str, str, str]:
    before, after = text[max(0, start - _CONTEXT) : start], text[end : end + _CONTEXT]
    left = "…" if start > _CONTEXT else ""
    right = "…" if len(text) > end + _CONTEXT else ""
    return left + before, text[start:end], after + right


def _spans(mistake: Mistake, systems: _Names, labels: _Names) -> list[list[Any]]:
    spans_by = [(systems.number(name), spans) for name, spans in mistake.by_system.items()]
    all_spans: Iterable[tuple[int, tuple[Span, ...]]] = [(-1, mistake.gold), *spans_by]
    return [
        [who, *_span(mistake.document, span, labels)] for who, spans in all_spans for span in spans
    ]


def _span(document: Document, span: Span, labels: _Names) -> tuple[int, int, str]:
    return labels.number(span.label), span.start, document.span_text(span)
