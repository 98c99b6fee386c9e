"""Dates as standards write them."""

from __future__ import annotations

import re

from multideid.document import Span

_COMPACT = re.compile(r"\d{8}(?=(?:\d{2,6}(?:\.\d+)?)?(?:[+\-]\d{4})?\Z)|\d{6}(?=\Z)")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_ISO = re.compile(
    r"\d{4}-\d\d(?:-\d\d)?(?=\Z|T\d\d(?::?\d\d){0,2}(?:\.\d+)?(?:Z|[+\-]\d\d:?\d\d)?\Z)"
)


def compact_date(text: str) -> tuple[Span, ...]:
    """Return the day in ``20070314`` or ``20070314153000-0500``, or its month.

    Returns
    -------
    tuple of Span
        One span of label DATE, or none.
    """
    return _date(_COMPACT.match(text))


def iso_date(text: str) -> tuple[Span, ...]:
    """Return the day in ``2007-03-14`` or ``2007-03-14T15:30:00Z``; as `compact_date`."""
    return _date(_ISO.match(text))


def year(text: str) -> tuple[Span, ...]:
    """Return a year alone, for fields that hold times; elsewhere, four digits may be anything."""
    return _date(_YEAR.fullmatch(text))


def _date(match: re.Match[str] | None) -> tuple[Span, ...]:
    return (Span(0, match.end(), "DATE"),) if match else ()
