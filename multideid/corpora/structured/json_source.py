"""JSON as a source whose strings can be replaced, byte for byte otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from multideid.corpora.structured.slots import EscapeRule, Slot, Source
from multideid.errors import CorpusError

Path = tuple[str | int, ...]
"""Keys and positions from the root of a document to a value."""

# A string without an end is none in valid JSON, but would be searched for its end at every quote.
TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u.{4}|.)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")

JSON_ESCAPES = EscapeRule(_ESCAPE, lambda match: str(json.loads(f'"{match[0]}"')))


class JsonString(NamedTuple):
    """A string or number: its path, and the offsets of its characters without quotes.

    A key has the path of its value.
    """

    path: Path
    start: int
    end: int
    quoted: bool = True
    is_key: bool = False


def parsed(text: str, where: str | None, name: str) -> Any:
    """Return the value of a JSON text.

    Raises
    ------
    CorpusError
        If it is not valid JSON; names the line and column.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = where or f"line {error.lineno}"
        raise CorpusError(name, f"not valid JSON at column {error.colno}", place) from None
    except (ValueError, RecursionError):
        problem = "JSON with too long a number or too deep nesting"
        raise CorpusError(name, problem, where) from None


def json_strings(text: str) -> Iterator[JsonString]:
    """Yield the strings and numbers of valid JSON, in order, without keys."""
    return (part for part in json_parts(text) if not part.is_key)


def json_parts(text: str) -> Iterator[JsonString]:
    """Yield the keys, strings and numbers of valid JSON, in order."""
    path: list[str | int] = []  # The key or position at each open level.
    expects_key = False
    for match in TOKEN.finditer(text):
        token = match[0]
        if token in "{[":
            path.append("" if token == "{" else 0)
            expects_key = token == "{"
        elif token in "}]":
            path.pop()
            expects_key = False
        elif token == ",":
            place = path[-1]
            expects_key = isinstance(place, str)
            path[-1] = "" if isinstance(place, str) else place + 1
        elif token[0] == '"' and expects_key:
            path[-1] = JSON_ESCAPES.decoded(token, 1, len(token) - 1)[0]
            expects_key = False
            yield JsonString(tuple(path), match.start() + 1, match.end() - 1, is_key=True)
        elif token[0] == '"':
            yield JsonString(tuple(path), match.start() + 1, match.end() - 1)
        elif token[0] in "-0123456789":
            yield JsonString(tuple(path), *match.span(), quoted=False)


def json_slot(source: Source, string: JsonString) -> Slot:
    """Add the slot of a string or number to its source."""
    if not string.quoted:
        text = source.text[string.start : string.end]
        slot = Slot(string.start, string.end, text, None, _number_or_string)
        source.parts.append(slot)
        return slot
    return source.slot(string.start, string.end, JSON_ESCAPES, encoder(source.text))


def number_slot(source: Source, string: JsonString) -> Slot:
    """Add the slot of what is a number by its type, though its replacement may be a string."""
    text = JSON_ESCAPES.decoded(source.text, string.start, string.end)[0]
    start, end = string.start - string.quoted, string.end + string.quoted
    slot = Slot(start, end, text, None, _number_or_string)
    source.parts.append(slot)
    return slot


def _number_or_string(text: str) -> str:
    return text if _NUMBER.fullmatch(text) else json.dumps(text)


def encoder(text: str) -> Callable[[str], str]:
    """Return how new strings are written in a text: in ASCII if the text is."""
    ascii_only = text.isascii()
    return lambda new: json.dumps(new, ensure_ascii=ascii_only)[1:-1]


def dotted(path: Path) -> str:
    """Return a path as it is written: ``entry[2].note``."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in path]
    return "".join(parts).removeprefix(".")
