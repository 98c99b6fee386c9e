"""Span-level scores: strict or relaxed, with or without regard to labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from multideid.arrays import LongArray
from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval.metrics.scores import MacroScore, Score

Extent = tuple[int, int]

_ANY_LABEL = "PHI"


@dataclass(frozen=True, slots=True, eq=False)
class SpanCounts:
    """Spans correct, predicted and gold, by document and label.

    Parameters
    ----------
    labels : tuple of str
        The PHI labels; ``("PHI",)`` if the matching is type-blind.
    counts : int64 array, shape (n_documents, n_labels, 3)
        Last axis: correct, predicted, gold.
    """

    labels: tuple[str, ...]
    counts: LongArray = field(repr=False)

    def per_class(self) -> dict[str, Score]:
        """Return the score of each label."""
        rows = self.counts.sum(axis=0).tolist()
        return {label: Score(*row) for label, row in zip(self.labels, rows, strict=True)}

    def micro(self) -> Score:
        """Return the score of all spans together."""
        return Score(*self.per_document().sum(axis=0).tolist())

    def macro(self) -> MacroScore:
        """Return the mean over the labels that occur."""
        return MacroScore.over(self.per_class().values())

    def per_document(self) -> LongArray:
        """Return the counts of each document, shape (n_documents, 3)."""
        return np.asarray(self.counts.sum(axis=1))

    def to_dict(self, beta: float = 1.0) -> dict[str, Any]:
        """Return the scores as plain JSON values."""
        return {
            "per_class": {k: score.to_dict(beta) for k, score in self.per_class().items()},
            "micro": self.micro().to_dict(beta),
            "macro": self.macro().to_dict(beta),
        }


def count_spans(  # noqa: PLR0913 -- keywords, each with a default
    gold: Sequence[Document],
    predicted: Sequence[Document],
    labels: Sequence[str],
    *,
    matching: str = "strict",
    type_blind: bool = False,
    counted_as: Mapping[str, str] | None = None,
) -> SpanCounts:
    """Count the spans of aligned documents.

    Parameters
    ----------
    gold, predicted : sequence of Document
        Aligned: the same documents in the same order.
    labels : sequence of str
        The labels to count; spans with other labels are ignored.
    matching : {"strict", "relaxed"}
        Strict: start, end and label are equal (MEDDOCAN's subtask 1,
        i2b2-2014). Relaxed: a predicted span overlaps a gold span with the
        same label by at least one character; each span is matched at most
        once, so that one long prediction does not find several gold spans.
    type_blind : bool
        Ignore the labels in matching (with strict, MEDDOCAN's subtask 2).
    counted_as : mapping of str to str, optional
        Maps the labels of the spans to `labels`; spans with other labels are
        ignored. Default: each label counts as itself.

    Returns
    -------
    SpanCounts

    Raises
    ------
    UsageError
        If the matching is unknown.
    """
    if matching not in MATCHINGS:
        raise UsageError(f"unknown matching {matching!r}; choose from {', '.join(MATCHINGS)}")
    count = MATCHINGS[matching]
    rows = {label: 0 if type_blind else n for n, label in enumerate(labels)}
    if counted_as is not None:
        rows = {label: rows[target] for label, target in counted_as.items()}
    names = (_ANY_LABEL,) if type_blind else tuple(labels)
    counts = np.zeros((len(gold), len(names), 3), dtype=np.int64)
    for d, (left, right) in enumerate(zip(gold, predicted, strict=True)):
        there, found = _extents(left.spans, rows), _extents(right.spans, rows)
        for row in there.keys() | found.keys():
            g, p = there[row], found[row]
            counts[d, row] = count(g, p), len(p), len(g)
    return SpanCounts(names, counts)


def _extents(spans: Sequence[Span], rows: dict[str, int]) -> defaultdict[int, list[Extent]]:
    extents: defaultdict[int, list[Extent]] = defaultdict(list)
    for start, end, label in spans:
        if label in rows:
            extents[rows[label]].append((start, end))
    return extents


def _equal(gold: list[Extent], predicted: list[Extent]) -> int:
    return len(set(gold) & set(predicted))


def _overlapping(gold: list[Extent], predicted: list[Extent]) -> int:
    """Return the size of a maximum matching of overlapping spans.

    Both lists are sorted and free of overlaps, so that greedy matching from
    left to right is optimal. Offsets are half-open: spans that only touch do
    not overlap.
    """
    pairs = g = p = 0
    while g < len(gold) and p < len(predicted):
        gold_ends_first = gold[g][1] <= predicted[p][0]
        predicted_ends_first = predicted[p][1] <= gold[g][0]
        pairs += not (gold_ends_first or predicted_ends_first)
        g += not predicted_ends_first
        p += not gold_ends_first
    return pairs


MATCHINGS: dict[str, Callable[[list[Extent], list[Extent]], int]] = {
    "strict": _equal,
    "relaxed": _overlapping,
}
