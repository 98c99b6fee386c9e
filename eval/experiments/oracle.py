"""How well an ensemble could do at best: gold spans that some member has exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.plan import Measured, measure
from multideid.eval.experiments.registry import experiment
from multideid.eval.experiments.result import Result, Source
from multideid.eval.experiments.setup import Setup
from multideid.tables import Column, Record, Table

ALL = "all"
"""The label of the row of all classes together."""

_COLUMNS = (
    Column("corpus", "corpus"),
    Column("class", "label"),
    Column("gold", "gold"),
    Column("some member", "some", ".4f"),
    Column("every member", "every", ".4f"),
    Column("multi", "multi", ".4f"),
    Column("shared misses", "shared_misses"),
    Column("lost", "lost"),
    Column("won", "won"),
)


@experiment("oracle", topic="systems", example="--systems stat-deid,stanford,mist,lbj,mimic")
def oracle(corpora: Sequence[Corpus], setup: Setup) -> Result:
    """Count the gold spans that at least one base system of Multi has exactly.

    By class: the shares of gold spans that some member, every member and Multi find
    with the right start, end and label; the spans that no member has; those that
    Multi lost though a member has them, and those that it has though no member does.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup

    Returns
    -------
    Result
        ``rows``: by corpus and class, and of all classes.
    """
    names = (*setup.systems, "multi")
    found = [(m.corpus, [*_rows(m)]) for m in measure(corpora, setup, names)]
    rows = [row for _, own in found for row in own]
    caption = "Gold spans found exactly, of the test documents: shares, then numbers"
    return Result(
        "oracle",
        {"rows": rows},
        [Table.of(caption, _COLUMNS, rows, left=2)],
        sources=tuple(Source.of(corpus, names, setup) for corpus, _ in found),
        notes=tuple(note for corpus, _ in found for note in corpus.notes()),
    )


def _rows(measured: Measured) -> Iterator[Record]:
    gold, predicted = measured.gold(), measured.exact()
    multi = predicted.pop("multi")
    some, every = set.union(*predicted.values()), set.intersection(*predicted.values())
    for label in (*sorted({span.label for _, span in gold}), ALL):
        of_class = {key for key in gold if label in (ALL, key[1].label)}
        n = len(of_class)
        yield Record(
            corpus=measured.corpus.name,
            label=label,
            gold=n,
            some=len(some & of_class) / n if n else 0.0,
            every=len(every & of_class) / n if n else 0.0,
            multi=len(multi & of_class) / n if n else 0.0,
            shared_misses=len(of_class - some),
            lost=len((some - multi) & of_class),
            won=len((multi - some) & of_class),
        )
