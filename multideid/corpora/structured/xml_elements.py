"""The elements of XML as a tree: their names, attributes and texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from multideid.corpora.identifier_names import name_words
from multideid.corpora.structured.slots import Source
from multideid.corpora.structured.xml_source import End, Event, Start, attribute_value, text_of

_VALUE = re.compile(r"value|val|content|text|data")

MOST_WRAPPERS = 8
"""Elements of no meaning around a value, so that deep nesting takes linear time."""


@dataclass(eq=False, slots=True)
class Element:
    """An element, and what it holds.

    Parameters
    ----------
    words : str
        Its name, as `local_words` returns.
    parent : Element, optional
    attributes : dict of str to str
        Their values by names.
    children : set of str
        The words of the names of its attributes and of the elements in it.
    texts : list of str
        Its texts; empty if there are elements in it.
    has_elements : bool
    is_record : bool, optional
        Whether it is a record of a person; None if that was not asked yet.
    """

    words: str
    parent: Element | None = field(repr=False)
    attributes: dict[str, str] = field(repr=False)
    children: set[str]
    texts: list[str] = field(default_factory=list, repr=False)
    has_elements: bool = False
    is_record: bool | None = None

    @property
    def named(self) -> Element:
        """The element whose name is that of the value in this one."""
        element = self
        for around in islice(element.around(), MOST_WRAPPERS):
            if not is_value(element.words):
                break
            element = around
        return element

    def around(self) -> Iterator[Element]:
        """Yield the elements around it, from the inside."""
        element = self.parent
        while element is not None:
            yield element
            element = element.parent


def is_value(words: str) -> bool:
    """Return whether a name only says that there is the value of the element around it."""
    return bool(_VALUE.fullmatch(words))


@lru_cache(maxsize=1 << 12)
def local_words(name: str) -> str:
    """Return the words of a name without its prefix, in lower case and joined by ``_``."""
    return name_words(name.rpartition(":")[2])


def elements(events: Iterable[Event], source: Source) -> list[Element]:
    """Return the elements in the order of their starts."""
    found: list[Element] = []
    stack: list[Element] = []
    for event in events:
        if isinstance(event, Start):
            found.append(_element(event, source, stack[-1] if stack else None))
            stack.append(found[-1])
        elif isinstance(event, End):
            stack.pop()
        elif stack and event.kind in ("text", "cdata") and not stack[-1].has_elements:
            stack[-1].texts.append(text_of(source, event)[0])
    return found


def _element(start: Start, source: Source, parent: Element | None) -> Element:
    words = local_words(start.name)
    if parent is not None:
        parent.has_elements = True
        parent.children.add(words)
        parent.texts.clear()
    values = {name: attribute_value(source, start, name) for name in start.attributes}
    return Element(words, parent, values, set(map(local_words, values)))
