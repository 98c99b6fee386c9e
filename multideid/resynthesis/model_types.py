"""Predict the labels of placeholders with a trained model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from multideid.document import Document, Span
from multideid.redact.redaction import rewrite
from multideid.resynthesis.placeholder_types import (
    Source,
    TypedPlaceholder,
    by_rules,
    unlabelled_placeholders,
)
from multideid.resynthesis.placeholders import Placeholder
from multideid.spans import overlapping

BLANK = "[REMOVED]"
"""The common form of all placeholders in the first prediction."""

# Unknown names and numbers in the forms of PHI. The label that the model predicts for
# them depends on the context, after correction for its usual label for the filler.
_FILLERS = (
    "Xqvbedt", "Ymfgk Xqvbedt", "Xqvbedt Hospital", "March", "3/14", "48213", "617-555-0134", "97",
)  # fmt: skip
_BLANK_LABEL = "BLANK"
_PRIOR_WEIGHT = 5
_MIN_GAIN = 0.3


class Model(Protocol):
    """A trained de-identifier, as returned by `multideid.load`."""

    @property
    def labels_(self) -> tuple[str, ...]:
        """The PHI labels of the model."""

    def predict(self, documents: Iterable[Document], /) -> list[Document]:
        """Return the documents with predicted spans."""


class ModelTypes:
    """Infers the labels of placeholders with a model; a `TypeFinder`.

    The wording of a placeholder and the rules for English contexts come first, if
    they give a label of the model. Next is the label that the model predicts for
    ``[REMOVED]``, if it was trained on such text (`blanked`). Otherwise, all
    placeholders are filled with PHI of several forms, and the label is used that
    the model predicts more often here than in the rest of the corpus.

    Parameters
    ----------
    model : Model
        A fitted model.
    """

    def __init__(self, model: Model) -> None:
        self._model = model

    def __call__(self, documents: Sequence[Document]) -> list[list[TypedPlaceholder]]:
        """Return the labels of the placeholders outside the spans of each document.

        Raises
        ------
        DocumentError
            If the model fails on a document.
        """
        places = [unlabelled_placeholders(document) for document in documents]
        blanks = [_blanks(*pair) for pair in zip(documents, places, strict=True)]
        predicted = iter(self._predicted(blanks) if any(places) else [])
        return [
            [self._typed(typed, next(predicted)) for typed in by_rules(document.text, found)]
            for document, found in zip(documents, places, strict=True)
        ]

    def _typed(self, by_rules: TypedPlaceholder, by_model: str | None) -> TypedPlaceholder:
        if by_rules.label in self._model.labels_:
            return by_rules
        source = Source.UNKNOWN if by_model is None else Source.MODEL
        return by_rules._replace(label=by_model, source=source)

    def _predicted(self, blanks: Sequence[Document]) -> list[str | None]:
        known = self._labels_with(BLANK, blanks)
        if None not in known:
            return known
        guessed = _best_labels([self._labels_with(filler, blanks) for filler in _FILLERS])
        return [
            guess if label is None else label for label, guess in zip(known, guessed, strict=True)
        ]

    def _labels_with(self, filler: str, blanks: Sequence[Document]) -> list[str | None]:
        """Return the label that the model predicts for each placeholder, filled with `filler`."""
        filled = [rewrite(document, lambda document, span: filler) for document in blanks]
        found = self._model.predict(document.with_spans([]) for document in filled)
        return [
            next((s.label for s in overlapping(answer.spans, place.start, place.end)), None)
            for document, answer in zip(filled, found, strict=True)
            for place in document.spans
        ]


def _blanks(document: Document, places: Sequence[Placeholder]) -> Document:
    """Return the document with its unlabelled placeholders as its only spans."""
    return document.with_spans(Span(p.start, p.end, _BLANK_LABEL) for p in places)


def blanked(document: Document) -> Document:
    """Return a document with each span replaced by ``[REMOVED]``.

    A model trained on such documents learns to label PHI by the context alone.
    """
    return rewrite(document, lambda document, span: BLANK)


def _best_labels(answers: Sequence[Sequence[str | None]]) -> list[str | None]:
    """Return the label with the greatest gain for each placeholder.

    The gain of a label is the sum over fillers of ``[predicted = label] - p(label |
    filler)``, where p is estimated from all placeholders of the corpus.

    Parameters
    ----------
    answers : sequence of sequence of str or None
        The predicted label of each placeholder, for each filler.
    """
    usual = [_shares(labels) for labels in answers]
    return [_best(list(zip(here, usual, strict=True))) for here in zip(*answers, strict=True)]


def _shares(labels: Sequence[str | None]) -> Mapping[str | None, float]:
    return {label: n / (len(labels) + _PRIOR_WEIGHT) for label, n in Counter(labels).items()}


def _best(answers: Sequence[tuple[str | None, Mapping[str | None, float]]]) -> str | None:
    gains: dict[str, float] = {}
    for label in sorted({label for label, _ in answers if label is not None}):
        gain = sum((given == label) - usual.get(label, 0.0) for given, usual in answers)
        if gain > _MIN_GAIN:
            gains[label] = gain
    return max(gains, key=lambda label: gains[label], default=None)
