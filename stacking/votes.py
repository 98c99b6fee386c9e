"""Votes: which base systems found a span by themselves, and what enough of them agree on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from multideid.arrays import FloatArray, IntArray, LongArray
from multideid.document import Document, Span
from multideid.evidence import evidence_of
from multideid.stacking.decode import tags_to_spans
from multideid.text.bio import TokenLabels, bio_names, span_rows
from multideid.text.table import TokenTable

Votes = tuple[tuple[str, ...], ...]
"""For each span of a document, in order, the names of the systems that voted for it."""

ScoredSpans = tuple[tuple[Span, float | None], ...]
"""Spans that a system gives by itself, with its margins; None for what has no score."""

RULES: dict[str, Callable[[int], int]] = {
    "majority": lambda n: n // 2 + 1,
    "two-of-three": lambda n: -(-2 * n // 3),
    "any": lambda n: 1,
}
"""For each rule, the number of votes out of ``n`` that a PHI label needs."""


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
            for span, rows in zip(document.spans, span_rows(tokens, d, document.spans), strict=True)
        )
        for d, document in enumerate(documents)
    ]


def _voters(decided: Mapping[str, LongArray], rows: slice, label: int) -> tuple[str, ...]:
    return tuple(system for system, labels in decided.items() if (labels[rows] == label).any())


def system_spans(
    tokens: TokenTable, scores: Mapping[str, FloatArray], labels: Sequence[str]
) -> list[dict[str, ScoredSpans]]:
    """Return the spans that each system would give by itself, for each document.

    Parameters
    ----------
    tokens, scores, labels
        As for `count_votes`.

    Returns
    -------
    list of dict of str to tuple of (Span, float)
        The numbers are margins: by how much the system scores the span's label above
        "no PHI", in the mean over its tokens. They have the unit of the system, such as
        log odds of a CRF or distances of an SVM.
    """
    names = bio_names(labels)
    found = {
        system: tags_to_spans(tokens, TokenLabels(score.argmax(axis=1).astype(np.int32), names))
        for system, score in scores.items()
    }
    code = {label: n for n, label in enumerate(labels, start=1)}
    return [
        {
            system: tuple(
                zip(spans[d], _margins(tokens, d, spans[d], scores[system], code), strict=True)
            )
            for system, spans in found.items()
        }
        for d in range(len(tokens.ids))
    ]


def without_margins(said: Mapping[str, ScoredSpans]) -> dict[str, tuple[Span, ...]]:
    """Return the spans of each system alone."""
    return {system: tuple(span for span, _ in spans) for system, spans in said.items()}


def _margins(
    tokens: TokenTable,
    d: int,
    spans: Sequence[Span],
    scores: FloatArray,
    code: Mapping[str, int],
) -> list[float]:
    """Return how far the label of each span is above "no PHI", in the mean over its tokens."""
    rows = span_rows(tokens, d, spans)
    # A label has two tags, "begin" and "inside"; the better one counts.
    tags = (slice(2 * code[span.label] - 1, 2 * code[span.label] + 1) for span in spans)
    return [
        float((scores[row, tag].max(axis=1) - scores[row, 0]).mean())
        for row, tag in zip(rows, tags, strict=True)
    ]


def without_scores(spans: Mapping[str, Sequence[Span]]) -> dict[str, ScoredSpans]:
    """Return the spans of what has no scores in the form of those that have."""
    return {name: tuple((span, None) for span in own) for name, own in spans.items()}


def vote(decisions: LongArray, needed: int, n_classes: int) -> IntArray:
    """Return the tags that enough systems agree on.

    Systems vote for a PHI label. The tag is "begin" if more than half of the
    votes for the winning label are for "begin".

    Parameters
    ----------
    decisions : int64 array, shape (n_systems, n_tokens)
        Tags in the order of `bio_names`.
    needed : int
        Number of votes that a PHI label needs.
    n_classes : int
        Number of PHI labels.

    Returns
    -------
    int32 array, shape (n_tokens,)
        Without PHI labels, 0 for every token.
    """
    if not n_classes:
        return np.zeros(decisions.shape[1], dtype=np.int32)
    label = (decisions + 1) // 2
    votes = np.stack([(label == k).sum(axis=0) for k in range(1, n_classes + 1)])
    winner = votes.argmax(axis=0) + 1
    passes = votes.max(axis=0) >= needed
    begins = ((decisions == 2 * winner - 1).sum(axis=0) * 2 > votes.max(axis=0)).astype(np.int32)
    return np.where(passes, 2 * winner - begins, 0).astype(np.int32)
