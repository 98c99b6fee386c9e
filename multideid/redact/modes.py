"""Replacements of PHI spans that do not depend on the rest of the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol, get_args

from multideid.arguments import invalid
from multideid.document import Document, Span
from multideid.redact.keys import Key, run_key
from multideid.redact.spelling import fold

_DIGITS, _MOST = 8, 64

Mode = Literal["mask", "tag", "remove", "surrogate", "hash"]


MODE_NAMES: tuple[str, ...] = get_args(Mode)
"""The names of all modes."""


class Replacer(Protocol):
    """Returns the replacement of a span.

    Examples
    --------
    >>> def stars(document: Document, span: Span) -> str:
    ...     return "*" * (span.end - span.start)
    """

    def __call__(self, document: Document, span: Span, /) -> str:
        """Return the replacement of `span` in `document`."""


def mask(document: Document, span: Span) -> str:
    """Return the label in brackets: ``[DATE]``."""
    return f"[{span.label}]"


def tag(document: Document, span: Span) -> str:
    """Return the PHI itself between tags, for review: ``<DATE>May 3</DATE>``."""
    return f"<{span.label}>{document.span_text(span)}</{span.label}>"


def remove(document: Document, span: Span) -> str:
    """Return an empty string."""
    return ""


MODES: Mapping[str, Replacer] = {"mask": mask, "tag": tag, "remove": remove}
"""The modes without a key, by name."""


class Pseudonyms:
    """Replaces PHI by its label and a keyed hash, ``[DOCTOR-3f9a2c07]``; a `Replacer`.

    The same text with the same label has the same pseudonym in all documents
    and, with the same key, in all runs. Case, accents, white space and a
    possessive are ignored. Without the key, names cannot be guessed by trial.

    Parameters
    ----------
    key : Key, optional
        Default: a random key for this run.
    digits : int, default 8
        Number of hexadecimal digits. With 8, the probability of a collision
        among 10,000 texts of a label is about 1 %.

    Raises
    ------
    UsageError
        If `digits` is no whole number from 1 to 64.
    """

    def __init__(self, key: Key | None = None, digits: int = _DIGITS) -> None:
        if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= _MOST:
            raise invalid("digits", f"a whole number from 1 to {_MOST}", digits)
        self.key = run_key() if key is None else key
        self.digits = digits

    def __call__(self, document: Document, span: Span, /) -> str:
        """Return the pseudonym of a span."""
        text = fold(document.span_text(span).replace("\u2019", "'")).removesuffix("'s")
        digits = self.key.pseudonym(self.digits, "pseudonym", span.label, text)
        return f"[{span.label}-{digits}]"
