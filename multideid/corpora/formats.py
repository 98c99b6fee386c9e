"""The formats, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from multideid.corpora import (
    brat,
    csv_table,
    i2b2_2006,
    i2b2_2014,
    jsonl,
    parquet_table,
    physionet,
    plain,
)
from multideid.document import Document
from multideid.errors import UsageError


@dataclass(frozen=True, slots=True)
class Format:
    """A corpus format.

    Parameters
    ----------
    name : str
    summary : str
        One line that tells a user what the format is.
    read : callable
        ``read(path, report, **options)`` yields documents.
    write : callable
        ``write(documents, output, report, **options)``.
    folder : bool
        Whether a written corpus is a folder.
    options : tuple of str
        The names of the options that `read` and `write` take.
    """

    name: str
    summary: str
    read: Callable[..., Iterator[Document]]
    write: Callable[..., None]
    folder: bool
    options: tuple[str, ...] = ()


_COLUMNS = ("text_column", "id_column", "spans_column", "meta_column")

_ALL = (
    Format(
        "i2b2-2006",
        "XML with inline <PHI TYPE>; all documents in one file",
        i2b2_2006.read,
        i2b2_2006.write,
        folder=False,
    ),
    Format(
        "i2b2-2014",
        "XML with standoff <TAGS>, also MEDDOCAN; a folder with a file for each document",
        i2b2_2014.read,
        i2b2_2014.write,
        folder=True,
    ),
    Format(
        "brat",
        "brat standoff; a folder of .txt and .ann files",
        brat.read,
        brat.write,
        folder=True,
    ),
    Format(
        "jsonl",
        "JSON Lines; an object with id, text and spans on each line",
        jsonl.read,
        jsonl.write,
        folder=False,
    ),
    Format(
        "csv",
        "CSV, or TSV by the suffix; columns id, text and spans (JSON)",
        csv_table.read,
        csv_table.write,
        folder=False,
        options=_COLUMNS,
    ),
    Format(
        "parquet",
        "Parquet; columns id, text and spans (JSON)",
        parquet_table.read,
        parquet_table.write,
        folder=False,
        options=_COLUMNS,
    ),
    Format(
        "physionet",
        "PhysioNet deid; a folder with id.text and the spans in id.phi",
        physionet.read,
        physionet.write,
        folder=True,
    ),
    Format(
        "plain",
        "plain text without spans; a folder of .txt files",
        plain.read,
        plain.write,
        folder=True,
    ),
)

_BY_NAME = {f.name: f for f in _ALL}

FORMATS: dict[str, str] = {f.name: f.summary for f in _ALL}
"""The name of every format, with one line about it."""


def find_format(name: str, options: dict[str, str] | None = None) -> Format:
    """Return the format of that name.

    Raises
    ------
    UsageError
        If there is none, or it does not have one of the options.
    """
    if name not in _BY_NAME:
        raise UsageError(f"unknown corpus format {name!r}; there are {', '.join(FORMATS)}")
    found = _BY_NAME[name]
    for option in options or {}:
        if option not in found.options:
            there = ", ".join(found.options) or "none"
            raise UsageError(f"format {name!r} has no option {option!r}; it has {there}")
    return found
