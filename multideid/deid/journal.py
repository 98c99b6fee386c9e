"""The journal of a run: what it has found and what it writes, to go on after a stop.

It lies beside the output and holds no text: spans as numbers and labels, keyed hashes
of notes, and the names of the files of the output. It is a database, so that a program
or a computer that stops at any moment leaves it whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from multideid.deid.identity import Identity, changes
from multideid.deid.journal_database import FileRow, JournalDatabase, file_state, remove_database
from multideid.errors import CorpusError, UsageError
from multideid.leftovers import removed_at_last
from multideid.locks import JOURNAL, sibling

if TYPE_CHECKING:
    from multideid.redact import Key

_FORMAT = "1"
_SALT, _DIGEST = 16, 16
_SECONDS_AT_RISK = 1.0


class BegunAnewWarning(UserWarning):
    """A run that was stopped, and that could have been resumed, begins anew."""


class Claim(NamedTuple):
    """A file that a run writes.

    Parameters
    ----------
    name : str
        Its path in the output.
    folder : bytes
        Digest of the folder that is read.
    input : bytes
        Digest of the file that is read.
    """

    name: str
    folder: bytes = b""
    input: bytes = b""


class Journal:
    """The journal of a run; a context manager, and to be opened when the output is locked.

    When the context ends without an error, the journal is removed, unless files of the
    output are kept in it for the next run.

    Parameters
    ----------
    output : Path
        The file or folder that the run writes.
    identity : callable
        See `Identity`.
    root : Path, optional
        The folder that names of files are relative to. Default: the output.
    key : Key, optional
        From which digests follow. Default: a random one, in the journal itself.
    resume : bool
        Whether to go on where a run was stopped.
    keep : bool
        Whether to keep the journal for the next run.
    anew : bool
        Whether to begin anew, rather than to refuse, if the identity differs.
    """

    def __init__(  # noqa: PLR0913 (all but two by name)
        self,
        output: Path,
        identity: Identity,
        *,
        root: Path | None = None,
        key: Key | None = None,
        resume: bool = False,
        keep: bool = False,
        anew: bool = False,
    ) -> None:
        self.path = sibling(output, JOURNAL)
        self._output, self._root = output, output if root is None else root
        self._identity, self._key = identity, key
        self._resume, self._keep, self._anew = resume or keep, keep, anew
        self._data: JournalDatabase | None = None
        self._secret = b""
        self._saved = monotonic()
        self._failed: Collection[str] = ()
        self._open = removed_at_last(self._leave)

    def __enter__(self) -> Self:
        self._open.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None and self._data is not None:
                with self._errors():
                    self._finish()
        finally:
            self._open.__exit__(None, None, None)

    def open(self) -> None:
        """Open the journal, or begin one.

        Raises
        ------
        UsageError
            If the run that was stopped had other options, names which.
        CorpusError
            If there is no place for a journal, and a run shall go on.
        """
        is_new = not self.path.exists()
        try:
            self._data = JournalDatabase(self.path)
            self._prepare()
        except (OSError, sqlite3.Error):
            self._close()
            if self._resume:
                problem = f"cannot be read or written; remove it to begin {self._output} anew"
                raise CorpusError(self.path, problem) from None
            # What cannot go on is better than what cannot begin.
            self._begin_again_or_do_without()
        except BaseException:
            self._close()
            if is_new:
                remove_database(self.path)
            raise

    def digest(self, content: bytes) -> bytes:
        """Return a keyed hash."""
        return hashlib.blake2b(content, digest_size=_DIGEST, key=self._secret).digest()

    def file_digest(self, path: Path) -> bytes:
        """Return a keyed hash of the bytes of a file; empty if it cannot be read."""
        empty = partial(hashlib.blake2b, digest_size=_DIGEST, key=self._secret)
        try:
            with path.open("rb") as file:
                return hashlib.file_digest(file, empty).digest()
        except OSError:
            return b""

    # Findings.

    def found(self, note: bytes) -> str | None:
        """Return what was added for a note, by its digest."""
        if self._data is None:
            return None
        with self._errors():
            return self._data.found(note)

    def add(self, note: bytes, found: str) -> None:
        """Add what was found in a note; it is safe within about a second."""
        if self._data is None:
            return
        with self._errors():
            self._data.add(note, found)
            if monotonic() - self._saved > _SECONDS_AT_RISK:
                self._data.commit()
                self._saved = monotonic()

    # Files.

    def claim(self, claims: Iterable[Claim]) -> None:
        """Note files that the run is about to write."""
        if self._data is None:
            return
        with self._errors():
            self._data.claim((os.fsencode(c.name), c.folder, c.input) for c in claims)
            self._data.commit()

    def is_known(self, name: str) -> bool:
        """Return whether a file of the output was written by this run, or one before that kept."""
        if self._data is None:
            return False
        with self._errors():
            return self._data.holds_file(os.fsencode(name))

    def is_unchanged(self, claim: Claim) -> bool:
        """Return whether a file was read and written by an earlier run and is as it was then."""
        if self._data is None or not claim.input:
            return False
        with self._errors():
            found = self._data.file(os.fsencode(claim.name))
        return bool(found == (claim.input, *file_state(self._root / claim.name)))

    def written(self) -> Iterator[tuple[str, bytes]]:
        """Yield name and folder of each file that was written and is there, sorted."""
        if self._data is None:
            return
        with self._errors():
            for name, folder in self._data.written():
                if os.path.lexists(self._root / (path := os.fsdecode(name))):
                    yield path, folder

    def exclude(self, failed: Collection[str]) -> None:
        """Let the next run do files again of which a part failed."""
        self._failed = failed

    def _prepare(self) -> None:
        data = self._opened()
        about = data.about()
        if about and about.get("format") != _FORMAT:
            raise sqlite3.DatabaseError
        salt = bytes.fromhex(about["salt"]) if about else secrets.token_bytes(_SALT)
        # A journal without a key is readable by its owner only, as the notes are.
        self._secret = salt if self._key is None else self._key.derive(salt)
        identity = dict(self._identity(self.digest))
        before = json.loads(about["identity"]) if about else identity
        self._check(before, identity)
        if not self._resume and data.has_rows("claims"):
            message = f"a run to {self._output} that was stopped is begun anew, not resumed"
            warnings.warn(message, BegunAnewWarning, stacklevel=2)
        if before != identity or not self._resume:
            data.clear("findings", "claims")
        if before != identity:
            data.clear("files")
        data.set_about({"format": _FORMAT, "salt": salt.hex(), "identity": json.dumps(identity)})
        data.commit()

    def _check(self, before: Mapping[str, str], now: Mapping[str, str]) -> None:
        if before == now or self._anew or not self._resume:
            return
        self._close()
        changed = changes(before, now)
        raise UsageError(
            f"the earlier run to {self._output} had other options: {changed}. Run it with the "
            "same options, or allow overwriting, which begins anew"
        )

    def _begin_again_or_do_without(self) -> None:
        remove_database(self.path)
        try:
            self._data = JournalDatabase(self.path)
            self._prepare()
        except (OSError, sqlite3.Error):
            self._close()

    def _opened(self) -> JournalDatabase:
        assert self._data is not None
        return self._data

    def _finish(self) -> None:
        data = self._opened()
        if not (self._keep or data.has_rows("files")):
            remove_database(self.path)
            self._close()
            return
        data.turn_claims_into(list(self._complete(data)))
        data.commit()
        self._close()

    def _complete(self, data: JournalDatabase) -> Iterator[FileRow]:
        """Yield the rows of files that are there; without their input, if they failed in part."""
        for name, folder, content in data.claims():
            path = os.fsdecode(name)
            size, changed = file_state(self._root / path)
            if size is not None and changed is not None and not Path(path).is_absolute():
                yield name, folder, b"" if path in self._failed else content, size, changed

    def _leave(self) -> None:
        """Keep the journal of a run that was stopped, unless there is nothing to go on with."""
        if self._data is None:
            return
        with self._errors():
            self._data.commit()
            if not self._is_used(self._data):
                remove_database(self.path)
            self._close()

    def _is_used(self, data: JournalDatabase) -> bool:
        if data.has_rows("findings") or data.has_rows("files"):
            return True
        claimed = (os.fsdecode(name) for name, _, _ in data.claims())
        return any(os.path.lexists(self._root / name) for name in claimed)

    def _close(self) -> None:
        data, self._data = self._data, None
        if data is not None:
            data.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            self._close()
            problem = f"cannot be written ({type(error).__name__}); the disk may be full"
            raise CorpusError(self.path, problem) from None
