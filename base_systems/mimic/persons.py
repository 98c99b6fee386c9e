"""Read a person's name at a place where one is expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from multideid.base_systems.mimic.anchors import PARTICLES
from multideid.base_systems.mimic.lexicons import (
    MOST_KEPT,
    NOT_NAMES,
    can_be_name,
    is_common,
    is_first_name,
)
from multideid.base_systems.mimic.patterns import GAP, INITIAL, MONTH, NAME_WORD
from multideid.text.phrases import normalise

Policy = Callable[[str, int], bool]

_PIECE = re.compile(
    rf"(?P<initial>{INITIAL})|(?P<particle>(?:{PARTICLES}{GAP}){{1,2}}(?={NAME_WORD}))"
    rf"|(?P<word>{NAME_WORD})"
)
_COMMA = re.compile(r"[ \t]{0,2},[ \t]{0,3}")
_MOST_PIECES = 6
# "Signed by: K. Lane June 14": the name ends where the date begins.
_DATE_AHEAD = rf"(?=[JFMASOND]){MONTH}[ \t]{{1,2}}(?:of[ \t])?[0-9]"
_NEXT_PIECE = re.compile(rf"(?!{_DATE_AHEAD})(?:{_PIECE.pattern})[ \t]{{0,3}}")
_SUFFIX = re.compile(r",?[ \t]{1,2}(?:Jr|Sr|JR|SR|II|III|IV)\b\.?")


def read_person(text: str, start: int, fits: Policy, *, comma: bool = False) -> int:
    """Return the end of the person's name that begins at `start`, or `start`.

    Parameters
    ----------
    text : str
    start : int
    fits : callable
        `expected`, `plausible` or `any_word`. Takes a capitalised word and the number
        of words before it, and returns whether the word is part of the name.
    comma : bool
        Whether the name may be "Last, First".
    """
    end, words = _read_pieces(text, start, fits)
    if not words:
        return start
    break_ = _COMMA.match(text, end) if comma else None
    if break_ is not None:
        after, more = _read_pieces(text, break_.end(), fits)
        end = after if more or _is_initial(text, break_.end(), after) else end
    suffix = _SUFFIX.match(text, end)
    return suffix.end() if suffix else end


@lru_cache(MOST_KEPT)
def name_words(text: str) -> tuple[str, ...]:
    """Return the words of a name that are not initials or particles."""
    return tuple([word for _, _, word in _PIECE.findall(text) if word])


def is_person(text: str) -> bool:
    """Return whether a capitalised phrase without a title is a name."""
    words = name_words(text)
    return bool(words) and not all(map(is_common, words))


def begins_with_first_name(phrase: str) -> bool:
    """Return whether a phrase is a first name of the census followed by other words."""
    words = name_words(phrase)
    return len(words) > 1 and is_first_name(words[0])


def has_name_form(phrase: str, words: Sequence[str]) -> bool:
    """Return whether common words are written like a name."""
    has_initial = len(phrase.split()) > len(words)
    return (bool(words) and has_initial) or begins_with_first_name(phrase)


def _is_initial(text: str, start: int, end: int) -> bool:
    return 0 < end - start <= len("A.")


def _read_pieces(text: str, start: int, fits: Policy) -> tuple[int, int]:
    """Return the end of the last piece and the number of full words."""
    end = position = start
    words = 0
    for _ in range(_MOST_PIECES):
        piece = _NEXT_PIECE.match(text, position)
        if piece is None or (piece["word"] and not fits(piece["word"], words)):
            break
        position = piece.end()
        words += piece["word"] is not None
        if not piece["particle"]:
            end = piece.end(piece.lastgroup or 0)
    return end, words


def expected(word: str, before: int) -> bool:
    """Accept any first word, as after "Mr.", and then words that can be names."""
    return plausible(word, before) if before else normalise(word) not in _NEVER


def plausible(word: str, before: int) -> bool:
    """Accept words that can be names."""
    return can_be_name(word)


def any_word(word: str, before: int) -> bool:
    """Accept all words except those that are never names."""
    return normalise(word) not in NOT_NAMES


_NEVER = frozenset(
    "the this that patient name drs doctor doctors md dr mr mrs and or of in on at".split()
)
