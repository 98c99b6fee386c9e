"""What the rules are built of: pieces of regular expressions, and overlap.

No pattern may take more than linear time: every repetition is bounded, and a
pattern that begins with a repeated class is anchored where the class begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator

from multideid.base_systems.mimic.notes import NOTE_END, Notes, Rule
from multideid.document import Span

Finder = Callable[[Notes], Iterable[Span]]

UPPER = "A-ZÀ-ÖØ-Þ"
LETTER = r"[^\W\d_]"
APOSTROPHE = "['\u2019]"

# O'Brien, D'Angelo, McDonald, Garcia-Lopez, SMITH; a possessive 's stays outside.
NAME_WORD = (
    rf"(?:(?:[DLO]|Mc|Mac){APOSTROPHE})?[{UPPER}]{LETTER}{{1,24}}"
    rf"(?:-(?:[DLO]{APOSTROPHE})?[{UPPER}]{LETTER}{{1,24}}){{0,3}}(?!{LETTER})"
)
INITIAL = rf"[{UPPER}](?:\.(?!\w)|(?=[ \t]))"
PARTICLE = (
    r"(?:[Vv]an|[Vv]on|[Dd]e|[Dd]el|[Dd]ella|[Dd]i|[Dd]a|[Dd]os|[Dd]u|[Ll]a|[Ll]e|[Dd]er|[Dd]en"
    r"|[Tt]er|[Ee]l|[Aa]l|[Bb]in|[Ii]bn|[Ss]an|[Ss]t\.?|VAN|VON|DE|DEL|DI|DA|LA|LE|DER|DEN)"
)
GAP = r"[ \t]{1,3}"
WRAP = r"(?:[ \t]{0,3}(?:\r\n|\n|\r)[ \t]{0,3}|[ \t]{1,3})"
LINE_START = rf"(?<![^\n\r{NOTE_END}])"
END = rf"(?![^{NOTE_END}])"


def labelled(rule: Rule, label: str, notes: Notes, group: int | str = 0) -> Iterator[Span]:
    """Give a group of every match as a span."""
    for match in notes.finditer(rule):
        if match.start(group) < match.end(group):
            yield Span(*match.span(group), label)


def capitals_before_end(text: str, small: Container[str]) -> int:
    """Return where the last words of a text begin that are capitalised or among small ones.

    The word before them, in the end of which a name may begin, counts as one of them.
    """
    text, end = text.replace("\t", " "), len(text)
    while end >= 0:
        start = text.rfind(" ", 0, end) + 1
        word = text[start:end]
        if word and not word[0].isupper() and word not in small:
            return start
        end = start - 1
    return 0


def alternatives(words: Iterable[str]) -> str:
    """Return a group that matches any of `words`, the longest first.

    White space inside a word stands for any blanks, and at most one line end.
    """
    ordered = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(r"\s{1,3}".join(map(re.escape, w.split())) for w in ordered) + ")"


def resolve(candidates: Iterable[Span], taken: bytearray) -> Iterator[Span]:
    """Keep the candidates that overlap none before them in the order given.

    Parameters
    ----------
    candidates : iterable of Span
        In order of priority.
    taken : bytearray
        One byte a character, not 0 where a span stands; it is updated.

    Yields
    ------
    Span
        In the order given.
    """
    for span in candidates:
        start, end, _ = span
        if taken.find(1, start, end) < 0:
            taken[start:end] = b"\1" * (end - start)
            yield span
