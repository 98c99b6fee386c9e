"""Requests and responses of the desk; offsets count Unicode characters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from multideid.document import Span
from multideid.review.layers import Layer
from multideid.review.notes import Note
from multideid.review.outcome import Difference, differences
from multideid.review.reading import MODEL
from multideid.review.store import Store
from multideid.text.tokenizer import tokenize

Offset = Annotated[int, Field(ge=0, strict=True)]
SpanValues = tuple[Offset, Offset, Annotated[str, Field(min_length=1, max_length=200)]]


class Step(BaseModel):
    """One step back or forth in the decisions about a note."""

    model_config = ConfigDict(extra="forbid")

    adjudication: bool = False
    version: int


class Decision(Step):
    """What a reviewer decides about a note."""

    removed: list[SpanValues] = []
    added: list[SpanValues] = []
    accepted: bool | None = None


class Search(BaseModel):
    """A string to look for."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=1000)]


def layer_values(layer: Layer) -> dict[str, Any]:
    """Return a layer as plain JSON values."""
    return {**_state(layer), "spans": _lists(layer.spans)}


def change_values(before: Layer, after: Layer) -> dict[str, Any]:
    """Return what has changed in a layer as plain JSON values; a note can have many spans."""
    old, new = set(before.spans), set(after.spans)
    removed, added = _lists(sorted(old - new)), _lists(sorted(new - old))
    return {**_state(after), "removed": removed, "added": added}


def _state(layer: Layer) -> dict[str, Any]:
    return {
        "version": layer.version,
        "accepted": layer.accepted,
        "can_undo": layer.can_undo,
        "can_redo": layer.can_redo,
    }


def note_values(store: Store, note: Note, name: str) -> dict[str, Any]:
    """Return a note, and a layer of it, as plain JSON values."""
    text, proposal = note.document.text, note.proposal
    others = store.layers.accepted(note.number)
    return {
        "number": note.number,
        "id": note.document.id,
        "text": text,
        "tokens": _steps(tokenize(text)),
        "read": proposal is not None or store.fact(MODEL) is None,
        "problem": proposal and proposal.problem,
        "proposed": _lists(proposal.spans) if proposal else [],
        "scores": proposal.scores if proposal else [],
        "systems": {name: _lists(s) for name, s in proposal.systems.items()} if proposal else {},
        "margins": proposal.margins if proposal else {},
        "differences": [_difference(part) for part in differences(others)],
        "layer": layer_values(store.layers.get(note.number, name)),
    }


def _steps(offsets: Iterable[tuple[int, int]]) -> list[int]:
    """Return the tokens as distances, which are half as long: gap, length, gap, length."""
    steps, done = [], 0
    for start, end in offsets:
        steps += [start - done, end - start]
        done = end
    return steps


def _lists(spans: Iterable[Span]) -> list[list[Any]]:
    return [list(span) for span in spans]


def _difference(part: Difference) -> dict[str, Any]:
    choices = {name: _lists(spans) for name, spans in part.choices.items()}
    return {"start": part.start, "end": part.end, "choices": choices}
