"""What members have exactly, what they all miss, and what Multi loses."""

from __future__ import annotations

from multideid.document import Document, Span
from multideid.eval.experiments import oracle
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.oracle import ALL, _rows
from multideid.eval.experiments.plan import Measured

A, B, C, D = Span(0, 1, "X"), Span(2, 3, "X"), Span(4, 5, "Y"), Span(6, 7, "Y")


def found(*spans: Span) -> list[Document]:
    return [Document("d", "a b c d e", spans)]


def test_spans_are_counted_by_class() -> None:
    predictions = {
        "one": found(A, B._replace(label="Y")),
        "two": found(A, C),
        "multi": found(A, B),
    }
    measured = Measured(Corpus("c", (), tuple(found(A, B, C, D))), None, predictions)  # type: ignore[arg-type]
    x, y, everything = _rows(measured)
    assert (x.label, x.gold, x.some, x.every, x.multi) == ("X", 2, 0.5, 0.5, 1.0)
    assert (x.shared_misses, x.lost, x.won) == (1, 0, 1)
    assert (y.some, y.multi, y.shared_misses, y.lost, y.won) == (0.5, 0.0, 1, 1, 0)
    assert (everything.label, everything.gold, everything.lost) == (ALL, 4, 1)


def test_counts_of_classes_add_up(corpus, setup) -> None:
    *classes, everything = oracle([corpus], setup)["rows"]
    assert everything.gold == sum(len(d.spans) for d in corpus.test)
    for figure in ("gold", "shared_misses", "lost", "won"):
        assert getattr(everything, figure) == sum(getattr(row, figure) for row in classes)
    assert everything.every <= everything.some
