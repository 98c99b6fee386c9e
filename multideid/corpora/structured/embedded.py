"""Content inside a field: markup is read as text, and so is text in base64."""

from __future__ import annotations

import base64
import re

from multideid.corpora.structure import Value, labelled
from multideid.corpora.structured.slots import Embedded, Source
from multideid.corpora.structured.xml_flow import Flow, narrative
from multideid.corpora.structured.xml_source import text_slot, xml_events

_MARKUP = re.compile(r"\s*<[A-Za-z!?]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_NO_TEXT = ("{\\rtf", "%PDF")

WITHHELD = "OTHER"
"""The label of data that is not text, which is replaced as a whole."""


def base64_values(source: Source, start: int, end: int, place: str) -> list[Value]:
    """Return the values in a part of a source that holds base64.

    Data that is not text in UTF-8, such as an image, is one value that is PHI as
    a whole.

    Parameters
    ----------
    source : Source
        Gets the slots.
    start, end : int
        Offsets of the part in the source.
    place : str
        Place of the values.
    """
    text = base64_text(source.text[start:end])
    if text is None:
        return [labelled(source.slot(start, end), WITHHELD, place)]
    inner = Source(text)
    source.parts.append(Embedded(start, end, inner, _to_base64))
    return markup_values(inner, place)


def base64_text(raw: str) -> str | None:
    """Return the text in base64; None if it is no base64, or not text in UTF-8."""
    try:
        text = base64.b64decode("".join(raw.split()), validate=True).decode("utf-8")
    except ValueError:
        return None
    return None if _CONTROL.search(text) or text.startswith(_NO_TEXT) else text


def _to_base64(text: str) -> str:
    return base64.b64encode(text.encode("utf-8")).decode("ascii")


def markup_values(source: Source, place: str) -> list[Value]:
    """Return the values of a text: of well-formed markup, its paragraphs, else all of it."""
    if _MARKUP.match(source.text):
        events = list(xml_events(source.text))
        known = [event for event in events if event is not None]
        if len(known) == len(events):
            return narrative(known, Flow(lambda text: text_slot(source, text), place))
    return [Value((source.slot(0, len(source.text)),), place=place)]
