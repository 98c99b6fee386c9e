"""Scores on ambiguous words only, which occur both as PHI and as non-PHI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import numpy as np

from multideid.arrays import BoolArray, LongArray
from multideid.document import Document
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.plan import Measured, all_names, measure
from multideid.eval.experiments.registry import AllSystems, Option, experiment
from multideid.eval.experiments.result import Result, Source
from multideid.eval.experiments.setup import Setup
from multideid.eval.metrics.evaluation import all_labels
from multideid.eval.metrics.token_metrics import NON_PHI, ConfusionMatrix
from multideid.eval.metrics.tokens import TokenView
from multideid.eval.reports.cells import prf_columns
from multideid.features.views import factorize
from multideid.labels import NAME_KINDS, surrogate_kind
from multideid.tables import Column, Record, Table

_CLASSES = (
    Column("corpus", "corpus"),
    Column("class", "label"),
    Column("tokens", "tokens"),
    Column("ambiguous", "ambiguous"),
)
_SCORES = (
    Column("corpus", "corpus"),
    Column("system", "system"),
    *prf_columns("PHI", "phi"),
    *prf_columns(NON_PHI, "non_phi"),
)


@experiment("ambiguity", topic="corpora", source="Sibanda & Uzuner, 6.2 and Tables 7 to 9")
def ambiguity(
    corpora: Sequence[Corpus],
    setup: Setup,
    *,
    systems: AllSystems = None,
    names: Annotated[
        bool, Option("Only names of people, places and organisations, as the paper's Table 9.")
    ] = False,
) -> Result:
    """Score systems on ambiguous words only.

    A word is ambiguous if the gold of the corpus, training and test documents,
    has it both as PHI and as non-PHI. Case is ignored, and punctuation does not
    count as a word. With names alone, PHI of other classes is left out, and predicting
    it counts as no PHI.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    systems : sequence of str, optional
        Default: the base systems, vote, Mega and Multi.
    names : bool
        Whether to look at names of people, places and organisations alone.

    Returns
    -------
    Result
        ``classes``: numbers of all and of ambiguous test tokens by class.
        ``scores``: scores by system, and the confusion matrix.
    """
    chosen = all_names(setup, systems)
    found = [_Ambiguous(measured, setup, names) for measured in measure(corpora, setup, chosen)]
    classes = [row for each in found for row in each.classes()]
    scores = [each.score(name) for each in found for name in chosen]
    return Result(
        "ambiguity",
        {"classes": classes, "scores": scores},
        [
            Table.of("Test tokens, all and ambiguous", _CLASSES, classes, left=2),
            Table.of("Scores on ambiguous tokens only", _SCORES, scores, left=2),
        ],
        sources=tuple(Source.of(each.corpus, chosen, setup) for each in found),
        notes=tuple(note for each in found for note in each.notes()),
    )


class _Ambiguous:
    """The ambiguous tokens of one corpus's test documents."""

    def __init__(self, measured: Measured, setup: Setup, names: bool) -> None:
        self.corpus, self._predictions = measured.corpus, measured.predictions
        train, test = self.corpus.train, self.corpus.test
        every = all_labels(train, test, *self._predictions.values())
        self._labels = tuple(filter(_is_name, every)) if names else tuple(every)
        self._view = TokenView.from_documents(test, setup.tokenization)
        self._gold = self._view.codes(test, self._labels)
        learned = TokenView.from_documents(train, setup.tokenization)
        words = np.array([*_words(self._view, test), *_words(learned, train)], dtype=object)
        is_phi = np.concatenate([self._gold, learned.codes(train, self._labels)]) > 0
        other = [self._view.codes(test, every), learned.codes(train, every)]
        # Neither names nor outside PHI: dates and numbers.
        words[(np.concatenate(other) > 0) & ~is_phi] = ""
        self._chosen = _ambiguous(words.tolist(), is_phi)[: len(self._view)]

    def classes(self) -> list[Record]:
        sizes, chosen = self._counts(self._gold), self._counts(self._gold[self._chosen])
        return [
            Record(corpus=self.corpus.name, label=label, tokens=n, ambiguous=k)
            for label, n, k in zip((NON_PHI, *self._labels), sizes, chosen, strict=True)
        ]

    def score(self, name: str) -> Record:
        predicted = self._view.codes(self._predictions[name], self._labels)
        codes = self._gold[self._chosen], predicted[self._chosen]
        matrix = ConfusionMatrix.from_codes(*codes, self._labels)
        return Record(
            corpus=self.corpus.name,
            system=name,
            phi=matrix.two_way(),
            non_phi=matrix.non_phi(),
            matrix=matrix,
        )

    def notes(self) -> list[str]:
        notes = list(self.corpus.notes())
        if not self._chosen.any():
            notes.append(f"{self.corpus.name}: no word is ambiguous, so that all scores are 0")
        return notes

    def _counts(self, codes: LongArray) -> list[int]:
        counts: list[int] = np.bincount(codes, minlength=len(self._labels) + 1).tolist()
        return counts


def _is_name(label: str) -> bool:
    return surrogate_kind(label) in NAME_KINDS


def _words(view: TokenView, documents: Sequence[Document]) -> Iterator[str]:
    """Yield the case-folded word of every token, "" without a letter or digit."""
    text = "".join(document.text for document in documents)
    for start, end in zip(view.start.tolist(), view.end.tolist(), strict=True):
        word = text[start:end].casefold()
        yield word if any(map(str.isalnum, word)) else ""


def _ambiguous(words: Sequence[str], is_phi: BoolArray) -> BoolArray:
    """Return which words occur both as PHI and as non-PHI."""
    codes, names = factorize(words)
    occurs = [np.bincount(codes[rows], minlength=len(names)) > 0 for rows in (is_phi, ~is_phi)]
    is_word = np.array([name != "" for name in names], dtype=np.bool_)
    return np.asarray((occurs[0] & occurs[1] & is_word)[codes])
