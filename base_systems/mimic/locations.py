"""Places by their context, or because their names are unambiguous (thesis 2.5.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

import numpy as np

from multideid.arrays import IntegerArray
from multideid.base_systems.mimic.addresses import (
    PLACE,
    PLACE_WORD,
    ZIP,
    is_state,
    state_and_zip,
)
from multideid.base_systems.mimic.anchors import (
    CAPITAL,
    COLON,
    COMMA,
    Words,
    at,
    merged,
    near,
    within,
)
from multideid.base_systems.mimic.lexicons import (
    AMBIGUOUS_PLACES,
    MOST_KEPT,
    calendar_words,
    is_common,
    is_place,
    unambiguous_places,
)
from multideid.base_systems.mimic.patterns import (
    END,
    LETTER,
    NAME_WORD,
    NOTE_END,
    UPPER,
    Notes,
    Rule,
)
from multideid.base_systems.mimic.vocabulary import exact_words, form, listed, union, words
from multideid.document import Span
from multideid.knowledge.lexicons import lexicon
from multideid.text.phrases import normalise

# Each list has its own prepositions, except for the last.
_STAYS = words(
    """live lives lived living reside resides resided residing stays stayed staying work works
    worked working born raised grew_up retired housed vacation vacationed vacationing vacations
    visit visited visiting employed stationed incarcerated settled camping hiking fishing
    """
)
_MOVES = words(
    """moved moving relocated relocating travel travels traveled travelled traveling travelling trip
    trips flew flown flies drove went returned returning emigrated immigrated came comes originally
    hails visiting commutes transplanted native resident citizen mayor home house vacation journey
    """
)
_PEOPLE = words(
    """man woman male female gentleman lady person individual boy girl patient teacher worker
    farmer nurse chemist student engineer machinist lawyer veteran carpenter driver
    """
)
_PROFESSION = r"[a-z]{3,12}(?:ist|er|or|ian)"
_RELATIVES = words("family relatives friends sister brother son daughter parents")
_OTHER_CUES = words(
    """all_the_way_from city_of town_of village_of suburb_of outside_of out_of_downtown out_of_rural
    to_downtown to_rural from_downtown from_rural downtown
    """
)
_CUE = (
    rf"(?<!\w)(?:{_STAYS}(?i:[ \t](?:alone[ \t]|currently[ \t]|here[ \t]|now[ \t])?"
    r"(?:in|at|near|outside|outside[ \t]of|to))"
    rf"|{_MOVES}(?i:[ \t](?:recently[ \t]|back[ \t]|here[ \t]|home[ \t]|up[ \t]|down[ \t]"
    r"|over[ \t]|away[ \t])?(?:from|to|of|in|near|for))"
    rf"|(?:{_PEOPLE}|(?i:{_PROFESSION}))(?i:[ \t](?:who[ \t]is[ \t])?from)"
    rf"|{_RELATIVES}[ \t](?i:in)|{_OTHER_CUES})"
    r"[ \t](?i:the[ \t])?"
)
_CUE_WORD = union(_STAYS, _MOVES, _PEOPLE, _RELATIVES, _OTHER_CUES, form(rf"(?i:{_PROFESSION})"))
_BEFORE_PLACES = words("in at near outside of to from for downtown rural the")


def _cued(notes: Words) -> IntegerArray:
    places = notes.followed_by(notes.rows(_BEFORE_PLACES), CAPITAL)
    cues = notes.rows(_CUE_WORD)
    # "from rural Lyon", "downtown Lyon": the cue may directly precede the place.
    alone = notes.followed_by(cues, CAPITAL)
    # "grew up here outside of the ...": at most six words before the place.
    near = cues[within(cues, places, 6)]
    return notes.starts(merged(near, alone))


_CUED = Rule(_cued, rf"{_CUE}(?P<place>{PLACE})(?!\w)(?!['\u2019])")
_HOSPITAL_NAMES = "Hospital Clinic Center System Home Infirmary"
_HOSPITALS = exact_words(_HOSPITAL_NAMES)
_HOSPITAL_LABELS = words("location facility")
# The pattern may begin inside a word, as in "HealthCare Center" written as one.
_HOSPITAL_WORD = form(rf"(?s:.*)(?:{_HOSPITALS}|{_HOSPITAL_LABELS})|s")
_LENGTHS = np.array(sorted({len("'s"), *map(len, _HOSPITAL_NAMES.split())}))


def _towns_of_hospitals(notes: Words) -> IntegerArray:
    """Return the places in words from which one of the pattern's words would reach the end."""
    names = notes.rows(_HOSPITAL_WORD)
    names = merged(notes.followed_by(names, COMMA, CAPITAL), notes.followed_by(names, COLON))
    return np.sort((notes.end[names][:, None] - _LENGTHS).clip(0), axis=None)


