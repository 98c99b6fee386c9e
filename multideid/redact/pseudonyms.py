"""Pseudonyms: the label, and a keyed hash of what stood there."""

from __future__ import annotations

from multideid.document import Document, Span
from multideid.redact.keys import Key, run_key
from multideid.redact.spelling import fold

_DIGITS = 8


class Pseudonyms:
    """Replaces PHI by its label and a keyed hash, ``[DOCTOR-3f9a2c07]``; a `Replacer`.

    The same text under the same label has the same pseudonym in all documents
    and, with the same key, in all runs. Case, accents, white space and a
    possessive are left out of account. Without the key, nobody can try names.

    Parameters
    ----------
    key : Key, optional
        Default: a random one, the same for the whole run and no other.
    digits : int, default 8
        Hexadecimal digits. With 8, two of 10,000 texts of a label meet in one
        run of a hundred.
    """

    def __init__(self, key: Key | None = None, digits: int = _DIGITS) -> None:
        self.key = run_key() if key is None else key
        self.digits = digits

    def __call__(self, document: Document, span: Span, /) -> str:
        """Return the pseudonym of a span."""
        text = fold(document.span_text(span).replace("\u2019", "'")).removesuffix("'s")
        digits = self.key.pseudonym(self.digits, "pseudonym", span.label, text)
        return f"[{span.label}-{digits}]"
