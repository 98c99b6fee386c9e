"""Writing corpora: all of it or nothing, and never over an input."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from multideid.corpora.names import name_of_id
from multideid.errors import CorpusError, reason
from multideid.files import atomic_output


@dataclass(frozen=True, slots=True)
class Output:
    """A place to write a corpus to before it appears under its name.

    Parameters
    ----------
    target : Path
        The file or folder that the user named; errors name it.
    staged : Path
        Where to write for now.
    """

    target: Path
    staged: Path

    def error(self, problem: str, document_id: str | None = None) -> CorpusError:
        """Return an error that names the target and the document."""
        where = None if document_id is None else f"document {_shortened(document_id)!r}"
        return CorpusError(self.target, problem, where)

    def encode(self, text: str, document_id: str) -> bytes:
        """Return `text` in UTF-8.

        Raises
        ------
        CorpusError
            If it holds a lone surrogate; names the offset.
        """
        try:
            return text.encode("utf-8")
        except UnicodeEncodeError as exc:
            problem = f"the lone surrogate at offset {exc.start} cannot be written"
            raise self.error(problem, document_id) from None

    def write_file(self, document_id: str, suffix: str, data: bytes) -> None:
        """Write one file of a folder, under the name that its document's id gives.

        Raises
        ------
        CorpusError
            If the id cannot be a file name, or is another's.
        """
        try:
            path = self.staged / name_of_id(document_id, suffix)
        except ValueError as exc:
            raise self.error(f"{exc}; change the id", document_id) from None
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            raise self.error("another document has the same file name", document_id)
        path.write_bytes(data)


def _shortened(document_id: str, longest: int = 80) -> str:
    return document_id if len(document_id) <= longest else document_id[:longest] + "…"


@contextmanager
def staged_output(
    target: Path, *, folder: bool, overwrite: bool = False, inputs: Iterable[Path] = ()
) -> Iterator[Output]:
    """Give a place to write; what was written appears only if nothing failed.

    Parameters
    ----------
    target : Path
        The file or folder to make; its parents are made too.
    folder : bool
        Whether it is a folder.
    overwrite : bool
        Replace a file, or files of the same names in a folder.
    inputs : iterable of Path
        What must not be overwritten in any case.

    Raises
    ------
    CorpusError
        If the target exists, touches an input or cannot be written.
    """
    try:
        _refuse_inputs(target, inputs)
        _refuse_existing(target, overwrite)
    except OSError as exc:
        raise CorpusError(target, f"cannot be written: {reason(exc)}") from None
    with atomic_output(target, folder=folder) as staged:
        yield Output(target, staged)


def _refuse_inputs(target: Path, inputs: Iterable[Path]) -> None:
    place = target.resolve()
    for path in inputs:
        source = path.resolve()
        if source == place or source in place.parents or place in source.parents:
            problem = f"is, holds or lies in the input {path}; choose another place"
            raise CorpusError(target, problem)


def _refuse_existing(target: Path, overwrite: bool) -> None:
    empty_folder = target.is_dir() and not any(target.iterdir())
    if os.path.lexists(target) and not overwrite and not empty_folder:
        raise CorpusError(target, "already exists; choose another place or allow overwriting")
