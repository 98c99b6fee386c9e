"""How good the bundled model is: by itself, with a flavour left out, and beside others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from multideid.default_model.notes import FLAVOURS, read_split, training_notes
from multideid.document import Document
from multideid.eval import Evaluation, evaluate
from multideid.samples import sample_corpus
from multideid.stacking import MultiDeidentifier, SingleDeidentifier, load
from multideid.stacking.thresholds import POINTS

Predict = Callable[[Sequence[Document]], list[Document]]

SAMPLES = "samples"
"""What tables call sample notes that are not those of training."""

_PEER = "presidio"
_MODULE = "presidio_analyzer"
_HELD_SEED, _HELD = 19_770, 100

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
        Whether its labels are those of the corpus, so that strict figures make sense.
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
    """What is measured.

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


def measure(model: Path, corpora: Path, left_out: Path | None = None) -> Iterator[Row]:
    """Measure a Multi model and others on all dev sets and on sample notes.

    Parameters
    ----------
    model : Path
        Measured at every point of its recall dial.
    corpora : Path
        As `training_notes`.
    left_out : Path, optional
        The folder with models ``without-FLAVOUR``, each measured on that flavour.
    """
    points, others = list(_points(model)), list(_peers(corpora))
    for name, gold in _measured_on(corpora):
        for measured in (*points, *_left_out(left_out, name), *others):
            found = evaluate(gold, measured.predict(gold))
            yield Row(name, measured.name, found, measured.has_labels)


def _points(model: Path) -> Iterator[Measured]:
    loaded = load(model)
    assert isinstance(loaded, MultiDeidentifier)
    for point in ("balanced", *POINTS):
        yield Measured(f"`--recall {point}`", loaded.with_recall(point).predict)


def _left_out(folder: Path | None, flavour: str) -> Iterator[Measured]:
    place = folder and folder / f"without-{flavour}"
    if place and place.exists():
        yield Measured("trained without it", load(place).predict)


def _peers(corpora: Path) -> Iterator[Measured]:
    """Give Presidio's patterns, if it is installed: as they come, and with labels mapped.

    The mapping is learned from the notes that the model learned from: a kind
    of find that is seldom PHI there is ignored.
    """
    if find_spec(_MODULE) is not None:
        mapped = SingleDeidentifier(_PEER).fit(training_notes(corpora))
        yield Measured(f"{_PEER}, all finds", _all_finds, has_labels=False)
        yield Measured(f"{_PEER}, labels mapped", mapped.predict)


def _measured_on(corpora: Path) -> Iterator[tuple[str, list[Document]]]:
    """Yield the name and the documents of every corpus to measure on."""
    for flavour in FLAVOURS:
        yield flavour, read_split(corpora, "dev", flavour)
    yield SAMPLES, sample_corpus(_HELD, _HELD_SEED, hipaa=True)


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
