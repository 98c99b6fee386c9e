"""Reading of MeSH descriptors from files of any supported format."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from multideid.errors import ResourceError, reason
from multideid.knowledge.mesh import nlm_ascii
from multideid.knowledge.mesh.descriptors import Descriptor
from multideid.knowledge.mesh.nlm_xml import read_xml

_ID, _NAME, _TREE = "mesh_id", "mesh_name", "mesh_tree_number"
_GZIP = b"\x1f\x8b"
_BEGINNING = 1 << 12
_FORMATS = (
    "supported are NLM's descriptor files in XML (desc2025.xml) and ASCII (d2025.bin), also packed "
    f"with gzip, and tables with the columns {_ID}, {_NAME} and {_TREE}"
)


def read_descriptors(path: Path) -> Iterator[Descriptor]:
    """Yield the descriptors of a file; rows of a table are partial descriptors.

    Parameters
    ----------
    path : Path
        NLM's descriptors in XML or ASCII, or a table; the format is detected
        from the content. The file is read incrementally.

    Raises
    ------
    ResourceError
        If the file cannot be read, is damaged, or holds something else.
    """
    try:
        with path.open("rb") as file:
            packed = file.read(len(_GZIP)) == _GZIP
            file.seek(0)
            yield from _read(cast(BinaryIO, gzip.GzipFile(fileobj=file)) if packed else file, path)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ResourceError(path, "is damaged gzip; download it again") from None
    except OSError as error:
        raise ResourceError(path, f"cannot be read: {reason(error)}") from None


def _read(file: BinaryIO, path: Path) -> Iterable[Descriptor]:
    beginning = file.read(_BEGINNING).removeprefix(b"\xef\xbb\xbf").lstrip()
    file.seek(0)
    if beginning.startswith(b"<"):
        return read_xml(file, path)
    if beginning.startswith(nlm_ascii.MARK.encode()):
        return nlm_ascii.read_ascii(_lines(file, path), path)
    if _ID.encode() in beginning.partition(b"\n")[0].split(b"\t"):
        return _read_table(_lines(file, path), path)
    raise ResourceError(path, f"is not in a supported format of MeSH descriptors; {_FORMATS}")


def _lines(file: BinaryIO, path: Path) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise ResourceError(path, "is not UTF-8", f"line {number}") from None


def _read_table(lines: Iterable[str], path: Path) -> Iterator[Descriptor]:
    """Yield one partial descriptor per row of a tab-separated table.

    Parameters
    ----------
    lines : iterable of str
        The first has the names of the columns: ``mesh_id`` and ``mesh_name``, and
        optionally ``mesh_tree_number``.
    path : Path
        For errors.

    Raises
    ------
    ResourceError
        If a column is missing or a row is invalid.
    """
    rows = enumerate((line.rstrip("\r\n").split("\t") for line in lines), 1)
    _, columns = next(rows, (1, []))
    missing = [name for name in (_ID, _NAME) if name not in columns]
    if missing:
        raise ResourceError(path, f"has no column {missing[0]}", "line 1")
    for number, row in rows:
        if row != [""]:
            yield _row_descriptor(row, columns, path, number)


def _row_descriptor(row: list[str], columns: list[str], path: Path, line: int) -> Descriptor:
    if len(row) != len(columns):
        problem = f"has {len(row)} columns where the first line has {len(columns)}"
        raise ResourceError(path, problem, f"line {line}")
    values = dict(zip(columns, row, strict=True))
    try:
        return Descriptor.of(values[_ID], [values[_NAME]], [values.get(_TREE, "")])
    except ValueError as error:
        raise ResourceError(path, str(error), f"line {line}") from None
