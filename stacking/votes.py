"""Votes: which base systems found a span by themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from multideid.arrays import FloatArray, LongArray
from multideid.document import Document
from multideid.evidence import evidence_of
from multideid.text.table import TokenTable

VOTES = "votes"
"""The key of `Document.meta` that holds the votes."""

Votes = tuple[tuple[str, ...], ...]
"""For each span of a document, in order, the names of the systems that voted for it."""


def count_votes(
    documents: Sequence[Document],
    tokens: TokenTable,
    scores: Mapping[str, FloatArray],
    labels: Sequence[str],
    passing: Mapping[str, tuple[str, ...]],
) -> list[Votes]:
    """Return the systems that chose a span's label for one of its tokens, for each span.

    What a site knows about a span votes too.

    Parameters
    ----------
    documents : sequence of Document
        With the spans to vote on.
    tokens : TokenTable
        Made from `documents`.
    scores : mapping of str to float32 array, shape (n_tokens, n_tags)
        One array per system; tags in the order of `bio_names`.
    labels : sequence of str
        The PHI labels that the systems know.
    passing : mapping of str to tuple of str
        Labels that pass through, each with the systems that find it: their votes.

    Returns
    -------
    list of tuple of tuple of str
        One tuple per document.
    """
    code = {label: n for n, label in enumerate(labels, start=1)}
    decided = {
        system: (score.argmax(axis=1) + 1) // 2 if len(score) else np.zeros(0, np.int64)
        for system, score in scores.items()
    }
    return [
        tuple(
            (passing.get(span.label) or _voters(decided, rows, code.get(span.label, -1)))
            + evidence_of(document, span).sources
            for span, rows in zip(document.spans, span_rows(tokens, d, document), strict=True)
        )
        for d, document in enumerate(documents)
    ]


def span_rows(tokens: TokenTable, d: int, document: Document) -> list[slice]:
    """Return the rows of the tokens that overlap each span of document number `d`."""
    base, stop = int(tokens.first[d]), int(tokens.first[d + 1])
    starts, ends = tokens.start[base:stop], tokens.end[base:stop]
    lows = np.searchsorted(ends, [span.start for span in document.spans], side="right") + base
    highs = np.searchsorted(starts, [span.end for span in document.spans], side="left") + base
    return [slice(low, high) for low, high in zip(lows.tolist(), highs.tolist(), strict=True)]


def _voters(decided: Mapping[str, LongArray], rows: slice, label: int) -> tuple[str, ...]:
    return tuple(system for system, labels in decided.items() if (labels[rows] == label).any())
