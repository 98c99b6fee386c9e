"""NLM's descriptor file in XML, ``desc2025.xml``, read piece by piece."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

from multideid.errors import ResourceError
from multideid.knowledge.mesh.descriptors import Descriptor

_ROOT = "DescriptorRecordSet"
_RECORD = "DescriptorRecord"
_UI = ("DescriptorUI",)
_NAME = ("DescriptorName", "String")
_TREE = ("TreeNumberList", "TreeNumber")
_TERM = ("ConceptList", "Concept", "TermList", "Term", "String")
_WANTED = {_UI, _NAME, _TREE, _TERM}
_PIECE = 1 << 20


def read_xml(file: BinaryIO, path: Path) -> Iterator[Descriptor]:
    """Yield the descriptors of an open file.

    Nothing but elements is read: the DTD that the file names is not fetched,
    and a file that declares entities is refused.

    Parameters
    ----------
    file : binary file
    path : Path
        Named in errors.

    Raises
    ------
    ResourceError
        If it is not well-formed, declares an entity, or holds something else.
    """
    reader = _Reader(path)
    while piece := file.read(_PIECE):
        yield from reader.feed(piece)
    yield from reader.feed(b"", final=True)


class _Reader:
    """Takes what expat calls back for, and has descriptors ready."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._inside: list[str] = []
        self._found: dict[tuple[str, ...], list[str]] = {}
        self._text: list[str] | None = None
        self._ready: list[Descriptor] = []
        self._expat = expat.ParserCreate()
        self._expat.buffer_text = True
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._data
        self._expat.EntityDeclHandler = self._refuse_entity

    def feed(self, piece: bytes, final: bool = False) -> list[Descriptor]:
        """Parse a piece, and return the descriptors that end in it."""
        try:
            self._expat.Parse(piece, final)
        except expat.ExpatError as error:
            problem = f"not well-formed XML ({expat.ErrorString(error.code)}); download it again"
            raise ResourceError(self._path, problem, f"line {error.lineno}") from None
        except (LookupError, UnicodeError):
            raise ResourceError(self._path, "its XML encoding is not known") from None
        ready, self._ready = self._ready, []
        return ready

    def _error(self, problem: str) -> ResourceError:
        return ResourceError(self._path, problem, f"line {self._expat.CurrentLineNumber}")

    def _start(self, name: str, _: dict[str, str]) -> None:
        if not self._inside and name != _ROOT:
            raise self._error(f"holds no MeSH descriptors: its root element is not {_ROOT}")
        self._inside.append(name)
        if self._inside == [_ROOT, _RECORD]:
            self._found = {path: [] for path in _WANTED}
        if tuple(self._inside[2:]) in _WANTED:
            self._text = []

    def _data(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _end(self, _: str) -> None:
        if self._text is not None:
            self._found[tuple(self._inside[2:])].append("".join(self._text))
            self._text = None
        if self._inside == [_ROOT, _RECORD]:
            self._ready.append(self._descriptor())
        self._inside.pop()

    def _descriptor(self) -> Descriptor:
        found = self._found
        try:
            return Descriptor.of("".join(found[_UI]), found[_NAME] + found[_TERM], found[_TREE])
        except ValueError as error:
            raise self._error(str(error)) from None

    def _refuse_entity(self, *_: object) -> None:
        raise self._error("declares an entity, which is refused for safety")
