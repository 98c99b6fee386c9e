"""Forms of tokens: letter case, digits, and each mark by itself."""

from __future__ import annotations

import numpy as np

from multideid.text.type_memo import TypeMemo

_MARKS = ",.;:-/()'\"&#@_[]{}*+=|"
NO_TOKEN, UPPER, LETTER, TITLE, LOWER, DIGITS, MIXED, OTHER_MARK = range(8)
N_FORMS = 8 + len(_MARKS)


def _form(token: str) -> int:
    if token.isalpha():
        return _letters(token)
    if token.isdigit():
        return DIGITS
    if token.isspace():
        return NO_TOKEN
    if len(token) > 1:
        return MIXED
    return mark_form(token) if token in _MARKS else OTHER_MARK


def _letters(token: str) -> int:
    if token.isupper():
        return LETTER if len(token) == 1 else UPPER
    return TITLE if token[0].isupper() else LOWER


def mark_form(mark: str) -> int:
    """Return the form of one of the marks that have a form of their own."""
    return 8 + _MARKS.index(mark)


FORMS = TypeMemo(_form, np.int64)
"""The form of each string, a number below `N_FORMS`."""
