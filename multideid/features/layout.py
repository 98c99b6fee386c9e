"""Views and templates of layout: letter case of documents and lines, and lines around.

Notes in capitals, notes without capitals, signature blocks and tables are read
differently; these views let a linear model do so.
"""

from __future__ import annotations

import numpy as np

from multideid.arrays import DoubleArray, IntArray, IntegerArray
from multideid.features.common import CAPITALS, LOWER, SHORT_SHAPE
from multideid.features.templates import Template, each, joined
from multideid.features.views import Column, View, of_numbers
from multideid.text.lines import line_starts
from multideid.text.table import TokenTable
from multideid.text.type_memo import TypeMemo

_SMALL, _UPPER, _TITLE = 1, 2, 3
_CASES = ("mixed", "lower", "upper", "title")
_UPPER_SHARE = 0.6
_FEW_CAPITALS = 0.06
_MOSTLY_SMALL = 0.75
_LAST_LINES = 8
_LONGEST_LINE = 6
_NO_LINE = " "  # White space is never a token.


def _letter_case(table: TokenTable) -> IntArray:
    """Return 1, 2 or 3 for words in lower case, upper case and title case, else 0."""
    cases: IntArray = _cases(table.vocabulary)[table.type]
    return cases


def _case_of(word: str) -> int:
    if len(word) < 2 or not word.isalpha():
        return 0
    return _SMALL if word.islower() else _UPPER if word.isupper() else _TITLE


_cases = TypeMemo(_case_of, np.int32)


def _shares(table: TokenTable, unit: IntArray) -> DoubleArray:
    """Return the share of words in each case, shape (3, n_units): small, upper, title."""
    case = table.cached("letter case", _letter_case)
    counts = [np.bincount(unit, weights=case == kind) for kind in (_SMALL, _UPPER, _TITLE)]
    return np.asarray(np.array(counts) / np.maximum(np.sum(counts, axis=0), 1), dtype=np.float64)


def _document_case(table: TokenTable) -> Column:
    _, upper, title = _shares(table, table.document)
    few = (upper + title < _FEW_CAPITALS).astype(np.int32) * _SMALL
    codes = np.where(upper > _UPPER_SHARE, _UPPER, few).astype(np.int32)
    return Column(codes[table.document], _CASES)


def _line_case(table: TokenTable) -> Column:
    small, upper, title = _shares(table, table.line)
    codes = np.zeros(len(small), dtype=np.int32)
    codes[title > _UPPER_SHARE] = _TITLE
    codes[small > _MOSTLY_SMALL] = _SMALL
    codes[upper > _UPPER_SHARE] = _UPPER
    return Column(codes[table.line], _CASES)


def _lines_to_end(table: TokenTable) -> IntegerArray:
    last = np.zeros(len(table.ids), dtype=table.line.dtype)
    np.maximum.at(last, table.document, table.line)
    return np.asarray(np.minimum(last[table.document] - table.line, _LAST_LINES))


def _line_length(table: TokenTable) -> IntegerArray:
    """Return the square root of the number of tokens on the line, rounded down."""
    tokens = np.bincount(table.line)[table.line]
    return np.minimum(np.sqrt(tokens).astype(np.int64), _LONGEST_LINE)


def _previous_line(table: TokenTable) -> Column:
    return _first_word(table, -1)


def _next_line(table: TokenTable) -> Column:
    return _first_word(table, 1)


def _first_word(table: TokenTable, offset: int) -> Column:
    """Return the first word of the line at an offset, if it is of the same document."""
    lower = LOWER.column(table)
    names = [*lower.names, _NO_LINE]
    if not len(table):
        return Column(lower.codes, names)
    first = line_starts(table)
    line = table.line + offset
    inside = (line >= 0) & (line < len(first))
    row = first[np.where(inside, line, 0)]
    inside &= table.document[row] == table.document
    return Column(np.where(inside, lower.codes[row], len(names) - 1).astype(np.int32), names)


DOCUMENT_CASE = View("document case", _document_case)
LINE_CASE = View("line case", _line_case)
LINES_TO_END = of_numbers("lines to end", _lines_to_end)
LINE_LENGTH = of_numbers("line length", _line_length)
PREVIOUS_LINE = View("previous line", _previous_line)
NEXT_LINE = View("next line", _next_line)


def layout_templates() -> list[Template]:
    """Return the templates of letter case and of the lines around."""
    return [
        joined("case", (DOCUMENT_CASE, 0), (CAPITALS, 0)),
        joined("case", (LINE_CASE, 0), (CAPITALS, 0)),
        *each(LINES_TO_END, (0,), "layout"),
        joined("layout", (LINES_TO_END, 0), (SHORT_SHAPE, 0)),
        *each(LINE_LENGTH, (0,), "layout"),
        joined("layout", (LINE_LENGTH, 0), (CAPITALS, 0)),
        *each(PREVIOUS_LINE, (0,), "layout"),
        *each(NEXT_LINE, (0,), "layout"),
        joined("layout", (PREVIOUS_LINE, 0), (CAPITALS, 0)),
    ]
