"""ZIP files within bounds, so that a small file cannot fill the memory."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from multideid.corpora.structure import Content

LARGEST = 1 << 30
"""Bytes to which a compressed file may expand in all."""

MOST_MEMBERS = 100_000
HIGHEST_RATIO = 200
"""How many times its size a compressed file may be, above `SMALL` bytes."""

SMALL = 1 << 24

_MAGIC = b"PK\x03\x04"
_ENCRYPTED = 1


def is_zip(content: Content) -> bool:
    """Return whether a file begins as ZIP files do."""
    return content.head.startswith((_MAGIC, b"PK\x05\x06"))


def has_member(content: Content, name: str) -> bool:
    """Return whether a file is a ZIP file with a member of this name."""
    if not is_zip(content):
        return False
    try:
        with zipfile.ZipFile(content.file) as archive:
            return name in archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return False


def opened_zip(content: Content) -> zipfile.ZipFile:
    """Open a ZIP file.

    Raises
    ------
    CorpusError
        If it is damaged, encrypted or expands beyond the bounds.
    """
    try:
        archive = zipfile.ZipFile(content.file)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise content.error("is a damaged ZIP file") from None
    infos = archive.infolist()
    if any(info.flag_bits & _ENCRYPTED for info in infos):
        raise content.error("is encrypted: unpack it first")
    if len(infos) > MOST_MEMBERS:
        raise content.error(f"holds more than {MOST_MEMBERS:,} files: unpack it first")
    packed = sum(info.compress_size for info in infos)
    check_expansion(content, packed, sum(info.file_size for info in infos))
    return archive


def check_expansion(content: Content, packed: int, expanded: int) -> None:
    """Raise CorpusError if a file expands beyond the bounds."""
    if expanded > LARGEST:
        raise content.error(f"expands to more than {LARGEST >> 30} GB: unpack it first")
    if expanded > SMALL and expanded > HIGHEST_RATIO * max(packed, 1):
        problem = f"expands more than {HIGHEST_RATIO} times: unpack it first, if you trust it"
        raise content.error(problem)


def zip_members(content: Content) -> Iterator[tuple[zipfile.ZipInfo, bytes]]:
    """Yield the files of a ZIP file, without folders.

    Raises
    ------
    CorpusError
        As for `opened_zip`, or if a member is damaged.
    """
    with opened_zip(content) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield info, _member(content, archive, info)


def _member(content: Content, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(info) as file:
            # A header may lie about the size.
            data = file.read(info.file_size + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError):
        data = b""
        damaged = True
    else:
        damaged = len(data) != info.file_size
    if damaged:
        raise content.error("is a damaged ZIP file, or compressed in a way that is not read")
    return data


class ZipPacker:
    """Writes a ZIP file.

    Parameters
    ----------
    file : binary file
    """

    def __init__(self, file: BinaryIO) -> None:
        self._archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)

    def add(self, name: str, data: bytes) -> None:
        """Add a file, with a time that says nothing."""
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_DEFLATED
        self._archive.writestr(info, data)

    def close(self) -> None:
        """Write the table of contents."""
        self._archive.close()
