"""Lexicons of the rules: words that can be names or places."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from multideid.knowledge.lexicons import word_set
from multideid.text.phrases import normalise
from multideid.text.word_table import WordSet

MOST_KEPT = 20_000
_SHORTEST_CITY = 5

# Never part of a name, even if they are in the census.
NOT_NAMES = frozenset(
    """
    a an and are as at be but by can did do does for from had has have he her his if in into is it
    its me my no not of on or our out over per she so some than that the their then there
    these they this to up us was we were what when where which who with you your
    patient patients pt pts name names record records number date admission admitted discharge
    discharged service attending resident intern nurse doctor physician surgeon assistant
    hospital clinic medical medicine center department report summary history diagnosis
    procedure procedures operation preoperative postoperative indications findings anesthesia
    allergies medications impression plan assessment exam examination physical review systems
    social family mom dad parents everyone nobody someone past present chief complaint
    status signed dictated transcribed job unit
    batch index mrn dob ssn age sex male female none unknown general electronically
    cc dd dt re md do rn phd dr mr mrs ms drs dear specimen specimens daughter son wife husband
    mother father brother sister
    """.split()
)

# Makers and devices that look like a first and a last name.
NOT_PERSONS = frozenset(
    """
    carl zeiss karl storz swan ganz jackson pratt johnson nephew stryker edwards boston medtronic
    guidant philips baxter abbott ethicon covidien cordis arthrex synthes hopkins
    """.split()
)

# Places with names that are also words, people or diseases: context decides.
AMBIGUOUS_PLACES = frozenset(
    """ann canaveral cod elizabeth erie fear hatteras huron michigan ontario superior tahoe
    champlain winnipesaukee rainier whitney mckinley mckinney""".split()
)
AMBIGUOUS_COUNTRIES = frozenset("chad georgia guinea jersey jordan turkey guernsey".split())
AMBIGUOUS_STATES = frozenset("georgia virginia washington".split())
NOT_PLACES = frozenset(
    """
    leiden bath reading mobile nice split of male man hull best most ho as ulm bari
    orange college union grove fountain independence centennial cork wales
    """.split()
)


@cache
def first_names() -> WordSet:
    """Return the first names of the census."""
    return word_set("first_names_female", "first_names_male")


@cache
def census_names() -> WordSet:
    """Return the first and last names of the census."""
    return word_set("first_names_female", "first_names_male", "last_names")


@cache
def common_words() -> WordSet:
    """Return English words without proper nouns."""
    return word_set("common_words")


@cache
def words_and_terms() -> WordSet:
    """Return English words and medical terms."""
    return word_set("common_words", "medical_words")


@cache
def unambiguous_places() -> frozenset[str]:
    """Return the unambiguous major cities, states and countries (thesis 2.5.3)."""
    other = frozenset(word_set("us_states", "countries")) - AMBIGUOUS_STATES - AMBIGUOUS_COUNTRIES
    return other.union(_unambiguous_cities()) - NOT_PLACES


def _unambiguous_cities() -> Iterator[str]:
    """Yield the major cities but short ones, names, and those of English words."""
    cities = word_set("major_cities")
    known = common_words()
    for city in cities:
        if " " in city and not all(word in known for word in city.split()):
            yield city
    for city in cities.without(words_and_terms(), census_names()):
        if " " not in city and len(city) >= _SHORTEST_CITY:
            yield city


@cache
def places() -> WordSet:
    """Return every city, state and country."""
    return word_set("cities", "us_states", "countries")


@cache
def calendar_words() -> WordSet:
    """Return months and weekdays."""
    return word_set("months", "weekdays")


@lru_cache(MOST_KEPT)
def is_first_name(word: str) -> bool:
    """Return whether a word is a first name of the census."""
    return normalise(word) in first_names()


@lru_cache(MOST_KEPT)
def is_place(phrase: str) -> bool:
    """Return whether a phrase is a city, state or country."""
    return normalise(phrase) in places()


@lru_cache(MOST_KEPT)
def is_common(word: str) -> bool:
    """Return whether a word is an English word or a medical term."""
    return normalise(word) in words_and_terms()


@lru_cache(MOST_KEPT)
def is_name(word: str) -> bool:
    """Return whether a word, or each part of a hyphenated one, is in the census."""
    plain = normalise(word).replace("'", "").replace("\u2019", "")
    return all(part in census_names() for part in plain.split("-"))


@lru_cache(MOST_KEPT)
def can_be_name(word: str) -> bool:
    """Return whether a capitalised word can be part of a name where one is expected."""
    lower = normalise(word)
    if lower in NOT_NAMES:
        return False
    return not is_common(word) or is_name(word)
