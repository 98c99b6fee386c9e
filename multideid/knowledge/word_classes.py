"""Classes of words: names of many languages, places, and words that are no names.

One packed table of some 400,000 lower-case words, made by ``scripts/word_classes``;
`docs/reference/lexicons.md` lists the sources and their licences.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import numpy as np

from multideid.arrays import UByteArray

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


class WordClasses:
    """Sorted words with their classes as bits, looked up by binary search.

    Parameters
    ----------
    text : bytes
        The UTF-8 words in ascending order of their bytes, joined.
    lengths : uint8 array, shape (n_words,)
        Bytes of each word.
    bits : uint8 array, shape (n_words,)
    """

    def __init__(self, text: bytes, lengths: UByteArray, bits: UByteArray) -> None:
        self._text = text
        self._lengths = lengths
        # Python indexes its own arrays faster than numpy's.
        bounds = np.append(0, np.cumsum(lengths, dtype=np.uint32)).astype(np.uintc)
        self._bounds = array("I", bounds.tobytes())
        self._bits = bits.tobytes()

    @classmethod
    def build(cls, classes: Mapping[str, Iterable[str]]) -> WordClasses:
        """Make the table of lower-case words, given those of each of `CLASSES`."""
        found: dict[bytes, int] = {}
        for number, name in enumerate(CLASSES):
            for word in classes.get(name, ()):
                key = _encode(word)
                if len(key) < 256:
                    found[key] = found.get(key, 0) | 1 << number
        words = sorted(found)
        lengths = np.array([len(word) for word in words], dtype=np.uint8)
        bits = np.array([found[word] for word in words], dtype=np.uint8)
        return cls(b"".join(words), lengths, bits)

    @classmethod
    def load(cls, path: Path) -> WordClasses:
        """Read what `save` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            return cls(arrays["text"].tobytes(), arrays["lengths"], arrays["bits"])

    def save(self, path: Path) -> None:
        """Write the table as a compressed npz file."""
        text = np.frombuffer(self._text, dtype=np.uint8)
        bits = np.frombuffer(self._bits, dtype=np.uint8)
        np.savez_compressed(path, text=text, lengths=self._lengths, bits=bits)

    def __len__(self) -> int:
        return len(self._bits)

    def bits(self, word: str) -> int:
        """Return the classes of a lower-case word as bits, 0 for an unknown one."""
        key = _encode(word)
        low, high = 0, len(self._bits)
        while low < high:
            middle = (low + high) // 2
            if self._word(middle) < key:
                low = middle + 1
            else:
                high = middle
        return self._bits[low] if low < len(self._bits) and self._word(low) == key else 0

    def count(self, name: str) -> int:
        """Return the number of words of a class."""
        bit = np.uint8(1 << CLASSES.index(name))
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
