"""Replace the PHI spans of a document and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from multideid.document import Document
from multideid.errors import UsageError
from multideid.redact.modes import MODES, Mode, Replacer


def redact(document: Document, mode: Mode | Replacer = "mask") -> str:
    """Return the text of `document` with every span replaced.

    What lies outside the spans stays character for character. Spans that
    touch are replaced one by one.

    Parameters
    ----------
    document : Document
    mode : {"mask", "tag", "remove"} or Replacer
        ``"mask"`` puts the label in brackets, ``"tag"`` keeps the PHI between
        tags, for review, ``"remove"`` leaves nothing. A callable gets the
        document and the span and returns what takes its place.

    Returns
    -------
    str

    Raises
    ------
    UsageError
        If there is no such mode, or the callable returns anything but a str.

    Examples
    --------
    >>> from multideid.document import Span
    >>> note = Document("n1", "Seen by Dr. Lee.", (Span(12, 15, "DOCTOR"),))
    >>> redact(note), redact(note, "tag"), redact(note, "remove")
    ('Seen by Dr. [DOCTOR].', 'Seen by Dr. <DOCTOR>Lee</DOCTOR>.', 'Seen by Dr. .')
    """
    return "".join(_pieces(document, _replacer(mode)))


def _replacer(mode: Mode | Replacer) -> Replacer:
    if callable(mode):
        return mode
    if mode in MODES:
        return MODES[mode]
    raise UsageError(
        f"unknown redaction mode {mode!r}; there are {', '.join(MODES)}, or a function of yours"
    )


def _pieces(document: Document, replacer: Replacer) -> Iterator[str]:
    done = 0
    for span in document.spans:
        yield document.text[done : span.start]
        replacement = replacer(document, span)
        if not isinstance(replacement, str):
            kind = type(replacement).__name__
            raise UsageError(f"a replacer must return a str for every span, not {kind}")
        yield replacement
        done = span.end
    yield document.text[done:]
