"""The same text as others would type it: in another letter case, or without punctuation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from random import Random

from multideid.document import Document
from multideid.errors import UsageError

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


TYPING_STYLES: Mapping[str, Callable[[str], str]] = {
    "lower": _lower,
    "upper": _upper,
    "dictated": _dictated,
}
"""Changes of a text that keep its length: all lower case, all upper case, and lower case with
spaces instead of the marks that end words."""


def retype(
    documents: Sequence[Document], shares: Mapping[str, float], *, seed: int = 0
) -> list[Document]:
    """Return the documents, some of them in another typing style, for augmentation.

    A model learns from them not to depend on capitals and punctuation, which
    nurses' notes, dictation and old systems do without.

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
        In their order, with their ids and spans: texts keep their length.

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
    return [_retyped(document, rng.random(), shares, limits) for document in documents]


def _check(shares: Mapping[str, float]) -> None:
    if unknown := [style for style in shares if style not in TYPING_STYLES]:
        known = ", ".join(TYPING_STYLES)
        raise UsageError(f"shares: no typing style {unknown[0]!r} (there are: {known})")
    if not all(share >= 0 for share in shares.values()) or sum(shares.values()) > 1:
        raise UsageError(f"shares must not be negative or add up to more than 1; got {shares!r}")


def _retyped(
    document: Document, drawn: float, shares: Mapping[str, float], limits: Sequence[float]
) -> Document:
    for style, limit in zip(shares, limits, strict=True):
        if drawn < limit:
            return replace(document, text=TYPING_STYLES[style](document.text))
    return document
