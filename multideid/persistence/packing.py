"""Model folders as bytes, for pipes and broadcasts; checked as folders are, never pickle."""

from __future__ import annotations

import io
import secrets
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from multideid.errors import ModelError
from multideid.leftovers import removed_at_last

_MEMORY = Path("/dev/shm")
_NAME = "model"
_SPARE = 4  # The memory's free share must hold several models.
_MOST_FILES = 10_000


def pack_folder(folder: Path) -> bytes:
    """Return the files of a model folder as one archive; equal folders give equal bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            # An explicit ZipInfo has no time stamp.
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            archive.writestr(entry, path.read_bytes())
    return content.getvalue()


@contextmanager
def unpacked(data: bytes) -> Iterator[Path]:
    """Give a private folder with the files that `pack_folder` packed, removed at the end.

    Raises
    ------
    ModelError
        If the bytes are not such an archive.
    """
    with private_folder(len(data)) as place:
        folder = place / _NAME
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                _check(archive, len(data))
                # The names of members cannot lead out of the folder.
                archive.extractall(folder)
        except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError):
            raise ModelError("packed model", "is damaged, or not a packed model") from None
        yield folder


@contextmanager
def private_folder(size: int = 0) -> Iterator[Path]:
    """Give a temporary folder for the owner only, in memory where there is room for `size` bytes.

    Models hold words of their corpus, which should not reach a disk.
    """
    place = _memory(size) / f"multideid-{secrets.token_hex(8)}"
    with removed_at_last(partial(shutil.rmtree, place, ignore_errors=True)):
        place.mkdir(0o700)
        yield place


def _memory(size: int) -> Path:
    with suppress(OSError):
        if shutil.disk_usage(_MEMORY).free > max(_SPARE * size, 1 << 28):
            return _MEMORY
    return Path(tempfile.gettempdir())


def _check(archive: zipfile.ZipFile, size: int) -> None:
    """Refuse archives that grow when they are unpacked."""
    members = archive.infolist()
    grown = sum(member.file_size for member in members) > size
    if grown or len(members) > _MOST_FILES:
        raise ValueError("not written by pack_folder")
