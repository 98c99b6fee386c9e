"""Places: thesis 2.5.3, by their company or because their names mean nothing else."""

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
from multideid.base_systems.mimic.classes import form, listed, union, words, written
from multideid.base_systems.mimic.lexicons import (
    MOST_KEPT,
    calendar_words,
    is_common,
    is_place,
    unambiguous_places,
)
from multideid.base_systems.mimic.notes import NOTE_END, Notes, Rule
from multideid.base_systems.mimic.patterns import END, LETTER, NAME_WORD, UPPER
from multideid.document import Span
from multideid.knowledge.lexicons import lexicon
from multideid.text.phrases import normalise

# What people do with places only.
_CUE = (
    r"(?<!\w)(?i:(?:lives?|lived|living|resid(?:es?|ed|ing)|stay(?:s|ed|ing)|works?|worked"
    r"|working|born|raised|grew[ \t]up"
    r"|retired|housed|vacation(?:ed|ing)?|vacations?|visit(?:ed|ing)?|employed|stationed"
    r"|incarcerated|settled|camping|hiking|fishing)"
    r"[ \t](?:alone[ \t]|currently[ \t]|here[ \t]|now[ \t])?(?:in|at|near|outside"
    r"|outside[ \t]of|to)"
    r"|(?:moved|moving|relocated|relocating|travel(?:l?ed|s|l?ing)|trips?|flew|flown|flies"
    r"|drove|went|returned|returning|emigrated|immigrated"
    r"|came|comes|originally|hails|visiting|commutes|transplanted|native|resident|citizen|mayor"
    r"|home|house|vacation|travel|journey)"
    r"[ \t](?:recently[ \t]|back[ \t]|here[ \t]|home[ \t]|up[ \t]|down[ \t]|over[ \t]"
    r"|away[ \t])?(?:from|to|of|in|near|for)"
    r"|(?:man|woman|male|female|gentleman|lady|person|individual|boy|girl|patient|teacher"
    r"|worker|farmer|nurse|chemist"
    r"|student|engineer|machinist|lawyer|veteran|carpenter|driver|[a-z]{3,12}(?:ist|er|or"
    r"|ian))[ \t](?:who[ \t]is[ \t])?from"
    r"|(?:family|relatives|friends|sister|brother|son|daughter|parents)[ \t]in"
    r"|all[ \t]the[ \t]way[ \t]from|city[ \t]of|town[ \t]of|village[ \t]of|suburb[ \t]of"
    r"|outside[ \t]of|(?:out[ \t]of|to"
    r"|from)[ \t](?:downtown|rural)|downtown)"
    r"[ \t](?:the[ \t])?"
)
_CUE_WORD = form(
    r"(?i:live[sd]?|living|reside?s?|resided|residing|stay(?:s|ed|ing)?|works?|worked|working|born"
    r"|raised|grew|retired|housed|vacation(?:s|ed|ing)?|visit(?:ed|ing)?|employed|stationed"
    r"|incarcerated|settled|camping|hiking|fishing|moved|moving|relocated|relocating"
    r"|travel(?:l?ed|s|l?ing)?|trips?|flew|flown|flies|drove|went|returned|returning|emigrated"
    r"|immigrated|came|comes|originally|hails|commutes|transplanted|native|resident|citizen|mayor"
    r"|home|house|journey|man|woman|male|female|gentleman|lady|person|individual|boy|girl|patient"
    r"|teacher|worker|farmer|nurse|chemist|student|engineer|machinist|lawyer|veteran|carpenter"
    r"|driver|[a-z]{3,12}(?:ist|er|or|ian)|family|relatives|friends|sister|brother|son|daughter"
    r"|parents|all|city|town|village|suburb|outside|out|to|from|downtown)"
)
_BEFORE_PLACES = words("in at near outside of to from for downtown rural the")


def _cued(notes: Words) -> IntegerArray:
    places = notes.behind(notes.rows(_BEFORE_PLACES), CAPITAL)
    cues = notes.rows(_CUE_WORD)
    # "from rural Lyon", "downtown Lyon": the cue may itself stand right before the place.
    alone = notes.behind(cues, CAPITAL)
    # "grew up here outside of the ...": at most six words before the place.
    near = cues[within(cues, places, 6)]
    return notes.starts(merged(near, alone))


_CUED = Rule(_cued, rf"{_CUE}(?P<place>{PLACE})(?!\w)(?!['\u2019])")
_HOSPITAL_WORD = form(
    r"(?s:.*)(?:Hospital|Clinic|Center|System|Home|Infirmary|(?i:location|facility))|s"
)
_LENGTHS = np.array([len(end) for end in ("'s", "Home", "Clinic", "Hospital", "Infirmary")])


def _towns_of_hospitals(notes: Words) -> IntegerArray:
    """Give the ends of words, as long as each of the patterns' words is."""
    names = notes.rows(_HOSPITAL_WORD)
    names = merged(notes.behind(names, COMMA, CAPITAL), notes.behind(names, COLON))
    return np.sort((notes.end[names][:, None] - _LENGTHS).clip(0), axis=None)


