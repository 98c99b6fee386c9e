"""Ask a model trained on PHI what stood where a placeholder stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from multideid.document import Document, Span
from multideid.redact.redaction import rewrite
from multideid.resynthesis.placeholder_types import (
    ToldBy,
    Typed,
    by_rules,
    open_placeholders,
)
from multideid.resynthesis.placeholders import Placeholder

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
        places = [open_placeholders(document) for document in documents]
        blanks = [_blanks(*pair) for pair in zip(documents, places, strict=True)]
        told = iter(self._told_by_model(blanks) if any(places) else [])
        return [
            [self._typed(typed, next(told)) for typed in by_rules(document.text, found)]
            for document, found in zip(documents, places, strict=True)
        ]

    def _typed(self, by_rules: Typed, by_model: str | None) -> Typed:
        if by_rules.label in self._model.labels_:
            return by_rules
        told_by = ToldBy.NOTHING if by_model is None else ToldBy.MODEL
        return by_rules._replace(label=by_model, told_by=told_by)

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


def _blanks(document: Document, places: Sequence[Placeholder]) -> Document:
    """Return the document with its open placeholders for spans, and no others."""
    return document.with_spans(Span(p.start, p.end, _BLANK_LABEL) for p in places)


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
