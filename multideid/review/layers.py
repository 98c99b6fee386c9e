"""Layers: the spans of a note as one reviewer sees them, and every decision that led there."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from multideid.document import Document, Span
from multideid.errors import DocumentError, MultideidError, UsageError
from multideid.review.database import Database

ADJUDICATED = "adjudication"
"""The layer in which differences between reviewers are settled."""
_DONE, _UNDONE, _DROPPED = "done", "undone", "dropped"


class StaleLayerError(MultideidError):
    """The layer has changed since it was read, as by another window of the same reviewer."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The spans of a note as one reviewer sees them.

    Parameters
    ----------
    name : str
        Of the reviewer, or `ADJUDICATED`.
    version : int
        Changes with every decision; not above 0 as long as the reviewer has made none, and
        then changes with what the layer begins with.
    accepted : bool
        Whether the reviewer says that the spans are right.
    spans : tuple of Span
    can_undo, can_redo : bool
    """

    name: str
    version: int
    accepted: bool
    spans: tuple[Span, ...]
    can_undo: bool = False
    can_redo: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What one decision does.

    Parameters
    ----------
    removed, added : collection of Span
    accepted : bool, optional
        Default: spans that change are no longer accepted; otherwise it stays.
    """

    removed: Collection[Span] = ()
    added: Collection[Span] = ()
    accepted: bool | None = None


