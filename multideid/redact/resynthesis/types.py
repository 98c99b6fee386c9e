"""What stood where a placeholder stands: told by itself, by its context, or by a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from multideid.document import Document, Span
from multideid.redact.resynthesis.contexts import label_of_context
from multideid.redact.resynthesis.placeholders import Placeholder, find_placeholders


class ToldBy(StrEnum):
    """What told the type of a placeholder."""

    ITSELF = "itself"
    CONTEXT = "context"
    MODEL = "model"
    NOTHING = "nothing"


class Typed(NamedTuple):
    """A placeholder and its type.

    Parameters
    ----------
    start, end : int
        Half-open character offsets.
    label : str or None
        None if nothing tells.
    told_by : ToldBy
    """

    start: int
    end: int
    label: str | None
    told_by: ToldBy


TypeFinder = Callable[[Sequence[Document]], list[list[Typed]]]
"""Tells the types of the placeholders outside the spans of documents."""


@dataclass(frozen=True, slots=True)
class PlaceholderCounts:
    """How many placeholders there were, and what told their types.

    Parameters
    ----------
    by_label : dict of str to Counter
        For each label how many were told by what.
    left : int
        Those that nothing told of, which stay as they are.
    """

    by_label: dict[str, Counter[str]] = field(default_factory=dict)
    left: int = 0

    @property
    def total(self) -> int:
        """All placeholders."""
        return self.left + sum(counts.total() for counts in self.by_label.values())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "by_label": {label: dict(counts) for label, counts in sorted(self.by_label.items())},
            "left": self.left,
        }


def types_by_rules(documents: Sequence[Document]) -> list[list[Typed]]:
    """Tell the types by the placeholders' own wording and by rules for their context.

    Labels are those of the thesis, or what the placeholder names itself.
    """
    return [
        [type_by_rules(document.text, place) for place in open_placeholders(document)]
        for document in documents
    ]


def type_by_rules(text: str, place: Placeholder) -> Typed:
    """Tell the type of one placeholder, as `types_by_rules`."""
    if len(place.labels) == 1:
        return Typed(place.start, place.end, place.labels[0], ToldBy.ITSELF)
    label = label_of_context(text, place.start, place.end, place.labels)
    if label is not None:
        return Typed(place.start, place.end, label, ToldBy.CONTEXT)
    if place.labels:
        return Typed(place.start, place.end, place.labels[0], ToldBy.ITSELF)
    return Typed(place.start, place.end, None, ToldBy.NOTHING)


def open_placeholders(document: Document) -> list[Placeholder]:
    """Return the placeholders that no span of the document touches."""
    return [
        place
        for place in find_placeholders(document.text)
        if not any(s.start < place.end and place.start < s.end for s in document.spans)
    ]


def annotated(
    documents: Sequence[Document], find_types: TypeFinder = types_by_rules
) -> tuple[list[Document], PlaceholderCounts]:
    """Return the documents with a span for each placeholder whose type can be told.

    Parameters
    ----------
    documents : sequence of Document
        Placeholders that a span touches are left to it.
    find_types : callable, default `types_by_rules`

    Returns
    -------
    list of Document, PlaceholderCounts
    """
    types = find_types(documents)
    pairs = zip(documents, types, strict=True)
    found = [document.with_spans([*document.spans, *_spans(typed)]) for document, typed in pairs]
    return found, _counts(one for typed in types for one in typed)


def _spans(typed: Iterable[Typed]) -> list[Span]:
    return [Span(t.start, t.end, t.label) for t in typed if t.label is not None]


def _counts(typed: Iterable[Typed]) -> PlaceholderCounts:
    by_label: dict[str, Counter[str]] = {}
    left = 0
    for one in typed:
        if one.label is None:
            left += 1
        else:
            by_label.setdefault(one.label, Counter())[one.told_by.value] += 1
    return PlaceholderCounts(by_label, left)
