"""Ask a model trained on PHI what stood where a placeholder stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from multideid.document import Document, Span
from multideid.redact.redaction import rewrite
from multideid.redact.resynthesis.placeholder_types import (
    ToldBy,
    Typed,
    open_placeholders,
    type_by_rules,
)
from multideid.redact.resynthesis.placeholders import Placeholder

BLANK = "[REMOVED]"
"""What all placeholders look like to the model when it is asked first."""

# Names and numbers that nobody knows, in the forms of PHI: what the model takes each
# for tells of the context, in so far as it does not take it for the same anywhere.
_FILLERS = (
    "Xqvbedt", "Ymfgk Xqvbedt", "Xqvbedt Hospital", "March", "3/14", "48213", "617-555-0134", "97",
)  # fmt: skip
_BLANK_LABEL = "BLANK"
_WEIGHT_OF_NOTHING = 5
_SUREST_CHANCE = 0.3


class Model(Protocol):
    """A trained de-identifier, as `multideid.load` gives."""

    @property
    def labels_(self) -> tuple[str, ...]:
        """The labels that it knows."""

    def predict(self, documents: Iterable[Document], /) -> list[Document]:
        """Return the documents with the spans that it finds."""


class ModelTypes:
    """Tells the types of placeholders with a model; a `TypeFinder`.

    First come a placeholder's own wording and the rules for English contexts,
    as far as they give labels of the model. Then the model is asked what
    ``[REMOVED]`` is there, which one trained on such text knows
    (`blanked`). Last, it is asked with PHI of several forms in the place of
    all placeholders: the label that it gives oftener here than elsewhere in the
    corpus is taken.

    Parameters
    ----------
    model : Model
        Fitted.
    """

    def __init__(self, model: Model) -> None:
        self._model = model

    def __call__(self, documents: Sequence[Document]) -> list[list[Typed]]:
        """Return the types of the placeholders outside the spans of each document.

        Raises
        ------
        DocumentError
            If the model fails on a document.
        """
        blanks = [self._blanks(document) for document in documents]
        told = iter(self._told_by_model(blanks) if any(d.spans for d in blanks) else [])
        return [
            [self._typed(document.text, place, next(told)) for place in open_placeholders(document)]
            for document in documents
        ]

    def _typed(self, text: str, place: Placeholder, by_model: str | None) -> Typed:
        by_rules = type_by_rules(text, place)
        if by_rules.label in self._model.labels_:
            return by_rules
        told_by = ToldBy.NOTHING if by_model is None else ToldBy.MODEL
        return Typed(place.start, place.end, by_model, told_by)

    def _blanks(self, document: Document) -> Document:
        """Return the document with the placeholders for spans, and no others."""
        places = open_placeholders(document)
        return document.with_spans(Span(p.start, p.end, _BLANK_LABEL) for p in places)

    def _told_by_model(self, blanks: Sequence[Document]) -> list[str | None]:
        known = self._labels_with(BLANK, blanks)
        if None not in known:
            return known
        guessed = _oftener_here([self._labels_with(filler, blanks) for filler in _FILLERS])
        return [
            guess if label is None else label for label, guess in zip(known, guessed, strict=True)
        ]

    def _labels_with(self, filler: str, blanks: Sequence[Document]) -> list[str | None]:
        """Return the label that the model gives each placeholder if `filler` stands there."""
        filled = [rewrite(document, lambda document, span: filler) for document in blanks]
        found = self._model.predict(document.with_spans([]) for document in filled)
        return [
            next(
                (s.label for s in answer.spans if s.start < place.end and place.start < s.end), None
            )
            for document, answer in zip(filled, found, strict=True)
            for place in document.spans
        ]


def blanked(document: Document) -> Document:
    """Return a document with ``[REMOVED]`` under the label of each span.

    A model that is trained on such documents learns to tell by the context alone.
    """
    return rewrite(document, lambda document, span: BLANK)


def _oftener_here(answers: Sequence[Sequence[str | None]]) -> list[str | None]:
    """Return for each placeholder the label with the most answers above their usual share.

    Parameters
    ----------
    answers : sequence of sequence of str or None
        For each filler the label of each placeholder.
    """
    usual = [_shares(labels) for labels in answers]
    return [_best(list(zip(here, usual, strict=True))) for here in zip(*answers, strict=True)]


def _shares(labels: Sequence[str | None]) -> Mapping[str | None, float]:
    return {label: n / (len(labels) + _WEIGHT_OF_NOTHING) for label, n in Counter(labels).items()}


def _best(answers: Sequence[tuple[str | None, Mapping[str | None, float]]]) -> str | None:
    gains: dict[str, float] = {}
    for label in sorted({label for label, _ in answers if label is not None}):
        gain = sum((given == label) - usual.get(label, 0.0) for given, usual in answers)
        if gain > _SUREST_CHANCE:
            gains[label] = gain
    return max(gains, key=lambda label: gains[label], default=None)
