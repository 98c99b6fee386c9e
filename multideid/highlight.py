"""Documents as HTML with their spans in colour, in the form of spaCy's displaCy."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from html import escape

from multideid.spans import splice

# Light enough for black text, and apart from each other.
_COLOURS = (
    "#7aecec", "#bfeeb7", "#feca74", "#ff9561", "#aa9cfc", "#c887fb",
    "#9cc9cc", "#ffeb80", "#ff8197", "#e4e7d2", "#f0d0ff", "#b5d4ff",
)  # fmt: skip
_FREQUENT = "PATIENT DOCTOR HOSPITAL LOCATION DATE ID PHONE AGE EMAIL URL NAME PROFESSION".split()

_PAGE = (
    '<div class="entities" style="line-height: 2.5; direction: ltr; white-space: pre-wrap">'
    "{content}</div>"
)
_ENTITY = (
    '<mark class="entity" style="background: {colour}; color: #000; padding: 0.45em 0.6em; '
    'margin: 0 0.25em; line-height: 1; border-radius: 0.35em;">{text}'
    '<span style="font-size: 0.8em; font-weight: bold; line-height: 1; border-radius: 0.35em; '
    'vertical-align: middle; margin-left: 0.5rem">{label}</span></mark>'
)


def highlighted(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    """Return HTML that shows a text with its spans in colour.

    The markup is that of ``spacy.displacy.render(..., style="ent")``, so that style
    sheets for it apply.

    Parameters
    ----------
    text : str
    spans : iterable of (int, int, str)
        Half-open character offsets and labels, sorted and not overlapping.
    """
    entities = ((start, end, _entity(text[start:end], label)) for start, end, label in spans)
    return _PAGE.format(content=splice(text, entities, between=escape))


def _entity(text: str, label: str) -> str:
    return _ENTITY.format(colour=label_colour(label), text=escape(text), label=escape(label))


def label_colour(label: str) -> str:
    """Return the colour of a label, the same in all documents and runs.

    Frequent labels have different colours.
    """
    if label in _FREQUENT:
        return _COLOURS[_FREQUENT.index(label)]
    digest = hashlib.sha256(label.encode("utf-8", "surrogatepass")).digest()
    return _COLOURS[digest[0] % len(_COLOURS)]
