"""Split text into tokens, at which PHI can begin and end.

A token is a run of letters (split between a lower-case and an upper-case
letter), a run of digits, one punctuation mark or one line end.
"""

from __future__ import annotations

import re

import numpy as np

LINE_ENDS = ("\r\n", "\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")

_LINE_END = r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]"
_UPPER = "A-ZÀ-ÖØ-ÞΑ-ΩЀ-Я"
_OTHER_LETTER = rf"[^\W\d_{_UPPER}]"
MARK = r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"

# Every character matches exactly one alternative, so that joined pieces equal the
# text and offsets follow from their lengths.
_PIECE = re.compile(
    rf"[{_UPPER}]++(?:{MARK}++[{_UPPER}]*+)*+{_OTHER_LETTER}*+(?:{MARK}++{_OTHER_LETTER}*+)*+"
    rf"|{_OTHER_LETTER}++(?:{MARK}++{_OTHER_LETTER}*+)*+"
    rf"|\d++|{_LINE_END}|[^\S\n\r\v\f\x1c-\x1e\x85\u2028\u2029]++|.",
    re.DOTALL,
)


def split_pieces(text: str) -> list[str]:
    """Split `text` into tokens and the white space between them.

    The joined pieces always equal `text`.

    Examples
    --------
    >>> split_pieces("Dr. McLee, 90yo")
    ['Dr', '.', ' ', 'Mc', 'Lee', ',', ' ', '90', 'yo']
    """
    return _PIECE.findall(text)


def tokenize(text: str) -> list[tuple[int, int]]:
    """Return the half-open character offsets of the tokens of `text`."""
    pieces = split_pieces(text)
    ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int64).tolist()
    return [
        (end - len(piece), end)
        for piece, end in zip(pieces, ends, strict=True)
        if piece in LINE_ENDS or not piece.isspace()
    ]
