"""Names of files and keys that repeat PHI of a text, such as ``Alder_M.txt``, ``malder.txt``."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePosixPath
from unicodedata import normalize

from multideid.corpora.identifier_names import IdentifierWarning
from multideid.deid.echoes import Values, joined_words, repeated_in, values_of
from multideid.deid.file_names import is_census_name, looks_like_phi, without_suffixes
from multideid.document import Span
from multideid.labels import SurrogateKind, surrogate_kind
from multideid.redact.spelling import fold
from multideid.site.name_parts import PARTICLES, TITLES, NameParts, plain
from multideid.site.words import is_ordinary

_LETTERS = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"[^\W_]{3,}")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_MOST_KNOWN = 10_000
_SHORTEST, _SHORTEST_JOINED, _SHORTEST_BESIDE_TWO = 3, 4, 5  # Letters.


def repeating(names: Iterable[str], values: Values) -> set[str]:
    """Return the names that repeat PHI.

    Parameters
    ----------
    names : iterable of str
        Names of files, folders or keys.
    values : mapping of str to set of str
        The PHI, by label. It is found in the forms of
        `multideid.site.occurrences.occurrences`, in joined words, and names of people
        also with initials that are joined to them.
    """
    distinct = list(dict.fromkeys(names)) if values else []
    # Some systems write letters and their accents apart, which words would end at.
    stems = [normalize("NFC", without_suffixes(name)) for name in distinct]
    words = [_words_of(stem) for stem in stems]
    people = {label for label in values if surrogate_kind(label) is SurrogateKind.PERSON}
    parts = {word for label in people for name in values[label] for word in _words_of(name)}
    parts = {word for word in parts if len(word) >= _SHORTEST} - TITLES - PARTICLES
    found = {n for n, own in enumerate(words) if parts and _names_person(own, parts)}
    near = _sharing(values, people, set().union(*words, *map(_pairs_of, stems)))
    return {distinct[n] for n in found | repeated_in(stems, near)}


def _words_of(name: str) -> set[str]:
    """Return the words of a name, also those that are joined in one."""
    pieces = [name[low:high] for low, high in joined_words(name, 0, len(name))]
    return {plain(word) for piece in [name, *pieces] for word in _LETTERS.findall(piece)}


def _sharing(values: Values, people: Collection[str], words: set[str]) -> Values:
    """Return the PHI, of people only those names that share a word with others.

    The search for names takes the more time, the more there are.
    """
    return {
        label: own if label not in people else {v for v in own if _may_share(v, words)}
        for label, own in values.items()
    }


def _may_share(name: str, words: set[str]) -> bool:
    # Some scripts have no spaces between words.
    return not name.isascii() or not words.isdisjoint(NameParts.of([name]).words)


def _pairs_of(name: str) -> set[str]:
    """Return two words of a name in one: ``mc_donald``."""
    return {plain(one + other) for one, other in pairwise(_LETTERS.findall(name))}


def _names_person(words: Iterable[str], parts: set[str]) -> bool:
    """Return whether a word is a part of a person's name, or consists of such parts."""
    return any(_is_part(word, parts) or _is_joined(word, parts) for word in words)


def _is_part(word: str, parts: set[str]) -> bool:
    # Words such as "note" may have been taken for a name.
    return word in parts and (is_census_name(word) or not is_ordinary(word))


def _is_joined(word: str, parts: set[str]) -> bool:
    """Return whether a word is a name with one or two letters joined to it, or two names."""
    for n in range(1, len(word)):
        begins, ends = word[:n], word[n:]
        for part, rest in ((begins, ends), (ends, begins)):
            least = _SHORTEST_BESIDE_TWO if len(rest) > 1 else _SHORTEST_JOINED
            is_beside = (len(rest) <= 2 and len(part) >= least) or rest in parts
            if part in parts and is_beside:
                return not is_ordinary(word)
    return False


class RepeatedFileNames:
    """Files outside of archives whose names repeat PHI that is found in them, and stay."""

    def __init__(self) -> None:
        self._found: set[str] = set()

    def check(self, name: str, text: str, spans: Iterable[Span]) -> None:
        """Remember a file if its name repeats PHI.

        Parameters
        ----------
        name : str
            Its path in the output.
        text : str
            A text in it.
        spans : iterable of Span
            The PHI of the text.
        """
        if name in self._found:
            return
        near = [span for span in spans if _shares_word(text[span.start : span.end], name)]
        if near and repeating(PurePosixPath(name).parts, values_of(text, near)):
            self._found.add(name)

    def warn(self, names: Sequence[str]) -> None:
        """Warn of files of a run whose names repeat PHI and do not look like it.

        They are counted, and not shown.
        """
        found = [n for n, name in enumerate(names, start=1) if self._is_new(name)]
        if found:
            count = f"{len(found):,} of {len(names):,} files"
            warnings.warn(
                f"the names of {count} repeat PHI that was found in them, and the output keeps "
                f"names of files: rename them (the first of them is file {found[0]:,} in the "
                "order of reading)",
                IdentifierWarning,
                stacklevel=2,
            )

    def _is_new(self, name: str) -> bool:
        return name in self._found and not any(map(looks_like_phi, PurePosixPath(name).parts))


@lru_cache(_MOST_KNOWN)
def _shares_word(value: str, name: str) -> bool:
    """Return whether a name may repeat a value; most do not, which is soon seen."""
    solid = "".join(_WORDS.findall(fold(name)))
    return any(word in solid for word in _WORDS.findall(fold(value)) if not _YEAR.match(word))
