"""Files of a corpus: finding and decoding them."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path

from multideid.corpora.names import id_of_name
from multideid.errors import CorpusError

_CHUNK = 1 << 20


def corpus_files(path: Path, suffix: str) -> list[tuple[str, Path]]:
    """Return ``(document id, file)`` for the files of a folder, or for one file.

    Sub-folders are searched, hidden files and folders are not. The id is the
    path from the folder without the suffix, which may be in capitals.

    Parameters
    ----------
    path : Path
    suffix : str
        Such as ``".txt"``.

    Returns
    -------
    list of (str, Path)
        Sorted by id.

    Raises
    ------
    CorpusError
        If `path` does not exist or cannot be listed.
    """
    if not path.is_dir():
        return [(id_of_name(path.stem), require_file(path))]
    try:
        found = [p for p in path.rglob("*") if p.suffix.lower() == suffix and p.is_file()]
    except OSError as exc:
        raise unreadable(path, exc) from None
    parts = ((p.relative_to(path), p) for p in found)
    visible = [(r, p) for r, p in parts if not any(x.startswith(".") for x in r.parts)]
    return sorted((id_of_name(r.as_posix()[: -len(suffix)]), p) for r, p in visible)


def require_path(path: Path) -> Path:
    """Return `path` if there is such a file or folder, else raise CorpusError."""
    if not path.exists():
        raise CorpusError(path, "there is no such file or folder")
    return path


def require_file(path: Path) -> Path:
    """Return `path` if it is a file.

    Raises
    ------
    CorpusError
        If there is nothing, or not a file.
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
    """Return the content of a UTF-8 file with its line ends and its byte order mark.

    Raises
    ------
    CorpusError
        If it cannot be read or is not UTF-8; names the byte.
    """
    data = read_bytes(path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise not_utf8(path, exc.start) from None


def read_chunks(path: Path) -> Iterator[bytes]:
    """Yield the content of a file piece by piece.

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


class Utf8Check:
    """Checks the pieces of a file, one after the other, for being UTF-8."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._offset = 0

    def feed(self, chunk: bytes, final: bool = False) -> str:
        """Check the next piece, and return what can be decoded so far.

        Raises
        ------
        CorpusError
            If a byte cannot be decoded; names its offset in the file.
        """
        pending = len(self._decoder.getstate()[0])
        try:
            text = self._decoder.decode(chunk, final)
        except UnicodeDecodeError as exc:
            raise not_utf8(self._path, self._offset - pending + exc.start) from None
        self._offset += len(chunk)
        return text


def text_chunks(path: Path) -> Iterator[str]:
    """Yield the content of a UTF-8 file piece by piece; as `read_text`."""
    check = Utf8Check(path)
    for chunk in read_chunks(path):
        yield check.feed(chunk)
    yield check.feed(b"", final=True)


def check_utf8(path: Path) -> None:
    """Read a file through and raise CorpusError where it is not UTF-8."""
    for _ in text_chunks(path):
        pass


def not_utf8(path: Path, offset: int) -> CorpusError:
    """Return the error for a byte that is not UTF-8."""
    return CorpusError(path, "not UTF-8; convert the file to UTF-8", f"byte {offset}")


def unreadable(path: Path, exc: OSError) -> CorpusError:
    """Return the error for a file that the system does not let us read."""
    return CorpusError(path, f"cannot be read: {exc.strerror or type(exc).__name__}")
