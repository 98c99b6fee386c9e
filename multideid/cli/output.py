"""Figures on stdout, as text or as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from multideid.cli.error_handler import print_notice, printable
from multideid.document import Document
from multideid.tables import text_table

_EXAMPLES = 3


def print_figures(figures: Any, text: str, as_json: bool) -> None:
    """Print `figures` as JSON, or `text`, which shows the same to people."""
    typer.echo(json.dumps(figures, indent=2, allow_nan=False) if as_json else printable(text))


def count_labels(documents: Iterable[Document]) -> dict[str, int]:
    """Return the number of spans of each label, sorted by label."""
    counts = Counter(span.label for document in documents for span in document.spans)
    return dict(sorted(counts.items()))


def labels_table(counts: Mapping[str, int]) -> str:
    """Format numbers of spans by label, with their total."""
    rows = [[label, str(n)] for label, n in counts.items()]
    return text_table(["label", "spans"], [*rows, ["all", str(sum(counts.values()))]])


def count_misaligned(documents: Sequence[Document], corpus: Path) -> int:
    """Return the number of gold spans off token boundaries, and name some on stderr.

    No system can predict them exactly.
    """
    from multideid.text.bio import misaligned_spans
    from multideid.text.table import TokenTable

    found = misaligned_spans(TokenTable.from_documents(documents), documents)
    if found:
        total = sum(len(document.spans) for document in documents)
        places = [f"document {name!r} {s.start}-{s.end}" for name, s in found[:_EXAMPLES]]
        print_notice(
            f"note: {corpus}: {len(found)} of {total} gold spans do not begin and end with a "
            f"token, so that no system can predict them exactly: {', '.join(places)}"
            f"{', ...' if len(found) > _EXAMPLES else ''}"
        )
    return len(found)


def counted(n: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "document"), counted(3, "document")
    ('1 document', '3 documents')
    """
    return f"{n} {noun}{'' if n == 1 else 's'}"
