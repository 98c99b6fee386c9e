"""The tables of a journal: what was found in notes, and which files a run writes.

Names of files are bytes, as the system has them; notes, folders and inputs are digests.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

ClaimRow = tuple[bytes, bytes, bytes]
"""Name, folder and input of a file that is being written."""
FileRow = tuple[bytes, bytes, bytes, int, int]
"""Name, folder and input of a file that is complete, its size, and the time of its last change."""
Table = Literal["findings", "claims", "files"]

_TABLES = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS findings (note BLOB PRIMARY KEY, found TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claims (name BLOB PRIMARY KEY, folder BLOB, input BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files
    (name BLOB PRIMARY KEY, folder BLOB, input BLOB, size INTEGER, changed INTEGER) WITHOUT ROWID;
"""


class JournalDatabase:
    """The database of a journal, which no other process can open meanwhile.

    Changes are on the disk after `commit`. Each method raises sqlite3.Error if the
    database cannot be read or written.

    Parameters
    ----------
    path : Path
        Made, for its owner only, if there is none.

    Raises
    ------
    OSError, sqlite3.Error
        If it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self._data = sqlite3.connect(path, timeout=0)
        # Every change is on the disk before it counts.
        self._data.execute("PRAGMA synchronous = FULL")
        self._data.execute("PRAGMA locking_mode = EXCLUSIVE")

    def commit(self) -> None:
        """Keep all changes."""
        self._data.commit()

    def close(self) -> None:
        """Close the database; changes since `commit` are lost."""
        self._data.close()

    def about(self) -> dict[str, str]:
        """Return what is known of the run, after making the tables; empty in a new database."""
        self._data.executescript(_TABLES)
        return dict(self._data.execute("SELECT name, value FROM about").fetchall())

    def set_about(self, values: Mapping[str, str]) -> None:
        """Set what is known of the run."""
        self._data.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", values.items())

    def has_rows(self, table: Table) -> bool:
        """Return whether a table has any row."""
        return self._data.execute(f"SELECT 1 FROM {table}").fetchone() is not None

    def clear(self, *tables: Table) -> None:
        """Remove all rows of tables."""
        for table in tables:
            self._data.execute(f"DELETE FROM {table}")

    def found(self, note: bytes) -> str | None:
        """Return what was added for a note, by its digest."""
        row = self._data.execute("SELECT found FROM findings WHERE note = ?", (note,)).fetchone()
        return None if row is None else str(row[0])

    def add(self, note: bytes, found: str) -> None:
        """Add what was found in a note."""
        self._data.execute("INSERT OR REPLACE INTO findings VALUES (?, ?)", (note, found))

    def claim(self, rows: Iterable[ClaimRow]) -> None:
        """Add files that are about to be written."""
        self._data.executemany("INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", rows)

    def claims(self) -> list[ClaimRow]:
        """Return the files that are being written."""
        # All at once: a cursor that is left open would fail when it is closed after the database.
        return self._data.execute("SELECT name, folder, input FROM claims").fetchall()

    def turn_claims_into(self, rows: Iterable[FileRow]) -> None:
        """Put complete files in the place of all claims."""
        self._data.execute("DELETE FROM files WHERE name IN (SELECT name FROM claims)")
        self._data.executemany("INSERT INTO files VALUES (?, ?, ?, ?, ?)", rows)
        self.clear("claims")

    def file(self, name: bytes) -> tuple[bytes, int, int] | None:
        """Return input, size and time of a complete file."""
        query = "SELECT input, size, changed FROM files WHERE name = ?"
        row: tuple[bytes, int, int] | None = self._data.execute(query, (name,)).fetchone()
        return row

    def holds_file(self, name: bytes) -> bool:
        """Return whether a file is being written or complete."""
        query = "SELECT 1 FROM {} WHERE name = ?"
        found = (self._data.execute(query.format(table), (name,)) for table in ("claims", "files"))
        return any(row.fetchone() for row in found)

    def written(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield name and folder of each file that is being written or complete, sorted."""
        query = "SELECT name, folder FROM files UNION SELECT name, folder FROM claims ORDER BY name"
        yield from self._data.execute(query)


def remove_database(path: Path) -> None:
    """Remove a database and the file that SQLite keeps beside it, if they are there."""
    for name in (path.name, f"{path.name}-journal"):
        with suppress(OSError):
            path.with_name(name).unlink(missing_ok=True)


def file_state(path: Path) -> tuple[int, int] | tuple[None, None]:
    """Return size and time of a file, by which later changes are noticed."""
    try:
        status = path.stat()
    except OSError:
        return None, None
    return status.st_size, status.st_mtime_ns
