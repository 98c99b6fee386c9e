"""Section headings and the labels before values, from the text's own form.

Nothing here knows a language: a heading is a line that ends in a colon, a line
in capitals, or the capitals or few words before the first colon of a line.
"""

from __future__ import annotations

import numpy as np

from multideid.arrays import BoolArray, IntArray, LongArray
from multideid.text.forms import CAPITALS, COLON, LINE_END, WORD, word_forms

_LONGEST_HEADING = 8
_LONGEST_KEY = 3
_SHORTEST_CAPITAL_HEADING = 5


def find_headings(
    vocabulary: tuple[str, ...],
    kind: IntArray,
    document: IntArray,
    line: IntArray,
    position: IntArray,
) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """Find each token's section heading and the label before it on its line.

    Parameters
    ----------
    vocabulary : tuple of str
    kind, document, line, position : int32 arrays, shape (n_tokens,)
        Columns of the TokenTable.

    Returns
    -------
    headings : tuple of str
        Distinct headings and keys, lower case, the first "".
    heading, key : int32 arrays, shape (n_tokens,)
        Indices into `headings`.
    """
    names: dict[str, int] = {"": 0}
    words = _Words(vocabulary, kind)
    key = _keys(words, line, names)
    heading = _sections(words, document, position, names)
    return tuple(names), heading, key


class _Words:
    """The batch's words with what must be known of each."""

    def __init__(self, vocabulary: tuple[str, ...], kind: IntArray) -> None:
        self.vocabulary = vocabulary
        self.kind = kind
        form = word_forms(vocabulary)[kind]
        self.colon = (form & COLON) > 0
        self.word = (form & WORD) > 0
        self.line_end = (form & LINE_END) > 0
        small = self.word & ((form & CAPITALS) == 0)
        self._small_before = np.append(0, np.cumsum(small))
        self._joined: dict[bytes, str] = {}

    def join(self, start: int, end: int) -> str:
        """Return the words of rows ``start:end``, lower case."""
        # Headings and labels recur, and bytes are the quickest to look up.
        key = self.kind[start:end].tobytes()
        if key not in self._joined:
            rows = self.kind[start:end][self.word[start:end]].tolist()
            self._joined[key] = " ".join([self.vocabulary[kind].lower() for kind in rows])
        return self._joined[key]

    def all_capitals(self, start: LongArray, end: LongArray) -> BoolArray:
        """Tell of stretches of rows whether no word in them has a small letter."""
        return np.asarray(self._small_before[end] == self._small_before[start])


def _keys(words: _Words, line: IntArray, names: dict[str, int]) -> IntArray:
    """Give every token the label before the last colon to its left."""
    colons = np.flatnonzero(words.colon)
    code_of_colon = np.zeros(len(colons) + 1, dtype=np.int32)
    starts = _key_starts(words, line, colons).tolist()
    for n, (start, colon) in enumerate(zip(starts, colons.tolist(), strict=True), 1):
        code_of_colon[n] = names.setdefault(words.join(start, colon), len(names))
    # Colon 0 stands before the batch, on no line.
    line_of_colon = np.append(-1, line[colons])
    last: LongArray = np.cumsum(words.colon) - words.colon
    return np.where(line_of_colon[last] == line, code_of_colon[last], np.int32(0))


def _key_starts(words: _Words, line: IntArray, colons: LongArray) -> LongArray:
    """Return where the words right before each colon begin, three of them at most."""
    start = colons.copy()
    for length in range(_LONGEST_KEY):
        before = np.maximum(start - 1, 0)
        goes_on = (start == colons - length) & (start > 0)
        start -= goes_on & words.word[before] & (line[before] == line[colons])
    return start


def _sections(
    words: _Words, document: IntArray, position: IntArray, names: dict[str, int]
) -> IntArray:
    """Carry each heading down to the next one of the same document."""
    if not len(position):
        return position.astype(np.int32)
    starts = np.flatnonzero(position == 0)
    ends = np.append(starts[1:], len(position))
    marks = _heading_of_lines(words, starts, ends, names)
    new_document = np.append(True, document[starts[1:]] != document[ends[:-1] - 1])
    set_here = (marks > 0) | new_document
    source = np.maximum.accumulate(np.where(set_here, np.arange(len(starts)), 0))
    return np.repeat(marks[source], ends - starts)


def _heading_of_lines(
    words: _Words, starts: LongArray, ends: LongArray, names: dict[str, int]
) -> IntArray:
    """Return the code of the heading that each line is or begins with, 0 for none."""
    content_end = ends - words.line_end[ends - 1]
    colons = np.append(np.flatnonzero(words.colon), len(words.kind))
    colon = colons[np.searchsorted(colons, starts)]
    has_colon = colon < np.minimum(ends, starts + _LONGEST_HEADING + 1)
    ends_line = has_colon & (colon >= content_end - 1)
    stop = np.where(has_colon, colon, content_end)
    in_capitals = words.all_capitals(starts, stop)
    in_capitals &= has_colon | (content_end - starts <= _LONGEST_HEADING)
    marks = np.zeros(len(starts), dtype=np.int32)
    for n in np.flatnonzero(ends_line | in_capitals).tolist():
        text = words.join(int(starts[n]), int(stop[n]))
        # A short acronym before a colon ("BP:", "NHC:") labels a value, not a section.
        if ends_line[n] or len(text) >= _SHORTEST_CAPITAL_HEADING:
            marks[n] = names.setdefault(text, len(names))
    return marks
