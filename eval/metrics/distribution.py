"""How many words of each class a corpus has, and how hard they are to tell by looking them up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from multideid.document import Document
from multideid.eval.metrics.token_metrics import NON_PHI
from multideid.redact.spelling import fold
from multideid.resynthesis.segments import stretches
from multideid.resynthesis.unlisted import is_listed
from multideid.tables import text_table

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
        All of them.
    ambiguous : int
        Those that the corpus has both as PHI and as no PHI.
    unlisted : int or None
        Those made of letters that no word list has; None for what is no PHI.
    """

    label: str
    words: int
    ambiguous: int
    unlisted: int | None


@dataclass(frozen=True, slots=True)
class Distribution:
    """The words of a corpus by class, what is no PHI first.

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

    Words are runs of letters, and dates and numbers as far as they go without
    blanks. Single letters are none. Case and accents make no difference. Word
    lists are those of `multideid.knowledge.lexicons`; dates and numbers, which no
    list can have, do not count as missing there.

    Parameters
    ----------
    documents : iterable of Document
        With their gold spans.

    Returns
    -------
    Distribution
        What their Tables 1, 6 and 10 tell of a corpus.
    """
    counts: dict[str, Counter[str]] = {NON_PHI: Counter()}
    for document in documents:
        for label, text in stretches(document):
            words = counts.setdefault(label or NON_PHI, Counter())
            words.update(_words(text))
    phi = frozenset(word for label in counts.keys() - {NON_PHI} for word in counts[label])
    both = phi & counts[NON_PHI].keys()
    labels = sorted(counts, key=_rank)
    return Distribution(tuple(_class_words(label, counts[label], both) for label in labels))


def format_distribution(result: Distribution, original: Distribution | None = None) -> str:
    """Lay the counts out as Tables 1, 6 and 10 of Sibanda & Uzuner (2006).

    Parameters
    ----------
    result : Distribution
    original : Distribution, optional
        Of the corpus that it was made of; stands beside in the first table.
    """
    before = {} if original is None else {c.label: c.words for c in original.classes}
    words = [
        [c.label, *([str(before.get(c.label, 0))] if original else []), str(c.words)]
        for c in result.classes
    ]
    header = ["class", *(["words before"] if original else []), "words"]
    ambiguous = [[c.label, str(c.words), str(c.ambiguous)] for c in result.classes]
    unlisted = [
        [c.label, str(c.words), str(c.unlisted)] for c in result.classes if c.unlisted is not None
    ]
    return "\n\n".join(
        [
            f"Words of each class (Table 1)\n{text_table(header, words)}",
            "Words that are PHI here and no PHI there (Table 6)\n"
            + text_table(["class", "words", "ambiguous words"], ambiguous),
            "PHI in no word list (Table 10)\n"
            + text_table(["class", "words", "not in dictionaries"], unlisted),
        ]
    )


def _words(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text):
        word = fold(match[0])
        # An initial is no word, or every article "a" would be ambiguous.
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
    """Put labels in the order of the paper, and others after them."""
    known = _IN_THE_PAPER.index(label) if label in _IN_THE_PAPER else len(_IN_THE_PAPER)
    return label != NON_PHI, known, label
