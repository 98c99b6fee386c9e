"""How differently the members of an ensemble err, by pair (Kuncheva & Whitaker 2003)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.plan import Measured, measure
from multideid.eval.experiments.registry import experiment
from multideid.eval.experiments.result import Result, Source
from multideid.eval.experiments.setup import Setup
from multideid.tables import Column, Record, Table

_COLUMNS = (
    Column("corpus", "corpus"),
    Column("one", "one"),
    Column("other", "other"),
    Column("both", "both"),
    Column("one only", "one_only"),
    Column("other only", "other_only"),
    Column("neither", "neither"),
    Column("Q", lambda row: None if row.q is None else f"{row.q:+.4f}"),
    Column("double fault", "double_fault", ".4f"),
)


@experiment("diversity", topic="systems", source="Kuncheva & Whitaker 2003")
def diversity(corpora: Sequence[Corpus], setup: Setup) -> Result:
    """Measure how alike the base systems err: Q-statistic and double fault by pair.

    Over the gold spans of the test documents; a system is right on a span that it has
    exactly. Q is 1 if two systems are right on the same spans, 0 if they are
    independent, negative if they err on different ones. The double fault is the share of
    spans that neither has.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup

    Returns
    -------
    Result
        ``pairs``: by corpus and pair, numbers of spans, ``q`` (None where it is not
        defined) and ``double_fault``.
    """
    found = [(m.corpus, [*_pairs(m)]) for m in measure(corpora, setup, setup.systems)]
    rows = [row for _, own in found for row in own]
    caption = "Gold spans of the test documents that two systems have exactly"
    return Result(
        "diversity",
        {"pairs": rows},
        [Table.of(caption, _COLUMNS, rows, left=3)],
        sources=tuple(Source.of(corpus, setup.systems, setup) for corpus, _ in found),
        notes=tuple(note for corpus, _ in found for note in corpus.notes()),
    )


def _pairs(measured: Measured) -> Iterator[Record]:
    gold = measured.gold()
    for (one, ours), (other, theirs) in combinations(measured.exact().items(), 2):
        both, neither = len(ours & theirs), len(gold) - len(ours | theirs)
        only, others = len(ours - theirs), len(theirs - ours)
        agree, differ = both * neither, only * others
        yield Record(
            corpus=measured.corpus.name,
            one=one,
            other=other,
            both=both,
            one_only=only,
            other_only=others,
            neither=neither,
            q=(agree - differ) / (agree + differ) if agree + differ else None,
            double_fault=neither / len(gold) if gold else 0.0,
        )
