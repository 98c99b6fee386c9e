"""The sex that the pronouns and titles of a note tell."""

from __future__ import annotations

import re
from collections.abc import Iterable

from multideid.document import Document, Span
from multideid.redact.invented.vocabulary import WordKind
from multideid.spans import outside

_FEWEST = 2
_PRONOUNS = re.compile(
    r"\b(?:(?P<female>she|her|hers|herself)|(?P<male>he|him|his|himself))\b", re.I
)

_TITLE = re.compile(
    r"\b(?:(?P<male>mr|mister|sr|herr)|(?P<female>mrs|ms|miss|sra|srta|frau|mme))\b\.?\s*", re.I
)
_LONGEST_TITLE = 8  # Characters.


def sex_by_title(document: Document, span: Span) -> WordKind | None:
    """Return the sex of a title at the beginning of a span or right before it."""
    start = max(0, span.start - _LONGEST_TITLE)
    for match in _TITLE.finditer(document.text, start, span.end):
        if match.end() == span.start or match.start() == span.start:
            return _sex(match)
    return None


def _sex(match: re.Match[str]) -> WordKind:
    return WordKind.FEMALE if match["female"] else WordKind.MALE


def outside_spans(document: Document) -> Iterable[str]:
    """Yield the parts of the text between the spans."""
    for start, end in outside(0, len(document.text), document.spans):
        yield document.text[start:end]


def sex_by_pronouns(texts: Iterable[str]) -> WordKind | None:
    """Return the sex of all English pronouns; None for fewer than two, or both sexes.

    Examples
    --------
    >>> sex_by_pronouns(["She came with her husband."]), sex_by_pronouns(["She saw him."])
    (<WordKind.FEMALE: 'female first name'>, None)
    """
    found = [_sex(match) for text in texts for match in _PRONOUNS.finditer(text)]
    return found[0] if len(found) >= _FEWEST and len(set(found)) == 1 else None
