"""Recall of PHI that is in no word list (Sibanda & Uzuner 6.3, Table 13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from multideid.arrays import BoolArray
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.plan import Measured, all_names, measure
from multideid.eval.experiments.registry import AllSystems, experiment
from multideid.eval.experiments.result import Result, Source
from multideid.eval.experiments.setup import Setup
from multideid.eval.metrics.evaluation import all_labels
from multideid.knowledge.lexicons import LEXICON_NAMES, match_phrases
from multideid.tables import Column, Record, Table
from multideid.text.bio import encode_bio
from multideid.text.table import TokenTable

_CLASSES = (
    Column("corpus", "corpus"),
    Column("class", "label"),
    Column("PHI words", "words"),
    Column("in no list", "unlisted"),
)
_RECALLS = (
    Column("corpus", "corpus"),
    Column("system", "system"),
    Column("words", "words"),
    Column("R as PHI", "recall", ".4f"),
    Column("R as class", "class_recall", ".4f"),
    Column("spans", "spans"),
    Column("R strict", "span_recall", ".4f"),
)


@experiment("out-of-dictionary", topic="corpora", source="Sibanda & Uzuner, 6.3 and Table 13")
def out_of_dictionary(
    corpora: Sequence[Corpus], setup: Setup, *, systems: AllSystems = None
) -> Result:
    """Measure the recall of PHI words that are in no word list.

    Words are tokens made of letters. Dates, phone numbers and other numbers are
    in no word list by nature and do not count, as in the paper. Tokens are
    multideid's, whatever the setup's tokenization.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    systems : sequence of str, optional
        Default: the base systems, vote, Mega and Multi.

    Returns
    -------
    Result
        ``classes``: numbers of all and of unlisted words by class. ``recalls``,
        by system: unlisted words ``found`` as PHI of any class, and ``right``
        with their class; spans of unlisted words only, and those that are right.

    Notes
    -----
    The paper's Table 13 calls this recall the precision on only the PHI not
    found in dictionaries.
    """
    names, setup = all_names(setup, systems), replace(setup, tokenization="multideid")
    found = [_Unlisted(measured) for measured in measure(corpora, setup, names)]
    classes = [row for each in found for row in each.classes()]
    recalls = [each.recall(name) for each in found for name in names]
    caption = "Words of PHI in the test documents, and those in no word list"
    return Result(
        "out-of-dictionary",
        {"classes": classes, "recalls": recalls},
        [
            Table.of(caption, _CLASSES, classes, left=2),
            Table.of("Recall of PHI in no word list", _RECALLS, recalls, left=2),
        ],
        sources=tuple(Source.of(each.corpus, names, setup) for each in found),
        notes=tuple(note for each in found for note in each.notes()),
    )


class _Unlisted:
    """The words of PHI of one corpus's test documents that are in no word list."""

    def __init__(self, measured: Measured) -> None:
        self.corpus, self._predictions = measured.corpus, measured.predictions
        test = self.corpus.test
        self._labels = all_labels(test)
        self._tokens = TokenTable.from_documents(test)
        self._gold = (encode_bio(self._tokens, test, self._labels).ids + 1) // 2
        is_word = np.array([word.isalpha() for word in self._tokens.vocabulary], dtype=np.bool_)
        self._words = is_word[self._tokens.type]
        self._unlisted = self._words & ~_listed(self._tokens)
        self._spans = self._unlisted_spans()

    def classes(self) -> list[Record]:
        rows = []
        for code, label in enumerate(self._labels, 1):
            own = self._gold == code
            words, unlisted = int((own & self._words).sum()), int((own & self._unlisted).sum())
            rows.append(
                Record(corpus=self.corpus.name, label=label, words=words, unlisted=unlisted)
            )
        return rows

    def recall(self, name: str) -> Record:
        predicted = self._predictions[name]
        labels = all_labels(self.corpus.test, predicted)
        is_phi = encode_bio(self._tokens, predicted, labels).ids > 0
        same = (encode_bio(self._tokens, predicted, self._labels).ids + 1) // 2 == self._gold
        chosen = self._unlisted & (self._gold > 0)
        strict = {(d, *span) for d, document in enumerate(predicted) for span in document.spans}
        words, spans = int(chosen.sum()), len(self._spans)
        found, right = int((chosen & is_phi).sum()), int((chosen & same).sum())
        right_spans = len(self._spans & strict)
        return Record(
            corpus=self.corpus.name,
            system=name,
            words=words,
            found=found,
            right=right,
            recall=found / max(1, words),
            class_recall=right / max(1, words),
            spans=spans,
            right_spans=right_spans,
            span_recall=right_spans / max(1, spans),
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


def _listed(tokens: TokenTable) -> BoolArray:
    """Return which tokens are in an entry of any word list."""
    flags = [match_phrases(tokens, name) for name in LEXICON_NAMES]
    return np.asarray(np.logical_or.reduce(flags))