_TOWN_OF_HOSPITAL = Rule(
    _towns_of_hospitals,
    rf"(?:{_HOSPITALS}|['\u2019]s|{_HOSPITAL_LABELS}:[ ][^\n,:{NOTE_END}]{{2,60}}),"
    rf"[ \t](?P<place>{PLACE})(?=[ \t]{{0,3}}(?:[\r\n.,;]|{END}))",
)
_PREPOSITIONS = exact_words("in near")
_IN = Rule(
    at(_PREPOSITIONS, CAPITAL),
    rf"(?<!\w){_PREPOSITIONS}[ \t](?P<place>{PLACE})(?!\w)(?!['\u2019])",
)
_LARGER = re.compile(rf",[ \t](?P<place>{PLACE})(?!\w)")
_LABELS = words("address home_address city town birthplace place_of_birth hometown residence")
_LABELLED = Rule(
    near(_LABELS, COLON, 30),
    rf"(?<!\w){_LABELS}[ \t]{{0,2}}:[ \t]{{0,3}}(?P<place>{PLACE})(?!\w)",
)

# "Katherine Puri, MD" is not a town in Maryland.
_CREDENTIALS = frozenset({"MD", "PA", "DO", "RN", "MS"})
_NO_PLACE = frozenset(
    """
    dr mr mrs ms the a an it he she they we our his her icu er ed or pacu emergency department
    room unit ward floor hospital clinic medical recovery surgery radiology school home nursing
    bed center follow social internet service operating labor delivery asymptomatic
    english spanish medicare medicaid
    """.split()
)

# Thesis 2.5.3: words that make an ambiguous name a place.
_BEFORE_PLACE = exact_words(
    """Cape Fort Ft. Lake Mount Los Las Port El Santa New North South East West San CAPE FORT LAKE
    MOUNT LOS
    """
)
_AFTER_PLACE = exact_words(
    "Harbor Street Town Ville Parkway Beach Heights Falls Springs Township County"
)
# With the other kinds, the whole must be a known place.
_KINDS_OF_PLACES = frozenset("cape fort ft lake mount los street parkway town ville harbor".split())
_INSIDE_PLACES = union(CAPITAL, exact_words(". , - ' \u2019"))


@cache
def _state_words() -> frozenset[str]:
    names = {name.split()[0] for name in lexicon("us_states")}
    return lexicon("us_state_codes") | names


@cache
def _place_words() -> frozenset[str]:
    """Return the longest word of each unambiguous place."""
    every = unambiguous_places()
    letters = {place for place in every if place.isalpha()}
    parts = map(re.compile(rf"{LETTER}+").findall, every - letters)
    return frozenset(letters.union(max(part, key=len) for part in parts if part))


_STATE_WORD = listed(_state_words)
_PLACE_NAME = listed(_place_words)


def _capitals_with(notes: Words, seeds: IntegerArray) -> IntegerArray:
    """Return the capitalised words of the names that contain one of `seeds`."""
    inside = notes.together(_INSIDE_PLACES, seeds)
    return notes.starts(inside[notes.has(CAPITAL)[inside]])


def _before_kinds(notes: Words) -> IntegerArray:
    return _capitals_with(notes, notes.rows(_AFTER_PLACE))


def _cities_before_states(notes: Words) -> IntegerArray:
    return _capitals_with(notes, notes.followed_by(notes.rows(COMMA), _STATE_WORD))


def _may_be_known(notes: Words) -> IntegerArray:
    named = notes.rows(_PLACE_NAME)
    return _capitals_with(notes, named[notes.has(CAPITAL)[named]])


