"""Attributes of XML and XHTML: what people may have written in them is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from multideid.corpora.structure import Value, kept, labelled, may_repeat, withheld
from multideid.corpora.structured.slots import Source
from multideid.corpora.structured.xml_source import Start, attribute_slot, attribute_value

_KEPT = re.compile(r"xmlns(?::.*)?|xml:.*|xsi:.*|.*[:]?(?:version|encoding|lang)")
# Layout, which XHTML has in attributes.
_LAYOUT = re.compile(
    r"class|style|width|height|(?:col|row)span|border|v?align|cell(?:spacing|padding)|dir|rel|type"
    r"|face|size|color|bgcolor|span|nowrap|start|scope|charset|frame|rules|headers"
)
_WORTH_READING = re.compile(r"[^\W_]{2}")
_DATA = re.compile(r"\s*data:[\w/+.\-]*[;,]", re.IGNORECASE)


def attribute_values(
    source: Source,
    start: Start,
    *,
    layout: bool = False,
    label: Callable[[str], str | None] = lambda name: None,
) -> Iterator[Value]:
    """Yield the values of an element's attributes that may hold PHI.

    Parameters
    ----------
    source : Source
        Gets the slots.
    start : Start
    layout : bool
        Whether attributes with names of the layout of XHTML, such as ``class``, stay,
        unless they repeat PHI.
    label : callable, optional
        Returns the PHI class that all of the value of an attribute is of, by the
        attribute's name; None if the model has to read it.

    Yields
    ------
    Value
        Images and the like in an address (``data:``) are PHI as a whole.
    """
    for name in start.attributes:
        value, place = attribute_value(source, start, name), f"{start.name}/@{name}"
        stays = bool(_KEPT.fullmatch(name) or (layout and _LAYOUT.fullmatch(name)))
        known = None if stays or _DATA.match(value) else label(name)
        is_read = bool(known) or bool(_WORTH_READING.search(value))
        if not is_read or (stays and not may_repeat(value)):
            continue
        slot = attribute_slot(source, start, name)
        if _DATA.match(value):
            yield withheld(Value((slot,), place=place))
        elif stays:
            yield kept(slot, place)
        elif known:
            yield labelled(slot, known, place)
        else:
            yield Value((slot,), place=place, title=True)
