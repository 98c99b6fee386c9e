"""BIO tags of tokens: from spans and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from multideid.arrays import IntArray, LongArray
from multideid.document import Document, Span
from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.text.table import TokenTable

OUTSIDE = "O"


def bio_names(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the tags ``("O", "B-x", "I-x", ...)`` of PHI labels.

    The tags of label ``k`` are ``2k + 1`` (beginning) and ``2k + 2`` (inside); 0
    is outside.
    """
    return (OUTSIDE, *(f"{prefix}-{label}" for label in labels for prefix in "BI"))


def phi_labels(names: Sequence[str]) -> tuple[str, ...]:
    """Return the PHI labels of tags; the inverse of `bio_names`."""
    return tuple(name[2:] for name in names[1::2])


@dataclass(frozen=True, slots=True)
class TokenLabels:
    """The BIO tag of every token of a table.

    Parameters
    ----------
    ids : int32 array, shape (n_tokens,)
        Indices into `names`.
    names : tuple of str
        The tags, in the order of `bio_names`.
    """

    ids: IntArray
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, rows: LongArray) -> TokenLabels:
        """Return the labels of some rows."""
        return replace(self, ids=self.ids[rows])


def corpus_labels(documents: Iterable[Document]) -> tuple[str, ...]:
    """Return the PHI labels that occur in `documents`, sorted."""
    return tuple(sorted({span.label for d in documents for span in d.spans}))


def encode_bio(
    table: TokenTable, documents: Sequence[Document], labels: Sequence[str] | None = None
) -> TokenLabels:
    """Tag the tokens of `table` with the gold spans of `documents`.

    A token that overlaps a span gets its label, even if the span begins inside it.

    Parameters
    ----------
    table : TokenTable
        Made from `documents`.
    documents : sequence of Document
    labels : sequence of str, optional
        The PHI labels; spans with other labels are ignored. Default: those of
        `documents`.

    Returns
    -------
    TokenLabels

    Raises
    ------
    UsageError
        If the numbers of documents differ.
    """
    _check_documents(table, documents)
    chosen = corpus_labels(documents) if labels is None else tuple(labels)
    code = {label: n for n, label in enumerate(chosen)}
    ids = np.zeros(len(table), dtype=np.int32)
    for d, document in enumerate(documents):
        spans = [span for span in document.spans if span.label in code]
        for span, rows in zip(spans, span_rows(table, d, spans), strict=True):
            ids[rows] = 2 * code[span.label] + 2
            # A span of only white space overlaps no token.
            ids[rows.start : min(rows.start + 1, rows.stop)] = 2 * code[span.label] + 1
    return TokenLabels(ids, bio_names(chosen))


def span_rows(tokens: TokenTable, d: int, spans: Sequence[Span]) -> list[slice]:
    """Return the rows of the tokens that overlap each of the spans of document number `d`."""
    base, stop = int(tokens.first[d]), int(tokens.first[d + 1])
    starts, ends = tokens.start[base:stop], tokens.end[base:stop]
    lows = np.searchsorted(ends, [span.start for span in spans], side="right") + base
    highs = np.searchsorted(starts, [span.end for span in spans], side="left") + base
    return [slice(low, high) for low, high in zip(lows.tolist(), highs.tolist(), strict=True)]


def decode_bio(table: TokenTable, labels: TokenLabels) -> list[tuple[Span, ...]]:
    """Return the spans of every document.

    An "inside" tag after another label or at the start of a document begins a
    span, so that PHI is never lost with a missing "beginning" tag.

    Parameters
    ----------
    table : TokenTable
    labels : TokenLabels
        One tag per token of `table`.

    Returns
    -------
    list of tuple of Span
        One tuple per document.
    """
    found: list[list[Span]] = [[] for _ in table.ids]
    first, last, label = tag_runs(table.document, labels.ids)
    names = phi_labels(labels.names)
    columns = (table.document[first], table.start[first], table.end[last], label)
    for d, start, end, k in zip(*(c.tolist() for c in columns), strict=True):
        found[d].append(Span(start, end, names[k]))
    return [tuple(spans) for spans in found]


def tag_runs(document: IntArray, ids: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the first row, last row and label of every span."""
    label = (ids - 1) // 2
    inside = ids > 0
    previous = np.concatenate([[-1], np.where(inside, label, -1)[:-1]])
    same_document = np.concatenate([[False], document[1:] == document[:-1]])
    begins = inside & ((ids % 2 == 1) | (label != previous) | ~same_document)
    first = np.flatnonzero(begins)
    breaks = np.flatnonzero(begins | ~inside)
    after = np.append(breaks, len(ids))[np.searchsorted(breaks, first, side="right")]
    last = (after - 1).astype(np.int32)
    return first.astype(np.int32), last, label[first]


def misaligned_spans(table: TokenTable, documents: Sequence[Document]) -> list[tuple[str, Span]]:
    """Return the gold spans that do not begin and end at token boundaries.

    Returns
    -------
    list of (document id, Span)

    Raises
    ------
    UsageError
        If the numbers of documents differ.
    """
    _check_documents(table, documents)
    found = []
    for d, document in enumerate(documents):
        rows = slice(table.first[d], table.first[d + 1])
        starts, ends = set(table.start[rows].tolist()), set(table.end[rows].tolist())
        found += [
            (document.id, s) for s in document.spans if s.start not in starts or s.end not in ends
        ]
    return found


def _check_documents(table: TokenTable, documents: Sequence[Document]) -> None:
    if len(documents) != len(table.ids):
        raise UsageError(
            f"the table was made from {len(table.ids)} documents, not {len(documents)}; "
            "pass the documents it was made from"
        )
