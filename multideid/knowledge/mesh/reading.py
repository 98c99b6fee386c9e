"""Read descriptors from a file in whichever of the formats it is."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from multideid.errors import ResourceError, reason
from multideid.knowledge.mesh import nlm_ascii, table
from multideid.knowledge.mesh.descriptors import Descriptor
from multideid.knowledge.mesh.nlm_xml import read_xml

_GZIP = b"\x1f\x8b"
_BEGINNING = 1 << 12
_FORMATS = (
    "known are NLM's descriptor files in XML (desc2025.xml) and ASCII (d2025.bin), these packed "
    f"with gzip, and tables with the columns {table.ID}, {table.NAME} and {table.TREE}"
)


def read_descriptors(path: Path) -> Iterator[Descriptor]:
    """Yield the descriptors of a file, or what rows of a table tell of them.

    Parameters
    ----------
    path : Path
        NLM's descriptors in XML or ASCII, or a table; the format is told by
        the content. It is read piece by piece.

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
    if table.ID.encode() in beginning.partition(b"\n")[0].split(b"\t"):
        return table.read_table(_lines(file, path), path)
    raise ResourceError(path, f"is in no known format of MeSH descriptors; {_FORMATS}")


def _lines(file: BinaryIO, path: Path) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise ResourceError(path, "is not UTF-8", f"line {number}") from None
