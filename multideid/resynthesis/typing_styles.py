"""The same text as others would write it: in another letter case, dictated, or badly scanned."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from random import Random

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.resynthesis.scan_damage import ScanDamage
from multideid.resynthesis.segments import segments
from multideid.resynthesis.spoken_numbers import SpokenNumbers

Style = Callable[[Document, Random], Document]

_CLOSING_MARK = re.compile(r"(?<=\w)[.,;:](?=\s)")


def _each(text: str, change: Callable[[str], str]) -> str:
    """Change characters one by one, but those that would become several: offsets must hold."""
    changed = map(change, text)
    return "".join(new if len(new) == 1 else old for old, new in zip(text, changed, strict=True))


def _lower(text: str) -> str:
    return _each(text, str.lower)


def _upper(text: str) -> str:
    return _each(text, str.upper)


def _dictated(text: str) -> str:
    return _lower(_CLOSING_MARK.sub(" ", text))


def _whole(change: Callable[[str], str]) -> Style:
    """Return the style of a change of a text that keeps its length."""
    return lambda document, _: replace(document, text=change(document.text))


def _by_segment(document: Document, change: Callable[[str, str | None], str]) -> Document:
    """Change the segments of a document one by one, so that spans are known afterwards."""
    parts: list[str] = []
    spans: list[Span] = []
    length = 0
    for label, text in segments(document):
        part = change(text, label)
        # Spans neither begin nor end with white space, and are never empty.
        part = part if label is None else part.strip() or text
        if label is not None:
            spans.append(Span(length, length + len(part), label))
        parts.append(part)
        length += len(part)
    return replace(document, text="".join(parts), spans=tuple(spans))


def _spoken(document: Document, rng: Random) -> Document:
    said = _by_segment(document, SpokenNumbers(rng))
    return replace(said, text=_dictated(said.text))


def _scanned(document: Document, rng: Random) -> Document:
    damage = ScanDamage(rng)
    return _by_segment(document, lambda text, _: damage(text))


TYPING_STYLES: Mapping[str, Style] = {
    "lower": _whole(_lower),
    "upper": _whole(_upper),
    "dictated": _whole(_dictated),
    "spoken": _spoken,
    "scanned": _scanned,
}
"""Changes of a document: all lower case; all upper case; lower case with spaces instead of the
marks that end words; the same with numbers in words; characters misread in a scan. The first
three keep the length of the text."""


def retype(
    documents: Sequence[Document], shares: Mapping[str, float], *, seed: int = 0
) -> list[Document]:
    """Return the documents, some of them in another typing style, for augmentation.

    A model learns from them not to depend on capitals, punctuation and digits, which
    nurses' notes, dictation and old systems do without, and on clean characters, which scans
    have not.

    Parameters
    ----------
    documents : sequence of Document
    shares : mapping of str to float
        Probability of each of `TYPING_STYLES`, e.g. ``{"lower": 0.2}``; the
        other documents stay as they are.
    seed : int

    Returns
    -------
    list of Document
        In their order, with their ids and spans.

    Raises
    ------
    UsageError
        If a style is unknown, or the shares are negative or add up to more than 1.

    Examples
    --------
    >>> retype([Document("1", "Seen by Dr. Lee, RN.")], {"dictated": 1.0})[0].text
    'seen by dr  lee  rn.'
    """
    _check(shares)
    rng = Random(seed)
    limits = list(accumulate(shares.values()))
    return [_retyped(document, rng, shares, limits) for document in documents]


def _check(shares: Mapping[str, float]) -> None:
    if unknown := [style for style in shares if style not in TYPING_STYLES]:
        known = ", ".join(TYPING_STYLES)
        raise UsageError(f"shares: no typing style {unknown[0]!r} (there are: {known})")
    if not all(share >= 0 for share in shares.values()) or sum(shares.values()) > 1:
        raise UsageError(f"shares must not be negative or add up to more than 1; got {shares!r}")


def _retyped(
    document: Document, rng: Random, shares: Mapping[str, float], limits: Sequence[float]
) -> Document:
    drawn = rng.random()
    for style, limit in zip(shares, limits, strict=True):
        if drawn < limit:
            return TYPING_STYLES[style](document, rng)
    return document
