"""Compressed files: .gz, and the members of .zip, each read as a file by itself."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO

from multideid.corpora.contract import Format
from multideid.corpora.structure import Container, Content
from multideid.corpora.structured.zip_files import (
    LARGEST,
    ZipPacker,
    check_expansion,
    is_zip,
    zip_members,
)

_GZIP = b"\x1f\x8b\x08"
_CHUNK = 1 << 20
_SYSTEM_FOLDER = "__MACOSX/"
_SYSTEM_FILES = (".DS_Store", "Thumbs.db", "desktop.ini")


def _unpacked(content: Content) -> Iterator[tuple[str, Content]]:
    """Yield the file inside a .gz file; several streams are one file."""
    packed = content.file.seek(0, 2)
    content.file.seek(0)
    expanded = BytesIO()
    try:
        with gzip.GzipFile(fileobj=content.file) as stream:
            while chunk := stream.read(_CHUNK):
                expanded.write(chunk)
                check_expansion(content, packed, expanded.tell())
    except (OSError, EOFError, zlib.error):
        raise content.error("is a damaged .gz file") from None
    yield "", Content(expanded, content.name)


class _GzipPacker:
    """Writes a .gz file, with neither a name nor a time in it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def add(self, name: str, data: bytes) -> None:
        """Write the only file."""
        with gzip.GzipFile(filename="", fileobj=self._file, mode="wb", mtime=0) as stream:
            stream.write(data)

    def close(self) -> None:
        """Do nothing: the stream is complete."""


def _members(content: Content) -> Iterator[tuple[str, Content]]:
    found = False
    for info, data in zip_members(content):
        path = _path(info.filename)
        if not path.startswith(_SYSTEM_FOLDER) and path.rpartition("/")[2] not in _SYSTEM_FILES:
            found = True
            yield path, Content(BytesIO(data), f"{content.name}/{path}")
    if not found:
        raise content.error("is an archive without files")


def _path(name: str) -> str:
    """Return the path of a member without ``./`` and slashes that mean nothing."""
    return "/".join(part for part in name.split("/") if part not in ("", ".")) or name


GZIP = Format(
    "gzip",
    f".gz files, up to {LARGEST >> 30} GB; deid reads and writes the file inside",
    structure=Container(
        lambda content: content.head.startswith(_GZIP),
        _unpacked,
        _GzipPacker,
        (".gz",),
    ),
)

ZIP = Format(
    "zip",
    f".zip archives, up to {LARGEST >> 30} GB; deid reads and writes each file inside",
    structure=Container(is_zip, _members, ZipPacker, (".zip",)),
)
