"""The sex that the pronouns of a note tell."""

from __future__ import annotations

import re
from collections.abc import Iterable

from multideid.document import Document
from multideid.redact.invented.vocabulary import WordKind

_FEWEST = 2
_PRONOUNS = re.compile(
    r"\b(?:(?P<female>she|her|hers|herself)|(?P<male>he|him|his|himself))\b", re.I
)


def outside_spans(document: Document) -> Iterable[str]:
    """Yield the parts of the text between the spans."""
    done = 0
    for span in document.spans:
        yield document.text[done : span.start]
        done = span.end
    yield document.text[done:]


def sex_by_pronouns(texts: Iterable[str]) -> WordKind | None:
    """Return the sex of all English pronouns; None for fewer than two, or both sexes.

    Examples
    --------
    >>> sex_by_pronouns(["She came with her husband."]), sex_by_pronouns(["She saw him."])
    (<WordKind.FEMALE: 'female first name'>, None)
    """
    found = [match.lastgroup for text in texts for match in _PRONOUNS.finditer(text)]
    if len(found) < _FEWEST or len(set(found)) > 1:
        return None
    return WordKind.FEMALE if found[0] == "female" else WordKind.MALE
