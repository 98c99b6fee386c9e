"""A review whose model has seen doctors only, of notes that have ids too."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from multideid.document import Document, Span
from multideid.review import Proposal, Store
from multideid.review.reading import MODEL
from multideid.stacking import SingleDeidentifier

NAMES = "Lee Alder Birch Cedar Elm Fir Hazel Larch Maple Oak Pine Rowan Sorrel Thorn Yew".split()


def note(n: int, *, ids: bool = True) -> Document:
    """Return a note with a doctor and an id, and the spans of what is annotated."""
    name, number = NAMES[n % len(NAMES)], f"B-{1000 + 37 * n}"
    text = f"Seen by Dr. {name} at noon.\nBadge: {number}\nStable.\n"
    doctor = Span(text.index(name), text.index(name) + len(name), "DOCTOR")
    start = text.index(number)
    badge = (Span(start, start + len(number), "ID"),) if ids else ()
    return Document(f"n{n:02}", text, (doctor, *badge))


@cache
def _model() -> SingleDeidentifier:
    learned = [note(n, ids=n == 0) for n in range(8)]
    return SingleDeidentifier("mist", {"epochs": 3}).fit(learned)


def tiny_review(folder: Path, notes: int = 10) -> Store:
    """Make a review of notes that the model has read."""
    _model().save(folder / "model")
    store = Store.create(folder / "notes.review", ["DOCTOR", "ID"])
    store.set_fact(MODEL, str(folder / "model"))
    store.add([note(n).with_spans([]) for n in range(10, 10 + notes)])
    found = [note(n, ids=False) for n in range(10, 10 + notes)]
    store.propose(
        (number, Proposal(document.spans, (None,)))
        for number, document in zip(store.numbers(), found, strict=True)
    )
    return store
