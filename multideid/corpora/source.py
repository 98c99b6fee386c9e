"""Find, read and decode the files of a corpus."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from pathlib import Path

from multideid.corpora.names import id_of_name
from multideid.errors import CorpusError, reason

_CHUNK = 1 << 20
_BEGINNING = 1 << 16


def corpus_files(path: Path, suffix: str) -> Iterator[tuple[str, Path]]:
    """Yield ``(document id, file)`` for the files of a folder, or for one file.

    Subfolders are searched; hidden files and folders are skipped. The id is the
    relative path without the suffix. The case of the suffix is ignored.

    Parameters
    ----------
    path : Path
    suffix : str
        Such as ``".txt"``.

    Yields
    ------
    (str, Path)
        Sorted by id.

    Raises
    ------
    CorpusError
        If `path` does not exist or cannot be listed.
    """
    if not path.is_dir():
        yield id_of_name(path.stem), require_file(path)
        return
    for name in corpus_names(path, suffix):
        yield id_of_file(name), path / name


def corpus_names(folder: Path, suffix: str) -> list[str]:
    """Return the relative paths of the files in a folder, sorted by id; as `corpus_files`."""

    def refuse(error: OSError) -> None:
        raise unreadable(folder, error) from None

    names = []
    for root, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        here = Path(root).relative_to(folder)
        found = [n for n in files if n.lower().endswith(suffix) and not n.startswith(".")]
        names += [(here / n).as_posix() for n in found if os.path.isfile(os.path.join(root, n))]
    return sorted(names, key=lambda name: (id_of_file(name), name))


def id_of_file(name: str) -> str:
    """Return the document id for a relative path in the folder of a corpus."""
    return id_of_name(name[: name.rindex(".")])


def require_path(path: Path) -> Path:
    """Return `path` if it is a file or folder.

    Raises
    ------
    CorpusError
        If it does not exist, or is a pipe or device, which would be waited for.
    """
    if not path.exists():
        raise CorpusError(path, "there is no such file or folder")
    if not (path.is_file() or path.is_dir()):
        raise CorpusError(path, "is a pipe or device; copy its content to a file first")
    return path


def require_file(path: Path) -> Path:
    """Return `path` if it is a file.

    Raises
    ------
    CorpusError
        If it does not exist, or is a folder.
    """
    require_path(path)
    if path.is_dir():
        raise CorpusError(path, "is a folder; name a file in it")
    return path


def read_bytes(path: Path) -> bytes:
    """Return the content of a file.

    Raises
    ------
    CorpusError
        If it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as exc:
        raise unreadable(path, exc) from None


def read_text(path: Path) -> str:
    """Return the content of a UTF-8 file, with line ends and byte order mark unchanged.

    Raises
    ------
    CorpusError
        If it cannot be read or is not UTF-8; the message gives the byte.
    """
    data = read_bytes(path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise not_utf8(path, exc.start) from None


def read_chunks(path: Path) -> Iterator[bytes]:
    """Yield the content of a file in chunks.

    Raises
    ------
    CorpusError
        If it cannot be read.
    """
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk
    except OSError as exc:
        raise unreadable(path, exc) from None


def read_beginning(path: Path) -> str:
    """Return the first characters of a file; bytes that cannot be decoded are replaced.

    Raises
    ------
    CorpusError
        If it cannot be read.
    """
    try:
        with path.open("rb") as file:
            beginning = file.read(_BEGINNING)
    except OSError as exc:
        raise unreadable(path, exc) from None
    utf16 = beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    encoding = "utf-16" if utf16 else "utf-8"
    return beginning.decode(encoding, errors="replace").removeprefix("\ufeff")


class Utf8Check:
    """Checks that consecutive chunks of a file are UTF-8."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._offset = 0

    def feed(self, chunk: bytes, final: bool = False) -> str:
        """Check the next chunk, and return the text decoded so far.

        Raises
        ------
        CorpusError
            If a byte cannot be decoded; the message gives its offset in the file.
        """
        pending = len(self._decoder.getstate()[0])
        try:
            text = self._decoder.decode(chunk, final)
        except UnicodeDecodeError as exc:
            raise not_utf8(self._path, self._offset - pending + exc.start) from None
        self._offset += len(chunk)
        return text


def text_chunks(path: Path) -> Iterator[str]:
    """Yield the content of a UTF-8 file in chunks; as `read_text`."""
    check = Utf8Check(path)
    for chunk in read_chunks(path):
        yield check.feed(chunk)
    yield check.feed(b"", final=True)


def check_utf8(path: Path) -> None:
    """Read a whole file, and raise CorpusError if it is not UTF-8."""
    for _ in text_chunks(path):
        pass


def not_utf8(path: Path, offset: int) -> CorpusError:
    """Return the error for invalid UTF-8 at a byte offset."""
    return CorpusError(path, "not UTF-8; convert the file to UTF-8", f"byte {offset}")


def unreadable(path: Path, exc: OSError, where: str | None = None) -> CorpusError:
    """Return the error for a file that cannot be read, from a place in it if that is known."""
    return CorpusError(path, f"cannot be read: {reason(exc)}", where)
