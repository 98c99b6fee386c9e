"""NLM's descriptor file in XML, ``desc2025.xml``, read incrementally."""

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
_PATHS = {_UI, _NAME, _TREE, _TERM}
_CHUNK_SIZE = 1 << 20


def read_xml(file: BinaryIO, path: Path) -> Iterator[Descriptor]:
    """Yield the descriptors of an open file.

    The file's external DTD is not fetched, and files that declare entities are
    refused.

    Parameters
    ----------
    file : binary file
    path : Path
        For errors.

    Raises
    ------
    ResourceError
        If it is not well-formed, declares an entity, or has other content.
    """
    reader = _Reader(path)
    while chunk := file.read(_CHUNK_SIZE):
        yield from reader.feed(chunk)
    yield from reader.feed(b"", final=True)


class _Reader:
    """Collects descriptors in expat's callbacks."""

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

    def feed(self, chunk: bytes, final: bool = False) -> list[Descriptor]:
        """Parse a chunk of the file, and return the descriptors completed in it."""
        try:
            self._expat.Parse(chunk, final)
        except expat.ExpatError as error:
            problem = f"not well-formed XML ({expat.ErrorString(error.code)}); download it again"
            raise ResourceError(self._path, problem, f"line {error.lineno}") from None
        except (LookupError, UnicodeError):
            raise ResourceError(self._path, "has an unknown XML encoding") from None
        ready, self._ready = self._ready, []
        return ready

    def _error(self, problem: str) -> ResourceError:
        return ResourceError(self._path, problem, f"line {self._expat.CurrentLineNumber}")

    def _start(self, name: str, _: dict[str, str]) -> None:
        if not self._inside and name != _ROOT:
            raise self._error(f"has no MeSH descriptors: its root element is not {_ROOT}")
        self._inside.append(name)
        if self._inside == [_ROOT, _RECORD]:
            self._found = {path: [] for path in _PATHS}
        if tuple(self._inside[2:]) in _PATHS:
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
