"""Work in the background, whose state is on disk too."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from multideid.review.database import Database

RUNNING, DONE, FAILED = "running", "done", "failed"


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work.

    Parameters
    ----------
    number : int
    state : {"running", "done", "failed"}
    content : dict
        Plain JSON values, such as progress and figures.
    """

    number: int
    state: str
    content: dict[str, Any]


class Jobs:
    """The jobs of a review."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, kind: str, **content: Any) -> int:
        """Note that a job runs; return its number."""
        values = (kind, datetime.now(UTC).isoformat(), RUNNING, json.dumps(content))
        query = "INSERT INTO jobs (kind, at, state, content) VALUES (?, ?, ?, ?)"
        with self._database.write() as connection:
            return int(connection.execute(query, values).lastrowid or 0)

    def update(self, number: int, state: str = RUNNING, **content: Any) -> None:
        """Change the state of a job, and a part of its content."""
        with self._database.write() as connection:
            (row,) = self._database.read("SELECT content FROM jobs WHERE number = ?", number)
            merged = json.dumps({**json.loads(row["content"]), **content})
            connection.execute(
                "UPDATE jobs SET state = ?, content = ? WHERE number = ?", (state, merged, number)
            )

    def last(self, kind: str) -> Job | None:
        """Return the last job of a kind, if there is one."""
        rows = self._database.read(
            "SELECT * FROM jobs WHERE kind = ? ORDER BY number DESC LIMIT 1", kind
        )
        return (
            Job(rows[0]["number"], rows[0]["state"], json.loads(rows[0]["content"]))
            if rows
            else None
        )
