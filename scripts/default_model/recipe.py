"""Training data and training of the bundled model ``en-default``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from multideid.corpora import read_corpus
from multideid.document import Document
from multideid.errors import UsageError
from multideid.samples import sample_corpus
from multideid.stacking import MultiDeidentifier
from multideid.stacking.fitting import Progress
from pruning import prune

FLAVOURS = ("realistic", "shuffled", "ambiguous", "random")
"""The corpora: the same notes, with PHI of four kinds (Sibanda & Uzuner 2006, section 3)."""

SAMPLES = 300
"""Number of sample notes that are added; docs/en-default.md reports their benefit."""

FOLDS = 3

_SAMPLES_SEED = 20_061


def read_split(corpora: Path, split: str, flavour: str) -> list[Document]:
    """Read one split of one flavour, ``CORPORA/FLAVOUR/SPLIT.xml``."""
    return read_corpus(corpora / flavour / f"{split}.xml")


def training_notes(
    corpora: Path, flavours: Sequence[str] = FLAVOURS, samples: int = SAMPLES
) -> list[Document]:
    """Return the documents to train on.

    Each note of the corpora is taken once, in the flavours by turns: all its
    versions would teach the systems little more, and make the stacker, out of
    fold, believe that they are more certain of new text than they are.

    Parameters
    ----------
    corpora : Path
        A folder with a folder for each flavour.
    flavours : sequence of str
    samples : int
        Notes of `multideid.samples.sample_corpus`, with all HIPAA identifiers.

    Raises
    ------
    UsageError
        If the flavours do not have the same number of notes.
    """
    read = [read_split(corpora, "train", flavour) for flavour in flavours]
    if len(set(map(len, read))) > 1:
        raise UsageError("the flavours are not of the same notes: their numbers differ")
    turns = [read[n % len(read)][n] for n in range(len(read[0]))]
    return [*turns, *sample_corpus(samples, _SAMPLES_SEED, hipaa=True)]


def train(  # noqa: PLR0913 (all but two by name)
    corpora: Path,
    flavours: Sequence[str] = FLAVOURS,
    *,
    samples: int = SAMPLES,
    folds: int = FOLDS,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> MultiDeidentifier:
    """Return the bundled model, trained and pruned.

    Parameters
    ----------
    corpora : Path
        As for `training_notes`.
    flavours : sequence of str
        The flavours to learn from; leave one out to measure on it.
    samples, folds : int
        Smaller ones are for trying out the recipe.
    n_jobs, progress
        As for `MultiDeidentifier`.
    """
    notes = training_notes(corpora, flavours, samples)
    model = MultiDeidentifier(folds=folds, n_jobs=n_jobs, progress=progress).fit(notes)
    prune(model)
    return model
