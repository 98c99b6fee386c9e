"""Days and years that are written out: ``siete``, ``premier``, ``neunzehnhunderteinundfünfzig``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from multideid.redact.spelling import fold

_FIRST_YEAR, _LAST_YEAR = 1900, 2099

_EN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_EN_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()

_ES = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
    "dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro "
    "veinticinco veintiséis veintisiete veintiocho veintinueve"
).split()
_ES_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()

_FR = (
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize "
    "dix-sept dix-huit dix-neuf"
).split()
_FR_TENS = "vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt".split()

_DE = (
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
    "fünfzehn sechzehn siebzehn achtzehn neunzehn"
).split()
_DE_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
_DE_ORDINALS = {"eins": "erst", "drei": "dritt", "sieben": "siebt", "acht": "acht"}

_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN = re.compile(r"[\s\-\u2010\u2011]{1,2}")
_BEFORE_MONTH = re.compile(r"[^\W\d_](?P<gap>\.?\s(?:de\s)?)\Z", re.IGNORECASE)
_MOST_DAY_WORDS, _MOST_YEAR_WORDS = 3, 8
_LONGEST_DAY, _LONGEST_YEAR = 30, 60  # Characters.
_DIGRAPHS = re.compile(r"(?<=[ou])e")
"""Of ``fuenf``; other words lose their letter likewise."""


def _english(number: int) -> str:
    tens, unit = divmod(number, 10)
    return _EN[number] if number < 20 else f"{_EN_TENS[tens - 2]} {_EN[unit] if unit else ''}"


def _spanish(number: int) -> str:
    tens, unit = divmod(number, 10)
    return _ES[number] if number < 30 else f"{_ES_TENS[tens - 3]}{f' y {_ES[unit]}' * (unit > 0)}"


def _french(number: int) -> str:
    if number < 20:
        return _FR[number]
    tens, unit = divmod(number, 10)
    rest = unit + 10 * (tens in (7, 9))
    # 80 has an s, and 81 and 91 no "et".
    end = "s" * (number == 80)
    joint = " et " if rest in (1, 11) and tens < 8 else "-"
    return f"{_FR_TENS[tens - 2]}{end}{f'{joint}{_FR[rest]}' * (rest > 0)}"


def _german(number: int) -> str:
    tens, unit = divmod(number, 10)
    if number < 20:
        return _DE[number]
    begin = "einund" if unit == 1 else f"{_DE[unit]}und"
    return f"{begin if unit else ''}{_DE_TENS[tens - 2]}"


def _days() -> Iterator[tuple[str, int]]:
    for day in range(1, 32):
        yield _spanish(day), day
        yield _french(day), day
        yield from ((f"{_german_ordinal(day)}{end}", day) for end in ("er", "en", "e"))
    yield from (("primero", 1), ("premier", 1), ("siebenten", 7), ("siebenter", 7))


def _german_ordinal(day: int) -> str:
    word = _german(day)
    return f"{word}st" if day >= 20 else _DE_ORDINALS.get(word, f"{word}t")


def _years() -> Iterator[tuple[str, int]]:
    for year in range(_FIRST_YEAR, _LAST_YEAR + 1):
        century, number = divmod(year, 100)
        spanish, french, german = (
            words(number) if number else "" for words in (_spanish, _french, _german)
        )
        for begin in _ES_CENTURIES[century]:
            yield f"{begin} {spanish}", year
        for begin in _FR_CENTURIES[century]:
            yield f"{begin} {french}", year
        yield f"{_DE_CENTURIES[century]}{german}", year
        yield from ((words, year) for words in _english_years(century, number))


_ES_CENTURIES = {19: ("mil novecientos",), 20: ("dos mil",)}
_FR_CENTURIES = {19: ("mil neuf cent", "mille neuf cent", "dix-neuf cent"), 20: ("deux mille",)}
_DE_CENTURIES = {19: "neunzehnhundert", 20: "zweitausend"}
_EN_CENTURIES = {19: ("nineteen hundred", "nineteen hundred and"),
                 20: ("two thousand", "two thousand and")}  # fmt: skip


def _english_years(century: int, number: int) -> Iterator[str]:
    if not number:
        yield _EN_CENTURIES[century][0]
        return
    for begin in (*_EN_CENTURIES[century], _english(century) + " oh" * (number < 10)):
        yield f"{begin} {_english(number)}"


def _key(words: str) -> str:
    return _DIGRAPHS.sub("", " ".join(_WORD.findall(fold(words))))


_DAYS = {_key(words): day for words, day in _days()}
_LAST_WORDS = frozenset(words.split()[-1] for words in _DAYS)
_YEARS = {_key(words): year for words, year in _years()}
_FIRST_WORDS = frozenset(words.split()[0] for words in _YEARS)


def day_before(text: str, end: int) -> tuple[int, int] | None:
    """Return where a day in Spanish, French or German words begins, and the day.

    Parameters
    ----------
    text : str
    end : int
        Where the month begins.

    Examples
    --------
    >>> day_before("el treinta y uno de mayo", 20)
    (3, 31)
    """
    first = max(0, end - _LONGEST_DAY)
    gap = _BEFORE_MONTH.search(text, first, end)
    if gap is None:
        return None
    words = [*_WORD.finditer(text, first, gap.start("gap"))]
    if not words or _key(words[-1][0]) not in _LAST_WORDS:
        return None
    for word in words[-_MOST_DAY_WORDS:]:
        if day := _DAYS.get(_key(text[word.start() : words[-1].end()])):
            return word.start(), day
    return None


def year_at(text: str, start: int) -> tuple[int, int] | None:
    """Return where a year in words ends that begins at an offset, and the year.

    Parameters
    ----------
    text : str
    start : int

    Examples
    --------
    >>> year_at("May nineteen fifty-one, at home", 4)
    (22, 1951)
    """
    first = _WORD.match(text, start)
    if first is None or _key(first[0]) not in _FIRST_WORDS:
        return None
    ends = [first.end()]
    for word in _WORD.finditer(text, first.end(), start + _LONGEST_YEAR):
        if len(ends) == _MOST_YEAR_WORDS or not _BETWEEN.fullmatch(text, ends[-1], word.start()):
            break
        ends.append(word.end())
    years = ((end, _YEARS.get(_key(text[start:end]))) for end in reversed(ends))
    return next(((end, year) for end, year in years if year), None)
