"""What stood where a placeholder stands: told by itself, by its context, or by a model."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from multideid.document import Document, Span
from multideid.resynthesis.contexts import label_of_context
from multideid.resynthesis.placeholders import Placeholder, find_placeholders


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
class PlaceholderReport:
    """The placeholders of a corpus, and what told their types.

    Parameters
    ----------
    found : tuple of (str, Typed)
        Each with the id of its document.
    """

    found: tuple[tuple[str, Typed], ...]

    @property
    def by_label(self) -> dict[str, Counter[str]]:
        """How many of each label were told by what, sorted by label."""
        counts: dict[str, Counter[str]] = {}
        for _, typed in self.found:
            if typed.label is not None:
                counts.setdefault(typed.label, Counter())[typed.told_by.value] += 1
        return dict(sorted(counts.items()))

    @property
    def left(self) -> int:
        """How many nothing told of; these stay as they are."""
        return sum(typed.label is None for _, typed in self.found)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values; it holds no text."""
        return {
            "by_label": {label: dict(counts) for label, counts in self.by_label.items()},
            "left": self.left,
            "each": [{"document": name, **typed._asdict()} for name, typed in self.found],
        }


def types_by_rules(documents: Sequence[Document]) -> list[list[Typed]]:
    """Tell the types by the placeholders' own wording and by rules for their context.

    Labels are those of the thesis, or what the placeholder names itself.
    """
    return [by_rules(document.text, open_placeholders(document)) for document in documents]


def by_rules(text: str, places: Iterable[Placeholder]) -> list[Typed]:
    """Tell the types of a text's placeholders, as `types_by_rules`."""
    found: list[Typed] = []
    for place in places:
        typed = _by_rules(text, place)
        # First and last name may have a placeholder each.
        if len(place.labels) > 1 and found and not text[found[-1].end : place.start].strip():
            same = found[-1].label
            typed = typed._replace(label=same) if same in place.labels else typed
        found.append(typed)
    return found


def _by_rules(text: str, place: Placeholder) -> Typed:
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
    ends = [span.end for span in document.spans]
    starts = [*(span.start for span in document.spans), len(document.text)]
    return [
        place
        for place in find_placeholders(document.text)
        if starts[bisect_right(ends, place.start)] >= place.end
    ]


def annotated(
    documents: Sequence[Document], find_types: TypeFinder = types_by_rules
) -> tuple[list[Document], PlaceholderReport]:
    """Return the documents with a span for each placeholder whose type can be told.

    Parameters
    ----------
    documents : sequence of Document
        Placeholders that a span touches are left to it.
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


def _spans(typed: Iterable[Typed]) -> list[Span]:
    return [Span(t.start, t.end, t.label) for t in typed if t.label is not None]
