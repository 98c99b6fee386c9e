"""Scores on words alone that are PHI here and no PHI there (Sibanda & Uzuner 6.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multideid.arrays import BoolArray, LongArray
from multideid.document import Document
from multideid.eval.experiments.corpora import Corpus
from multideid.eval.experiments.fits import Setup
from multideid.eval.experiments.measured import Measured, everything, measure
from multideid.eval.experiments.results import Source, document_text
from multideid.eval.metrics.evaluation import all_labels
from multideid.eval.metrics.scores import Score
from multideid.eval.metrics.token_metrics import NON_PHI, ConfusionMatrix
from multideid.eval.metrics.tokens import TokenView
from multideid.eval.reports.text_cells import figure, section
from multideid.features.views import factorize
from multideid.tables import text_table


@dataclass(frozen=True, slots=True)
class AmbiguousClass:
    """How many tokens of a class are ambiguous: a row of Sibanda & Uzuner's distribution.

    Parameters
    ----------
    corpus, label : str
    tokens, ambiguous : int
        Of the test documents.
    """

    corpus: str
    label: str
    tokens: int
    ambiguous: int


@dataclass(frozen=True, slots=True)
class AmbiguityScore:
    """One system on the ambiguous tokens.

    Parameters
    ----------
    corpus, system : str
    matrix : ConfusionMatrix
        Of the ambiguous tokens alone.
    """

    corpus: str
    system: str
    matrix: ConfusionMatrix

    @property
    def phi(self) -> Score:
        """PHI, whatever the class."""
        return self.matrix.two_way()

    @property
    def non_phi(self) -> Score:
        """All that is no PHI."""
        return self.matrix.non_phi()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {"corpus": self.corpus, "system": self.system, **self.matrix.to_dict()}


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Scores on ambiguous tokens.

    Parameters
    ----------
    classes : tuple of AmbiguousClass
    scores : tuple of AmbiguityScore
    sources : tuple of Source
    notes : tuple of str
    """

    classes: tuple[AmbiguousClass, ...]
    scores: tuple[AmbiguityScore, ...]
    sources: tuple[Source, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "experiment": "ambiguity",
            "classes": [
                {"corpus": c.corpus, "label": c.label, "tokens": c.tokens, "ambiguous": c.ambiguous}
                for c in self.classes
            ],
            "scores": [score.to_dict() for score in self.scores],
            "sources": [source.to_dict() for source in self.sources],
            "notes": list(self.notes),
        }

    def to_text(self) -> str:
        """Return both tables, the notes and the signatures."""
        distribution = text_table(
            ["corpus", "class", "tokens", "ambiguous"],
            [[c.corpus, c.label, str(c.tokens), str(c.ambiguous)] for c in self.classes],
            left=2,
        )
        header = ["corpus", "system", *(f"PHI {x}" for x in ("P", "R", "F1"))]
        header += [f"{NON_PHI} {x}" for x in ("P", "R", "F1")]
        sections = [
            section("Test tokens, and how many are ambiguous", distribution),
            section(
                "Ambiguous tokens alone", text_table(header, list(map(_row, self.scores)), left=2)
            ),
        ]
        return document_text(sections, self.notes, self.sources)


def ambiguity(
    corpora: Sequence[Corpus], setup: Setup, *, systems: Sequence[str] | None = None
) -> Ambiguity:
    """Score systems on the tokens whose word is PHI in one place and no PHI in another.

    A word counts as ambiguous if the gold of the corpus, its training and test
    documents, has it both as PHI and as no PHI; capitals make no difference,
    and marks are no words.

    Parameters
    ----------
    corpora : sequence of Corpus
    setup : Setup
    systems : sequence of str, optional
        Default: the base systems, vote, Mega and Multi.

    Notes
    -----
    Sibanda & Uzuner 2006, 6.2: the distribution of ambiguous words, and the
    evaluation only on them.
    """
    names = everything(setup, systems)
    found = [_Ambiguous(measured, setup) for measured in measure(corpora, setup, names)]
    return Ambiguity(
        classes=tuple(row for each in found for row in each.classes()),
        scores=tuple(each.score(name) for each in found for name in names),
        sources=tuple(Source.of(each.corpus, names, setup) for each in found),
        notes=tuple(note for each in found for note in each.notes()),
    )


class _Ambiguous:
    """The ambiguous tokens of one corpus's test documents."""

    def __init__(self, measured: Measured, setup: Setup) -> None:
        self.corpus, self._predictions = measured.corpus, measured.predictions
        train, test = self.corpus.train, self.corpus.test
        self._labels = all_labels(train, test, *self._predictions.values())
        self._view = TokenView.from_documents(test, setup.tokenization)
        self._gold = self._view.codes(test, self._labels)
        learned = TokenView.from_documents(train, setup.tokenization)
        words = [*_words(self._view, test), *_words(learned, train)]
        is_phi = np.concatenate([self._gold, learned.codes(train, self._labels)]) > 0
        self._chosen = _both(words, is_phi)[: len(self._view)]

    def classes(self) -> list[AmbiguousClass]:
        sizes, chosen = self._counts(self._gold), self._counts(self._gold[self._chosen])
        rows = zip((NON_PHI, *self._labels), sizes, chosen, strict=True)
        return [AmbiguousClass(self.corpus.name, *row) for row in rows]

    def score(self, name: str) -> AmbiguityScore:
        predicted = self._view.codes(self._predictions[name], self._labels)
        codes = self._gold[self._chosen], predicted[self._chosen]
        return AmbiguityScore(
            self.corpus.name, name, ConfusionMatrix.from_codes(*codes, self._labels)
        )

    def notes(self) -> list[str]:
        notes = list(self.corpus.notes())
        if not self._chosen.any():
            notes.append(f"{self.corpus.name}: no word is ambiguous, so that all scores are 0")
        return notes

    def _counts(self, codes: LongArray) -> list[int]:
        counts: list[int] = np.bincount(codes, minlength=len(self._labels) + 1).tolist()
        return counts


def _words(view: TokenView, documents: Sequence[Document]) -> Iterator[str]:
    """Yield every token's word without capitals, "" for what holds no letter or digit."""
    text = "".join(document.text for document in documents)
    for start, end in zip(view.start.tolist(), view.end.tolist(), strict=True):
        word = text[start:end].casefold()
        yield word if any(map(str.isalnum, word)) else ""


def _both(words: Sequence[str], is_phi: BoolArray) -> BoolArray:
    """Tell which words occur both as PHI and as no PHI."""
    codes, names = factorize(words)
    there = [np.bincount(codes[rows], minlength=len(names)) > 0 for rows in (is_phi, ~is_phi)]
    is_word = np.array([name != "" for name in names], dtype=np.bool_)
    return np.asarray((there[0] & there[1] & is_word)[codes])


def _row(score: AmbiguityScore) -> list[str]:
    figures = [x for s in (score.phi, score.non_phi) for x in (s.precision, s.recall, s.f1)]
    return [score.corpus, score.system, *map(figure, figures)]
