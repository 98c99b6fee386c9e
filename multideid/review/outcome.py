"""What reviewers together say: agreement, differences, and the corpus that results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from multideid.arrays import LongArray
from multideid.document import Document, Span
from multideid.review.layers import ADJUDICATED
from multideid.review.store import Store
from multideid.spans import bounds, overlap_groups

Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of a note of which reviewers do not say the same.

    Parameters
    ----------
    start, end : int
        Half-open character offsets of the part.
    choices : dict of str to tuple of Span
        What each reviewer has there; may be nothing.
    """

    start: int
    end: int
    choices: dict[str, Spans]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two reviewers agree on the notes that both accepted.

    Parameters
    ----------
    reviewers : tuple of str
    notes : int
    notes_equal : int
        Notes in which all spans are the same.
    span_f1 : float
        Start, end and label equal; 1 if neither has a span.
    token_f1 : float
        PHI against the rest.
    kappa : float
        Cohen's, over the tokens and their labels; 1 where they cannot but agree.
    """

    reviewers: tuple[str, str]
    notes: int
    notes_equal: int
    span_f1: float
    token_f1: float
    kappa: float

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON values."""
        return {
            "reviewers": list(self.reviewers),
            "notes": self.notes,
            "notes_equal": self.notes_equal,
            "span_f1": self.span_f1,
            "token_f1": self.token_f1,
            "kappa": self.kappa,
        }


def reviewed(accepted: Mapping[str, Spans]) -> Spans | None:
    """Return what counts for a note: what was adjudicated, or what all reviewers have.

    Parameters
    ----------
    accepted : mapping of str to tuple of Span
        The accepted layers, as `Layers.accepted` returns them.

    Returns
    -------
    tuple of Span or None
        None if nobody accepted the note, or reviewers differ and nobody adjudicated.
    """
    if ADJUDICATED in accepted:
        return accepted[ADJUDICATED]
    different = set(accepted.values())
    return different.pop() if len(different) == 1 else None


def reviewed_documents(
    store: Store, reviewer: str | None = None, *, held_out: bool | None = None
) -> Iterator[Document]:
    """Yield the reviewed notes in the order of the queue, with the spans that count.

    Parameters
    ----------
    store : Store
    reviewer : str, optional
        Whose layer to take. Default: see `reviewed`.
    held_out : bool, optional
        Only the notes that are held out of training, or only the others.
    """
    accepted = store.layers.all_accepted()
    numbers = [number for number in store.numbers() if number in accepted]
    for note in store.notes(numbers):
        layers = accepted[note.number]
        spans = reviewed(layers) if reviewer is None else layers.get(reviewer)
        if spans is not None and held_out in (None, note.held_out):
            yield note.document.with_spans(spans)


def disputed(store: Store) -> list[int]:
    """Return the numbers of notes on which reviewers differ and nobody adjudicated."""
    accepted = store.layers.all_accepted()
    return [n for n in store.numbers() if n in accepted and reviewed(accepted[n]) is None]


def differences(accepted: Mapping[str, Spans]) -> list[Difference]:
    """Return the parts of a note in which reviewers differ, in order.

    Spans that overlap one another, of whomever, make one part.
    """
    layers = {name: spans for name, spans in accepted.items() if name != ADJUDICATED}
    everyones = sorted(span for spans in layers.values() for span in spans)
    parts = map(bounds, overlap_groups(everyones))
    found = [Difference(start, end, _within(layers, start, end)) for start, end in parts]
    return [part for part in found if len(set(part.choices.values())) > 1]


def _within(layers: Mapping[str, Spans], start: int, end: int) -> dict[str, Spans]:
    return {
        name: tuple(span for span in spans if start <= span.start < end)
        for name, spans in layers.items()
    }


def agreements(store: Store) -> list[Agreement]:
    """Return how far each two reviewers agree who accepted the same notes."""
    accepted = store.layers.all_accepted()
    names = [name for name in store.layers.names() if name != ADJUDICATED]
    found = []
    for pair in combinations(names, 2):
        numbers = [n for n, layers in accepted.items() if layers.keys() >= set(pair)]
        if numbers:
            notes = [note.document for note in store.notes(numbers)]
            found.append(_agreement(pair, notes, [accepted[n] for n in numbers]))
    return found


def _agreement(
    pair: tuple[str, str], notes: Sequence[Document], layers: Sequence[Mapping[str, Spans]]
) -> Agreement:
    from multideid.eval.metrics.span_metrics import count_spans
    from multideid.eval.metrics.token_metrics import count_tokens
    from multideid.eval.metrics.tokens import TokenView

    first, second = (
        [note.with_spans(found[name]) for note, found in zip(notes, layers, strict=True)]
        for name in pair
    )
    labels = sorted({span.label for note in (*first, *second) for span in note.spans})
    spans = count_spans(first, second, labels).micro()
    tokens = count_tokens(TokenView.from_documents(first), first, second, labels)
    equal = sum(a.spans == b.spans for a, b in zip(first, second, strict=True))
    none = not labels
    return Agreement(
        pair,
        len(notes),
        equal,
        1.0 if none else spans.f1,
        1.0 if none else tokens.two_way().f1,
        kappa(tokens.counts),
    )


def kappa(counts: LongArray) -> float:
    """Return Cohen's kappa of a square table of counts; 1 where all is of one class."""
    total = counts.sum()
    if not total:
        return 1.0
    expected = float(counts.sum(axis=0) @ counts.sum(axis=1)) / float(total) ** 2
    if np.isclose(expected, 1.0):
        return 1.0
    return float((np.trace(counts) / total - expected) / (1 - expected))
