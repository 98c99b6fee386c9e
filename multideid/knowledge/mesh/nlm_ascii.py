"""NLM's descriptor file in ASCII, ``d2025.bin``, with records of ``FIELD = value`` lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from multideid.errors import ResourceError
from multideid.knowledge.mesh.descriptors import Descriptor

MARK = "*NEWRECORD"
_TERMS = ("MH", "PRINT ENTRY", "ENTRY")

Record = dict[str, list[str]]


def read_ascii(lines: Iterable[str], path: Path) -> Iterator[Descriptor]:
    """Yield the descriptors of a file; records of other types are skipped.

    Parameters
    ----------
    lines : iterable of str
    path : Path
        For errors.

    Raises
    ------
    ResourceError
        If a record is incomplete.
    """
    for number, record in _records(lines):
        if record["RECTYPE"] == ["D"]:
            yield _descriptor(record, path, number)
        elif not record["RECTYPE"]:
            raise ResourceError(path, "a record has no RECTYPE", f"line {number}")


def _records(lines: Iterable[str]) -> Iterator[tuple[int, Record]]:
    """Yield each record with the number of its first line."""
    begin, record = 0, None
    for number, line in enumerate(lines, 1):
        if line.strip() == MARK:
            if record is not None:
                yield begin, record
            begin, record = number, defaultdict[str, list[str]](list)
        elif record is not None:
            field, _, value = line.partition("=")
            record[field.strip()].append(value.strip())
    if record is not None:
        yield begin, record


def _descriptor(record: Record, path: Path, line: int) -> Descriptor:
    # A term is followed by a bar and its semantic types, dates and sources.
    terms = [value.partition("|")[0] for field in _TERMS for value in record[field]]
    try:
        return Descriptor.of("".join(record["UI"]), terms, record["MN"])
    except ValueError as error:
        raise ResourceError(path, str(error), f"record of line {line}") from None
