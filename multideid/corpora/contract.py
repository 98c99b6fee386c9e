"""The contract of a corpus format: one module with a `Format`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from multideid.corpora.structure import Container, Structure
from multideid.document import Document
from multideid.errors import UsageError


def _no_corpus(*_: Any, **__: Any) -> NoReturn:
    raise UsageError("this is no format of corpora")


@dataclass(frozen=True, slots=True)
class Format:
    """A format of corpora, of files that `multideid deid` reads by structure, or both.

    A package provides one by an entry point of the group ``multideid.formats``
    that names a `Format`.

    Parameters
    ----------
    name : str
    summary : str
        One line that describes the format.
    read : callable, optional
        ``read(path, report, **options)`` yields documents; `report` is
        called with a `Report` for each irregularity that was resolved. Default:
        the format is none of corpora.
    write : callable, optional
        ``write(documents, output, report, **options)`` writes documents to an
        `Output`.
    folder : bool
        Whether a written corpus is a folder.
    suffixes : tuple of str
        Suffixes of the files of each document in such a folder, whose names are made
        of the document's id; none if files hold several documents.
    files : tuple of str
        Names of the files in such a folder that hold several documents.
    scores : bool
        Whether `write` keeps the scores of spans (`multideid.evidence.evidence_of`).
    meta : bool
        Whether `write` keeps the fields of `Document.meta`.
    options : tuple of str
        Names of the options that `read` and `write` take.
    detect : callable, optional
        ``detect(path)`` returns whether an existing file or folder is in the
        format. Default: the format has to be named.
    structure : Structure or Container, optional
        How `multideid deid` reads and writes a file of the format.
    """

    name: str
    summary: str
    read: Callable[..., Iterator[Document]] = _no_corpus
    write: Callable[..., None] = _no_corpus
    folder: bool = False
    options: tuple[str, ...] = ()
    detect: Callable[[Path], bool] | None = None
    structure: Structure | Container | None = None
    suffixes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    scores: bool = False
    meta: bool = True

    @property
    def is_corpus(self) -> bool:
        """Whether corpora are read and written in the format."""
        return self.read is not _no_corpus
