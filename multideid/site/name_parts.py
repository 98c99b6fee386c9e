"""The parts of known names, and how they are joined: ``maryann``, ``jsmith``, ``IP``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from multideid.redact.spelling import WORD, fold
from multideid.site.newborns import names_of_children, without_designation
from multideid.site.words import is_clinical, is_ordinary

SHORT = 2  # Letters; "Ng" or "Q" is part of a name only beside a longer part.
TITLES = frozenset("mr mrs ms miss dr prof md rn phd".split())
PARTICLES = frozenset(
    "de del della der den des dos das las los les von vom zum zur ter ten bin ibn".split()
)
"""Parts of names that are no name by themselves, but are on every line of some languages."""
MOST_INITIALS = 3

_SHORT_JOINED = 4  # Letters.
_MOST_JOINED = 6  # Words; nobody's name is written so that more are one.
_MARKS = "'\u2018\u2019\u02bc`\u00b4"
_APOSTROPHES = str.maketrans("", "", _MARKS)


class NameParts(NamedTuple):
    """The parts of names, folded and without apostrophes.

    Parameters
    ----------
    words : set of str
        Words that are parts, or parts in one.
    long : list of str
        Words of three letters or more, of which every other such word has one.
    initials : set of str
        The first letters of one to three adjacent parts.
    short_names : set of tuple of str
        The sorted parts of names that have short ones only: ``("li", "na")``.
    """

    words: set[str]
    long: set[str]
    initials: set[str]
    short_names: set[tuple[str, ...]]

    @classmethod
    def of(cls, names: Iterable[str]) -> NameParts:
        """Return the parts of names."""
        found = cls(set(), set(), set(), set())
        for name in names:
            words = [part for part in map(plain, WORD.findall(name)) if part not in TITLES]
            found._add(without_designation(words))
        return found

    def _add(self, words: Sequence[str]) -> None:
        long = [word for word in words if len(word) > SHORT]
        joined = [*_joined(words)]
        self.words.update(words, joined, _with_initials(words))
        self.words.update(child for word in long for child in names_of_children(word))
        self.long.update(long, (j for j in joined if not any(word in j for word in long)))
        self.initials.update(word[0] for word in long)
        self.initials.update(_runs("".join(word[0] for word in words)))
        if len(words) > 1 and not long:
            self.short_names.add(tuple(sorted(words)))


def _runs(letters: str) -> Iterator[str]:
    """Yield two or three letters side by side."""
    for begin, end in combinations(range(len(letters) + 1), 2):
        if 1 < end - begin <= MOST_INITIALS:
            yield letters[begin:end]


def plain(word: str) -> str:
    """Return a word without case, accents and apostrophes: ``O'Brien`` is ``obrien``."""
    if word.isascii():
        return word.lower().replace("'", "").replace("`", "")
    return fold(word).translate(_APOSTROPHES)


def _joined(words: Sequence[str]) -> Iterator[str]:
    """Yield adjacent parts in one word: ``maryann`` of Mary Ann."""
    for begin, end in combinations(range(min(len(words), _MOST_JOINED) + 1), 2):
        joined = "".join(words[begin:end])
        if end - begin > 1 and len(joined) >= _SHORT_JOINED and not is_ordinary(joined):
            yield joined


def _with_initials(words: Sequence[str]) -> Iterator[str]:
    """Yield parts with initials of the others, as in user names: ``jsmith``, ``smithjq``."""
    for n, word in enumerate(words[:_MOST_JOINED]):
        others = "".join(w[0] for w in (*words[:n], *words[n + 1 :]))[:_MOST_JOINED]
        if others and len(word) > SHORT and word not in PARTICLES:
            heads = dict.fromkeys((*others, others[:2]))
            # A letter after a short word makes other names: Anna, Rosen.
            ends = (word + head for head in heads if len(word) > _SHORT_JOINED)
            joined = (*(head + word for head in heads), *ends)
            yield from (j for j in joined if not is_ordinary(j) and not is_clinical(j))
