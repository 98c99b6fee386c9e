"""What the bundled model learns from, and what it is measured on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from multideid.corpora import read_corpus
from multideid.document import Document
from multideid.errors import UsageError
from multideid.samples import sample_corpus

FLAVOURS = ("realistic", "shuffled", "ambiguous", "random")
"""The corpora: the same notes, with PHI of four kinds (Sibanda & Uzuner 2006, section 3)."""

SAMPLES = 300
"""Sample notes that are added; docs/en-default.md tells what they gain."""

_SAMPLES_SEED = 20_061


def read_split(corpora: Path, split: str, flavour: str) -> list[Document]:
    """Read one split of one flavour, ``CORPORA/FLAVOUR/SPLIT.xml``."""
    return read_corpus(corpora / flavour / f"{split}.xml")


def training_notes(
    corpora: Path, flavours: Sequence[str] = FLAVOURS, samples: int = SAMPLES
) -> list[Document]:
    """Return the documents to train on.

    Each note of the corpora once, in the flavours by turns: all its versions
    would tell the systems little more, and let the stacker believe, out of
    fold, that they are surer of new text than they are.

    Parameters
    ----------
    corpora : Path
        A folder with a folder of each flavour.
    flavours : sequence of str
    samples : int
        Notes of `multideid.samples.sample_corpus`, with all of HIPAA's identifiers.

    Raises
    ------
    UsageError
        If the flavours are not of the same notes.
    """
    read = [read_split(corpora, "train", flavour) for flavour in flavours]
    if len(set(map(len, read))) > 1:
        raise UsageError("the flavours are not of the same notes: their numbers differ")
    turns = [read[n % len(read)][n] for n in range(len(read[0]))]
    return [*turns, *sample_corpus(samples, _SAMPLES_SEED, hipaa=True)]
