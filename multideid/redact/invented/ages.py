"""Surrogates of ages: over 89 they become 90+, others change by one or two years."""

from __future__ import annotations

import re

from multideid.redact.keys import Draw
from multideid.redact.spelling import like

Lists = tuple[tuple[str, ...], ...]

OVER = "90+"
"""The surrogate of all ages over 89."""

_OLDEST = 89
_STEPS = (-2, -1, 1, 2)
_SHORT_UNITS = re.compile(
    r"hours?|days?|weeks?|months?|d[ií]as?|semanas?|mes(?:es)?|horas?|\b(?:mo|wk|d/o|m/o)\b", re.I
)
_YEARS = re.compile(r"years?|años?|anos?|\b(?:y\.?o|yrs?)\b", re.I)
_NAMES_OF_OVER = re.compile(
    r"\b(?:ninet(?:y|ies)|nonagenarian|centenarian|(?:one |a )?hundred|noventa|cien(?:to)?)"
    r"(?:[ -](?:and |y )?(?:[^\W\d_]+))?\b",
    re.I,
)
_UNITS = tuple(
    tuple(words.split())
    for words in (
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen",
        "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
        "dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés "
        "veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve",
    )
)
_TENS = (
    tuple("twenty thirty forty fifty sixty seventy eighty".split()),
    tuple("treinta cuarenta cincuenta sesenta setenta ochenta".split()),
)
_WORD = re.compile(r"[^\W\d_]+")


def age_step(draw: Draw) -> int:
    """Return by how many years the ages of a patient change; never 0."""
    return draw.choose(_STEPS)


def changed_age(text: str, step: int) -> str | None:
    """Return another age in the same format; None if the text contains no number.

    All numbers and number words change by the same step, and stay between 1 and
    89; above, they become ``90+`` (45 CFR 164.514(b)(2)(i)(C)).

    Parameters
    ----------
    text : str
    step : int
        See `age_step`; applied to any unit.
    """
    in_years = not _SHORT_UNITS.search(text) or bool(_YEARS.search(text))
    new = _NAMES_OF_OVER.sub(OVER, text) if in_years else text
    new = re.sub(r"\d+(?:\+|s\b)?", lambda match: _number(match[0], step, in_years), new)
    for lists in (_UNITS, _TENS):
        new = new if new != text else _spelled(text, step, lists)
    return None if new == text else new


def top_coded_age(text: str) -> str | None:
    """Return an age as it is, or ``90+`` in its place if it is over 89; None if it is no age.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> top_coded_age("94-year-old"), top_coded_age("67"), top_coded_age("elderly")
    ('90+-year-old', '67', None)
    """
    in_years = not _SHORT_UNITS.search(text) or bool(_YEARS.search(text))
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if not in_years and max(numbers, default=0) > _OLDEST:
        return None
    new = _NAMES_OF_OVER.sub(OVER, text)
    new = re.sub(r"\d+(?:\+|s\b)?", lambda match: _capped(match[0]), new)
    return new if numbers or new != text or _is_spelled(text) else None


def _capped(written: str) -> str:
    return OVER if int(re.sub(r"\D", "", written)) > _OLDEST else written


def _is_spelled(text: str) -> bool:
    known = {word for lists in (*_UNITS, *_TENS) for word in lists}
    return any(word.lower() in known for word in _WORD.findall(text))


def _number(written: str, step: int, in_years: bool) -> str:
    number = int(re.sub(r"\D", "", written))
    if in_years and number > _OLDEST:
        return OVER
    if not written.isdigit():
        return _decade(number, written, step)
    new = number + step
    if new < 1 or (in_years and new > _OLDEST):
        new = number - step
    return str(new).zfill(len(written))


def _decade(number: int, written: str, step: int) -> str:
    """Return another decade: ``60s`` for ``70s``."""
    new = number + (10 if step > 0 else -10)
    return f"{new if 10 < new < 90 else 2 * number - new}{written[-1]}"


def _spelled(text: str, step: int, lists: Lists) -> str:
    return _WORD.sub(lambda match: _word(match[0], step, lists), text)


def _word(word: str, step: int, lists: Lists) -> str:
    for series in lists:
        if word.lower() in series:
            place = series.index(word.lower())
            new = place + step if 0 <= place + step < len(series) else place - step
            return like(word, series[new].capitalize() if word[0].isupper() else series[new])
    return word
