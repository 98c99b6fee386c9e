"""Recognising a corpus's format from what is in it."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from multideid.corpora.source import corpus_names, require_file, unreadable
from multideid.errors import CorpusError

_PEEK = 1 << 16
_ELEMENT = re.compile(r"<([A-Za-z_][\w.-]*)[\s/>]")
_RECORD = re.compile(r"<(?:RECORD|DOCUMENT)\s[^<>]*\bID\s*=")
_COMMENT = re.compile(r"<!--.*?-->|<\?.*?\?>", re.DOTALL)


def detect_format(path: Path | str) -> str:
    """Return the name of the format of a file or folder.

    A file is known by its beginning, a folder by its files: ``.ann`` files are
    brat, a ``.text`` file PhysioNet, ``.xml`` files one of the two i2b2
    formats by the first of them, and ``.txt`` files alone plain text.

    Raises
    ------
    CorpusError
        If nothing is there, nothing fits, or a folder holds several formats;
        says how to go on.
    """
    place = Path(path)
    if place.is_dir():
        return _format_of_folder(place)
    return _format_of_file(require_file(place))


def _format_of_folder(path: Path) -> str:
    if corpus_names(path, ".ann"):
        found = ["brat"]
    else:
        found = ["plain"] if corpus_names(path, ".txt") else []
    if any(path.glob("*.text")):
        found.append("physionet")
    if xml := corpus_names(path, ".xml"):
        found.append(_format_of_file(path / xml[0]))
    if len(found) == 1:
        return found[0]
    if found:
        raise CorpusError(path, f"holds files of {' and '.join(found)}; name the format")
    raise CorpusError(path, "holds no file of a known format; name the format or a file")


def _format_of_file(path: Path) -> str:
    beginning = _beginning(path)
    if beginning.startswith(b"PAR1"):
        return "parquet"
    text = _decoded(beginning).removeprefix("\ufeff")
    start = text.lstrip()
    if start.startswith("<") and (found := _format_of_xml(start)):
        return found
    if start.startswith("START_OF_RECORD="):
        return "physionet"
    if start.startswith("{"):
        return "jsonl"
    if _is_table(path, text):
        return "csv"
    if path.suffix.lower() in (".txt", ".ann"):
        return "brat" if _has_other_half(path) else "plain"
    raise CorpusError(path, "its format is not recognised; name the format")


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_PEEK)
    except OSError as exc:
        raise unreadable(path, exc) from None


def _decoded(beginning: bytes) -> str:
    wide = beginning.startswith((b"\xff\xfe", b"\xfe\xff"))
    return beginning.decode("utf-16" if wide else "utf-8", errors="replace")


def _format_of_xml(text: str) -> str | None:
    content = _COMMENT.sub("", text)
    names = [m[1] for m in _ELEMENT.finditer(content)][:2]
    if _RECORD.search(content.split("<TEXT", 1)[0]):
        return "i2b2-2006"
    return "i2b2-2014" if len(names) == 2 and names[1] == "TEXT" else None


def _is_table(path: Path, text: str) -> bool:
    suffix = path.suffix.lower()
    if suffix in (".csv", ".tsv"):
        return True
    header = text.split("\n", 1)[0].rstrip("\r")
    cells = next(csv.reader([header]), []) if header and "\0" not in header else []
    return suffix != ".txt" and "text" in cells


def _has_other_half(path: Path) -> bool:
    other = ".ann" if path.suffix.lower() == ".txt" else ".txt"
    return path.with_suffix(other).is_file()
