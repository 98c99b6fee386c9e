"""HTML in a text, such as that of a rich-text field: it need not be well-formed.

Only elements of HTML are markup: what else stands between ``<`` and ``>`` is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from multideid.corpora.structured.xml_source import ENTITIES, End, Event, Start, Text

_LOWER = """
    a abbr acronym address article aside b bdi bdo big blockquote body br caption center cite code
    col colgroup dd del dfn div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5
    h6 head header hr html i img input ins kbd label legend li link main mark meta nav nobr ol p pre
    q s samp section small span strike strong style sub sup table tbody td tfoot th thead title tr
    tt u ul var wbr o:p
"""
# Other words in capitals, such as MARK, may be names.
_UPPER = """
    A B BODY BR DIV EM FONT H1 H2 H3 H4 H5 H6 HEAD HR HTML I IMG LI OL P PRE SPAN STRONG SUB SUP
    TABLE TBODY TD TH THEAD TR U UL
"""
_ELEMENT = "|".join(sorted(map(re.escape, (_LOWER + _UPPER).split()), key=len, reverse=True))
_NAME = r"[A-Za-z][\w:.\-]{0,60}"
_VALUE = r"""\"[^"<]*"|'[^'<]*'|[^\s"'<>=`]+"""
_TOKEN = re.compile(
    rf"""<!--(?P<comment>[^<>]*)-->
    |<!(?i:DOCTYPE[ ]html)(?P<doctype>[^<>]{{0,200}})>
    |</(?P<end>{_ELEMENT})\s*>
    |<(?P<start>{_ELEMENT})
        (?P<attributes>(?:\s+(?:{_NAME}\s*=\s*(?:{_VALUE})|(?i:nowrap|noshade|checked|disabled)))*+)
        \s*(?P<empty>/?)>""",
    re.VERBOSE,
)
_ATTRIBUTE = re.compile(rf"""\s({_NAME})\s*=\s*(?:"([^"<]*)"|'([^'<]*)'|([^\s"'<>=`]+))""")


def holds_html(text: str) -> bool:
    """Return whether a text holds an element of HTML or a character by its name or number."""
    if _TOKEN.search(text):
        return True
    return any(ENTITIES.decode(match) != match[0] for match in ENTITIES.pattern.finditer(text))


def html_events(text: str) -> Iterator[Event]:
    """Yield elements, comments and the texts between them, in order."""
    done = 0
    for match in _TOKEN.finditer(text):
        if done < match.start():
            yield Text("text", done, match.start())
        done = match.end()
        yield from _events(match)
    if done < len(text):
        yield Text("text", done, len(text))


def _events(match: re.Match[str]) -> Iterator[Event]:
    if match["comment"] is not None:
        yield Text("comment", *match.span("comment"))
    elif match["end"]:
        yield End(match["end"].lower(), match.start())
    elif match["start"]:
        yield Start(match["start"].lower(), _attributes(match), *match.span(), bool(match["empty"]))


def _attributes(match: re.Match[str]) -> dict[str, tuple[int, int]]:
    found = _ATTRIBUTE.finditer(match.string, *match.span("attributes"))
    return {each[1].lower(): each.span(each.lastindex or 0) for each in found}
