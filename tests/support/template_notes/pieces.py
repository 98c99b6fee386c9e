"""Text built from pieces, so that the offsets of PHI are right by construction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from multideid.document import Span


class Piece(NamedTuple):
    """A stretch of text and the PHI label that it has, if any."""

    text: str
    label: str | None = None


def assemble(pieces: Iterable[Piece]) -> tuple[str, tuple[Span, ...]]:
    """Join pieces into a text and the spans of those that are labelled."""
    texts: list[str] = []
    spans: list[Span] = []
    length = 0
    for text, label in pieces:
        if label:
            spans.append(Span(length, length + len(text), label))
        texts.append(text)
        length += len(text)
    return "".join(texts), tuple(spans)


def wrap(text: str, width: int) -> str:
    """Break long lines at spaces, each of which becomes a line end.

    The text keeps its length, so that offsets into it stay right.
    """
    return "\n".join(_wrap_line(line, width) for line in text.split("\n"))


def _wrap_line(line: str, width: int) -> str:
    done = 0
    while len(line) - done > width:
        space = line.rfind(" ", done + 1, done + width + 1)
        if space < 0:
            break
        line = f"{line[:space]}\n{line[space + 1 :]}"
        done = space + 1
    return line
