"""How span candidates look: the forms of the tokens at their borders, their length, their marks."""

from __future__ import annotations

import numpy as np

from multideid.arrays import BoolArray, LongArray
from multideid.stacking.forms import FORMS, N_FORMS, NO_TOKEN, mark_form
from multideid.stacking.span_candidates import SpanCandidates
from multideid.text.table import TokenTable

_LONGEST = 7
_WIDE = 2
_N_FLAGS = 7
N_FORM_COLUMNS = 4 * N_FORMS + _LONGEST + 2 * _N_FLAGS

Column = tuple[LongArray, int]
"""A value of each candidate, from 0, and the number of values."""


def form_columns(tokens: TokenTable, candidates: SpanCandidates) -> list[Column]:
    """Return forms of the first and last token and their neighbours, length, and flags."""
    forms = FORMS(tokens.vocabulary)[tokens.type]
    first, last = candidates.first, candidates.last
    before, after = _neighbours(tokens, candidates, forms)
    borders = [(column, N_FORMS) for column in (forms[first], forms[last], before, after)]
    length = np.minimum(last - first, _LONGEST - 1)
    flags = [*_inside(tokens, candidates, forms), *_glued(tokens, candidates, after)]
    return [*borders, (length, _LONGEST), *((flag.astype(np.int64), 2) for flag in flags)]


def _neighbours(
    tokens: TokenTable, candidates: SpanCandidates, forms: LongArray
) -> tuple[LongArray, LongArray]:
    """Return the forms of the tokens of the line before and after each candidate."""
    first, last = candidates.first, candidates.last
    following = np.minimum(last + 1, len(forms) - 1)
    same = (following > last) & (tokens.line[following] == tokens.line[last])
    before = np.where(tokens.position[first] > 0, forms[first - 1], NO_TOKEN)
    return before, np.where(same, forms[following], NO_TOKEN)


def _inside(tokens: TokenTable, candidates: SpanCandidates, forms: LongArray) -> list[BoolArray]:
    """Return whether there is a wide gap, a line end, a comma, an odd quote, an odd bracket."""
    rows = candidates.rows
    gap = tokens.start - np.append(0, tokens.end[:-1])
    counted = [candidates.sums(forms[rows] == mark_form(mark)) for mark in ',"()']
    inner = rows > np.repeat(candidates.first, candidates.lengths)
    return [
        candidates.sums((gap[rows] >= _WIDE) & inner) > 0,
        tokens.line[candidates.first] != tokens.line[candidates.last],
        counted[0] > 0,
        counted[1] % 2 > 0,
        counted[2] != counted[3],
    ]


def _glued(tokens: TokenTable, candidates: SpanCandidates, after: LongArray) -> list[BoolArray]:
    """Return whether no white space is before, and after, each candidate."""
    first, last = candidates.first, candidates.last
    following = np.minimum(last + 1, len(tokens) - 1)
    left = ~tokens.space[first] & (tokens.position[first] > 0)
    return [left, ~tokens.space[following] & (after != NO_TOKEN)]
