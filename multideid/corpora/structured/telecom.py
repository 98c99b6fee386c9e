"""Phone numbers, e-mail and web addresses as standards write them."""

from __future__ import annotations

import re

from multideid.document import Span

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):(?://)?")
_LABELS = {"tel": "PHONE", "fax": "FAX", "mailto": "EMAIL", "sip": "EMAIL", "sms": "PHONE"}


def contact_spans(text: str, default: str = "PHONE") -> tuple[Span, ...]:
    """Return the PHI of a telecommunication address, without its scheme.

    Parameters
    ----------
    text : str
        Such as ``"tel:+1-555-0100"`` or ``"j.doe@example.org"``.
    default : str
        The label of an address that shows no other.

    Returns
    -------
    tuple of Span
        One span; none for an empty text.
    """
    scheme = _SCHEME.match(text)
    start = scheme.end() if scheme else 0
    if start == len(text):
        return ()
    label = _LABELS.get(scheme[1].lower(), "URL") if scheme else default
    if not scheme and "@" in text:
        label = "EMAIL"
    return (Span(start, len(text), label),)
