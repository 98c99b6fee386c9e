"""Classes of words: names of many languages, places, words that are no names; and clusters.

One packed table of some 400,000 lower-case words, made by ``scripts/word_classes`` and
``scripts/embedding_clusters``; `docs/reference/lexicons.md` lists the sources and their licences.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import numpy as np

from multideid.arrays import AnyArray, UByteArray

CLASSES = (
    "given",
    "family",
    "rare given",
    "rare family",
    "place",
    "common",
    "mesh",
    "clinical",
)
"""Bit ``k`` of a word's classes stands for the ``k``-th name.

"given" and "family" are names of some 100 locales, "rare" ones those of lists that
also hold many words; "common" words are English, "mesh" words occur in MeSH
descriptors, and "clinical" words are known not to be names.
"""

PATH = Path(__file__).parent / "data" / "word_classes.npz"


def class_bits(*names: str) -> int:
    """Return the bits of some of `CLASSES`."""
    return sum(1 << CLASSES.index(name) for name in names)


class WordClasses:
    """Sorted words with their classes as bits, and their clusters, looked up by binary search.

    Words of one cluster are alike in meaning. Every fine cluster is part of a coarse one; 0 stands
    for none.

    Parameters
    ----------
    text : bytes
        The UTF-8 words in ascending order of their bytes, joined.
    lengths : uint8 array, shape (n_words,)
        Bytes of each word.
    bits : uint8 array, shape (n_words,)
    fine : uint16 array, shape (n_words,)
        The fine cluster of each word.
    coarse : uint8 array, shape (n_fine,)
        The coarse cluster of each fine one.
    """

    def __init__(
        self,
        text: bytes,
        lengths: UByteArray,
        bits: UByteArray,
        fine: AnyArray,
        coarse: UByteArray,
    ) -> None:
        self._text = text
        self._lengths = lengths
        # Python indexes its own arrays faster than numpy's.
        bounds = np.append(0, np.cumsum(lengths, dtype=np.uint32)).astype(np.uintc)
        self._bounds = array("I", bounds.tobytes())
        self._bits = bits.tobytes()
        self._fine = array("H", fine.astype(np.uint16).tobytes())
        self._coarse = coarse.tobytes()

    @classmethod
    def build(cls, classes: Mapping[str, Iterable[str]]) -> WordClasses:
        """Make the table, without clusters, of the lower-case words of each of `CLASSES`."""
        found: dict[bytes, int] = {}
        for number, name in enumerate(CLASSES):
            for word in classes.get(name, ()):
                key = _encode(word)
                if len(key) < 256:
                    found[key] = found.get(key, 0) | 1 << number
        words = sorted(found)
        lengths = np.array([len(word) for word in words], dtype=np.uint8)
        bits = np.array([found[word] for word in words], dtype=np.uint8)
        none = np.zeros(len(words), dtype=np.uint16)
        return cls(b"".join(words), lengths, bits, none, np.zeros(1, dtype=np.uint8))

    def words(self) -> list[str]:
        """Return the words, in the order of their rows."""
        return [self._word(row).decode("utf-8", "surrogatepass") for row in range(len(self))]

    def with_clusters(self, fine: AnyArray, coarse: UByteArray) -> WordClasses:
        """Return the table with other clusters; parameters as for the class."""
        bits = np.frombuffer(self._bits, dtype=np.uint8)
        return WordClasses(self._text, self._lengths, bits, fine, coarse)

    @classmethod
    def load(cls, path: Path) -> WordClasses:
        """Read what `save` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            columns = (arrays[name] for name in ("lengths", "bits", "fine", "coarse"))
            return cls(arrays["text"].tobytes(), *columns)

    def save(self, path: Path) -> None:
        """Write the table as a compressed npz file."""
        text = np.frombuffer(self._text, dtype=np.uint8)
        bits = np.frombuffer(self._bits, dtype=np.uint8)
        fine = np.frombuffer(self._fine, dtype=np.uint16)
        coarse = np.frombuffer(self._coarse, dtype=np.uint8)
        np.savez_compressed(
            path, text=text, lengths=self._lengths, bits=bits, fine=fine, coarse=coarse
        )

    def __len__(self) -> int:
        return len(self._bits)

    def bits(self, word: str) -> int:
        """Return the classes of a lower-case word as bits, 0 for an unknown one."""
        row = self._row(word)
        return 0 if row is None else self._bits[row]

    def clusters(self, word: str) -> tuple[int, int]:
        """Return the fine and the coarse cluster of a lower-case word, 0 and 0 for none."""
        row = self._row(word)
        fine = 0 if row is None else self._fine[row]
        return fine, self._coarse[fine]

    def _row(self, word: str) -> int | None:
        key = _encode(word)
        row = bisect_left(range(len(self)), key, key=self._word)
        return row if row < len(self) and self._word(row) == key else None

    def count(self, name: str) -> int:
        """Return the number of words of a class."""
        bit = np.uint8(class_bits(name))
        return int(np.count_nonzero(np.frombuffer(self._bits, dtype=np.uint8) & bit))

    def _word(self, row: int) -> bytes:
        return self._text[self._bounds[row] : self._bounds[row + 1]]


@cache
def bundled_word_classes() -> WordClasses:
    """Return the table that comes with the package, read once."""
    return WordClasses.load(PATH)


def _encode(word: str) -> bytes:
    # Text may hold lone surrogates, which strict UTF-8 refuses.
    return word.encode("utf-8", "surrogatepass")
