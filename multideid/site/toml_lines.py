"""The line of every value in a TOML file, which the standard library does not give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

Place = tuple[str | int, ...]

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'{3}.*?\'{3,5}|"(?:\\.|[^"\\\n])*+"?+|\'[^\'\n]*\''
    r"|#[^\n]*|[\[\]{},=\n]|[^\s\[\]{},=\"'#]+",
    re.DOTALL,
)
_OPEN, _CLOSE = "[]"


class _Token(NamedTuple):
    """A part of the file: a string, a word, a mark or a line end."""

    text: str
    line: int


def value_lines(text: str) -> dict[Place, int]:
    """Return the line of each table, key and element of an array.

    Parameters
    ----------
    text : str
        A valid TOML document, with line feeds as line ends.

    Returns
    -------
    dict of tuple to int
        Lines from 1, by the keys and indices that lead to a value.

    Examples
    --------
    >>> value_lines("a = 1\\n[b]\\nc = [\\n 2,\\n 3]")[("b", "c", 1)]
    5
    """
    return _Scan(list(_tokens(text))).lines()


def _tokens(text: str) -> Iterator[_Token]:
    line, done = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", done, match.start())
        done = match.start()
        if not match[0].startswith("#"):
            yield _Token(match[0], line)


class _Scan:
    """Reads the tokens of a valid document once."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._lines: dict[Place, int] = {}
        self._tables: dict[Place, int] = {}

    def lines(self) -> dict[Place, int]:
        table: Place = ()
        while self._skip("\n"):
            if self._text() == _OPEN:
                table = self._header()
            else:
                self._pair(table)
        return self._lines

    def _text(self, ahead: int = 0) -> str:
        place = self._at + ahead
        return self._tokens[place].text if place < len(self._tokens) else ""

    def _skip(self, *texts: str) -> bool:
        """Pass some tokens; return whether there are more."""
        while self._text() in texts:
            self._at += 1
        return self._at < len(self._tokens)

    def _header(self) -> Place:
        line, is_array = self._tokens[self._at].line, self._text(1) == _OPEN
        self._at += 1 + is_array
        place: Place = ()
        for key in self._keys(_CLOSE):
            place = (*place, key)
            if place in self._tables and not (is_array and self._text() == _CLOSE):
                place = (*place, self._tables[place])
        if is_array:
            number = self._tables[place] = self._tables.get(place, -1) + 1
            self._lines.setdefault(place, line)
            place = (*place, number)
        self._skip(_CLOSE)
        self._lines[place] = line
        return place

    def _keys(self, end: str) -> Iterator[str]:
        """Yield the parts of a dotted key, up to but without its end."""
        while self._text() != end:
            text = self._text()
            self._at += 1
            if text[0] in "\"'":
                yield text[1:-1]
            else:
                yield from filter(None, text.split("."))

    def _pair(self, table: Place) -> None:
        line = self._tokens[self._at].line
        place = table
        for key in self._keys("="):
            place = (*place, key)
            self._lines.setdefault(place, line)
        self._at += 1
        self._value(place)

    def _value(self, place: Place) -> None:
        self._skip("\n")
        self._lines.setdefault(place, self._tokens[self._at].line)
        if self._text() == _OPEN:
            self._array(place)
        elif self._text() == "{":
            self._inline_table(place)
        else:
            while self._text() not in ("\n", ",", _CLOSE, "}", ""):
                self._at += 1

    def _array(self, place: Place) -> None:
        self._at += 1
        number = 0
        while self._skip("\n", ",") and self._text() != _CLOSE:
            self._value((*place, number))
            number += 1
        self._at += 1

    def _inline_table(self, place: Place) -> None:
        self._at += 1
        while self._skip("\n", ",") and self._text() != "}":
            self._pair(place)
        self._at += 1
