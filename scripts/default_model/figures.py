"""Evaluation of the bundled model, also with a flavour left out, against other systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from multideid.document import Document
from multideid.eval import Evaluation, compare, evaluate
from multideid.eval.reports.comparison import format_comparison
from multideid.models import load
from multideid.samples import sample_corpus
from multideid.stacking import MultiDeidentifier, SingleDeidentifier
from multideid.stacking.comparison import members_alone
from multideid.stacking.thresholds import OPERATING_POINTS
from recipe import FLAVOURS, read_split, training_notes

Predict = Callable[[Sequence[Document]], list[Document]]

SAMPLES = "sample notes"
"""Name, in the tables, of the test split of the sample notes."""

_PEER = "presidio"
_MODULE = "presidio_analyzer"
_HELD: int | None = None  # All notes of the test split.

HEADER = (
    "| measured on | system | token two-way P | R | F | span type-blind F1 | strict F1 "
    "| documents with a leak | characters left standing |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One system on one corpus.

    Parameters
    ----------
    corpus, system : str
    scores : Evaluation
    has_labels : bool, default True
        Whether it uses the labels of the corpus, so that strict scores make sense.
    """

    corpus: str
    system: str
    scores: Evaluation
    has_labels: bool = True

    def __str__(self) -> str:
        tokens, spans, leak = self.scores.tokens.two_way(), self.scores.spans, self.scores.leak
        strict = f"{spans.strict.micro().f():.4f}" if self.has_labels else "—"
        cells = [
            *(f"{x:.4f}" for x in (tokens.precision, tokens.recall, tokens.f())),
            f"{spans.strict_type_blind.micro().f():.4f}",
            strict,
            f"{leak.documents} of {leak.n_documents}",
            f"{leak.character_rate:.2%}",
        ]
        return f"| {self.corpus} | {self.system} | {' | '.join(cells)} |"


class Measured(NamedTuple):
    """A system to measure.

    Parameters
    ----------
    name : str
    predict : callable
    has_labels : bool
        As in `Row`.
    """

    name: str
    predict: Predict
    has_labels: bool = True


def measure(model: str | Path, corpora: Path, left_out: Path | None = None) -> Iterator[Row]:
    """Measure a Multi model and others on all dev sets and on sample notes.

    Parameters
    ----------
    model : str or Path
        The name of a bundled model, or a folder; measured at every recall point.
    corpora : Path
        As for `training_notes`.
    left_out : Path, optional
        The folder of models ``without-FLAVOUR``, each measured on that flavour.
    """
    points, others = list(_points(model)), list(_peers(corpora))
    for name, gold in _measured_on(corpora):
        for measured in (*points, *_left_out(left_out, name), *others):
            found = evaluate(gold, measured.predict(gold))
            yield Row(name, measured.name, found, measured.has_labels)


def measure_dev(model: MultiDeidentifier, n_documents: int | None = None) -> Iterator[Row]:
    """Measure a model on the dev split of the sample notes, at every recall point."""
    gold = sample_corpus(n_documents, split="dev")
    for point in OPERATING_POINTS:
        found = evaluate(gold, model.with_recall(point).predict(gold))
        yield Row(f"{SAMPLES}, dev", f"`--recall {point}`", found)


def _points(model: str | Path) -> Iterator[Measured]:
    loaded = load(model)
    assert isinstance(loaded, MultiDeidentifier)
    for point in OPERATING_POINTS:
        yield Measured(f"`--recall {point}`", loaded.with_recall(point).predict)


def _left_out(folder: Path | None, flavour: str) -> Iterator[Measured]:
    place = folder and folder / f"without-{flavour}"
    if place and place.exists():
        yield Measured("trained without it", load(place).predict)


def of_members(model: str | Path, split: str) -> str:
    """Return tables of a Multi model, of its members and of their vote on sample notes.

    Parameters
    ----------
    model : str or Path
    split : {"train", "dev", "test"}
    """
    loaded, gold = load(model), sample_corpus(split=split)
    assert isinstance(loaded, MultiDeidentifier)
    models = {**members_alone(loaded), "multi": loaded}
    return format_comparison(compare(gold, {n: m.predict(gold) for n, m in models.items()}))


def of_briefs(
    model: str | Path, split: str, member: str | None = None, n_documents: int | None = None
) -> Iterator[str]:
    """Yield a table of token two-way scores by brief of the sample notes, in Markdown.

    Parameters
    ----------
    model : str or Path
        A Multi model.
    split : {"train", "dev", "test"}
    member : str, optional
        The base system to measure alone. Default: the model.
    n_documents : int, optional
        Default: all notes of the split.
    """
    loaded, gold = load(model), sample_corpus(n_documents, split=split)
    assert isinstance(loaded, MultiDeidentifier)
    system = loaded if member is None else members_alone(loaded)[member]
    found = system.predict(gold)
    yield "| brief | kind | notes | P | R |\n|---|---|---|---|---|"
    for brief, kind in dict.fromkeys((note.meta["brief"], note.meta["kind"]) for note in gold):
        rows = [n for n, note in enumerate(gold) if note.meta["brief"] == brief]
        of_brief = evaluate([gold[n] for n in rows], [found[n] for n in rows])
        scores = of_brief.tokens.two_way()
        cells = f"{len(rows)} | {scores.precision:.4f} | {scores.recall:.4f}"
        yield f"| {brief} | {kind} | {cells} |"


def _peers(corpora: Path) -> Iterator[Measured]:
    """Yield Presidio's patterns, if it is installed: unchanged, and with labels mapped.

    The mapping is learned from the training notes of the model: entity types
    that are seldom PHI there are ignored.
    """
    if find_spec(_MODULE) is not None:
        mapped = SingleDeidentifier(_PEER).fit(training_notes(corpora).documents)
        yield Measured(f"{_PEER}, all finds", _all_finds, has_labels=False)
        yield Measured(f"{_PEER}, labels mapped", mapped.predict)


def _measured_on(corpora: Path) -> Iterator[tuple[str, list[Document]]]:
    """Yield the name and the documents of every corpus to measure on."""
    for flavour in FLAVOURS:
        yield flavour, read_split(corpora, "dev", flavour)
    yield SAMPLES, sample_corpus(_HELD, split="test")


def by_label(rows: Iterable[Row]) -> str:
    """Lay out each row's strict span F1 by label, as Markdown."""
    shown = list(rows)
    labels = sorted({label for row in shown for label in row.scores.labels})
    lines = [
        f"| measured on | {' | '.join(labels)} |",
        f"|---{'|---' * len(labels)}|",
    ]
    for row in shown:
        scores = row.scores.spans.strict.per_class()
        cells = [f"{scores[x].f():.4f}" if x in scores and scores[x].gold else "—" for x in labels]
        lines.append(f"| {row.corpus} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _all_finds(documents: Sequence[Document]) -> list[Document]:
    from multideid.base_systems.presidio import PresidioTagger

    peer = PresidioTagger()
    return [document.with_spans(sorted(peer.tag(document))) for document in documents]
