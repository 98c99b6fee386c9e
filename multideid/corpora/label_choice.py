"""A choice of the labels of a corpus: the other spans are as if nobody had annotated them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from multideid.document import Document
from multideid.errors import UsageError


def with_labels(documents: Sequence[Document], labels: Collection[str]) -> list[Document]:
    """Return documents with only the spans that have one of some labels."""
    return [
        document.with_spans([span for span in document.spans if span.label in labels])
        for document in documents
    ]


def check_labels_occur(
    documents: Sequence[Document], labels: Collection[str], source: Path
) -> None:
    """Check that there is something to learn of every label.

    Raises
    ------
    UsageError
        If no label is given, or no span of the documents has one of them; the message names
        the labels that there are.
    """
    known = sorted({span.label for document in documents for span in document.spans})
    missing = [label for label in labels if label not in known]
    if missing or not labels:
        problem = f"no span is labelled {missing[0]}" if missing else "no label is given"
        raise UsageError(f"{source}: {problem}; there are: {', '.join(known) or 'no spans'}")
