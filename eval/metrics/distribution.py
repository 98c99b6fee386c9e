"""Words per class of a corpus, and how many are ambiguous or in no dictionary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from multideid.document import Document
from multideid.eval.metrics.token_metrics import NON_PHI
from multideid.redact.spelling import fold
from multideid.resynthesis.out_of_dictionary import is_listed
from multideid.resynthesis.segments import segments
from multideid.tables import Column, Table

# 3/4/05, 617-555-0134 and O'Brien are one word each; Alder's and Alder-Beech have two.
_WORD = re.compile(
    r"(?=[^\W_]*\d)[^\W_]+(?:[-./:][^\W_]+)*|[^\W\d_]+(?:['\u2019](?=[^\W\d_]{2})[^\W\d_]+)?"
)
_IN_THE_PAPER = ("PATIENT", "DOCTOR", "LOCATION", "HOSPITAL", "DATE", "ID", "PHONE", "AGE")


@dataclass(frozen=True, slots=True)
class ClassWords:
    """The words of one class.

    Parameters
    ----------
    label : str
    words : int
        Number of words.
    ambiguous : int
        Words that occur both as PHI and as non-PHI.
    unlisted : int or None
        Words of letters that are in no word list; None for non-PHI.
    """

    label: str
    words: int
    ambiguous: int
    unlisted: int | None


@dataclass(frozen=True, slots=True)
class Distribution:
    """The words of a corpus by class, non-PHI first.

    Parameters
    ----------
    classes : tuple of ClassWords
    """

    classes: tuple[ClassWords, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            c.label: {"words": c.words, "ambiguous": c.ambiguous, "unlisted": c.unlisted}
            for c in self.classes
        }


def distribution(documents: Iterable[Document]) -> Distribution:
    """Count the words of each class of a corpus, as Sibanda & Uzuner (2006) do.

    Words are runs of letters, and dates and numbers without blanks; single
    letters do not count. Case and accents are ignored. The word lists are those
    of `multideid.knowledge.lexicons`; dates and numbers never count as missing
    there.

    Parameters
    ----------
    documents : iterable of Document
        With their gold spans.

    Returns
    -------
    Distribution
        The counts of their Tables 1, 6 and 10.
    """
    counts: dict[str, Counter[str]] = {NON_PHI: Counter()}
    for document in documents:
        for label, text in segments(document):
            words = counts.setdefault(label or NON_PHI, Counter())
            words.update(_words(text))
    phi = frozenset(word for label in counts.keys() - {NON_PHI} for word in counts[label])
    both = phi & counts[NON_PHI].keys()
    labels = sorted(counts, key=_rank)
    return Distribution(tuple(_class_words(label, counts[label], both) for label in labels))


def format_distribution(result: Distribution, original: Distribution | None = None) -> str:
    """Format the counts as Tables 1, 6 and 10 of Sibanda & Uzuner (2006).

    Parameters
    ----------
    result : Distribution
    original : Distribution, optional
        Of the original corpus, shown in the first table for comparison.
    """
    words = [Column("class", "label"), Column("words", "words")]
    if original is not None:
        before = {c.label: c.words for c in original.classes}
        words.insert(1, Column("words before", lambda c: before.get(c.label, 0)))
    ambiguous = [*words[:1], words[-1], Column("ambiguous words", "ambiguous")]
    unlisted = [*words[:1], words[-1], Column("not in dictionaries", "unlisted")]
    phi = [c for c in result.classes if c.unlisted is not None]
    tables = (
        Table.of("Words of each class (Table 1)", words, result.classes),
        Table.of("Words that are both PHI and non-PHI (Table 6)", ambiguous, result.classes),
        Table.of("PHI in no word list (Table 10)", unlisted, phi),
    )
    return "\n\n".join(table.to_text() for table in tables)


def _words(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text):
        word = fold(match[0])
        # Without initials, which would make every article "a" ambiguous.
        if len(word) > 1 or word.isdigit():
            yield word


def _class_words(label: str, words: Counter[str], both: frozenset[str]) -> ClassWords:
    return ClassWords(
        label,
        words.total(),
        sum(n for word, n in words.items() if word in both),
        None if label == NON_PHI else sum(n for word, n in words.items() if _is_unlisted(word)),
    )


def _is_unlisted(word: str) -> bool:
    return not any(c.isdigit() for c in word) and not is_listed(word.replace("'", ""))


def _rank(label: str) -> tuple[bool, int, str]:
    """Sort labels in the order of the paper, and others after them."""
    known = _IN_THE_PAPER.index(label) if label in _IN_THE_PAPER else len(_IN_THE_PAPER)
    return label != NON_PHI, known, label
