"""Figures on stdout, as text or as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import typer

from multideid.document import Document


def print_figures(figures: Any, text: str, as_json: bool) -> None:
    """Print `figures` as JSON, or `text`, which says the same to people."""
    typer.echo(json.dumps(figures, indent=2, allow_nan=False) if as_json else text)


def count_labels(documents: Iterable[Document]) -> dict[str, int]:
    """Return how many spans of each label there are, sorted by label."""
    counts = Counter(span.label for document in documents for span in document.spans)
    return dict(sorted(counts.items()))


def labels_table(counts: Mapping[str, int]) -> str:
    """Lay out numbers of spans by label, with their sum."""
    from multideid.tables import text_table

    rows = [[label, str(n)] for label, n in counts.items()]
    return text_table(["label", "spans"], [*rows, ["all", str(sum(counts.values()))]])


def counted(n: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "document"), counted(3, "document")
    ('1 document', '3 documents')
    """
    return f"{n} {noun}{'' if n == 1 else 's'}"
