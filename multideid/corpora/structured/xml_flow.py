"""The text of XML elements as paragraphs: inline elements do not break a line, others do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from multideid.corpora.structure import Value, is_title, kept
from multideid.corpora.structured.slots import Slot
from multideid.corpora.structured.xml_source import End, Event, Start, Text
from multideid.document import Span
from multideid.spans import trimmed

BLOCKS = frozenset(
    """
    article address blockquote body br caption center dd div dl dt fieldset footer form h1 h2 h3 h4
    h5 h6 head header hr html item li list main nav ol p paragraph pre section table tbody tfoot
    thead title tr ul
    """.split()
)
"""Elements of XHTML and of CDA narratives that begin a line."""

_CELLS = ("td", "th")


class Flow:
    """Collects texts into values, a value for each paragraph.

    Parameters
    ----------
    slot : callable
        Returns the slot of a text.
    place : str
        Place of the values.
    """

    def __init__(self, slot: Callable[[Text], Slot], place: str = "") -> None:
        self._slot, self._place = slot, place
        self._pieces: list[Slot | str] = []
        self._known: list[Span] = []
        self._length = 0
        self._values: list[Value] = []

    def text(
        self, text: Text, slot: Callable[[Text], Slot] | None = None, label: str | None = None
    ) -> None:
        """Add a text to the paragraph; a comment is a paragraph of its own.

        Its slot may be one of another source, and all of it may be PHI of a class.
        """
        slot = slot or self._slot
        if text.kind == "stylesheet":
            self.break_line()
            self._values.append(kept(slot(text), self._place))
            return
        if text.kind in ("comment", "pi"):
            self.break_line()
        piece = slot(text)
        if label is not None:
            self._add_known(piece.text, label)
        self._add(piece)
        if text.kind in ("comment", "pi"):
            self.break_line()

    def cell(self) -> None:
        """Separate two cells of a row."""
        if self._pieces:
            self._add("\t")

    def break_line(self) -> None:
        """End the paragraph."""
        text = "".join(p if isinstance(p, str) else p.text for p in self._pieces)
        if text.strip():
            self._values.append(self._value(text))
        self._pieces, self._known, self._length = [], [], 0

    def _value(self, text: str) -> Value:
        pieces, known = tuple(self._pieces), tuple(self._known)
        if [(span.start, span.end) for span in known] == [trimmed(text, 0, len(text))]:
            return Value(pieces, known, free=False, place=self._place)
        return Value(pieces, known, place=self._place, title=is_title(text))

    def _add(self, piece: Slot | str) -> None:
        self._pieces.append(piece)
        self._length += len(piece if isinstance(piece, str) else piece.text)

    def _add_known(self, text: str, label: str) -> None:
        """Mark the next text as PHI; with a text right before it, it is one value."""
        low, high = trimmed(text, 0, len(text))
        start, end = self._length + low, self._length + high
        last = self._known[-1] if self._known else None
        if last is not None and (last.end, last.label) == (start, label):
            self._known[-1] = last._replace(end=end)
        elif start < end:
            self._known.append(Span(start, end, label))

    def values(self) -> list[Value]:
        """End the last paragraph, and return all."""
        self.break_line()
        values, self._values = self._values, []
        return values


def narrative(events: Iterable[Event], flow: Flow) -> list[Value]:
    """Return the paragraphs of a narrative, in XHTML or that of a CDA section."""
    add_narrative(events, flow)
    return flow.values()


def add_narrative(
    events: Iterable[Event], flow: Flow, slot: Callable[[Text], Slot] | None = None
) -> None:
    """Add a narrative, whose last paragraph may go on; its slots may be those of another source."""
    for event in events:
        if isinstance(event, Text):
            flow.text(event, slot)
        elif event.local in BLOCKS:
            flow.break_line()
        elif event.local in _CELLS and isinstance(event, Start):
            flow.cell()


def mixed_elements(events: Iterable[Event], text: str) -> set[int]:
    """Return the numbers of elements that have both text and elements, in order of their starts."""
    mixed: set[int] = set()
    stack: list[list[int]] = []  # Number, and whether there are texts and elements.
    number = 0
    for event in events:
        if isinstance(event, Start):
            if stack:
                stack[-1][2] = 1
            stack.append([number, 0, 0])
            number += 1
        elif isinstance(event, End):
            element, has_text, has_elements = stack.pop()
            if has_text and has_elements:
                mixed.add(element)
        elif stack and event.kind in ("text", "cdata") and text[event.start : event.end].strip():
            stack[-1][1] = 1
    return mixed


def inner_events(events: Iterator[Event]) -> Iterator[Event]:
    """Yield the events up to the end of the element whose start was the last event."""
    depth = 1
    for event in events:
        depth += isinstance(event, Start) - isinstance(event, End)
        if not depth:
            return
        yield event
