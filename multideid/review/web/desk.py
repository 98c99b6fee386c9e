"""What the routes of the desk share."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from multideid import __version__
from multideid.errors import UsageError
from multideid.review.layers import ADJUDICATED
from multideid.review.outcome import disputed
from multideid.review.reading import MODEL, WANTED
from multideid.review.store import Store


@dataclass(frozen=True)
class Desk:
    """A review, and who may work on it.

    Parameters
    ----------
    store : Store
    reviewers : dict of str to str
        The names of the reviewers by their tokens.
    """

    store: Store
    reviewers: dict[str, str] = field(repr=False)

    @classmethod
    def of(cls, store: Store, names: Iterable[str]) -> Desk:
        """Give each reviewer a token.

        Raises
        ------
        UsageError
            If a name is empty, repeated, or that of the adjudicated layer.
        """
        listed = list(names)
        for name in listed:
            if not name.strip() or not name.isprintable() or name == ADJUDICATED:
                raise UsageError(f"{name!r} cannot be the name of a reviewer")
        if len(set(listed)) < len(listed):
            raise UsageError("a reviewer is named twice")
        return cls(store, {secrets.token_urlsafe(24): name for name in listed})

    def reviewer(self, authorization: str) -> str:
        """Return who sent a request; the guard has checked the token."""
        return self.reviewers[authorization.removeprefix("Bearer ")]

    def describe(self, reviewer: str) -> dict[str, Any]:
        """Return what a page must know, as plain JSON values."""
        store = self.store
        return {
            "reviewer": reviewer,
            "reviewers": sorted({*self.reviewers.values(), *store.layers.names()} - {ADJUDICATED}),
            "labels": list(store.labels),
            "model": store.fact(MODEL),
            "version": __version__,
        }

    def queue(self, reviewer: str) -> dict[str, Any]:
        """Return the notes in order, with what the reviewer has done to each."""
        states, adjudicated = self.store.layers.states(reviewer), set(disputed(self.store))
        rows = [
            [row.number, row.id, _state(states.get(row.number)), int(row.read), int(row.failed)]
            for row in self.store.queue()
        ]
        return {"notes": rows, "disputed": sorted(adjudicated)}

    def want(self, number: int) -> None:
        """Ask the model to read a note next."""
        if self.store.fact(WANTED) != number:
            self.store.set_fact(WANTED, number)

    def check_labels(self, labels: Iterable[str]) -> None:
        """Raise UsageError if a label is not offered."""
        known = self.store.labels
        for label in labels:
            if label not in known:
                raise UsageError(f"this review has no label {label!r}")


def _state(accepted: bool | None) -> int:
    """Return 0 for a note that was not begun, 1 for one that was, and 2 for an accepted one."""
    return 0 if accepted is None else 1 + accepted
