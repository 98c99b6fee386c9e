"""Training data and training of the bundled models ``en-default`` and ``es-default``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from kinds import RecordingMulti, write_by_kind
from multideid.base_systems.convnet.tagger import ConvnetTagger
from multideid.base_systems.lbj.tagger import LbjTagger
from multideid.corpora import read_corpus
from multideid.document import Document
from multideid.errors import UsageError
from multideid.learners.stages import quantize_stages
from multideid.resynthesis import resynthesize, retype, seeded_key
from multideid.samples import read_notes, sample_corpus
from multideid.stacking import MultiDeidentifier
from multideid.stacking.fitting import Progress
from multideid.taggers.contract import BaseTagger

FLAVOURS = ("realistic", "shuffled", "ambiguous", "random")
"""The corpora: the same notes, with PHI of four kinds (Sibanda & Uzuner 2006, section 3)."""

COPIES = ("realistic", "realistic")
"""Styles of the copies of each sample note with resynthesised PHI; chosen on dev."""

RETYPED = {"lower": 0.22, "upper": 0.1, "dictated": 0.08, "spoken": 0.1, "scanned": 0.15}
"""Shares of the typing styles in the last of the copies."""

MORE = Path(__file__).with_name("more_notes.jsonl.xz")
"""Sample notes that are not in the package, since those in it take 2 MB."""

FOLDS = 4

SYSTEMS: dict[str, dict[str, Any]] = {
    "convnet": {
        "min_count": 120,
        "dropout": 0.05,
        "embedding_dim": 48,
        "hidden_dim": 128,
        "epochs": 6,
        "levels": 4,
        "transitions": False,
        "pooling": True,
        "embedding_clusters": True,
    },
    "stat-deid": {"min_count": 92, "weight_step": 1 / 16},
    "stanford": {
        "min_count": 150,
        "feature_dropout": 0.5,
        "weight_step": 1 / 8,
        "embedding_clusters": True,
    },
    "mist": {
        "min_count": 262,
        "feature_dropout": 0.3,
        "weight_step": 1 / 4,
        "embedding_clusters": True,
    },
    "lbj": {"min_count": 64, "weight_step": 4.0},
    "mimic": {},
}
"""Base systems, with parameters for a small model: rare features take most of the space.

Few features with fine weights are better than many with coarse ones. Dropout is lower than by
default, since the default is for corpora of some hundred notes.
"""

LBJ_STEP = 8.0
"""`lbj` is rounded once more after training, to a third of its size; scores on dev stay.

