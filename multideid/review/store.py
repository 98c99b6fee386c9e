"""A review on disk: notes, what was proposed for them, and the reviewers' decisions."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Self

from multideid.document import Document
from multideid.errors import DocumentError, UsageError
from multideid.review.database import Database
from multideid.review.jobs import Jobs
from multideid.review.layers import Layers, spans_to_json
from multideid.review.notes import (
    Note,
    Proposal,
    QueueRow,
    evidence_to_json,
    meta_to_json,
    note_of_row,
    proposal_of_row,
)

HELD_OUT_SHARE = 5
"""One note of so many is held out of training, to measure with."""
_PORTION = 200


class Store:
    """A review in one file, in which every finished call is on disk.

    Threads can share a store, and processes the file.

    Parameters
    ----------
    path : Path or str
        A file that `create` made.

    Attributes
    ----------
    layers : Layers
        What each reviewer decided.
    jobs : Jobs
        Work in the background.

    Raises
    ------
    UsageError
        If the file is no review.

    Examples
    --------
    >>> store = Store.create(tmp_path / "notes.review", ["NAME"])  # doctest: +SKIP
    >>> store.add([Document("n1", "Seen by Lee.")])  # doctest: +SKIP
    1
    """

    def __init__(self, path: Path | str) -> None:
        self._database = Database(Path(path))
        self.layers = Layers(self._database)
        self.jobs = Jobs(self._database)
        self._seed = self.fact("seed")

    @classmethod
    def create(cls, path: Path | str, labels: Iterable[str] = ()) -> Self:
        """Make an empty review.

        Parameters
        ----------
        path : Path or str
            A new file; only its owner will be able to read it.
        labels : iterable of str
            The labels that reviewers can give, in the order in which they are offered.

        Raises
        ------
        UsageError
            If the file exists or cannot be written.
        """
        database = Database.create(Path(path))
        with database.write() as connection:
            # Otherwise whoever knows the ids could tell which notes are measured.
            seed = json.dumps(secrets.token_hex(8))
            connection.execute("INSERT INTO facts VALUES ('seed', ?)", (seed,))
        database.close()
        store = cls(path)
        store.add_labels(labels)
        return store

    @property
    def path(self) -> Path:
        """The file."""
        return self._database.path

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def fact(self, name: str) -> Any:
        """Return a fact about the review that `set_fact` kept; None if there is none."""
        rows = self._database.read("SELECT value FROM facts WHERE name = ?", name)
        return json.loads(rows[0]["value"]) if rows else None

    def set_fact(self, name: str, value: Any) -> None:
        """Keep a fact about the review, of plain JSON values."""
        with self._database.write() as connection:
            connection.execute("REPLACE INTO facts VALUES (?, ?)", (name, json.dumps(value)))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that reviewers can give."""
        return tuple(self.fact("labels") or ())

    def add_labels(self, labels: Iterable[str]) -> None:
        """Offer more labels."""
        self.set_fact("labels", [*dict.fromkeys((*self.labels, *labels))])

    def add(self, documents: Iterable[Document]) -> int:
        """Add notes at the end of the queue; those that are there stay as they are.

        One note of every five is chosen to be held out of training, at random.

        Parameters
        ----------
        documents : iterable of Document
            Their spans are not used; see `propose`.

        Returns
        -------
        int
            The number of notes that are new.

        Raises
        ------
        DocumentError
            If a text is another than that of the note with the same id, or has half a
            character (a lone surrogate). No note is added then.
        """
        before, added = len(self.numbers()), 0
        with self._database.write() as connection:
            (place,) = connection.execute("SELECT COALESCE(MAX(place), 0) FROM notes").fetchone()
            for document in documents:
                _check_text(document)
                if self._is_known(document):
                    continue
                held_out = self._is_held_out(before + added)
                added += 1
                connection.execute(
                    "INSERT INTO notes (id, text, meta, place, held_out) VALUES (?, ?, ?, ?, ?)",
                    (document.id, document.text, meta_to_json(document), place + added, held_out),
                )
        return added

    def _is_known(self, document: Document) -> bool:
        rows = self._database.read("SELECT text FROM notes WHERE id = ?", document.id)
        if rows and rows[0]["text"] != document.text:
            problem = "its text is another than that of the note under review"
            raise DocumentError(document.id, problem)
        return bool(rows)

    def _is_held_out(self, n: int) -> bool:
        # One of each five notes in the order in which they came, so that whoever
        # reviews the first few has reviewed some to measure with.
        block, place = divmod(n, HELD_OUT_SHARE)
        return Random(f"{self._seed} {block}").randrange(HELD_OUT_SHARE) == place

    def propose(self, proposals: Iterable[tuple[int, Proposal]]) -> None:
        """Keep what a model proposes for notes; layers that have begun stay as they are.

        Parameters
        ----------
        proposals : iterable of (int, Proposal)
            With the numbers of the notes.

        Raises
        ------
        DocumentError
            If a span is not one of the note.
        """
        with self._database.write() as connection:
            for number, proposal in proposals:
                self.note(number).document.with_spans(proposal.spans)
                spans, evidence = spans_to_json(proposal.spans), evidence_to_json(proposal)
                connection.execute(_PROPOSE, (spans, evidence, proposal.problem, number))

    def forget_proposals(self) -> None:
        """Forget what was proposed for notes that nobody began: another model reads them."""
        with self._database.write() as connection:
            connection.execute(_FORGET)

    def note(self, number: int) -> Note:
        """Return a note.

        Raises
        ------
        UsageError
            If there is none of this number.
        """
        rows = self._database.read("SELECT * FROM notes WHERE number = ?", number)
        if not rows:
            raise UsageError(f"there is no note number {number}")
        return note_of_row(rows[0])

    def numbers(self) -> list[int]:
        """Return the numbers of all notes, in the order of the queue."""
        return [row[0] for row in self._database.read(f"SELECT number FROM notes {_IN_ORDER}")]

    def queue(self) -> list[QueueRow]:
        """Return all notes, in the order of the queue, without their texts."""
        query = "SELECT number, id, proposed IS NOT NULL, problem IS NOT NULL FROM notes"
        rows = self._database.read(f"{query} {_IN_ORDER}")
        return [QueueRow(row[0], row[1], bool(row[2]), bool(row[3])) for row in rows]

    def notes(self, numbers: Sequence[int] | None = None) -> Iterator[Note]:
        """Yield notes, by default all in the order of the queue."""
        chosen = self.numbers() if numbers is None else numbers
        yield from map(note_of_row, self._rows("*", chosen))

    def _rows(self, columns: str, numbers: Sequence[int]) -> Iterator[Any]:
        """Yield the rows of notes in this order, a portion at a time."""
        for start in range(0, len(numbers), _PORTION):
            portion = numbers[start : start + _PORTION]
            query = f"SELECT {columns} FROM notes WHERE number IN ({','.join('?' * len(portion))})"
            found = {row["number"]: row for row in self._database.read(query, *portion)}
            yield from (found[number] for number in portion)

    def proposals(self, numbers: Sequence[int]) -> Iterator[tuple[int, Proposal | None]]:
        """Yield what was proposed for notes, without their texts."""
        for row in self._rows("number, proposed, evidence, problem", numbers):
            yield row["number"], proposal_of_row(row)

    def lengths(self) -> dict[int, int]:
        """Return the number of characters of each note."""
        rows = self._database.read("SELECT number, LENGTH(text) AS length FROM notes")
        return {row["number"]: row["length"] for row in rows}

    def held_out(self) -> set[int]:
        """Return the numbers of the notes that are held out of training."""
        rows = self._database.read("SELECT number FROM notes WHERE held_out")
        return {row["number"] for row in rows}

    def without_proposal(self) -> list[int]:
        """Return the numbers of notes that no model has read, in the order of the queue."""
        query = f"SELECT number FROM notes WHERE proposed IS NULL {_IN_ORDER}"
        return [row[0] for row in self._database.read(query)]

    def arrange(self, numbers: Sequence[int]) -> None:
        """Put notes first in the queue, in this order; the others follow as they were."""
        with self._database.write() as connection:
            (first,) = connection.execute("SELECT COALESCE(MIN(place), 0) FROM notes").fetchone()
            places = ((first - len(numbers) + n, number) for n, number in enumerate(numbers))
            connection.executemany("UPDATE notes SET place = ? WHERE number = ?", places)

    def search(self, wanted: str) -> list[int]:
        """Return the numbers of notes whose id or text has a string, in any case of letters."""
        needle = wanted.casefold()
        rows = self._rows("number, id, text", self.numbers())
        return [
            row["number"]
            for row in rows
            if needle in row["id"].casefold() or needle in row["text"].casefold()
        ]


_IN_ORDER = "ORDER BY place, number"
_FORGET = """
UPDATE notes SET proposed = NULL, evidence = NULL, problem = NULL
WHERE number NOT IN (SELECT note FROM layers)
"""
_PROPOSE = """
UPDATE notes SET proposed = ?, evidence = ?, problem = ?, round = round + 1 WHERE number = ?
"""


def _check_text(document: Document) -> None:
    try:
        document.text.encode("utf-8")
        document.id.encode("utf-8")
    except UnicodeEncodeError as error:
        problem = f"the lone surrogate at offset {error.start} is no character"
        raise DocumentError(document.id, problem) from None
