"""Clusters of words learned from unlabelled notes: their classes, and their storage."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from multideid.arrays import IntArray
from multideid.errors import ModelError, UsageError
from multideid.features.strings import digits_to_zero
from multideid.lazy import lazy
from multideid.persistence.array_rules import ArrayRule, check_order
from multideid.persistence.files import load_arrays, save_arrays
from multideid.persistence.manifest import ModelInfo, check_manifest
from multideid.persistence.strings import load_strings, save_strings
from multideid.persistence.writer import ModelWriter

MOST_WORDS = 100_000
LONGEST_WORD = 40
LEVELS = ("fine", "middle", "coarse")
"""The granularities; every fine class is part of one middle class, and that of one coarse class."""

_KIND = "word-clusters"
_MOST_CLASSES = 4096
_RULES = {
    "fine": ArrayRule("int32", ("n_words",), low=0, below="n_fine"),
    "middle": ArrayRule("int32", ("n_fine",), low=0, below=_MOST_CLASSES),
    "coarse": ArrayRule("int32", ("n_fine",), low=0, below=_MOST_CLASSES),
}


def word_key(token: str) -> str:
    """Return the form under which a token is looked up: lower case, with digits as 0."""
    return digits_to_zero(token.lower())


class WordClusters:
    """Words with their classes at three granularities.

    Two are equal if they hold the same words and classes.

    Parameters
    ----------
    words : sequence of str
        As `word_key` returns them, in ascending order.
    fine : int32 array, shape (n_words,)
        The fine class of each word.
    middle, coarse : int32 arrays, shape (n_fine,)
        The middle and the coarse class of each fine class.
    """

    def __init__(
        self, words: Sequence[str], fine: IntArray, middle: IntArray, coarse: IntArray
    ) -> None:
        self.words = tuple(words)
        self.fine = fine
        self.middle = middle
        self.coarse = coarse

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordClusters) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        """Return the numbers of words and classes; the words may be PHI."""
        return f"WordClusters({len(self.words)} words, {len(self.middle)} classes)"

    @lazy
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits of a checksum of words and classes."""
        digest = hashlib.sha256("\n".join(self.words).encode("utf-8", "surrogatepass"))
        for array in (self.fine, self.middle, self.coarse):
            digest.update(array.astype("<i4").tobytes())
        return digest.hexdigest()[:12]

    @lazy
    def _fine_of(self) -> dict[str, int]:
        return dict(zip(self.words, self.fine.tolist(), strict=True))

    def class_of(self, token: str, level: str) -> str:
        """Return a token's class at one of `LEVELS`, "" for an unknown word."""
        fine = self._fine_of.get(word_key(token))
        if fine is None:
            return ""
        return str(fine if level == "fine" else getattr(self, level)[fine])

    def save(self, folder: Path) -> None:
        """Write ``clusters-words.npz`` and ``clusters.npz`` into `folder`."""
        save_strings(folder, "clusters-words", self.words)
        save_arrays(folder, "clusters", **{level: getattr(self, level) for level in LEVELS})

    @classmethod
    def load(cls, folder: Path) -> WordClusters:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If a file is missing or damaged, or they disagree.
        """
        words = load_strings(folder, "clusters-words")
        _check_words(folder / "clusters-words.npz", words)
        arrays = load_arrays(folder, "clusters", _RULES, n_words=len(words))
        check_order(folder / "clusters.npz", "middle", len(arrays["middle"]) <= _MOST_CLASSES)
        return cls(words, *(arrays[level] for level in LEVELS))


def _check_words(path: Path, words: tuple[str, ...]) -> None:
    if len(words) > MOST_WORDS or max(map(len, words), default=0) > LONGEST_WORD:
        raise ModelError(
            path, f"holds more than {MOST_WORDS:,} words, or one above {LONGEST_WORD} characters"
        )
    if any(map(str.__ge__, words, words[1:])):
        raise ModelError(path, "holds words that are not in order; learn the clusters again")


def write_clusters(
    clusters: WordClusters, out: Path, *, overwrite: bool = False, private: bool = True
) -> None:
    """Write a folder of clusters, with checksums, for `read_clusters`.

    Parameters
    ----------
    clusters : WordClusters
    out : Path
    overwrite : bool
        Whether an existing folder of clusters may be replaced.
    private : bool
        Whether only the owner can read it; it holds words of notes.

    Raises
    ------
    UsageError
        If the folder exists and may not be replaced, or cannot be written.
    """
    with ModelWriter(out, ModelInfo(_KIND, ()), overwrite, private=private) as folder:
        clusters.save(folder)


def read_clusters(path: str | Path) -> WordClusters:
    """Read a folder that `write_clusters` wrote.

    Raises
    ------
    UsageError
        If it is no folder of clusters, or damaged; the message names the file.
    """
    folder = Path(path)
    try:
        kind = check_manifest(folder).info.kind
        if kind == _KIND:
            return WordClusters.load(folder)
    except ModelError as error:
        raise UsageError(f"clusters: {error}; make them by multideid clusters") from None
    raise UsageError(
        f"clusters: {folder} is a model of kind {kind!r}; make clusters by multideid clusters"
    )
