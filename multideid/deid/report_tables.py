"""The tables of a report as a page: replaced spans by label, system and note."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

_UNSURE = 0.5

Row = dict[str, Any]
"""A span as `multideid.deid.report_records.Report` writes it."""
Rows = list[list[Any]]


class Column(NamedTuple):
    """A column of a table; `kind` is as in ``tables.js``, and `choose` gives it a filter."""

    name: str
    kind: str = "text"
    choose: bool = False


_SPANS = (
    Column("note"),
    Column("start", "count"),
    Column("end", "count"),
    Column("label", choose=True),
    Column("score", "score", choose=True),
    Column("systems", "names", choose=True),
)
_SCORES = (Column("lowest score", "score"), Column("mean score", "score"))


class Table(NamedTuple):
    """A table of the page.

    Parameters
    ----------
    name : str
        Its id, and the name of its CSV file.
    title, lead : str
    columns : tuple of Column
    sort : (str, bool)
        The column to sort by at first, and whether from the highest.
    """

    name: str
    title: str
    lead: str
    columns: tuple[Column, ...]
    sort: tuple[str, bool]

    def head(self) -> dict[str, Any]:
        """Return all but the rows, as ``tables.js`` reads it."""
        first, descending = self.sort
        return {
            "name": self.name,
            "title": self.title,
            "columns": [column._asdict() for column in self.columns],
            "sort": [[column.name for column in self.columns].index(first), descending],
        }


_LABELS = Table(
    "labels",
    "By label",
    "How many spans of each label were replaced, in how many notes, and how sure the model was.",
    (Column("label"), Column("spans", "count"), Column("notes", "count"), *_SCORES,
     Column("mean votes", "score")),
    ("spans", True),
)  # fmt: skip
_SYSTEMS = Table(
    "systems",
    "By system",
    "A system votes for a span to which it gives the same label by itself. A site's lists and "
    "patients vote too, under names such as deny-list. Alone: nothing else voted for the span.",
    (Column("system"), Column("spans", "count"), Column("share", "score"),
     Column("alone", "count")),
    ("spans", True),
)  # fmt: skip
_NOTES = Table(
    "notes",
    "By note",
    "Notes in which nothing was replaced are listed too.",
    (Column("note"), Column("spans", "count"), Column("labels", "names", choose=True), *_SCORES),
    ("lowest score", False),
)
_LIST = (
    "The lowest scores first. A score is the probability that the span is PHI; certain finds of a "
    "site's lists or of fields have 1 or none. PHI that was missed is not here."
)


def spans_table(show_phi: bool) -> Table:
    """Return the list of spans, with their text if asked."""
    columns = (*_SPANS, Column("text")) if show_phi else _SPANS
    return Table("spans", "Spans", _LIST, columns, ("score", False))


@dataclass
class Figures:
    """Counts of a group of spans."""

    spans: int = 0
    notes: int = 0
    votes: int = 0
    scores: int = 0
    total: float = 0.0
    lowest: float | None = None

    def add(self, rows: Iterable[Row]) -> None:
        """Count the spans of a note."""
        self.notes += 1
        for row in rows:
            self.spans += 1
            self.votes += len(row["systems"])
            if (score := row["score"]) is not None:
                self.scores += 1
                self.total += score
                self.lowest = score if self.lowest is None else min(self.lowest, score)

    @property
    def mean(self) -> float | None:
        """The mean score."""
        return self.total / self.scores if self.scores else None


@dataclass
class Totals:
    """The counts in the tables of the page, but for the list of spans."""

    all: Figures = field(default_factory=Figures)
    labels: defaultdict[str, Figures] = field(default_factory=lambda: defaultdict(Figures))
    votes: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)
    notes: Rows = field(default_factory=list)
    unsure: int = 0

    def copy(self) -> Totals:
        """Return a copy that shares the list of notes, which may be long."""
        return deepcopy(self, {id(self.notes): self.notes})

    def add(self, name: str, rows: Sequence[Row]) -> None:
        """Count the spans of a note."""
        self.all.add(rows)
        by_label: defaultdict[str, list[Row]] = defaultdict(list)
        for row in rows:
            by_label[row["label"]].append(row)
            self.votes.update(row["systems"])
            if len(row["systems"]) == 1:
                self.alone.update(row["systems"])
            self.unsure += row["score"] is not None and row["score"] < _UNSURE
        for label, own in by_label.items():
            self.labels[label].add(own)
        note = Figures()
        note.add(rows)
        self.notes.append([name, note.spans, sorted(by_label), note.lowest, note.mean])

    def tables(self) -> Iterator[tuple[Table, Rows]]:
        """Yield the tables with their rows."""
        yield _LABELS, [
            [label, own.spans, own.notes, own.lowest, own.mean, own.votes / own.spans]
            for label, own in sorted(self.labels.items())
        ]  # fmt: skip
        votes = sorted(self.votes.items())
        yield _SYSTEMS, [[s, n, n / self.all.spans, self.alone[s]] for s, n in votes]
        yield _NOTES, self.notes

    def figures(self) -> Iterator[tuple[str, str, str]]:
        """Yield the key figures: name, figure and detail."""
        empty = sum(not note[1] for note in self.notes)
        yield "Notes", f"{self.all.notes:,}", f"{empty:,} without PHI"
        yield "Replaced spans", f"{self.all.spans:,}", f"{len(self.labels)} labels"
        if self.all.scores:
            share = self.unsure / self.all.scores
            yield "Scores below 0.5", f"{self.unsure:,}", f"{share:.1%} of the scored spans"