class Layers:
    """The layers of all notes and reviewers.

    A layer begins with what the model proposed, or with what all reviewers agree on if it
    is that of `ADJUDICATED`.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, note: int, name: str) -> Layer:
        """Return a reviewer's layer of a note.

        Raises
        ------
        UsageError
            If there is no note of this number, or fewer than two reviewers have accepted a
            note that is to be adjudicated.
        """
        rows = self._database.read("SELECT * FROM layers WHERE note = ? AND name = ?", note, name)
        if not rows:
            return self._beginning(note, name)
        (row,) = rows
        spans = spans_from_json(row["spans"])
        steps = (self._has(note, name, _DONE), self._has(note, name, _UNDONE))
        return Layer(name, row["version"], bool(row["accepted"]), spans, *steps)

    def _has(self, note: int, name: str, state: str) -> bool:
        query = "SELECT 1 FROM decisions WHERE note = ? AND layer = ? AND state = ? LIMIT 1"
        return bool(self._database.read(query, note, name, state))

    def change(
        self,
        note: int,
        name: str,
        change: Change,
        *,
        version: int | None = None,
        reviewer: str | None = None,
    ) -> Layer:
        """Make a decision, and return the layer when it is on disk.

        Parameters
        ----------
        note : int
        name : str
            Of the layer.
        change : Change
        version : int, optional
            That of the layer on which the decision is based. Default: the present one.
        reviewer : str, optional
            Who decides. Default: the name of the layer.

        Raises
        ------
        StaleLayerError
            If the layer has another version.
        DocumentError
            If a removed span is not there, or an added one is empty, outside the text, or
            overlaps another. Nothing is changed then.
        """
        with self._database.write() as connection:
            before = self._at_version(note, name, version)
            spans = self._changed(note, before, change)
            # A span that is there already is not added, and stays if the decision is undone.
            removed, added = _missing(before.spans, spans), _missing(spans, before.spans)
            accepted = change.accepted
            if accepted is None:
                accepted = before.accepted and not (removed or added)
            connection.execute(
                "UPDATE decisions SET state = ? WHERE note = ? AND layer = ? AND state = ?",
                (_DROPPED, note, name, _UNDONE),
            )
            values = (note, name, reviewer or name, datetime.now(UTC).isoformat())
            flags = (int(before.accepted), int(accepted), _DONE)
            difference = spans_to_json(removed), spans_to_json(added)
            connection.execute(_DECIDE, (*values, *difference, *flags))
            after = Layer(name, _next(before), accepted, spans, can_undo=True)
            _put(connection, note, after)
        return after

    def accept(self, note: int, name: str, **named: Any) -> Layer:
        """Say that the spans are right; otherwise as `change`."""
        return self.change(note, name, Change(accepted=True), **named)

    def undo(self, note: int, name: str, *, version: int | None = None) -> Layer:
        """Take the last decision back, and return the layer; without decisions it stays.

        Raises
        ------
        StaleLayerError
            If the layer has another version.
        """
        return self._replay(note, name, version, back=True)

    def redo(self, note: int, name: str, *, version: int | None = None) -> Layer:
        """Repeat the decision that was last taken back; otherwise as `undo`."""
        return self._replay(note, name, version, back=False)

    def names(self) -> list[str]:
        """Return the names of all layers."""
        rows = self._database.read("SELECT DISTINCT name FROM layers ORDER BY name")
        return [row["name"] for row in rows]

    def accepted(self, note: int) -> dict[str, tuple[Span, ...]]:
        """Return the spans of each layer of a note that is accepted, by its name."""
        rows = self._database.read(
            "SELECT name, spans FROM layers WHERE note = ? AND accepted ORDER BY name", note
        )
        return {row["name"]: spans_from_json(row["spans"]) for row in rows}

    def begun(self) -> set[int]:
        """Return the numbers of the notes that anybody began."""
        return {row["note"] for row in self._database.read("SELECT DISTINCT note FROM layers")}

    def states(self, name: str) -> dict[int, bool]:
        """Return, for each note that a reviewer began, whether it is accepted."""
        rows = self._database.read("SELECT note, accepted FROM layers WHERE name = ?", name)
        return {row["note"]: bool(row["accepted"]) for row in rows}

    def all_accepted(self) -> dict[int, dict[str, tuple[Span, ...]]]:
        """Return `accepted` of every note that has an accepted layer."""
        found: dict[int, dict[str, tuple[Span, ...]]] = {}
        query = "SELECT note, name, spans FROM layers WHERE accepted ORDER BY note, name"
        for row in self._database.read(query):
            found.setdefault(row["note"], {})[row["name"]] = spans_from_json(row["spans"])
        return found

    def decisions(self, note: int | None = None) -> list[dict[str, Any]]:
        """Return every decision ever made, in order, those taken back too."""
        where, values = ("", ()) if note is None else ("WHERE note = ?", (note,))
        rows = self._database.read(f"SELECT * FROM decisions {where} ORDER BY number", *values)
        kept = ("note", "layer", "reviewer", "at", "state")
        return [
            {key: row[key] for key in kept}
            | {"removed": spans_from_json(row["removed"]), "added": spans_from_json(row["added"])}
            | {"accepted": bool(row["is_accepted"])}
            for row in rows
        ]

    def _beginning(self, note: int, name: str) -> Layer:
        rows = self._database.read("SELECT proposed, round FROM notes WHERE number = ?", note)
        if not rows:
            raise UsageError(f"there is no note number {note}")
        if name != ADJUDICATED:
            spans = spans_from_json(rows[0]["proposed"] or "[]")
            return Layer(name, -rows[0]["round"], False, spans)
        accepted = self.accepted(note)
        if len(accepted) < 2:
            raise UsageError(
                f"note number {note} cannot be adjudicated: two reviewers must have accepted it"
            )
        query = "SELECT COALESCE(SUM(version), 0) FROM layers WHERE note = ?"
        ((versions,),) = self._database.read(query, note)
        return Layer(name, -versions, False, agreed_spans(accepted.values()))

    def _at_version(self, note: int, name: str, version: int | None) -> Layer:
        layer = self.get(note, name)
        if version is not None and version != layer.version:
            raise StaleLayerError(
                f"the note has changed elsewhere: version {layer.version}, not {version}"
            )
        return layer

    def _changed(self, note: int, layer: Layer, change: Change) -> tuple[Span, ...]:
        (row,) = self._database.read("SELECT id, text FROM notes WHERE number = ?", note)
        spans = set(layer.spans)
        for span in change.removed:
            if span not in spans:
                problem = f"there is no span {span.start}-{span.end} {span.label} to remove"
                raise DocumentError(row["id"], problem)
            spans.remove(span)
        spans.update(change.added)
        return Document(row["id"], row["text"], tuple(sorted(spans))).spans

    def _replay(self, note: int, name: str, version: int | None, back: bool) -> Layer:
        state, order = (_DONE, "DESC") if back else (_UNDONE, "ASC")
        query = (
            "SELECT * FROM decisions WHERE note = ? AND layer = ? AND state = ? "
            f"ORDER BY number {order} LIMIT 1"
        )
        with self._database.write() as connection:
            layer = self._at_version(note, name, version)
            rows = self._database.read(query, note, name, state)
            for row in rows:
                removed, added = spans_from_json(row["removed"]), spans_from_json(row["added"])
                spans = {*layer.spans} - {*(added if back else removed)}
                spans.update(removed if back else added)
                accepted = bool(row["was_accepted" if back else "is_accepted"])
                new = _UNDONE if back else _DONE
                connection.execute(
                    "UPDATE decisions SET state = ? WHERE number = ?", (new, row["number"])
                )
                steps = (self._has(note, name, _DONE), self._has(note, name, _UNDONE))
                layer = Layer(name, _next(layer), accepted, tuple(sorted(spans)), *steps)
                _put(connection, note, layer)
        return layer


_DECIDE = """
INSERT INTO decisions
    (note, layer, reviewer, at, removed, added, was_accepted, is_accepted, state)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def agreed_spans(layers: Iterable[Iterable[Span]]) -> tuple[Span, ...]:
    """Return the spans that all layers have."""
    sets = [set(spans) for spans in layers]
    return tuple(sorted(set.intersection(*sets))) if sets else ()


def spans_to_json(spans: Iterable[Span]) -> str:
    """Return spans as JSON."""
    return json.dumps([list(span) for span in spans])


def spans_from_json(text: str) -> tuple[Span, ...]:
    """Return the spans of `spans_to_json`."""
    return tuple(Span(*values) for values in json.loads(text))


def _missing(spans: Iterable[Span], others: Iterable[Span]) -> list[Span]:
    """Return the spans that are not among others."""
    return sorted(set(spans).difference(others))


def _next(layer: Layer) -> int:
    return max(layer.version, 0) + 1


def _put(connection: sqlite3.Connection, note: int, layer: Layer) -> None:
    connection.execute(
        "REPLACE INTO layers (note, name, version, accepted, spans) VALUES (?, ?, ?, ?, ?)",
        (note, layer.name, layer.version, int(layer.accepted), spans_to_json(layer.spans)),
    )
