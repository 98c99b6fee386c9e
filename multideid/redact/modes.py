"""What may stand in the place of a PHI span."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from multideid.document import Document, Span

Mode = Literal["mask", "tag", "remove", "surrogate", "hash"]


class Replacer(Protocol):
    """Gives the text that takes a span's place.

    Examples
    --------
    >>> def stars(document: Document, span: Span) -> str:
    ...     return "*" * (span.end - span.start)
    """

    def __call__(self, document: Document, span: Span, /) -> str:
        """Return the text that stands where `span` stood in `document`."""


def mask(document: Document, span: Span) -> str:
    """Return the label in brackets: ``[DATE]``."""
    return f"[{span.label}]"


def tag(document: Document, span: Span) -> str:
    """Return the PHI itself between tags, for review: ``<DATE>May 3</DATE>``."""
    return f"<{span.label}>{document.span_text(span)}</{span.label}>"


def remove(document: Document, span: Span) -> str:
    """Return nothing; the text on both sides closes up."""
    return ""


MODES: Mapping[str, Replacer] = {"mask": mask, "tag": tag, "remove": remove}
"""The modes that need no key, by name."""
