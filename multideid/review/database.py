"""The file of a review: SQLite, synchronised to disk at every commit, private to its owner."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any

from multideid.errors import UsageError, reason
from multideid.files import owner_only

APPLICATION_ID = 0x6D646964
"""Marks the file as a review; ``file`` and `is_review` look at it."""
FORMAT = 1
_WAIT = 30.0
_HEADER, _ID_AT = b"SQLite format 3\0", 68

_TABLES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE notes (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    meta TEXT NOT NULL,
    place REAL NOT NULL,
    held_out INTEGER NOT NULL,
    proposed TEXT,
    evidence TEXT,
    problem TEXT,
    round INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX notes_by_place ON notes (place, number);
CREATE TABLE layers (
    note INTEGER NOT NULL REFERENCES notes (number),
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    accepted INTEGER NOT NULL,
    spans TEXT NOT NULL,
    PRIMARY KEY (note, name)
) WITHOUT ROWID;
CREATE TABLE decisions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    note INTEGER NOT NULL,
    layer TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    at TEXT NOT NULL,
    removed TEXT NOT NULL,
    added TEXT NOT NULL,
    was_accepted INTEGER NOT NULL,
    is_accepted INTEGER NOT NULL,
    state TEXT NOT NULL
);
CREATE INDEX decisions_by_layer ON decisions (note, layer, state, number);
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    state TEXT NOT NULL,
    process INTEGER,
    content TEXT NOT NULL
);
"""


class Database:
    """A connection that threads share. What `write` has left is on disk.

    Parameters
    ----------
    path : Path
        A file made by `create`.

    Raises
    ------
    UsageError
        If the file is missing, is no review, or is one of a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not is_review(path):
            raise UsageError(f"{path} is not a file of multideid review")
        self._lock = RLock()
        self._connection = _connect(path)
        self._check_format()

    @classmethod
    def create(cls, path: Path) -> Database:
        """Make an empty file that only its owner can read, and open it.

        Raises
        ------
        UsageError
            If the path exists or cannot be written.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(owner_only(str(path), os.O_RDWR | os.O_CREAT))
        except FileExistsError:
            raise UsageError(f"{path} exists") from None
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {reason(error)}") from None
        connection = _connect(path)
        marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT};"
        connection.executescript(f"BEGIN IMMEDIATE; {_TABLES} {marks} COMMIT;")
        # The mark is read from the file itself, which a checkpoint brings up to date.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return cls(path)

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for changes, which are all on disk afterwards, or none is made."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def read(self, query: str, *values: Any) -> list[sqlite3.Row]:
        """Return the rows of a query."""
        with self._lock:
            return self._connection.execute(query, values).fetchall()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _check_format(self) -> None:
        found = self.read("PRAGMA user_version")[0][0]
        if found != FORMAT:
            raise UsageError(
                f"{self.path} has format {found}; this version of multideid reads {FORMAT}"
            )


def is_review(path: Path) -> bool:
    """Return whether a file is that of a review."""
    with suppress(OSError), path.open("rb") as file:
        head = file.read(_ID_AT + 4)
        return head.startswith(_HEADER) and head[_ID_AT:] == APPLICATION_ID.to_bytes(4, "big")
    return False


def _connect(path: Path) -> sqlite3.Connection:
    # Without the isolation level, the module begins no transactions by itself.
    connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    # A power cut may undo commits in the default setting of this journal.
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {setting}")
    return connection
