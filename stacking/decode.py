"""From margins to tags that can stand in a row, and to spans."""

from __future__ import annotations

import numpy as np

from multideid.arrays import DoubleArray, FloatArray, IntArray
from multideid.document import Span
from multideid.scoring.inference import Steps, viterbi
from multideid.text.bio import TokenLabels, decode_bio
from multideid.text.table import TokenTable

FORBIDDEN = -1e6
"""What no sum of margins makes up for."""


def best_tags(tokens: TokenTable, margins: FloatArray) -> IntArray:
    """Return the tags with the greatest sum of margins among possible sequences.

    On a line, "inside" a label follows only its "begin" or "inside".

    Parameters
    ----------
    tokens : TokenTable
    margins : float array, shape (n_tokens, n_labels)
        Tags ordered as `bio_names` does.
    """
    starts = np.flatnonzero(tokens.position == 0)
    steps = Steps.of(starts, len(tokens))
    return viterbi(margins.astype(np.float64), possible_steps(margins.shape[1]), steps)


def possible_steps(n_labels: int) -> DoubleArray:
    """Return what going from the row's tag to the column's adds: nothing, or far too little."""
    transitions = np.zeros((n_labels, n_labels))
    for inside in range(2, n_labels, 2):
        transitions[:, inside] = FORBIDDEN
        transitions[[inside - 1, inside], inside] = 0
    return transitions


def tags_to_spans(tokens: TokenTable, labels: TokenLabels) -> list[tuple[Span, ...]]:
    """Return the spans of every document, without white space at their edges."""
    found = decode_bio(tokens, labels)
    return [
        tuple(trimmed for span in spans if (trimmed := _trimmed(text, span)))
        for text, spans in zip(tokens.texts, found, strict=True)
    ]


def _trimmed(text: str, span: Span) -> Span | None:
    covered = text[span.start : span.end]
    start = span.start + len(covered) - len(covered.lstrip())
    end = span.end - (len(covered) - len(covered.rstrip()))
    return Span(start, end, span.label) if start < end else None
