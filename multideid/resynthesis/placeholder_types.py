"""Infer the labels of placeholders, from their wording, their context, or a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from multideid.document import Document, Span
from multideid.resynthesis.contexts import label_of_context
from multideid.resynthesis.placeholders import Placeholder, find_placeholders
from multideid.spans import overlapping


class Source(StrEnum):
    """The source of the label of a placeholder."""

    WORDING = "wording"
    CONTEXT = "context"
    MODEL = "model"
    UNKNOWN = "unknown"


class TypedPlaceholder(NamedTuple):
    """A placeholder and its label.

    Parameters
    ----------
    start, end : int
        Half-open character offsets.
    label : str or None
        None if unknown.
    source : Source
    """

    start: int
    end: int
    label: str | None
    source: Source


TypeFinder = Callable[[Sequence[Document]], list[list[TypedPlaceholder]]]
"""Infers the labels of the placeholders outside the spans of documents."""


@dataclass(frozen=True, slots=True)
class PlaceholderReport:
    """The placeholders of a corpus, with labels and their sources.

    Parameters
    ----------
    found : tuple of (str, TypedPlaceholder)
        Placeholders with the ids of their documents.
    """

    found: tuple[tuple[str, TypedPlaceholder], ...]

    @property
    def by_label(self) -> dict[str, Counter[str]]:
        """Number of placeholders by label and source, sorted by label."""
        counts: dict[str, Counter[str]] = {}
        for _, typed in self.found:
            if typed.label is not None:
                counts.setdefault(typed.label, Counter())[typed.source.value] += 1
        return dict(sorted(counts.items()))

    @property
    def left(self) -> int:
        """Number of placeholders of unknown type, which are left as they are."""
        return sum(typed.label is None for _, typed in self.found)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON values, without any text."""
        return {
            "by_label": {label: dict(counts) for label, counts in self.by_label.items()},
            "left": self.left,
            "each": [{"document": name, **typed._asdict()} for name, typed in self.found],
        }


def types_by_rules(documents: Sequence[Document]) -> list[list[TypedPlaceholder]]:
    """Infer labels from the wording of placeholders and by rules for their context.

    Labels are those of the thesis, or the label in the placeholder.
    """
    return [by_rules(document.text, unlabelled_placeholders(document)) for document in documents]


def by_rules(text: str, places: Iterable[Placeholder]) -> list[TypedPlaceholder]:
    """Infer the labels of the placeholders of a text, as `types_by_rules`."""
    found: list[TypedPlaceholder] = []
    for place in places:
        typed = _by_rules(text, place)
        # First and last name may be separate placeholders.
        if len(place.labels) > 1 and found and not text[found[-1].end : place.start].strip():
            same = found[-1].label
            typed = typed._replace(label=same) if same in place.labels else typed
        found.append(typed)
    return found


def _by_rules(text: str, place: Placeholder) -> TypedPlaceholder:
    if len(place.labels) == 1:
        return TypedPlaceholder(place.start, place.end, place.labels[0], Source.WORDING)
    label = label_of_context(text, place.start, place.end, place.labels)
    if label is not None:
        return TypedPlaceholder(place.start, place.end, label, Source.CONTEXT)
    if place.labels:
        return TypedPlaceholder(place.start, place.end, place.labels[0], Source.WORDING)
    return TypedPlaceholder(place.start, place.end, None, Source.UNKNOWN)


def unlabelled_placeholders(document: Document) -> list[Placeholder]:
    """Return the placeholders that overlap with no span of the document."""
    return [
        place
        for place in find_placeholders(document.text)
        if not overlapping(document.spans, place.start, place.end)
    ]


def annotated(
    documents: Sequence[Document], find_types: TypeFinder = types_by_rules
) -> tuple[list[Document], PlaceholderReport]:
    """Return the documents with a span for each placeholder of a known type.

    Parameters
    ----------
    documents : sequence of Document
        Placeholders that overlap with a span are ignored.
    find_types : callable, default `types_by_rules`

    Returns
    -------
    list of Document, PlaceholderReport
    """
    types = find_types(documents)
    pairs = zip(documents, types, strict=True)
    found = [document.with_spans([*document.spans, *_spans(typed)]) for document, typed in pairs]
    each = ((d.id, one) for d, typed in zip(documents, types, strict=True) for one in typed)
    return found, PlaceholderReport(tuple(each))


def _spans(typed: Iterable[TypedPlaceholder]) -> list[Span]:
    return [Span(t.start, t.end, t.label) for t in typed if t.label is not None]
