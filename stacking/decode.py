"""Decode margins to valid tag sequences, and these to spans."""

from __future__ import annotations

import numpy as np

from multideid.arrays import DoubleArray, FloatArray, IntArray
from multideid.document import Span
from multideid.scoring.inference import Steps, viterbi
from multideid.spans import trimmed
from multideid.text.bio import TokenLabels, decode_bio
from multideid.text.lines import line_starts
from multideid.text.table import TokenTable

FORBIDDEN = -1e6
"""Weight of a forbidden tag or transition; no sum of margins outweighs it."""


def best_tags(tokens: TokenTable, margins: FloatArray) -> IntArray:
    """Return the valid tag sequence of each line with the greatest sum of margins.

    After its first token, a line has "I-X" only after "B-X" or "I-X".

    Parameters
    ----------
    tokens : TokenTable
    margins : float array, shape (n_tokens, n_labels)
        Tags in the order of `bio_names`.
    """
    starts = line_starts(tokens)
    steps = Steps.of(starts, len(tokens))
    return viterbi(margins.astype(np.float64), bio_transitions(margins.shape[1]), steps)


def bio_transitions(n_labels: int) -> DoubleArray:
    """Return the weights of transitions (row to column): 0, or `FORBIDDEN`."""
    transitions = np.zeros((n_labels, n_labels))
    for inside in range(2, n_labels, 2):
        transitions[:, inside] = FORBIDDEN
        transitions[[inside - 1, inside], inside] = 0
    return transitions


def tags_to_spans(tokens: TokenTable, labels: TokenLabels) -> list[tuple[Span, ...]]:
    """Return the spans of each document, with white space trimmed from their ends."""
    found = decode_bio(tokens, labels)
    return [
        tuple(trimmed for span in spans if (trimmed := _trimmed(text, span)))
        for text, spans in zip(tokens.texts, found, strict=True)
    ]


def _trimmed(text: str, span: Span) -> Span | None:
    start, end = trimmed(text, span.start, span.end)
    return Span(start, end, span.label) if start < end else None
