"""Surrogates of ages: over 89 they become 90+, others change by one or two years."""

from __future__ import annotations

import re
from collections.abc import Sequence

from multideid.redact.keys import Draw
from multideid.redact.spelling import like

Lists = tuple[tuple[str, ...], ...]

OVER = "90+"
"""The surrogate of all ages over 89."""

_OLDEST = 89
_LARGEST_UNIT = 9
_MOST_MONTHS = 11
_STEPS = (-2, -1, 1, 2)
_SHORT_UNITS = re.compile(
    r"hours?|days?|weeks?|months?|d[ií]as?|semanas?|mes(?:es)?|horas?|\b(?:mo|wk|d/o|m/o)\b", re.I
)
_YEARS = re.compile(
    r"years?|años?|anos?|(?<![^\W\d_])(?:y[./]?o|yrs?)(?![^\W_])|(?<=\d)\s?y(?![^\W_])", re.I
)
_GAP = r"[\s\u2010-\u2015-]+"
_NAMES_OF_OVER = re.compile(
    rf"\b(?:ninet(?:y|ies)|nonagenari[ao]n?|centenari[ao]n?|(?:(?:one|a){_GAP})?hundred|noventa"
    rf"|cien(?:to)?)(?:{_GAP}(?:(?:and|y|e|i){_GAP})?(?:(?:twenty|thirty|forty|fifty){_GAP})?"
    r"(?:[^\W\d_]+))?\b",
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
_NUMBER_WORDS = frozenset(word for series in (*_UNITS, *_TENS) for word in series)
_WORD = re.compile(r"[^\W\d_]+")
_AFTER_TENS = re.compile(
    rf"\b(?:{'|'.join(word for tens in _TENS for word in tens)})(?:[ -]|\s?y\s)\Z", re.I
)
_NUMBER = re.compile(
    r"(?<!\d)(?P<fraction>\d{1,2}/(?:12|52|7)|[13]/[24])(?!\d)|\d+(?:\.\d+)?(?:\+|s\b)?"
)
"""A number, or a fraction such as 11/12, which is 11 months."""
_LONGEST_SHORT_UNITS = 1000  # Of months, that is 83 years.
_FRACTION = re.compile(r"(?<![\d/])(?:\d{1,2}/(?:12|52|7)|[13]/[24])(?![\d/])")
# As in dates, times and phone numbers.
_MARK = r"\s*[/.,:\u2010-\u2015-]\s*"
_JOINED = re.compile(rf"\d\s*[/:]\s*\d|\d{_MARK}\d{{1,4}}{_MARK}\d|\d\)\s*\d")
_ENDING = re.compile(
    r"(?<![^\W\d_])[ymwd][./]?o(?![^\W_])|(?<=[\d+])(?:st|nd|rd|th)(?![^\W_])", re.I
)
_BESIDE_NUMBERS = frozenset(
    """
    a about age aged almost an and approximately approx around at between birthday by early going
    he her his in is just late mid nearly now of old older on or over she the their they to turned
    turning under was young younger
    year years yr yrs month months mo mos week weeks wk wks day days d hour hours hr hrs s
    año años ano anos mes meses semana semanas día días dia dias hora horas
    zero half quarter hundred hundredth
    teens twenties thirties forties fifties sixties seventies eighties
    boy boys f female gentleman girl girls lady m male man men w woman women
    bebé chica chico cuarto de edad el en entre hombre h la las lo los media medio más mujer
    niña niño señor señora su un una varón v y
    e homem i idade meio mulher dois dues duas quatro cinc sis set sete vuit oito nou nove
    an ans mois semaines jours jahr jahre jahren alt anys mesos
    """.split()
)
"""Words of ages other than numbers."""


def age_step(draw: Draw) -> int:
    """Return by how many years the ages of a patient change; never 0."""
    return draw.choose(_STEPS)


def changed_age(text: str, step: int) -> str | None:
    """Return another age in the same format; None if the text contains no number.

    All numbers and number words change by the same step, and stay between 1 and
    89; above, they become ``90+`` (45 CFR 164.514(b)(2)(i)(C)), which stays as it is.

    Parameters
    ----------
    text : str
    step : int
        See `age_step`; applied to any unit.
    """
    if text == OVER:
        return text
    in_years = _is_in_years(text)
    if not in_years and _largest(text) > _LONGEST_SHORT_UNITS:
        return None
    new = _NAMES_OF_OVER.sub(OVER, text) if in_years else text
    new = _changed_numbers(new, step, in_years)
    for lists in (_UNITS, _TENS):
        new = new if new != text else _spelled(text, step, lists)
    return None if new == text else new


def top_coded_age(text: str) -> str | None:
    """Return an age as it is, or ``90+`` in its place if it is over 89; None if it is no age.

    Dates, times and phone numbers are no ages, nor is a text with words that are not those of
    ages, such as a name.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> top_coded_age("94-year-old"), top_coded_age("67"), top_coded_age("elderly")
    ('90+-year-old', '67', None)
    """
    largest = _largest(text)
    if not _is_in_years(text) and largest > _OLDEST:
        return None
    new = _NAMES_OF_OVER.sub(OVER, text)
    new = _NUMBER.sub(_capped, new)
    is_age = largest >= 0 or new != text or _is_spelled(text)
    return new if is_age and not _has_more(text, new) else None


def _has_more(text: str, coded: str) -> bool:
    """Return whether a text has more in it than an age: numbers of dates, or other words."""
    words = {word.lower() for word in _WORD.findall(_ENDING.sub(" ", coded))}
    known = _BESIDE_NUMBERS | _NUMBER_WORDS
    return not words <= known or _JOINED.search(_FRACTION.sub(" ", text)) is not None


def _is_in_years(text: str) -> bool:
    return not _SHORT_UNITS.search(text) or bool(_YEARS.search(text))


def _largest(text: str) -> int:
    """Return the largest number in a text; -1 for none."""
    return max(map(int, re.findall(r"\d+", text)), default=-1)


def _whole(written: str) -> int:
    match = re.match(r"\d+", written)
    assert match is not None  # It begins with a digit.
    return int(match[0])


def _capped(match: re.Match[str]) -> str:
    is_over = not match["fraction"] and _whole(match[0]) > _OLDEST
    return OVER if is_over else match[0]


def _is_spelled(text: str) -> bool:
    return any(word.lower() in _NUMBER_WORDS for word in _WORD.findall(text))


def _changed_numbers(text: str, step: int, in_years: bool) -> str:
    has_months = in_years and _SHORT_UNITS.search(text) is not None
    first = next(_NUMBER.finditer(text), None)

    def changed(match: re.Match[str]) -> str:
        if match["fraction"]:
            return match[0]
        # 5 years 11 months stay a number of months below 12.
        is_months = has_months and first is not None and match.start() > first.start()
        most = _MOST_MONTHS if is_months else _OLDEST if in_years else None
        return _number(match[0], step, most)

    return _NUMBER.sub(changed, text)


def _number(written: str, step: int, most: int | None) -> str:
    number = _whole(written)
    if most is not None and number > _OLDEST:
        return OVER
    if not written[-1].isdigit():
        return _decade(number, written, step)
    new = number + step
    if new < 1 or (most is not None and new > most):
        new = number - step
    whole, mark, fraction = written.partition(".")
    return f"{str(new).zfill(len(whole) if whole[0] == '0' else 1)}{mark}{fraction}"


def _decade(number: int, written: str, step: int) -> str:
    """Return another decade: ``60s`` for ``70s``."""
    new = number + (10 if step > 0 else -10)
    return f"{new if 10 < new < 90 else 2 * number - new}{written[-1]}"


def _spelled(text: str, step: int, lists: Lists) -> str:
    def changed(match: re.Match[str]) -> str:
        is_unit = _AFTER_TENS.search(text[: match.start()]) is not None
        # Eighty eleven is no number.
        return _word(match[0], step, [s[:_LARGEST_UNIT] for s in lists] if is_unit else lists)

    return _WORD.sub(changed, text)


def _word(word: str, step: int, lists: Sequence[Sequence[str]]) -> str:
    for series in lists:
        if word.lower() in series:
            place = series.index(word.lower())
            new = place + step if 0 <= place + step < len(series) else place - step
            return like(word, series[new].capitalize() if word[0].isupper() else series[new])
    return word
