"""The lexicon of Brill's tagger: the text that TextBlob ships, and the packed table of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from multideid.arrays import AnyArray
from multideid.text.word_table import WordTable

DATA = Path(__file__).parent / "data"
PACKED = DATA / "en-lexicon.npz"
"""The words with the number of their first tag, made by ``scripts/lexicons``."""

# A line of the lexicon that is no comment: the word, and its tags.
_ENTRY = re.compile(r"^(?!;;;)([^ \n]+) +([^\n]+)", re.MULTILINE)


class TagLexicon:
    """The most frequent tag of each known word.

    Parameters
    ----------
    words : WordTable
        With the index of each word's tag, from 1.
    tags : sequence of str
    """

    def __init__(self, words: WordTable, tags: Sequence[str]) -> None:
        self.words = words
        self._tags = (None, *tags)

    @classmethod
    def load(cls, tags: Sequence[str]) -> TagLexicon:
        """Read the packed lexicon."""
        with np.load(PACKED, allow_pickle=False) as packed:
            return cls(WordTable(packed["words"].tobytes(), packed["tags"]), tags)

    @classmethod
    def build(cls, tags: Sequence[str]) -> TagLexicon:
        """Make the lexicon from its text, without words whose first tag is another."""
        number = {tag: n for n, tag in enumerate(tags, 1)}
        first = ((word, every.split("|")[0].split()[0]) for word, every in brill_lexicon())
        return cls(WordTable.of_numbers({w: number[t] for w, t in first if t in number}), tags)

    def arrays(self) -> dict[str, AnyArray]:
        """Return the arrays of the packed lexicon."""
        words, tags = self.words.arrays()
        return {"words": words, "tags": tags}

    def get(self, word: str) -> str | None:
        """Return the tag of a word, None for an unknown one."""
        return self._tags[self.words.number(word)]

    def __contains__(self, word: str) -> bool:
        return self.words.number(word) > 0


def brill_lexicon() -> list[tuple[str, str]]:
    """Return the words of the lexicon's text, and the tags of each, separated by ``|``."""
    return _ENTRY.findall((DATA / "en-lexicon.txt").read_text(encoding="utf-8"))
