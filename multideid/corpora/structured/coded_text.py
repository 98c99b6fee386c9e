"""Text that is written as codes: transfer encodings, references, percent-encoding, base64.

In it, names are torn or hidden, so that nobody can say whether it holds PHI.
"""

from __future__ import annotations

import re

from multideid.corpora.structured.percent_encoding import percent_encoded

Problem = tuple[str, int]
"""What is wrong with a text, and the offset of the place."""

_MAIL_ENCODING = re.compile(
    r"^content-transfer-encoding:[ \t]*(?:quoted-printable|base64)\b", re.IGNORECASE | re.MULTILINE
)
_ENCODED_WORD = re.compile(
    r"=\?[A-Za-z][\w.:\-]{1,39}(?:\*[\w\-]{1,20})?\?[bq]\?[^\s?]{1,500}\?=", re.IGNORECASE
)
# The bytes of a letter in UTF-8, as quoted-printable and addresses write them.
_UTF_8 = re.compile(
    r"(?<!\d)=(?:C[3-9]|D[0-9]|E[0-9A-F]=[89AB][0-9A-F])=[89AB][0-9A-F]"
    r"|%C[3-9]%[89AB][0-9A-F]|%E2%80%99",
    re.IGNORECASE,
)
# A letter in Latin-1 by quoted-printable: in a word, before its last letter, or as its first.
# Õ (D5) is left out: "fluid=D5NS" is a solution.
_LATIN_1 = re.compile(
    r"(?<=[A-Za-z])=(?:DF|[EF][0-9A-F])(?=[a-z]{2})"
    r"|\b[A-Z][a-z]{1,40}=[EF][0-9A-F][a-z]\b"
    r"|(?<![^\s\"'(\-])=(?:C[0-9A-F]|D[0-46-9A-E])(?=[a-z]{3})"
    r"|(?<=[A-Z])=(?:C\d|D[0-46-9])(?=[A-Z]{2})"
)
# A line that quoted-printable broke: at its full length, or in a date.
_SOFT_BREAK = re.compile(
    r"^.{67,74}[^\s=]=\r?\n(?=\S)|\d=\r?\n[/\-]\d|\d[/\-]=\r?\n\d", re.MULTILINE
)
# What an ordinary note may hold once; of several kinds, they are quoted-printable.
_SIGNS = (
    re.compile(r"[A-Za-z]{2}=[EF][0-9A-F](?![0-9A-Za-z])"),
    re.compile(r"[A-Za-z]=\r?\n[a-z]"),
    re.compile(r"[.,;:!?)]=20\r?$|=0D=0A|=3D[\"']", re.MULTILINE),
)
_UTF_7 = re.compile(r"(?<=[a-z])\+A[M-P][AEIMQUYcgkosw048]-(?=[a-z])")
_REFERENCE = re.compile(
    r"(?<=[A-Za-z])&(?:amp;){0,3}(?:#\d{2,6}|#[xX][0-9A-Fa-f]{2,6}"
    r"|[A-Za-z]{1,2}(?:uml|acute|grave|circ|tilde|cedil|ring|slash|caron|lig))\b;"
    r"|&(?:amp;){0,3}(?:[A-Za-z](?:uml|acute|grave|circ|tilde|cedil|ring|slash|caron)|szlig);(?=[A-Za-z])"
)
# Letters and marks as JSON and XML write them in strings and names.
_UNICODE = re.compile(
    r"(?<=[A-Za-z])\\u00[c-f][0-9a-f]|\\u00[c-f][0-9a-f](?=[a-z])"
    r"|(?<=[A-Za-z])_x00[2-7c-f][0-9a-f]_(?=[A-Za-z])",
    re.IGNORECASE,
)
_BASE64_LINE = re.compile(r"^[A-Za-z0-9+/=_-]{60,}[ \t\r]*$", re.MULTILINE)
_BASE64_RUN = re.compile(r"[A-Za-z0-9+/_-]{400,}")
_HEX = re.compile(r"[0-9a-fA-F\s]+")
_BASE64_LINES = 4

_MAIL = "holds an e-mail message in a transfer encoding: save its text"
_LETTERS = "holds letters as codes, such as {}: decode them"
_DATA = "holds encoded data (base64): decode or remove it"
_PATTERNS = (
    (_MAIL_ENCODING, _MAIL),
    (_ENCODED_WORD, _MAIL),
    (_UTF_8, _LETTERS.format("=C3=BC")),
    (_LATIN_1, _LETTERS.format("=FC")),
    (_SOFT_BREAK, _MAIL),
    # In the middle of a word: an acute infarction may be "+AMI-".
    (_UTF_7, "holds letters as codes of UTF-7, such as +APw-: read it with --encoding utf-7"),
    (_REFERENCE, _LETTERS.format("&uuml;")),
    (_UNICODE, _LETTERS.format("\\u00fc or _x0020_")),
)
_PERCENT = "holds text in percent-encoding, such as %20 for a space: decode it"


def coded(text: str) -> Problem | None:
    """Return what is written as codes in a text; None if nothing is."""
    return _base64(text) or _letters(text)


def coded_problem(text: str) -> str | None:
    """Return what `coded` found and where, for a message; None if nothing is written as codes."""
    found = coded(text)
    return None if found is None else f"{found[0]} (at character {found[1] + 1:,})"


def _letters(text: str) -> Problem | None:
    """Find letters that are written as codes, so that names are torn."""
    for pattern, problem in _PATTERNS:
        if match := pattern.search(text):
            return problem, match.start()
    if (place := percent_encoded(text)) is not None:
        return _PERCENT, place
    signs = [match.start() for sign in _SIGNS if (match := sign.search(text))]
    return (_MAIL, min(signs)) if len(signs) > 1 else None


def _base64(text: str) -> Problem | None:
    """Find encoded data, of which nobody can say whether it holds PHI."""
    lines = first = 0
    end = -1
    for match in _BASE64_LINE.finditer(text):
        adjoins = match.start() <= end + 1
        lines = (lines * adjoins + 1) * _is_encoded(match[0])
        first, end = first if lines > 1 else match.start(), match.end()
        if lines == _BASE64_LINES:
            return _DATA, first
    for match in _BASE64_RUN.finditer(text):
        if _is_encoded(match[0]):
            return _DATA, match.start()
    return None


def _is_encoded(run: str) -> bool:
    """Return whether a run of letters and digits is base64 or hexadecimal, and no word."""
    length = len(run)
    upper, lower, digits = (sum(map(test, run)) for test in (str.isupper, str.islower, str.isdigit))
    is_hex = _HEX.fullmatch(run) is not None and digits > length / 5 and digits < length
    return is_hex or min(upper, lower) > length / 10
