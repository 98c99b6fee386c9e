"""The JSON values of a file: lines of JSON Lines, items of a list, or one value."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from multideid.corpora.structure import Changes, Content, ReadingOptions, Record, Value
from multideid.corpora.structured.encodings import decoded, encoding_of, refuse_other_encoding
from multideid.corpora.structured.json_source import (
    TOKEN,
    JsonString,
    json_parts,
    json_slot,
    parsed,
)
from multideid.corpora.structured.slots import Slot, Source


class Unit(NamedTuple):
    """A part of a file with one JSON value in it.

    Parameters
    ----------
    source : Source
        The value, with what is around it up to the next one.
    value : any
    parts : list of JsonString
        In offsets of the source; paths begin at the root of the file or line.
    name : str
        Such as ``"line 3"``; empty for a whole file.
    encoding : str
    mark : bytes
        The byte order mark before it.
    separable : bool
        Whether the file stays valid without it.
    in_list : bool
        Whether it is an item of the list that the file is; paths begin with its number.
    """

    source: Source
    value: Any
    parts: list[JsonString]
    name: str
    encoding: str = "utf-8"
    mark: bytes = b""
    separable: bool = False
    in_list: bool = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"  # Without text.

    @property
    def strings(self) -> Iterator[JsonString]:
        """The strings and numbers."""
        return (part for part in self.parts if not part.is_key)

    def keys(self) -> tuple[Slot, ...]:
        """Add the slots of the keys."""
        return tuple(json_slot(self.source, part) for part in self.parts if part.is_key)

    def record(
        self,
        values: tuple[Value, ...],
        name: str = "",
        patient: str | None = None,
        keys: tuple[Slot, ...] = (),
    ) -> Record:
        """Return the record of the unit with these values."""

        def render(changes: Changes) -> bytes:
            return self.mark + self.source.rendered(changes).encode(self.encoding)

        return Record(values, render, name or self.name, patient, self.separable, keys)


def units(content: Content, options: ReadingOptions) -> Iterator[Unit]:
    """Yield the JSON values of a file; only JSON Lines are not read as a whole.

    Raises
    ------
    CorpusError
        If it is not valid JSON, or not in the encoding; names the line.
    """
    if is_json_lines(content):
        yield from _lines(content, options)
        return
    read = decoded(content, options)
    value = parsed(read.text, None, content.name)
    parts = list(json_parts(read.text))
    if not isinstance(value, list) or not value:
        yield Unit(Source(read.text), value, parts, "", read.encoding, read.mark)
        return
    by_item: dict[str | int, list[JsonString]] = defaultdict(list)
    for part in parts:
        by_item[part.path[0]].append(part)
    for number, (start, end) in enumerate(_items(read.text, len(value))):
        moved = [s._replace(start=s.start - start, end=s.end - start) for s in by_item[number]]
        source, mark = Source(read.text[start:end]), b"" if number else read.mark
        name = f"item {number + 1}"
        yield Unit(source, value[number], moved, name, read.encoding, mark, in_list=True)


def _items(text: str, count: int) -> Iterator[tuple[int, int]]:
    """Yield parts of the text of a list, each with one of its items; together they are all."""
    depth = start = number = 0
    for match in TOKEN.finditer(text):
        depth += (match[0] in "{[") - (match[0] in "}]")
        if depth == 1 and match[0] == ",":
            yield start, match.start()
            start = match.start()
            number += 1
            if number == count - 1:
                break
    yield start, len(text)


def top_values(content: Content) -> Iterator[Any]:
    """Yield the values on the lines of a JSON Lines file, the items of a list, or the one value.

    Raises
    ------
    ValueError, RecursionError
        If one is not valid JSON, or not in the encoding.
    """
    encoding = content.decoding
    if is_json_lines(content):
        content.file.seek(0)
        lines = (line.decode(encoding) for line in content.file if line.strip())
        yield from map(json.loads, lines)
        return
    value = json.loads(content.read().decode(encoding))
    yield from value if isinstance(value, list) else [value]


def is_json_lines(content: Content) -> bool:
    """Return whether a file has a JSON object in its first line, and more lines."""
    encoding = content.decoding
    content.file.seek(0)
    lines = (line for line in content.file if line.strip())
    first = next(lines, b"")
    return _is_object(first, encoding) and next(lines, None) is not None


def _is_object(line: bytes, encoding: str) -> bool:
    try:
        return isinstance(json.loads(line.decode(encoding)), dict)
    except (ValueError, RecursionError):
        return False


def _lines(content: Content, options: ReadingOptions) -> Iterator[Unit]:
    file_mark, encoding = encoding_of(content, options)
    content.file.seek(0)
    refuse_other_encoding(content, options, content.file)
    content.file.seek(0)
    for number, data in enumerate(content.file, start=1):
        mark = file_mark if number == 1 else b""
        where = f"line {number}"
        try:
            text = data[len(mark) :].decode(encoding)
        except UnicodeDecodeError:
            problem = f"not {encoding.upper()}; name the encoding with --encoding"
            raise content.error(problem, where) from None
        value = parsed(text, where, content.name) if text.strip() else None
        parts = list(json_parts(text))
        yield Unit(Source(text), value, parts, where, encoding, mark, separable=True)