_TOWN_OF_HOSPITAL = Rule(
    _towns_of_hospitals,
    rf"(?:Hospital|Clinic|Center|System|Home|Infirmary|['\u2019]s|(?i:location"
    rf"|facility):[ ][^\n,:{NOTE_END}]{{2,60}}),"
    rf"[ \t](?P<place>{PLACE})(?=[ \t]{{0,3}}(?:[\r\n.,;]|{END}))",
)
_IN = Rule(
    at(written("in near"), CAPITAL),
    rf"(?<!\w)(?:in|near)[ \t](?P<place>{PLACE})(?!\w)(?!['\u2019])",
)
_LARGER = re.compile(rf",[ \t](?P<place>{PLACE})(?!\w)")
_LABELLED = Rule(
    near(words("address home city town birthplace place hometown residence"), COLON, 30),
    rf"(?<!\w)(?i:address|home[ \t]address|city|town|birthplace|place[ \t]of[ \t]birth|hometown"
    rf"|residence)[ \t]{{0,2}}:[ \t]{{0,3}}(?P<place>{PLACE})(?!\w)",
)

# "Katherine Puri, MD" is no town in Maryland.
_CREDENTIALS = frozenset({"MD", "PA", "DO", "RN", "MS"})
_NO_PLACE = frozenset(
    """
    dr mr mrs ms the a an it he she they we our his her icu er ed or pacu emergency department
    room unit ward floor hospital clinic medical recovery surgery radiology school home nursing
    bed center follow social internet service operating labor delivery asymptomatic
    english spanish medicare medicaid
    """.split()
)

# Thesis 2.5.3: words that turn an ambiguous name into a place.
_BEFORE_WORD = (
    r"(?:Cape|Fort|Ft\.?|Lake|Mount|Los|Las|Port|El|Santa|New|North|South|East|West|San|CAPE"
    r"|FORT|LAKE|MOUNT|LOS)"
)
_BEFORE_PLACE = written(
    """Cape Fort Ft Lake Mount Los Las Port El Santa New North South East West San CAPE FORT LAKE
    MOUNT LOS"""
)
_AFTER_PLACE_WORD = written("Harbor Town Ville Parkway Beach Heights Falls Springs Township County")
_INSIDE_PLACES = union(CAPITAL, written(". , - ' \u2019"))


@cache
def _state_words() -> frozenset[str]:
    names = {name.split()[0] for name in lexicon("us_states")}
    return lexicon("us_state_codes") | names


@cache
def _place_words() -> frozenset[str]:
    """Return a word of each unambiguous place, the longest."""
    parts = (re.findall(rf"{LETTER}+", place) for place in unambiguous_places())
    return frozenset(max(part, key=len) for part in parts if part)


_STATE_WORD = listed(_state_words)
_PLACE_NAME = listed(_place_words)


def _capitals_with(notes: Words, seeds: IntegerArray) -> IntegerArray:
    """Give the capitalised words of the names that hold one of `seeds`."""
    inside = notes.together(_INSIDE_PLACES, seeds)
    return notes.starts(inside[notes.has(CAPITAL)[inside]])


def _before_kinds(notes: Words) -> IntegerArray:
    return _capitals_with(notes, notes.rows(_AFTER_PLACE_WORD))


def _cities_before_states(notes: Words) -> IntegerArray:
    return _capitals_with(notes, notes.behind(notes.rows(COMMA), _STATE_WORD))


def _may_be_known(notes: Words) -> IntegerArray:
    named = notes.rows(_PLACE_NAME)
    return _capitals_with(notes, named[notes.has(CAPITAL)[named]])


_MADE_PLACE = Rule(at(_BEFORE_PLACE), rf"(?<![\w-]){_BEFORE_WORD}[ \t]{NAME_WORD}(?![\w-])")
_AFTER_PLACE = Rule(
    _before_kinds,
    rf"(?<![\w-])(?:(?:{NAME_WORD})[ \t](?:Harbor|Town|Ville|Parkway|Beach|Heights|Falls"
    rf"|Springs|Township|County))(?![\w-])",
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
    """Find places by their company, and those whose names mean nothing else."""
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
    """Read the larger place behind a comma: "from Lyon, France"."""
    larger = _LARGER.match(text, end)
    if larger and is_place(larger["place"]):
        yield Span(*larger.span("place"), "LOCATION")


def _may_be_place(phrase: str) -> bool:
    """Tell whether what people live in or come from is a place and not "ICU" or "Dr"."""
    words = [word for word in re.split(r"[\s-]", phrase) if word]
    if is_place(phrase):
        return True
    return not any(_is_ward(word) for word in words) and not phrase.isupper()


def _is_ward(word: str) -> bool:
    plain = normalise(word)
    return plain in _NO_PLACE or plain in calendar_words()


def _known_places(notes: Notes) -> Iterator[Span]:
    for rule in (_MADE_PLACE, _AFTER_PLACE):
        for match in notes.finditer(rule):
            if is_place(match.group()):
                yield Span(*match.span(), "LOCATION")
    for match in notes.finditer(_CAPITALISED):
        if not _NOT_AFTER.match(notes.text, match.end()):
            known = _longest_known(match.group())
            if known:
                yield Span(match.start() + known[0], match.start() + known[1], "LOCATION")


@lru_cache(MOST_KEPT)
def _longest_known(phrase: str) -> tuple[int, int] | None:
    """Return where the first place stands that means nothing else, as long as it can be."""
    words = list(re.finditer(rf"{LETTER}+", phrase))
    for first in range(len(words)):
        for last in reversed(range(first, len(words))):
            start, end = words[first].start(), words[last].end()
            if normalise(phrase[start:end]) in unambiguous_places():
                return start, end
    return None
