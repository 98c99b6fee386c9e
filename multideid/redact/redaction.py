"""Replace the PHI spans of a document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from multideid.arguments import invalid
from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.redact.keys import Key
from multideid.redact.modes import MODES, Mode, Pseudonyms, Replacer
from multideid.redact.surrogates import Surrogates
from multideid.spans import splice

_KEYED: Mapping[str, Callable[[Key | None], Replacer]] = {
    "surrogate": Surrogates,
    "hash": Pseudonyms,
}


def redact(document: Document, mode: Mode | Replacer = "mask") -> str:
    """Return the text of `document` with every span replaced.

    Text outside the spans is unchanged. Adjacent spans are replaced
    separately.

    Parameters
    ----------
    document : Document
    mode : {"mask", "tag", "remove", "surrogate", "hash"} or Replacer
        ``"mask"`` writes the label in brackets, ``"tag"`` keeps the PHI between
        tags, for review, and ``"remove"`` deletes it. ``"surrogate"`` and
        ``"hash"`` use a random key, which is the same for the whole run; to use
        your own key, pass `Surrogates` or `Pseudonyms`. A callable takes the
        document and a span, and returns the replacement.

    Returns
    -------
    str

    Raises
    ------
    UsageError
        If the mode is unknown, or the callable does not return a str.

    Examples
    --------
    >>> note = Document("n1", "Seen by Dr. Lee.", (Span(12, 15, "DOCTOR"),))
    >>> redact(note), redact(note, "tag"), redact(note, "remove")
    ('Seen by Dr. [DOCTOR].', 'Seen by Dr. <DOCTOR>Lee</DOCTOR>.', 'Seen by Dr. .')
    """
    return spliced(document, replacements(document, mode))


def rewrite(document: Document, mode: Mode | Replacer = "surrogate") -> Document:
    """Return `document` with every span replaced, and its spans moved accordingly.

    Spans with an empty replacement are dropped.

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
    places = zip(document.spans, replacement_offsets(document, new), strict=True)
    spans = [Span(start, end, span.label) for span, (start, end) in places if start < end]
    return Document(document.id, spliced(document, new), tuple(spans), document.meta)


def replacements(document: Document, mode: Mode | Replacer = "mask") -> list[str]:
    """Return the replacement of each span, in order; parameters as in `redact`."""
    if not isinstance(document, Document):
        kinds = "a Document with spans, such as a model's predict returns for one"
        raise invalid("what is redacted", kinds, document, is_private=True)
    replacer = make_replacer(mode)
    return [_checked(replacer(document, span)) for span in document.spans]


def spliced(document: Document, new: Sequence[str]) -> str:
    """Return the text of `document` with the replacement of each span spliced in."""
    pairs = zip(document.spans, new, strict=True)
    return splice(document.text, ((span.start, span.end, text) for span, text in pairs))


def replacement_offsets(document: Document, new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the half-open offsets of the replacements in the new text."""
    places, shift = [], 0
    for span, text in zip(document.spans, new, strict=True):
        start = span.start + shift
        places.append((start, start + len(text)))
        shift += len(text) - (span.end - span.start)
    return places


def make_replacer(mode: str | Replacer, key: Key | None = None) -> Replacer:
    """Return the replacer of a mode.

    Parameters
    ----------
    mode : str or Replacer
        As `redact`.
    key : Key, optional
        For ``"surrogate"`` and ``"hash"``. Default: the random key of this run.

    Raises
    ------
    UsageError
        If the mode is unknown.
    """
    if key is not None and not isinstance(key, Key):
        kinds = "a Key, such as Key.read('key.txt') returns"
        raise invalid("key", kinds, key, is_private=True)
    if callable(mode):
        return mode
    if not isinstance(mode, str):
        raise invalid("the redaction mode", "a name, such as 'mask', or a function", mode)
    if mode in _KEYED:
        return _KEYED[mode](key)
    if mode in MODES:
        return MODES[mode]
    names = ", ".join([*MODES, *_KEYED])
    raise UsageError(f"unknown redaction mode {mode!r}; use {names}, or a callable")


def _checked(replacement: object) -> str:
    if not isinstance(replacement, str):
        kind = type(replacement).__name__
        raise UsageError(f"a replacer must return a str for every span, not {kind}")
    return replacement
