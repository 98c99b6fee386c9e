"""Columns, keys and codes of ages: over 89, an age is PHI (45 CFR 164.514(b)(2)(i)(C))."""

from __future__ import annotations

import re

from multideid.accents import without_accents

_OLDEST = 89
_LONGEST = 30  # Characters; longer values are text.
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?(?:e[+\-]?\d{1,2}\b)?")
_BOUNDARY = re.compile(r"(?<=[a-z])(?=[A-Z])")

# Of a name in lower case, whose words are joined by "_"; of organs and the unborn, it is no age.
_NAME = re.compile(
    r"(?!(?:.*_)?(?:gest|gestational|bone|brain|vascular|biological|mental)_)"
    r"(?:.*_)?age(?:_(?:at|on|when|as_of)_.*|_(?:group|band|range|category|cat|bin))?"
    r"(?:_?(?:in_)?(?:years?|yrs?|y|months?|mos?|weeks?|wks?|days?))?"
)
# Spanish, Portuguese, French, Italian, German, Dutch, Swedish, Danish, Norwegian, Polish, Czech.
_NAME_IN_OTHERS = re.compile(
    r"(?:edad|idade|age|eta)(?:_(?:d[aeiou]|del|della|l[ae]?|al?|en|em|in|au?))*"
    r"(?:_(?:paciente|patiente?|paziente|utente|ingreso|admision|diagnostico|diagnosi|diagnostic"
    r"|anos|anni|ans|annees|meses|mois|mesi|dias|jours|giorni))?"
    r"|(?:paciente|patiente?|paziente)_(?:edad|idade|age|eta)"
    r"|(?:patienten?_?|lebens_?)?alter(?:_(?:in_)?(?:jahren?|monaten?|tagen?)|_bei_.*)?"
    r"|leeftijd(?:_(?:in_)?(?:jaar|jaren|maanden|dagen)|_bij_.*)?"
    r"|alder(?:_(?:i_)?(?:ar|aar|maneder|dager|dage)|_ved_.*)?|wiek|vek"
)
_A_YEAR = (
    (1, "years", re.compile(r"years?|yrs?|y|a|anos|anni|ans|annees|jahren?|jaar|jaren|ar|aar|lat")),
    (12, "months", re.compile(r"months?|mos?|m|meses|mois|mesi|monaten?|maanden|maneder")),
    (52, "weeks", re.compile(r"weeks?|wks?|w|semanas?|semaines?|wochen?|weken|uger|uker|veckor")),
    (365, "days", re.compile(r"days?|d|dias?|jours?|giorni|tagen?|dagen?|dager")),
    (8766, "hours", re.compile(r"hours?|hrs?|h|horas?|heures?|ore|stunden?|uren|timer")),
)
"""How many of a unit are a year, its name, and its names in data, among them those of UCUM."""

# Of what is measured, in words: ages of organs and the unborn, and what depends on age, are none.
_IN_WORDS = re.compile(
    r"(?<!\bfor )(?<!\bgest )(?<!\b(?:bone|lung) )(?<!\b(?:brain|heart|fetal) )(?<!\bmental )"
    r"(?<!\bskeletal )(?<!\bvascular )(?<!menstrual )(?<!\bmetabolic )(?<!\bbiological )"
    r"(?<!\bgestational )(?<!\bconceptional )"
    r"\bage\b(?! (?:adjusted|related|specific|matched|dependent|percentile|z)\b)|\bhow old\b"
)
_UNIT_IN_WORDS = re.compile(r"(?:\bin |\()(years|months|weeks|days)\b")
_CODES = frozenset(
    # LOINC: estimated, reported, calculated, of no method, at an adverse event, at specimen
    # collection, current or at death. SNOMED CT: age, current, at onset, at diagnosis.
    """
    21611-9 21612-7 29553-5 30525-0 30972-4 35659-2 63900-5
    397669002 424144002 445518008 423493009
    """.split()
)


def names_age(words: str) -> bool:
    """Return whether a name is one of ages; `words` without accents, joined by ``_``.

    Examples
    --------
    >>> names_age("patient_age"), names_age("age_at_visit"), names_age("gestational_age")
    (True, True, False)
    >>> names_age("edad_del_paciente"), names_age("alter_in_jahren"), names_age("eta_gestazionale")
    (True, True, False)
    """
    return any(pattern.fullmatch(words) for pattern in (_NAME, _NAME_IN_OTHERS))


def speaks_of_age(text: str) -> bool:
    """Return whether the name of a measurement or the text of a question is one of an age.

    Examples
    --------
    >>> speaks_of_age("Age at onset"), speaks_of_age("PatientAge"), speaks_of_age("Bone age")
    (True, True, False)
    """
    words = re.sub(r"[\W_]+", " ", _BOUNDARY.sub(" ", text)).lower()
    return _IN_WORDS.search(words) is not None


def is_age_code(code: str) -> bool:
    """Return whether a code of LOINC or SNOMED CT is one of a person's age."""
    return code in _CODES


def unit_of_age(unit: str, of: str = "") -> str | None:
    """Return the unit of time of an age, ``"years"`` to ``"hours"``.

    Parameters
    ----------
    unit : str
        As data name it, such as ``"a"``, ``"mo"`` or ``"years old"``; empty for none.
    of : str
        What is measured, which may name the unit: ``"Age in months"``.

    Returns
    -------
    str or None
        Years if neither names a unit; None if `unit` is none of time.

    Examples
    --------
    >>> unit_of_age("a"), unit_of_age("", "Age (months)"), unit_of_age("mL/min")
    ('years', 'months', None)
    """
    if not unit.strip():
        named = _UNIT_IN_WORDS.search(of.lower())
        return named[1] if named else "years"
    words = set(re.findall(r"[^\W\d_]+", unit.lower()))
    is_rate = "/" in unit and "o" not in words  # 94 y/o is an age.
    found = (name for _, name, pattern in _A_YEAR if any(map(pattern.fullmatch, words)))
    return None if is_rate else next(found, None)


def is_over_89(words: str, value: str) -> bool:
    """Return whether a value under a name of ages is one over 89.

    Parameters
    ----------
    words : str
        As for `names_age`; its unit is that of values without one.
    value : str

    Examples
    --------
    >>> is_over_89("age", "101"), is_over_89("age", "89.5"), is_over_89("age_in_months", "95")
    (True, False, False)
    """
    if len(value) > _LONGEST:
        return False
    value = without_accents(value).lower()
    numbers = [float(number.replace(",", ".")) for number in _NUMBER.findall(value)]
    a_year = _units_in(re.findall(r"[a-z]+", value)) or _units_in(words.split("_")) or 1
    return max(numbers, default=0) >= (_OLDEST + 1) * a_year


def _units_in(words: list[str]) -> int | None:
    """Return how many of the largest unit that words name are a year; None if they name none."""
    return next((count for count, _, name in _A_YEAR if any(map(name.fullmatch, words))), None)
