"""Replace the PHI spans of a document and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.redact.keys import Key
from multideid.redact.modes import MODES, Mode, Replacer
from multideid.redact.pseudonyms import Pseudonyms
from multideid.redact.surrogates import Surrogates

_KEYED: Mapping[str, Callable[[Key | None], Replacer]] = {
    "surrogate": Surrogates,
    "hash": Pseudonyms,
}


def redact(document: Document, mode: Mode | Replacer = "mask") -> str:
    """Return the text of `document` with every span replaced.

    What lies outside the spans stays character for character. Spans that
    touch are replaced one by one.

    Parameters
    ----------
    document : Document
    mode : {"mask", "tag", "remove", "surrogate", "hash"} or Replacer
        ``"mask"`` puts the label in brackets, ``"tag"`` keeps the PHI between
        tags, for review, ``"remove"`` leaves nothing. ``"surrogate"`` and
        ``"hash"`` go by a key that is random and the same for the whole run;
        for a key of yours, give `Surrogates` or `Pseudonyms` instead. A
        callable gets the document and the span and returns what takes its
        place.

    Returns
    -------
    str

    Raises
    ------
    UsageError
        If there is no such mode, or the callable returns anything but a str.

    Examples
    --------
    >>> note = Document("n1", "Seen by Dr. Lee.", (Span(12, 15, "DOCTOR"),))
    >>> redact(note), redact(note, "tag"), redact(note, "remove")
    ('Seen by Dr. [DOCTOR].', 'Seen by Dr. <DOCTOR>Lee</DOCTOR>.', 'Seen by Dr. .')
    """
    return spliced(document, replacements(document, mode))


def rewrite(document: Document, mode: Mode | Replacer = "surrogate") -> Document:
    """Return `document` with every span replaced, and the spans where the replacements stand.

    A span that nothing took the place of is left out.

    Parameters
    ----------
    document : Document
    mode : str or Replacer
        As `redact`.

    Returns
    -------
    Document
        With the same id and `meta`.
    """
    new = replacements(document, mode)
    places = zip(document.spans, place_of_each(document, new), strict=True)
    spans = [Span(start, end, span.label) for span, (start, end) in places if start < end]
    return Document(document.id, spliced(document, new), tuple(spans), document.meta)


def replacements(document: Document, mode: Mode | Replacer = "mask") -> list[str]:
    """Return what takes the place of each span, in order; parameters as `redact`."""
    replacer = make_replacer(mode)
    return [_checked(replacer(document, span)) for span in document.spans]


def spliced(document: Document, new: Sequence[str]) -> str:
    """Return the text of `document` with other text in the place of each span."""
    pieces, done = [], 0
    for span, text in zip(document.spans, new, strict=True):
        pieces += [document.text[done : span.start], text]
        done = span.end
    return "".join([*pieces, document.text[done:]])


def place_of_each(document: Document, new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the half-open offsets that the replacements have in the new text."""
    places, shift = [], 0
    for span, text in zip(document.spans, new, strict=True):
        start = span.start + shift
        places.append((start, start + len(text)))
        shift += len(text) - (span.end - span.start)
    return places


def make_replacer(mode: str | Replacer, key: Key | None = None) -> Replacer:
    """Return what replaces a span in a mode.

    Parameters
    ----------
    mode : str or Replacer
        As `redact`.
    key : Key, optional
        For ``"surrogate"`` and ``"hash"``. Default: the random key of the run.

    Raises
    ------
    UsageError
        If there is no such mode.
    """
    if callable(mode):
        return mode
    if mode in _KEYED:
        return _KEYED[mode](key)
    if mode in MODES:
        return MODES[mode]
    names = ", ".join([*MODES, *_KEYED])
    raise UsageError(f"unknown redaction mode {mode!r}; there are {names}, or a function of yours")


def _checked(replacement: object) -> str:
    if not isinstance(replacement, str):
        kind = type(replacement).__name__
        raise UsageError(f"a replacer must return a str for every span, not {kind}")
    return replacement
