"""The contract of a corpus format: one module with a `Format`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from multideid.document import Document


@dataclass(frozen=True, slots=True)
class Format:
    """A corpus format.

    A package provides one by an entry point of the group ``multideid.formats``
    that names a `Format`.

    Parameters
    ----------
    name : str
    summary : str
        One line that describes the format.
    read : callable
        ``read(path, report, **options)`` yields documents; `report` is
        called with a `Report` for each irregularity that was resolved.
    write : callable
        ``write(documents, output, report, **options)`` writes documents to an
        `Output`.
    folder : bool
        Whether a written corpus is a folder.
    options : tuple of str
        Names of the options that `read` and `write` take.
    detect : callable, optional
        ``detect(path)`` returns whether an existing file or folder is in the
        format. Default: the format has to be named.
    """

    name: str
    summary: str
    read: Callable[..., Iterator[Document]]
    write: Callable[..., None]
    folder: bool
    options: tuple[str, ...] = ()
    detect: Callable[[Path], bool] | None = None