`mist` rounded so, to steps of 1/2, loses a quarter of its recall. Dropping more of its rare
features saves as much at no such cost.
"""

SPANISH_SYSTEMS: dict[str, dict[str, Any]] = {
    "convnet": {},
    "stat-deid": {"min_count": 5, "weight_step": 1 / 32},
    "stanford": {"min_count": 5, "weight_step": 1 / 4},
    "mist": {"min_count": 5, "weight_step": 1 / 4},
    "lbj": {"min_count": 3, "weight_step": 4.0},
    "mimic": {},
}
"""As `SYSTEMS`; the corpus is smaller and leaves room for rarer features."""

SPANISH_FOLDS = 3

SPANISH_LEVELS = 15
"""The Spanish network is rounded once more after training: 5.3 MB for 6.6; scores on dev stay."""


class TrainingNotes(NamedTuple):
    """Documents to train on, with the group of each, and which of them are copies.

    Groups are not split by folds.
    """

    documents: list[Document]
    groups: list[str]
    copies: list[bool]


def read_split(corpora: Path, split: str, flavour: str) -> list[Document]:
    """Read one split of one flavour, ``CORPORA/FLAVOUR/SPLIT.xml``."""
    return read_corpus(corpora / flavour / f"{split}.xml")


def training_notes(
    corpora: Path | None,
    flavours: Sequence[str] = FLAVOURS,
    *,
    copies: Sequence[str] = COPIES,
    samples: int | None = None,
) -> TrainingNotes:
    """Return the documents to train on.

    The sample notes of the train split and those of `MORE`, with copies whose PHI is resynthesised
    (two thirds of the last copies, if there are several, in another typing style), and
    each note of the flavours in alternating flavours, with a copy in another flavour. A group is
    a brief of the sample notes, or a note of the flavours, with the copies.

    Parameters
    ----------
    corpora : Path, optional
        A folder with a folder for each flavour. Default: sample notes only.
    flavours : sequence of str
    copies : sequence of str
        Styles of `multideid.resynthesis`; one copy of each note for each of them.
    samples : int, optional
        Number of sample notes of the train split. Default: all, and those of `MORE`.

    Raises
    ------
    UsageError
        If the flavours do not have the same number of notes.
    """
    notes = sample_corpus(samples)
    if samples is None:
        notes += read_notes(MORE)
    documents = list(notes)
    for number, style in enumerate(copies):
        made = resynthesize(notes, style, seeded_key(number))
        if number and number == len(copies) - 1:
            made = retype(made, RETYPED)
        documents += [replace(note, id=f"{note.id}-copy-{number}") for note in made]
    groups = [str(note.meta["brief"]) for note in documents]
    flavoured = [] if corpora is None else _alternating(corpora, flavours)
    again = _alternating(corpora, flavours, len(flavours) // 2) if corpora and flavours[1:] else []
    numbers = [*range(len(flavoured)), *range(len(again))]
    return TrainingNotes(
        [*documents, *flavoured, *again],
        [*groups, *(f"flavours {number}" for number in numbers)],
        [
            *(n >= len(notes) for n in range(len(documents))),
            *(n >= len(flavoured) for n in range(len(numbers))),
        ],
    )


def originals(notes: TrainingNotes) -> list[Document]:
    """Return the documents that are no copies, which the stacker learns from."""
    pairs = zip(notes.documents, notes.copies, strict=True)
    return [document for document, is_copy in pairs if not is_copy]


def _alternating(corpora: Path, flavours: Sequence[str], first: int = 0) -> list[Document]:
    """Return each note once, the first of them in the flavour numbered `first`."""
    read = [read_split(corpora, "train", flavour) for flavour in flavours]
    if len(set(map(len, read))) > 1:
        raise UsageError("the flavours are not of the same notes: their numbers differ")
    return [read[(n + first) % len(read)][n] for n in range(len(read[0]))]


def train(  # noqa: PLR0913 (all but two by name)
    corpora: Path | None,
    flavours: Sequence[str] = FLAVOURS,
    *,
    copies: Sequence[str] = COPIES,
    samples: int | None = None,
    folds: int = FOLDS,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    by_kind: Path | None = None,
) -> MultiDeidentifier:
    """Return the bundled model, trained.

    Parameters
    ----------
    corpora, flavours, copies, samples
        As for `training_notes`.
    folds : int
        Fewer are for trying out the recipe.
    n_jobs, progress
        As for `MultiDeidentifier`.
    by_kind : Path, optional
        A CSV file to write, with the scores by kind of note out of fold.
    """
    notes = training_notes(corpora, flavours, copies=copies, samples=samples)
    model = RecordingMulti(SYSTEMS, folds, augmentation=False, n_jobs=n_jobs, progress=progress)
    model.fit(notes.documents, groups=notes.groups, copies=notes.copies)
    if by_kind is not None:
        write_by_kind(model, originals(notes), by_kind)
    _round_again(model.taggers_["lbj"], LBJ_STEP)
    return model.with_recall("balanced")


def _round_again(lbj: BaseTagger, step: float) -> None:
    assert isinstance(lbj, LbjTagger)
    n_features = lbj.one_.weights.shape[0]
    kept, lbj.one_, lbj.two_ = quantize_stages(lbj.one_, lbj.two_, n_features, step)
    lbj.extractor_.keep(kept)
    lbj.weight_step = step


def train_spanish(
    meddocan: Path,
    splits: Sequence[str] = ("train", "dev"),
    *,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> MultiDeidentifier:
    """Return the bundled Spanish model, trained on splits of MEDDOCAN.

    Parameters
    ----------
    meddocan : Path
        A folder with a folder of each split, in brat's format.
    splits : sequence of str
    n_jobs, progress
        As for `MultiDeidentifier`.
    """
    notes = [note for split in splits for note in read_corpus(meddocan / split)]
    model = MultiDeidentifier(SPANISH_SYSTEMS, SPANISH_FOLDS, n_jobs=n_jobs, progress=progress)
    model.fit(notes)
    _round_network(model.taggers_["convnet"], SPANISH_LEVELS)
    return model.with_recall("balanced")


def _round_network(convnet: BaseTagger, levels: int) -> None:
    assert isinstance(convnet, ConvnetTagger)
    convnet.network_.quantize(levels)
    convnet.levels = levels
