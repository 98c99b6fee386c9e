"""Lines, sentences, section headings and field labels, from the form of the text alone.

Nothing here depends on a language. A heading is a line that ends in a colon, a
line in capitals, or capitals or a few words before the first colon of a line.
"""

from __future__ import annotations

import numpy as np

from multideid.arrays import BoolArray, IntArray, LongArray
from multideid.text.forms import (
    CAPITALS,
    COLON,
    LINE_END,
    SENTENCE_MARK,
    SHORT_CAPITAL,
    STARTER,
    WORD,
    word_forms,
)

LONGEST_LINE = 16_384
"""Tokens; a longer line counts as several, since chains and blocks of scores are whole lines."""

_LONGEST_HEADING = 8
_LONGEST_FIELD_LABEL = 3
_SHORTEST_CAPITAL_HEADING = 5


def line_columns(document: IntArray, line_end: BoolArray) -> tuple[IntArray, IntArray]:
    """Number the lines of the batch, and the tokens within each line.

    A line of more than `LONGEST_LINE` tokens is cut after each so many, to bound memory.

    Parameters
    ----------
    document : int32 array, shape (n_tokens,)
        Index of each token's document; a new document begins a new line.
    line_end : bool array, shape (n_tokens,)
        Whether the token is a line end; it belongs to the line that it ends.

    Returns
    -------
    line, position : int32 arrays, shape (n_tokens,)
    """
    if not len(document):
        return document.astype(np.int32), document.astype(np.int32)
    begins = np.empty(len(document), dtype=np.bool_)
    begins[0] = True
    begins[1:] = line_end[:-1] | (document[1:] != document[:-1])
    line, position = _numbered(begins)
    if position.max() >= LONGEST_LINE:
        line, position = _numbered(position % LONGEST_LINE == 0)
    return line, position


def _numbered(begins: BoolArray) -> tuple[IntArray, IntArray]:
    """Number runs of tokens by their beginnings, and the tokens within each run."""
    run = np.cumsum(begins, dtype=np.int32) - np.int32(1)
    place = np.arange(len(begins)) - np.flatnonzero(begins)[run]
    return run, place.astype(np.int32)


def sentence_column(
    vocabulary: tuple[str, ...], kind: IntArray, line: IntArray, space: BoolArray
) -> IntArray:
    """Number the sentences of the batch.

    A sentence ends after ``.``, ``!`` or ``?`` if white space and a capital or
    digit follow and the word before the mark is not short and capitalized
    (``Dr.``, ``J.``); and at every line end, because in clinical notes phrases
    usually end with the line.

    Parameters
    ----------
    vocabulary : tuple of str
    kind : int32 array, shape (n_tokens,)
        Index of each token's string in `vocabulary`.
    line : int32 array, shape (n_tokens,)
    space : bool array, shape (n_tokens,)

    Returns
    -------
    int32 array, shape (n_tokens,)
    """
    if not len(kind):
        return kind.astype(np.int32)
    form = word_forms(vocabulary)[kind]
    mark, starter = (form & SENTENCE_MARK) > 0, (form & STARTER) > 0
    same_line = line[1:] == line[:-1]
    after_short = np.append(False, (form[:-1] & SHORT_CAPITAL > 0) & same_line)
    begins = np.zeros(len(kind), dtype=np.bool_)
    begins[0] = True
    begins[1:] = (mark & ~after_short)[:-1] & space[1:] & starter[1:]
    begins[1:] |= ~same_line
    return np.cumsum(begins, dtype=np.int32) - np.int32(1)


def find_headings(
    vocabulary: tuple[str, ...],
    kind: IntArray,
    document: IntArray,
    line: IntArray,
    position: IntArray,
) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """Find each token's section heading and field label.

    Parameters
    ----------
    vocabulary : tuple of str
    kind, document, line, position : int32 arrays, shape (n_tokens,)
        Columns of the TokenTable.

    Returns
    -------
    headings : tuple of str
        Distinct headings and field labels, lower case; the first is "".
    heading, field_label : int32 arrays, shape (n_tokens,)
        Indices into `headings`.
    """
    names: dict[str, int] = {"": 0}
    words = _Words(vocabulary, kind)
    field_label = _field_labels(words, line, names)
    heading = _sections(words, document, position, names)
    return tuple(names), heading, field_label


class _Words:
    """The tokens of the batch with their forms."""

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
        # Headings and labels recur, and bytes are fast to look up.
        key = self.kind[start:end].tobytes()
        if key not in self._joined:
            rows = self.kind[start:end][self.word[start:end]].tolist()
            self._joined[key] = " ".join([self.vocabulary[kind].lower() for kind in rows])
        return self._joined[key]

    def all_capitals(self, start: LongArray, end: LongArray) -> BoolArray:
        """Return whether all words of each range of rows are in capitals."""
        return np.asarray(self._small_before[end] == self._small_before[start])


def _field_labels(words: _Words, line: IntArray, names: dict[str, int]) -> IntArray:
    """Return the label before the last colon to the left of each token on its line."""
    colons = np.flatnonzero(words.colon)
    code_of_colon = np.zeros(len(colons) + 1, dtype=np.int32)
    starts = _label_starts(words, line, colons).tolist()
    for n, (start, colon) in enumerate(zip(starts, colons.tolist(), strict=True), 1):
        code_of_colon[n] = names.setdefault(words.join(start, colon), len(names))
    # Colon 0 precedes the batch, on no line.
    line_of_colon = np.append(-1, line[colons])
    last: LongArray = np.cumsum(words.colon) - words.colon
    return np.where(line_of_colon[last] == line, code_of_colon[last], np.int32(0))


def _label_starts(words: _Words, line: IntArray, colons: LongArray) -> LongArray:
    """Return the start of the words right before each colon, at most three."""
    start = colons.copy()
    for length in range(_LONGEST_FIELD_LABEL):
        before = np.maximum(start - 1, 0)
        goes_on = (start == colons - length) & (start > 0)
        start -= goes_on & words.word[before] & (line[before] == line[colons])
    return start


def _sections(
    words: _Words, document: IntArray, position: IntArray, names: dict[str, int]
) -> IntArray:
    """Extend each heading to the next one of the document."""
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
    """Return the code of the heading at the start of each line, 0 for none."""
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
