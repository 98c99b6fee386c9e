"""Recall of PHI that no word list holds (Sibanda & Uzuner 6.3, Table 13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from multideid.arrays import BoolArray
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.fits import Setup
from multideid.eval.experiments.measured import Measured, everything, measure
from multideid.eval.experiments.results import Source, document_text
from multideid.eval.metrics.evaluation import all_labels
from multideid.eval.reports.text_cells import figure, section
from multideid.knowledge.lexicons import LEXICON_NAMES, match_phrases
from multideid.tables import text_table
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable


@dataclass(frozen=True, slots=True)
class UnlistedClass:
    """How much PHI of a class is in no word list.

    Parameters
    ----------
    corpus, label : str
    words, unlisted : int
        Gold words of the test documents: tokens made of letters.
    """

    corpus: str
    label: str
    words: int
    unlisted: int


@dataclass(frozen=True, slots=True)
class UnlistedRecall:
    """How much one system finds of the PHI in no word list.

    Parameters
    ----------
    corpus, system : str
    words : int
        Gold words in no word list.
    found : int
        Of these, how many are found as PHI of any class.
    right : int
        Of these, how many are given their class.
    spans, right_spans : int
        Gold spans whose words are all in no word list, and how many of them
        are found with start, end and label.
    per_class : dict of str to float
        Share of each class's words that are found as PHI of any class.
    """

    corpus: str
    system: str
    words: int
    found: int
    right: int
    spans: int
    right_spans: int
    per_class: dict[str, float]

    @property
    def recall(self) -> float:
        """Share of the words found as PHI; 0.0 if there are none."""
        return self.found / self.words if self.words else 0.0

    @property
    def class_recall(self) -> float:
        """Share of the words that are given their class."""
        return self.right / self.words if self.words else 0.0

    @property
    def span_recall(self) -> float:
        """Share of the spans found, strict."""
        return self.right_spans / self.spans if self.spans else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "corpus": self.corpus,
            "system": self.system,
            "words": self.words,
            "found": self.found,
            "right": self.right,
            "recall": self.recall,
            "class_recall": self.class_recall,
            "spans": self.spans,
            "right_spans": self.right_spans,
            "span_recall": self.span_recall,
            "per_class": self.per_class,
        }


@dataclass(frozen=True, slots=True)
class OutOfDictionary:
    """Recall of PHI in no word list.

    Parameters
    ----------
    classes : tuple of UnlistedClass
    recalls : tuple of UnlistedRecall
    sources : tuple of Source
    notes : tuple of str
    """

    classes: tuple[UnlistedClass, ...]
    recalls: tuple[UnlistedRecall, ...]
    sources: tuple[Source, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "experiment": "out-of-dictionary",
            "classes": [
                {"corpus": c.corpus, "label": c.label, "words": c.words, "unlisted": c.unlisted}
                for c in self.classes
            ],
            "recalls": [recall.to_dict() for recall in self.recalls],
            "sources": [source.to_dict() for source in self.sources],
            "notes": list(self.notes),
        }

    def to_text(self) -> str:
        """Return both tables, the notes and the signatures."""
        distribution = text_table(
            ["corpus", "class", "PHI words", "in no list"],
            [[c.corpus, c.label, str(c.words), str(c.unlisted)] for c in self.classes],
            left=2,
        )
        header = ["corpus", "system", "words", "R as PHI", "R as class", "spans", "R strict"]
        recalls = text_table(header, list(map(_row, self.recalls)), left=2)
        sections = [
            section("Words of PHI in the test documents, and those in no word list", distribution),
            section("Recall of PHI in no word list", recalls),
        ]
        return document_text(sections, self.notes, self.sources)


def out_of_dictionary(
    corpora: Sequence[Corpus], setup: Setup, *, systems: Sequence[str] | None = None
) -> OutOfDictionary:
    """Measure the recall of PHI words that no word list of multideid's holds.

    Words are tokens made of letters: dates, phone numbers and other figures
    are in no word list by their nature and do not count, as in the paper.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
        Its tokenization is not asked: tokens are multideid's.
    systems : sequence of str, optional
        Default: the base systems, vote, Mega and Multi.

    Notes
    -----
    Sibanda & Uzuner 2006, 6.3: what their Table 13 calls precision on only
    the PHI not found in dictionaries is the share of it that is recognised.
    """
    names, setup = everything(setup, systems), replace(setup, tokenization="multideid")
    found = [_Unlisted(measured) for measured in measure(corpora, setup, names)]
    return OutOfDictionary(
        classes=tuple(row for each in found for row in each.classes()),
        recalls=tuple(each.recall(name) for each in found for name in names),
        sources=tuple(Source.of(each.corpus, names, setup) for each in found),
        notes=tuple(note for each in found for note in each.notes()),
    )


class _Unlisted:
    """The words of PHI of one corpus's test documents that no word list holds."""

    def __init__(self, measured: Measured) -> None:
        self.corpus, self._predictions = measured.corpus, measured.predictions
        test = self.corpus.test
        self._labels = all_labels(test)
        self._tokens = TokenTable.from_documents(test)
        self._gold = (encode_bio(self._tokens, test, self._labels).ids + 1) // 2
        is_word = np.array([word.isalpha() for word in self._tokens.vocabulary], dtype=np.bool_)
        self._words = is_word[self._tokens.type]
        self._unlisted = self._words & ~listed(self._tokens)
        self._spans = self._unlisted_spans()

    def classes(self) -> list[UnlistedClass]:
        rows = []
        for code, label in enumerate(self._labels, 1):
            own = self._gold == code
            counts = (own & self._words).sum(), (own & self._unlisted).sum()
            rows.append(UnlistedClass(self.corpus.name, label, *map(int, counts)))
        return rows

    def recall(self, name: str) -> UnlistedRecall:
        predicted = self._predictions[name]
        everywhere = all_labels(self.corpus.test, predicted)
        is_phi = encode_bio(self._tokens, predicted, everywhere).ids > 0
        same = (encode_bio(self._tokens, predicted, self._labels).ids + 1) // 2 == self._gold
        chosen = self._unlisted & (self._gold > 0)
        strict = {(d, *span) for d, document in enumerate(predicted) for span in document.spans}
        return UnlistedRecall(
            corpus=self.corpus.name,
            system=name,
            words=int(chosen.sum()),
            found=int((chosen & is_phi).sum()),
            right=int((chosen & same).sum()),
            spans=len(self._spans),
            right_spans=len(self._spans & strict),
            per_class=self._per_class(chosen, is_phi),
        )

    def notes(self) -> list[str]:
        notes = list(self.corpus.notes())
        if not (self._unlisted & (self._gold > 0)).any():
            notes.append(
                f"{self.corpus.name}: every word of PHI is in some word list, so that all "
                "recalls are 0"
            )
        return notes

    def _per_class(self, chosen: BoolArray, is_phi: BoolArray) -> dict[str, float]:
        own = ((label, chosen & (self._gold == k)) for k, label in enumerate(self._labels, 1))
        return {label: float(is_phi[rows].mean()) for label, rows in own if rows.any()}

    def _unlisted_spans(self) -> set[tuple[int, int, int, str]]:
        found = set()
        for d, document in enumerate(self.corpus.test):
            rows = slice(self._tokens.first[d], self._tokens.first[d + 1])
            starts, ends = self._tokens.start[rows], self._tokens.end[rows]
            words, unlisted = self._words[rows], self._unlisted[rows]
            for span in document.spans:
                inside = words & (ends > span.start) & (starts < span.end)
                if inside.any() and unlisted[inside].all():
                    found.add((d, *span))
        return found


def listed(tokens: TokenTable) -> BoolArray:
    """Tell which tokens stand in an entry of any word list.

    Returns
    -------
    bool array, shape (n_tokens,)
    """
    flags = [match_phrases(tokens, name) for name in LEXICON_NAMES]
    return np.asarray(np.logical_or.reduce(flags))


def _row(recall: UnlistedRecall) -> list[str]:
    return [
        recall.corpus,
        recall.system,
        str(recall.words),
        figure(recall.recall),
        figure(recall.class_recall),
        str(recall.spans),
        figure(recall.span_recall),
    ]
