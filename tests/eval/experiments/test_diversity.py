"""Pairs of systems: what both have, what neither has."""

from __future__ import annotations

from multideid.document import Document, Span
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.diversity import _pairs
from multideid.eval.experiments.plan import Measured

SPANS = [Span(2 * n, 2 * n + 1, "X") for n in range(8)]


def found(*chosen: int) -> list[Document]:
    return [Document("d", "a b c d e f g h", tuple(SPANS[n] for n in chosen))]


def test_counts_q_and_double_fault_of_a_pair() -> None:
    predictions = {"one": found(0, 1, 2, 3), "two": found(0, 1, 2, 4), "none": found()}
    measured = Measured(Corpus("c", (), tuple(found(*range(8)))), None, predictions)  # type: ignore[arg-type]
    pair, empty, _ = _pairs(measured)
    assert (pair.both, pair.one_only, pair.other_only, pair.neither) == (3, 1, 1, 3)
    assert pair.q == (9 - 1) / (9 + 1)
    assert pair.double_fault == 3 / 8
    assert empty.q is None
