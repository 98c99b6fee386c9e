"""Section headings and the labels before values, from the text's own form.

Nothing here knows a language: a heading is a line that ends in a colon, a line
in capitals, or the capitals or few words before the first colon of a line.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]

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
    """The batch's words with what must be known of each distinct one."""

    def __init__(self, vocabulary: tuple[str, ...], kind: IntArray) -> None:
        self.vocabulary = vocabulary
        self.kind = kind
        self.colon = self._per_token(lambda w: w == ":")
        self.word = self._per_token(lambda w: w[0].isalpha())
        self.capitals = self._per_token(lambda w: w[0].isalpha() and w.upper() == w != w.lower())
        self.line_end = self._per_token(str.isspace)

    def _per_token(self, test: Callable[[str], bool]) -> BoolArray:
        flags = np.fromiter(map(test, self.vocabulary), np.bool_, len(self.vocabulary))
        return np.asarray(flags[self.kind])

    def join(self, start: int, end: int) -> str:
        """Return the words of rows ``start:end``, lower case."""
        rows = range(start, end)
        return " ".join(self.vocabulary[self.kind[r]].lower() for r in rows if self.word[r])


def _keys(words: _Words, line: IntArray, names: dict[str, int]) -> IntArray:
    """Give every token the label before the last colon to its left."""
    colons = np.flatnonzero(words.colon)
    code_of_colon = np.zeros(len(colons) + 1, dtype=np.int32)
    for n, row in enumerate(colons.tolist()):
        text = words.join(_key_start(words, line, row), row)
        code_of_colon[n + 1] = names.setdefault(text, len(names))
    # Colon 0 stands before the batch, on no line.
    line_of_colon = np.append(-1, line[colons])
    last: npt.NDArray[np.int64] = np.cumsum(words.colon) - words.colon
    return np.where(line_of_colon[last] == line, code_of_colon[last], np.int32(0))


def _key_start(words: _Words, line: IntArray, colon: int) -> int:
    start = colon
    while start > 0 and colon - start < _LONGEST_KEY and line[start - 1] == line[colon]:
        if not words.word[start - 1]:
            break
        start -= 1
    return start


def _sections(
    words: _Words, document: IntArray, position: IntArray, names: dict[str, int]
) -> IntArray:
    """Carry each heading down to the next one of the same document."""
    if not len(position):
        return position.astype(np.int32)
    starts = np.flatnonzero(position == 0)
    ends = np.append(starts[1:], len(position))
    marks = np.zeros(len(position), dtype=np.int32)
    set_here = np.zeros(len(position), dtype=np.bool_)
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        text = _heading_of_line(words, start, end)
        new_document = start == 0 or document[start] != document[start - 1]
        if text or new_document:
            set_here[start] = True
            marks[start] = names.setdefault(text, len(names))
    source = np.maximum.accumulate(np.where(set_here, np.arange(len(position)), 0))
    return marks[source]


def _heading_of_line(words: _Words, start: int, end: int) -> str:
    stop = min(end, start + _LONGEST_HEADING + 1)
    colons = np.flatnonzero(words.colon[start:stop])
    content_end = end - 1 if words.line_end[end - 1] else end
    if len(colons):
        colon = start + int(colons[0])
        ends_line = colon >= content_end - 1
        if ends_line or _all_capitals(words, start, colon):
            return words.join(start, colon)
    elif content_end - start <= _LONGEST_HEADING and _all_capitals(words, start, content_end):
        return words.join(start, content_end)
    return ""


def _all_capitals(words: _Words, start: int, end: int) -> bool:
    letters = words.word[start:end]
    if not (words.capitals[start:end] | ~letters).all():
        return False
    # A short acronym before a colon ("BP:", "NHC:") labels a value, not a section.
    return len(words.join(start, end)) >= _SHORTEST_CAPITAL_HEADING
