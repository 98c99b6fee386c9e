"""A corpus of invented English clinical notes with gold PHI, written one by one.

`docs/notebook/sample-notes.md` is its datasheet.
"""

from __future__ import annotations

import lzma
from pathlib import Path
from random import Random

from multideid.document import Document
from multideid.errors import UsageError
from multideid.samples.inline import from_line, lengthen

SPLITS = ("train", "dev", "test")
"""The splits; notes of one setting and author are all in the same one."""

DATA = Path(__file__).parent / "data"
"""The folder of one file of JSON Lines a split, shortened and compressed with xz."""


def sample_corpus(
    n_documents: int | None = None, seed: int = 0, *, split: str = "train"
) -> list[Document]:
    """Return notes of the sample corpus.

    Every patient, person, institution and number in them is invented.

    Parameters
    ----------
    n_documents : int, optional
        Default: all notes of the split.
    seed : int
        Determines which notes are taken, and in which order: the first ``n``
        are the same for any larger number.
    split : {"train", "dev", "test"}

    Returns
    -------
    list of Document
        With the labels AGE (90 and over), DATE, DOCTOR, EMAIL, HOSPITAL, ID,
        LOCATION, PATIENT, PHONE and URL. `meta` has the brief, the kind of
        note and the country.

    Raises
    ------
    UsageError
        If there is no such split, or it has fewer notes.

    Examples
    --------
    >>> len(sample_corpus(3))
    3
    """
    if split not in SPLITS:
        raise UsageError(f"split must be one of {', '.join(SPLITS)}; got {split!r}")
    notes = read_notes(DATA / f"{split}.jsonl.xz")
    if n_documents is None:
        return notes
    if not 0 <= n_documents <= len(notes):
        raise UsageError(f"n_documents must be from 0 to {len(notes)}; got {n_documents}")
    Random(seed).shuffle(notes)
    return notes[:n_documents]


def read_notes(path: Path) -> list[Document]:
    """Read notes as they are stored, in the order of the file."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [from_line(lengthen(line)) for line in lines]