_AFTER_KIND = Rule(
    at(_BEFORE_PLACE), rf"(?<![\w-])(?P<kind>{_BEFORE_PLACE})[ \t](?P<name>{NAME_WORD})(?![\w-])"
)
_BEFORE_KIND = Rule(
    _before_kinds,
    rf"(?<![\w-])(?P<name>{NAME_WORD})[ \t](?P<kind>{_AFTER_PLACE})(?![\w-])",
)
_CITY_STATE = Rule(
    _cities_before_states,
    rf"(?<![\w-])(?P<city>{PLACE_WORD}(?:[ ]{PLACE_WORD}){{0,2}}),[ ](?P<state>[A-Z]{{2}}"
    rf"|[A-Z][a-z]{{3,13}}(?:[ ][A-Z][a-z]{{3,9}})?)(?![\w-])",
)
_CAPITALISED = Rule(
    _may_be_known,
    rf"(?<![\w'\u2019.-])[{UPPER}]{LETTER}{{2,24}}(?:[ -][{UPPER}]{LETTER}{{2,24}}){{0,2}}"
    r"(?![\w-])",
)
_NOT_AFTER = re.compile(
    r"[ \t](?i:scientific|collar|catheter|brace|hospital|classification|score|scale|criteria"
    r"|type|clamp|flu|blot|fever|chromosome|pouch|needle|tip|valve|stentless|memorial|dissector)"
)


def find_places(notes: Notes) -> Iterator[Span]:
    """Find places by their context, and those with unambiguous names."""
    text = notes.text
    for match in notes.finditer(_CITY_STATE):
        if match["state"] in _CREDENTIALS and not ZIP.match(text, match.end()):
            continue
        if is_state(match["state"]) and (is_place(match["city"]) or ZIP.match(text, match.end())):
            yield Span(*match.span("city"), "LOCATION")
            yield from state_and_zip(text, match.end("city"))
    for rule in (_CUED, _LABELLED, _TOWN_OF_HOSPITAL):
        for match in notes.finditer(rule):
            if _may_be_place(match["place"]):
                yield Span(*match.span("place"), "LOCATION")
                yield from state_and_zip(text, match.end())
                yield from _next_place(text, match.end())
    for match in notes.finditer(_IN):
        near = match.group()[:4].lower() == "near" and _may_be_place(match["place"])
        if (near or is_place(match["place"])) and not is_common(match["place"]):
            yield Span(*match.span("place"), "LOCATION")
            yield from _next_place(text, match.end())
    yield from _known_places(notes)


def _next_place(text: str, end: int) -> Iterator[Span]:
    """Find the larger place after a comma: "from Lyon, France"."""
    larger = _LARGER.match(text, end)
    if larger and is_place(larger["place"]):
        yield Span(*larger.span("place"), "LOCATION")


def _may_be_place(phrase: str) -> bool:
    """Return whether a phrase after a cue is a place and not "ICU" or "Dr"."""
    words = [word for word in re.split(r"[\s-]", phrase) if word]
    if is_place(phrase):
        return True
    return not any(_is_ward(word) for word in words) and not phrase.isupper()


def _is_ward(word: str) -> bool:
    plain = normalise(word)
    return plain in _NO_PLACE or plain in calendar_words()


def _known_places(notes: Notes) -> Iterator[Span]:
    for rule in (_AFTER_KIND, _BEFORE_KIND):
        for match in notes.finditer(rule):
            if is_place(match.group()) or _is_named_place(match):
                yield Span(*match.span(), "LOCATION")
    for match in notes.finditer(_CAPITALISED):
        if not _NOT_AFTER.match(notes.text, match.end()):
            known = _longest_known(match.group())
            if known:
                yield Span(match.start() + known[0], match.start() + known[1], "LOCATION")


def _is_named_place(match: re.Match[str]) -> bool:
    kind, name = normalise(match["kind"]).rstrip("."), match["name"]
    return kind in _KINDS_OF_PLACES and (is_place(name) or normalise(name) in AMBIGUOUS_PLACES)


@lru_cache(MOST_KEPT)
def _longest_known(phrase: str) -> tuple[int, int] | None:
    """Return the offsets of the first unambiguous place in a phrase, as long as possible."""
    words = list(re.finditer(rf"{LETTER}+", phrase))
    for first in range(len(words)):
        for last in reversed(range(first, len(words))):
            start, end = words[first].start(), words[last].end()
            if normalise(phrase[start:end]) in unambiguous_places():
                return start, end
    return None
