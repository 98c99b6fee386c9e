"""Write corpora atomically, and never over an input."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from multideid.corpora.names import name_of_id
from multideid.errors import CorpusError, reason
from multideid.files import atomic_output, remove_stale
from multideid.locks import run_lock


@dataclass(frozen=True, slots=True)
class Output:
    """Where to write a corpus: a temporary path that is renamed when complete.

    Parameters
    ----------
    target : Path
        The final file or folder, which is named in errors.
    temporary : Path
        The temporary file or folder to write to.
    """

    target: Path
    temporary: Path

    def error(self, problem: str, document_id: str | None = None) -> CorpusError:
        """Return an error that names the target and the document."""
        where = None if document_id is None else f"document {_shortened(document_id)!r}"
        return CorpusError(self.target, problem, where)

    def encode(self, text: str, document_id: str) -> bytes:
        """Return `text` in UTF-8.

        Raises
        ------
        CorpusError
            If it contains a lone surrogate; the message gives the offset.
        """
        try:
            return text.encode("utf-8")
        except UnicodeEncodeError as exc:
            problem = f"the lone surrogate at offset {exc.start} cannot be written"
            raise self.error(problem, document_id) from None

    def write_file(self, document_id: str, suffix: str, data: bytes) -> None:
        """Write one file of a folder; its name is derived from the document id.

        Raises
        ------
        CorpusError
            If the id cannot be a file name, or another document has the same name.
        """
        try:
            path = self.temporary / name_of_id(document_id, suffix)
        except ValueError as exc:
            raise self.error(f"{exc}; change the id", document_id) from None
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            raise self.error("another document has the same file name", document_id)
        path.write_bytes(data)

    def remove_stale(self, failed: Iterable[str], suffixes: Sequence[str]) -> None:
        """Remove what an earlier run wrote of documents that failed now; it may have found less.

        Raises
        ------
        CorpusError
            If a file cannot be removed.
        """
        for document_id, suffix in product(failed, suffixes):
            # What cannot be the name of a file was never written.
            with suppress(ValueError):
                self._remove(name_of_id(document_id, suffix))

    def remove_files(self, names: Iterable[str]) -> None:
        """Remove files of the folder that an earlier run wrote.

        Raises
        ------
        CorpusError
            If a file cannot be removed.
        """
        for name in names:
            self._remove(name)

    def _remove(self, name: str) -> None:
        path = self.target / name
        # A folder of this name holds other documents. `Path.is_dir` raises for names too long.
        if not os.path.isdir(path):
            remove_stale(path)


def _shortened(document_id: str, longest: int = 80) -> str:
    return document_id if len(document_id) <= longest else document_id[:longest] + "…"


@contextmanager
def atomic_corpus_output(
    target: Path,
    *,
    folder: bool,
    overwrite: bool = False,
    inputs: Iterable[Path] = (),
    private: bool = True,
) -> Iterator[Output]:
    """Yield an `Output` that is moved to `target` if no error is raised.

    Parameters
    ----------
    target : Path
        The file or folder to create; missing parents are created.
    folder : bool
        Whether it is a folder.
    overwrite : bool
        Whether an existing file, or files of the same names in a folder, may be
        replaced.
    inputs : iterable of Path
        Files and folders that are never overwritten.
    private : bool
        Whether only the owner can read what is written; otherwise the process's
        umask decides.

    Raises
    ------
    UsageError
        If another run writes to the target.
    CorpusError
        If the target exists, overlaps with an input or cannot be written.
    """
    try:
        _refuse_inputs(target, inputs)
        _refuse_existing(target, overwrite)
    except OSError as exc:
        raise CorpusError(target, f"cannot be written: {reason(exc)}") from None
    with (
        run_lock([target]),
        atomic_output(target, folder=folder, private=private) as temporary,
    ):
        yield Output(target, temporary)


def _refuse_inputs(target: Path, inputs: Iterable[Path]) -> None:
    place = target.resolve()
    for path in inputs:
        source = path.resolve()
        if source == place or source in place.parents or place in source.parents:
            problem = f"is, contains or is inside the input {path}; choose another path"
            raise CorpusError(target, problem)


def _refuse_existing(target: Path, overwrite: bool) -> None:
    empty_folder = target.is_dir() and not any(target.iterdir())
    if os.path.lexists(target) and not overwrite and not empty_folder:
        raise CorpusError(target, "already exists; choose another path or allow overwriting")
